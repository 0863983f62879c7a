// Defects that tests plant into the planner, one at a time, to see whether the harness finds them.
// Each stands for a mistake that a real planner made. The planner as it is shipped has none:
// without PTEPROOF_PLANTED, Planted() is the constant false.
#ifndef PTEPROOF_PLANNER_PLANTED_H_
#define PTEPROOF_PLANNER_PLANTED_H_

#include <cstdint>

namespace pteproof::planner {

// What is wrong. Names and catalogue entries: tests/planted/defects.cc.
enum class Defect : uint8_t {
  kNone,

  // Stores, and what else happens at exit.
  kStoreToNamesake,       // an input of the buffer's name is taken for it: the store is lost
  kStoreOfInputLost,      // an input stored to a buffer as it is: no operator, no store
  kStoreOfBufferLost,     // what lies in some buffer is taken to lie in this one
  kInputToInputLost,      // likewise an input that is stored to another one
  kStoredOnce,            // a value that is stored to two buffers reaches the first only
  kSwapWithoutTemporary,  // a circle of stores begins by overwriting what its last one reads
  kStoresAsListed,        // stores stand in the order of the signature, whatever they read
  kStoresOvertake,        // an early store does not wait for an earlier one that reads its target
  kStoreBeforeLastRead,   // an early store does not wait for readers of the old value
  kStoreInBranch,         // an early store stands on one path only
  kStoreBeforeRows,       // a result made row by row is stored once its first row may be there
  kStoresDead,            // a store without a reader in the method is left out
  kStoresHollow,          // a store is left out where no operator writes the buffer's bytes
  kEntryOutputNotCopied,  // an output that denotes the old value is the buffer itself
  kOutputsUnsorted,       // outputs that are stored inputs come in the order of the stores

  // Branches and loops.
  kThenBranchHandsOn,         // what the first branch hands on is taken for the second one's too
  kRoundsAsListed,            // carried values are handed on one after the other
  kRowsBeginInside,           // rows of an inner loop are given up between rounds of the outer one
  kCarriedEndsInRound,        // a carried value ends at its last read, before the jump back
  kCapturedEndsInRound,       // what a loop reads in every round ends in the first one
  kBranchesNotJoined,         // a value wanted after a branch does not live through its first arm
  kRegionResultEndsInRegion,  // a region's result gives up its bytes when the region ends

  // Uses and lifetimes.
  kOutputEndsAtLastRead,  // an output lives to its last read, not to the caller's
  kInputUnborn,           // an input without a reader takes no room, though the caller fills it
  kOperandEndsAtRead,     // an operand's bytes are free for the result of the step that reads it
  kLifeEndsEarly,         // lives end one step early
  kListsNotRead,          // what is read as an item of a list is not read
  kOpaqueNotRead,         // what is given to a delegate or an unknown operator is not read
  kPutNotRead,            // of an operator that is rewritten in place only the first operand is
  kUpdateIsFill,          // an operator in place is thought to need nothing of what it overwrites
  kViewUsesLost,          // a storage ends with the last use of its base, not of the base's views
  kInPlaceUsesLost,       // a storage ends with the operand, not with the result in its place
  kViewSizesNotRead,      // numbers that a view's sizes are made of are dead

  // Which values share bytes.
  kFirstReaderOnly,       // an operand is overwritten after its first reader, not after its last
  kViewReadersForgotten,  // an operand is overwritten although a view of it is still read
  kViewOfStoredBuffer,    // a view of a buffer is another name of it, across a store
  kAnyOperatorInPlace,    // in place although the operator does not go element by element
  kSpreadInPlace,         // in place of an operand that is spread over the result
  kSpreadTakenForView,    // what is copied to larger sizes is taken for a view
  kAliasUnderResult,      // a result lies over another name of its operand, which it may not
  kInPlaceAcrossTypes,    // in place although the elements' sizes differ
  kResultOverOperand,     // a result may lie over any operand of its operator, if that dies
  kStoreAssumedTied,      // a delegate's result, or a view, is taken to be in the buffer already
  kConstantWritable,      // constants are overwritten in place
  kInputWritable,         // likewise tensors of the caller
  kSourceOfUpdate,        // an update of a part is made over the values that it puts there
  kLentInputReread,       // an input that may be overwritten is, while it is still read
  kOutputOverInput,       // so is one that comes back in memory that the loader sets after it
  kPassedElsewhere,  // a call is emitted as one that updates its operand; its result is elsewhere
  kTwoBuffersOneStorage,  // two buffers that end with one value share one storage
  kBuiltInWhileRead,      // what ends in a buffer is built there while the old value is still read
  kUnplannedShared,       // an output's memory is the caller's, and also a buffer's
  kInnerConcatElided,     // parts that interleave are laid end to end
  kConcatReversed,        // parts of an elided concatenation lie in the wrong order

