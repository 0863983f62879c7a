#include "tests/planted/defects.h"

#include <array>

namespace pteproof {
namespace {

using planner::Defect;

constexpr auto kDefects = std::to_array<DefectRow>({
    {Defect::kStoreToNamesake, "store-to-namesake", 1},
    {Defect::kStoreOfInputLost, "store-of-input-lost", 6},
    {Defect::kStoreOfBufferLost, "store-of-buffer-lost", 27},
    {Defect::kInputToInputLost, "input-to-input-lost", 27},
    {Defect::kStoredOnce, "stored-once", 29},
    {Defect::kSwapWithoutTemporary, "swap-without-temporary", 63},
    {Defect::kStoresAsListed, "stores-as-listed", 28},
    {Defect::kStoresOvertake, "stores-overtake", 28},
    {Defect::kStoreBeforeLastRead, "store-before-last-read", 65},
    {Defect::kStoreInBranch, "store-in-branch", 4},
    {Defect::kStoreBeforeRows, "store-before-rows", 16},
    {Defect::kStoresDead, "stores-dead", 16},
    {Defect::kStoresHollow, "stores-hollow", 16},
    {Defect::kEntryOutputNotCopied, "entry-output-not-copied", 32},
    {Defect::kOutputsUnsorted, "outputs-unsorted", 31},
    {Defect::kThenBranchHandsOn, "then-branch-hands-on", 58},
    {Defect::kRoundsAsListed, "rounds-as-listed", 63},
    {Defect::kRowsBeginInside, "rows-begin-inside", 77},
    {Defect::kCarriedEndsInRound, "carried-ends-in-round", 77},
    {Defect::kCapturedEndsInRound, "captured-ends-in-round", 3},
    {Defect::kBranchesNotJoined, "branches-not-joined", 3},
    {Defect::kRegionResultEndsInRegion, "region-result-ends-in-region", 2},
    {Defect::kOutputEndsAtLastRead, "output-ends-at-last-read", 71},
    {Defect::kInputUnborn, "input-unborn", 5},
    {Defect::kOperandEndsAtRead, "operand-ends-at-read", 60},
    {Defect::kLifeEndsEarly, "life-ends-early", 49},
    {Defect::kListsNotRead, "lists-not-read", 49},
    {Defect::kOpaqueNotRead, "opaque-not-read", 48},
    {Defect::kPutNotRead, "put-not-read", 17},
    {Defect::kViewUsesLost, "view-uses-lost", 47},
    {Defect::kInPlaceUsesLost, "in-place-uses-lost", 70},
    {Defect::kViewSizesNotRead, "view-sizes-not-read", 49},
    {Defect::kFirstReaderOnly, "first-reader-only", 67},
    {Defect::kViewReadersForgotten, "view-readers-forgotten", 33},
    {Defect::kViewOfStoredBuffer, "view-of-stored-buffer", 30},
    {Defect::kAnyOperatorInPlace, "any-operator-in-place", 76},
    {Defect::kSpreadInPlace, "spread-in-place", 46},
    {Defect::kSpreadTakenForView, "spread-taken-for-view", 47},
    {Defect::kAliasUnderResult, "alias-under-result", 46},
    {Defect::kInPlaceAcrossTypes, "in-place-across-types", 26},
    {Defect::kResultOverOperand, "result-over-operand", 61},
    {Defect::kStoreAssumedTied, "store-assumed-tied", 16},
    {Defect::kConstantWritable, "constant-writable", 73},
    {Defect::kInputWritable, "input-writable", 73},
    {Defect::kTwoBuffersOneStorage, "two-buffers-one-storage", 29},
    {Defect::kUnplannedShared, "unplanned-shared", 54},
    {Defect::kInnerConcatElided, "inner-concat-elided", 50},
    {Defect::kConcatReversed, "concat-reversed", 50},
    {Defect::kHintForBound, "hint-for-bound", 43},
    {Defect::kLowerBound, "lower-bound", 51},
    {Defect::kFourByteElements, "four-byte-elements", 50},
    {Defect::kAlignmentOfPlan, "alignment-of-plan", 37},
    {Defect::kHoleForgotten, "hole-forgotten", 25},
    {Defect::kBankEndsAtLastStart, "bank-ends-at-last-start", 9},
    {Defect::kPartAtStart, "part-at-start", 50},
    {Defect::kSmallAlignmentRefused, "small-alignment-refused", 37},
    {Defect::kLayoutOfEachMethod, "layout-of-each-method", 75},
    {Defect::kBankOfFirstMethod, "bank-of-first-method", 9},
    {Defect::kOverShared, "over-shared", 15},
    {Defect::kNeverShared, "never-shared", 24},
    {Defect::kReaderHasConstant, "reader-has-constant", 13},
    {Defect::kSharedBankUnlabelled, "shared-bank-unlabelled", 12},
    {Defect::kOneNameForSeveral, "one-name-for-several", 38},
    {Defect::kStateAmongActivations, "state-among-activations", 41},
    {Defect::kPrivateStatesMeet, "private-states-meet", 41},
    {Defect::kInitialFromConstants, "initial-from-constants", 42},
    {Defect::kEqualSizesEqualData, "equal-sizes-equal-data", 42},
    {Defect::kZeroByFirstByte, "zero-by-first-byte", 11},
    {Defect::kLateLoadResets, "late-load-resets", 40},
    {Defect::kInitForgetsLast, "init-forgets-last", 11},
    {Defect::kUpdateElsewhere, "update-elsewhere", 35},
    {Defect::kSizesAtBound, "sizes-at-bound", 54},
    {Defect::kVaryingElided, "varying-elided", 54},
});

}  // namespace

std::span<const DefectRow> AllDefects() {
  return kDefects;
}

}  // namespace pteproof
