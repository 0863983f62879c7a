// Defects of the planner itself: conditions in its sources (planner/planted.h).
#include <array>

#include "tests/planted/defects.h"

namespace pteproof {
namespace {

using planner::Defect;

constexpr auto kPlanner = std::to_array<DefectRow>({
    {"store-to-namesake", 1, "I8", Defect::kStoreToNamesake},
    {"store-of-input-lost", 6, "I8", Defect::kStoreOfInputLost},
    {"store-of-buffer-lost", 27, "I8", Defect::kStoreOfBufferLost},
    {"input-to-input-lost", 27, "I8", Defect::kInputToInputLost},
    {"stored-once", 29, "I8", Defect::kStoredOnce},
    {"swap-without-temporary", 63, "I9", Defect::kSwapWithoutTemporary},
    {"stores-as-listed", 28, "I9", Defect::kStoresAsListed},
    {"stores-overtake", 28, "I9", Defect::kStoresOvertake},
    {"store-before-last-read", 65, "I9", Defect::kStoreBeforeLastRead},
    {"store-in-branch", 4, "I13", Defect::kStoreInBranch},
    {"store-before-rows", 16, "I8", Defect::kStoreBeforeRows},
    {"stores-dead", 16, "I8", Defect::kStoresDead},
    {"stores-hollow", 16, "I8", Defect::kStoresHollow},
    {"entry-output-not-copied", 32, "I9", Defect::kEntryOutputNotCopied},
    {"outputs-unsorted", 31, "I20", Defect::kOutputsUnsorted},
    {"then-branch-hands-on", 58, "I13", Defect::kThenBranchHandsOn},
    {"rounds-as-listed", 63, "I9", Defect::kRoundsAsListed},
    {"rows-begin-inside", 77, "I13", Defect::kRowsBeginInside},
    {"carried-ends-in-round", 77, "I13", Defect::kCarriedEndsInRound},
    {"captured-ends-in-round", 3, "I13", Defect::kCapturedEndsInRound},
    {"branches-not-joined", 3, "I13", Defect::kBranchesNotJoined},
    {"region-result-ends-in-region", 2, "I13", Defect::kRegionResultEndsInRegion},
    {"output-ends-at-last-read", 71, "I5", Defect::kOutputEndsAtLastRead},
    {"input-unborn", 5, "I3", Defect::kInputUnborn},
    {"operand-ends-at-read", 60, "I5", Defect::kOperandEndsAtRead},
    {"life-ends-early", 49, "I3", Defect::kLifeEndsEarly},
    {"lists-not-read", 49, "I3", Defect::kListsNotRead},
    {"opaque-not-read", 48, "I4", Defect::kOpaqueNotRead},
    {"put-not-read", 17, "I5", Defect::kPutNotRead},
    {"update-is-fill", 35, "I5", Defect::kUpdateIsFill},
    {"view-uses-lost", 47, "I4", Defect::kViewUsesLost},
    {"in-place-uses-lost", 70, "I3", Defect::kInPlaceUsesLost},
    {"view-sizes-not-read", 49, "I3", Defect::kViewSizesNotRead},
    {"first-reader-only", 67, "I5", Defect::kFirstReaderOnly},
    {"view-readers-forgotten", 33, "I4", Defect::kViewReadersForgotten},
    {"view-of-stored-buffer", 30, "I9", Defect::kViewOfStoredBuffer},
    {"any-operator-in-place", 76, "I5", Defect::kAnyOperatorInPlace},
    {"spread-in-place", 46, "I5", Defect::kSpreadInPlace},
    {"spread-taken-for-view", 47, "I4", Defect::kSpreadTakenForView},
    {"alias-under-result", 46, "I5", Defect::kAliasUnderResult},
    {"in-place-across-types", 26, "I5", Defect::kInPlaceAcrossTypes},
    {"result-over-operand", 61, "I5", Defect::kResultOverOperand},
    {"store-assumed-tied", 16, "I8", Defect::kStoreAssumedTied},
    {"constant-writable", 73, "I5", Defect::kConstantWritable},
    {"input-writable", 73, "I5", Defect::kInputWritable},
    {"source-of-update", 76, "I5", Defect::kSourceOfUpdate},
    {"lent-input-reread", 67, "I5", Defect::kLentInputReread},
    {"output-over-input", 74, "I9", Defect::kOutputOverInput},
    {"passed-elsewhere", 26, "I5", Defect::kPassedElsewhere},
    {"two-buffers-one-storage", 29, "I8", Defect::kTwoBuffersOneStorage},
    {"built-in-while-read", 72, "I5", Defect::kBuiltInWhileRead},
    {"unplanned-shared", 54, "I5", Defect::kUnplannedShared},
    {"inner-concat-elided", 50, "I1", Defect::kInnerConcatElided},
    {"concat-reversed", 50, "I1", Defect::kConcatReversed},
    {"hint-for-bound", 43, "I14", Defect::kHintForBound},
    {"lower-bound", 51, "I14", Defect::kLowerBound},
    {"four-byte-elements", 50, "I2", Defect::kFourByteElements},
    {"alignment-of-plan", 37, "I2", Defect::kAlignmentOfPlan},
    {"hole-forgotten", 25, "I1", Defect::kHoleForgotten},
    {"bank-ends-at-last-start", 9, "I2", Defect::kBankEndsAtLastStart},
    {"part-at-start", 50, "I1", Defect::kPartAtStart},
    {"small-alignment-refused", 37, "I18", Defect::kSmallAlignmentRefused},
    {"layout-of-each-method", 75, "I7", Defect::kLayoutOfEachMethod},
    {"bank-of-first-method", 9, "I2", Defect::kBankOfFirstMethod},
    {"over-shared", 15, "I6", Defect::kOverShared},
    {"never-shared", 24, "I7", Defect::kNeverShared},
    {"reader-has-constant", 13, "I11", Defect::kReaderHasConstant},
    {"shared-bank-unlabelled", 12, "I7", Defect::kSharedBankUnlabelled},
    {"one-name-for-several", 38, "I7", Defect::kOneNameForSeveral},
    {"state-among-activations", 41, "I6", Defect::kStateAmongActivations},
    {"private-states-meet", 41, "I6", Defect::kPrivateStatesMeet},
    {"initial-from-constants", 42, "I10", Defect::kInitialFromConstants},
    {"equal-sizes-equal-data", 42, "I10", Defect::kEqualSizesEqualData},
    {"zero-by-first-byte", 11, "I10", Defect::kZeroByFirstByte},
    {"late-load-resets", 40, "I10", Defect::kLateLoadResets},
    {"init-forgets-last", 11, "I10", Defect::kInitForgetsLast},
    {"update-elsewhere", 35, "I5", Defect::kUpdateElsewhere},
    {"sizes-at-bound", 54, "I14", Defect::kSizesAtBound},
    {"varying-elided", 54, "I14", Defect::kVaryingElided},
});

}  // namespace

std::span<const DefectRow> PlannerDefects() {
  return kPlanner;
}

}  // namespace pteproof