  // Sizes and places.
  kHintForBound,           // sizes that vary are planned for the example
  kLowerBound,             // likewise for their smallest
  kFourByteElements,       // every element takes four bytes
  kAlignmentOfPlan,        // offsets are aligned for the plan, and not for their elements
  kHoleForgotten,          // a life with a hole ends where the hole begins
  kBankEndsAtLastStart,    // a bank ends where its last storage begins
  kPartAtStart,            // what lies inside of a storage is written down at its start
  kSmallAlignmentRefused,  // alignments below 16 are refused

  // State and its layout.
  kLayoutOfEachMethod,     // each method lays out the shared buffers that it uses
  kBankOfFirstMethod,      // the shared bank has the size that the first method needs
  kOverShared,             // methods share what each should have for itself
  kNeverShared,            // each method has its own of what is shared
  kReaderHasConstant,      // a method that only reads a shared buffer has its initial value
  kSharedBankUnlabelled,   // shared buffers lie in a bank that the policy keeps private
  kOneNameForSeveral,      // buffers of several methods have one name in the file
  kStateAmongActivations,  // private state lies in the bank of activations
  kPrivateStatesMeet,      // private state of two methods lies in one place of a common bank

  // Initial data.
  kInitialFromConstants,  // an initial value is looked up in the table of constants
  kEqualSizesEqualData,   // data of one size are taken for the same
  kZeroByFirstByte,       // an initial value that begins with a zero byte is taken for zeros
  kLateLoadResets,        // what methods share is initialised whenever one is loaded
  kInitForgetsLast,       // et_module_init leaves out the last buffer

  // Instructions.
  kUpdateElsewhere,  // an operator is emitted in place although its result is elsewhere
  kSizesAtBound,     // a view has the sizes of the bound in every call
  kVaryingElided,    // a view whose sizes vary takes no instruction

  kCount,

  // Of programs that are planned anew: certificates find these (tests/planted/replan_test.cc).
  kReadJoinsNothing,     // what a read finds does not have to keep its distance
  kListsNotTouched,      // what is in a list is not touched
  kMoveNotFollowed,      // what is read through a moved name is not read
  kNamedStateMoves,      // a buffer that only the caller sees moves like any other value
  kFirstReadCounts,      // a web lives to its first reader
  kEntryNotFilled,       // the caller fills no input
  kExitNotRead,          // the caller reads no output
  kJumpsNotTaken,        // lives know no jumps
  kOverReadOperand,      // a result lies over an operand that is read again
  kViewMadeWhenUsed,     // a view is copied where it is used
  kBuffersOnTop,         // buffers that are laid out anew lie on top of each other
  kStoreOverLastReader,  // a store moves ahead of an instruction that reads the old contents
  kStoragesOnTop,        // storages that are spread out lie on top of each other
  kReplanCount,

  // Of plans for other orders of execution: proofs find these (tests/planted/orders_test.cc).
  kOrderAsListed,  // what the listing alone orders counts as ordered
  kLivesAsListed,  // a storage ends with its last use in the listing
  kSecondReader,   // under the strict order a result is made over an operand with another reader
  kOrderCount,
};

#ifdef PTEPROOF_PLANTED
inline thread_local Defect planted_defect = Defect::kNone;

// From now on, for this thread, in place of the one before; kNone: none.
inline void PlantDefect(Defect defect) {
  planted_defect = defect;
}
// Whether a test has planted it.
[[nodiscard]] inline bool Planted(Defect defect) {
  return defect == planted_defect;
}
#else
[[nodiscard]] constexpr bool Planted(Defect) {
  return false;
}
#endif

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PLANTED_H_
