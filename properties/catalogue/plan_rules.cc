// The catalogue's entries for the rules that a memory plan can break (base/rule_names.h).
#include <array>

#include "base/rule_names.h"
#include "pteproof/rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kAnyPolicy = "None: the methods' own banks are enough to go wrong.";

constexpr std::array kPlan = {
    RuleInfo{
        .name = rule::kPlanOverlap,
        .summary = "two values that are live at the same time share bytes",
        .invariant =
            "Values that are live together lie on disjoint bytes, unless they are names of one "
            "storage.",
        .meaning =
            "An instruction writes bytes that still hold another value, and that value is read "
            "later. Lifetimes are taken from the instructions, not from the planner, so an overlay "
            "of a dead value is no finding.",
        .example =
            "Instruction 1 writes v3 over v2's bytes [0,32); instruction 4 reads v2 and gets v3.",
        .fix = "Export again without the option that laid the value there: in-place annotations, "
               "custom "
               "planning algorithms and preset memory ids first.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kPlanBounds,
        .summary = "a value reaches past the end of its bank",
        .invariant = "Offset plus size stays within the bank, in every method that uses the bank.",
        .meaning =
            "The runtime refuses to load the method. Where methods share the bank, each must "
            "declare it large enough for what it keeps in it.",
        .example = "v0 takes bank 2 [0,1024), and the method declares bank 2 with 32 bytes.",
        .fix =
            "Use a fresh memory planning pass object for each program: a pass that has planned one "
            "program remembers its sizes.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kPlanAlignment,
        .summary = "a value starts where its elements are not aligned",
        .invariant = "A value's offset is a multiple of its element's size.",
        .meaning =
            "Kernels read elements through typed pointers. On some processors a misaligned one is "
            "slow, on others the program ends. An error where an element itself is misaligned.",
        .example = "A float32 value at offset 6.",
        .fix =
            "Plan with an alignment of 16 (the default) or at least that of the largest element.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kAliasLifetime,
        .summary = "bytes are reused while another name of the same storage is still read",
        .invariant =
            "A storage lives until the last read through any of its names: views, in-place "
            "results, moved values.",
        .meaning = "The planner ended a storage's lifetime at the last use of one name and missed "
                   "another. The bytes then hold something else when the other name is read.",
        .example =
            "v12 is written over v3, the result of an in-place update; instruction 5 reads v3.",
        .fix = "Turn off the in-place rewrite or view elision (`remove_view_copy=False`) for this "
               "model.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kInPlaceAlias,
        .summary =
            "an operator overwrites bytes that it, or somebody who may not change, still needs",
        .invariant =
            "An in-place destination is writable, and overlaps no operand unless the operator "
            "goes element by element.",
        .meaning =
            "The operator reads and writes the same bytes in a different order, so it reads its "
            "own results; or it writes into a constant or into the caller's input.",
        .example = "aten::flip.out reads v2 and writes v4, both bank 1 [32,64).",
        .fix =
            "Do not mark operators as in-place that are not elementwise; copy constants and inputs "
            "before they are updated.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kInPlaceSingleUse,
        .summary = "a value is overwritten in place although another instruction reads it later",
        .invariant = "The in-place operator is the last reader of the value that it overwrites.",
        .meaning =
            "The result took its operand's bytes, and somebody reads the operand afterwards. That "
            "reader gets the result in its place.",
        .example = "maximum(a, x) writes p over a; minimum(a, p) then reads p twice.",
        .fix = "Turn off the in-place rewrite, or keep a clone of the operand in the model.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kInPlacePassThrough,
        .summary =
            "the part that an in-place update leaves untouched is not the value that it updates",
        .invariant =
            "What an in-place operator does not write still holds the value that it updates.",
        .meaning =
            "An update of a part relies on the rest of the bytes. They hold something else, so "
            "the result is a mixture of two values.",
        .example = "index_put_ writes row 2 of a slot whose other rows were never copied into it.",
        .fix = "Turn off the in-place rewrite for this operator, or export its functional form.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kStateClobbered,
        .summary = "a method overwrites bytes in which another method keeps state",
        .invariant =
            "Bytes that hold state between calls are written only by stores to that state.",
        .meaning =
            "The loader lays several methods on one bank, and one method's intermediate values "
            "fall on another's state. The state is wrong at the next call.",
        .example = "other writes v1 bank 1 [0,128) over inc's state v0 bank 1 [96,128).",
        .fix =
            "Load with private banks (C++ Module's default), or export with state in a bank of its "
            "own: `share_mutable_buffers=True`.",
        .policies =
            "Those that share the bank: share-all, and share-1-2 for memory ids 1 and 2. Under "
            "private it cannot happen between methods."},
    RuleInfo{
        .name = rule::kSharedLayout,
        .summary = "methods disagree on where a piece of shared state lies, or how large it is",
        .invariant =
            "One state has one place, size and type in all methods; two states are disjoint.",
        .meaning =
            "What one method stores, another reads from other bytes, or reads another state's. "
            "States are matched by name, and without names by equal or disjoint places.",
        .example = "down keeps 'a' in bank 2 [0,16), up keeps 'a' in bank 2 [32,48).",
        .fix =
            "Plan all methods with one pass object, once, with `share_mutable_buffers=True`, and "
            "give the buffer the same size in every method.",
        .policies =
            "Those that share the bank. Under private the methods do not see each other's state "
            "at all: see state-split."},
    RuleInfo{
        .name = rule::kStateSplit,
        .summary = "state that methods should share lies in a bank that the loader keeps private",
        .invariant = "State that is one in the model is one in memory.",
        .meaning =
            "Each method gets a copy of its own and never sees what another stored. An error where "
            "the plan is laid out for sharing or a manifest says that the buffer is shared, else a "
            "warning.",
        .example =
            "put stores 'state' in bank 2 and get reads bank 2, but each has its own bank 2.",
        .fix =
            "Load the program with a loader that shares the bank, or declare in the manifest that "
            "each method is meant to have its own (`\"shared\": false`).",
        .policies = "private; share-1-2 for memory ids above 2."},
    RuleInfo{
        .name = rule::kWriteBackMissing,
        .summary = "a method computes a new value of a buffer and never stores it",
        .invariant = "At the end of a call each mutated buffer holds its new value.",
        .meaning =
            "The store was lost, or goes to another value. The next call reads the old state, "
            "without any error. The only store to an input that is returned ahead of the user's "
            "outputs may be the input's own: a manifest decides.",
        .example = "The store of buffer 'state' (v0) goes to the argument of the same name (v1).",
        .fix =
            "Rename arguments that have a buffer's name; write a store from one buffer to another "
            "with `.clone()`.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kEntryValueLost,
        .summary = "a read that means the value at entry sees a value stored later",
        .invariant =
            "Stores to state form one parallel assignment at the end: whoever means the old "
            "value gets it.",
        .meaning =
            "A store runs before the last read of the old value, often through a view, or the old "
            "value is returned from bytes that were overwritten.",
        .example =
            "Instruction 1 stores v0; instruction 2 copies a view of v0, made before the store.",
        .fix = "Clone the old value in the model before the buffer is written.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kReadBeforeWrite,
        .summary = "bytes are read that nothing has written",
        .invariant = "Everything that is read was written before, or has an initial value.",
        .meaning =
            "On some path, or at the first call, the value is whatever the memory held. For state "
            "without stored data that is zero with today's loaders, which is wrong where the model "
            "starts from another value.",
        .example =
            "The model registers 'level' as ones; no initial data are in the file; read comes "
            "first.",
        .fix = "Store initial values with `InitializedMutableBufferPass`; say in the manifest "
               "what the "
               "buffer starts from.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kInitialisedTwice,
        .summary = "loading a second method resets state that a first one has already changed",
        .invariant = "An initial value is applied once.",
        .meaning =
            "Every method carries the initial value, and every load copies it. With methods that "
            "are loaded at their first call, a late load undoes what was stored before. Where two "
            "methods carry different values, the buffer begins with whichever was loaded last.",
        .example =
            "write changes 'level'; the first call of read loads it and copies 'level' anew.",
        .fix = "Load all methods before the first call (check with `--load all-first`).",
        .policies = "Those that share the bank. With `--load all-first` nothing is undone."},
    RuleInfo{
        .name = rule::kInitialValueWrong,
        .summary = "the stored initial value is not the one that the model registers",
        .invariant = "State starts from the registered value.",
        .meaning =
            "The data that the file copies into the state at load belong to another buffer, or are "
            "missing. Needs the manifest's `initial` or `initial_sha256`.",
        .example = "'t' and 's' both start from initial data 1.",
        .fix =
            "Export without buffer names, or so that no constant has the same bytes as the initial "
            "value.",
        .policies = kAnyPolicy},
    RuleInfo{.name = rule::kMutabilityMismatch,
             .summary = "a method reads as a constant what another method changes",
             .invariant = "State that any method writes is a constant in none.",
             .meaning = "The reader goes on seeing the value of the time of export. Methods "
                        "exported one by one "
                        "do not know of each other's writes. Needs names or a manifest.",
             .example = "put stores 'state'; get holds 'state' as constant data 1.",
             .fix = "Export all methods with one pass object and `share_mutable_buffers=True`; "
                    "keep constant "
                    "folding and delegates away from the buffer.",
             .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kRegionEscape,
        .summary = "a value that left a branch or loop is overwritten by another branch or loop",
        .invariant = "A branch's result keeps its bytes until it is last read.",
        .meaning =
            "All branches and loops of a method are planned over one common region. Results leave "
            "it as handles, not copies, so the next one writes over them.",
        .example = "r1 = cond(p, a); r2 = cond(p, b); r1 + r2 computes r2 + r2.",
        .fix = "Clone each result after its cond, and use only the clone.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kBoundTooSmall,
        .summary = "an admitted input is larger than the memory planned for it",
        .invariant = "The planned size covers every size that the model admits.",
        .meaning =
            "The file's upper bound is below the manifest's. The runtime refuses such an input at "
            "the call. A static input takes its own sizes only, so smaller ones are refused too.",
        .example = "A dimension without upper bound was planned at its example's size, 4.",
        .fix = "Give every dynamic dimension a finite `max` when the model is exported.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kOutputMisbound,
        .summary = "an output is not the value that the model returns there",
        .invariant = "Output i of the method is output i of the model.",
        .meaning =
            "Names and positions of outputs drifted apart during export. Needs the manifest's "
            "`outputs`.",
        .example = "The first output should be the input's new value, and is buffer 'cache'.",
        .fix = "Export without the in-place rewrite where buffers and inputs are both mutated.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kOutputInvalidated,
        .severity = Severity::kNote,
        .summary = "an output's memory is overwritten by a later call of another method",
        .invariant = "An output stays valid until the next call.",
        .meaning =
            "With a loader that does not copy outputs, a caller that keeps one over the next call "
            "sees it change. A note: today's Python loaders copy.",
        .example = "encode's output lies in bank 1 [0,64), where decode keeps intermediate values.",
        .fix = "Copy outputs that you keep, or export with `alloc_graph_output=False`.",
        .policies = "Those that share the bank."},
    RuleInfo{
        .name = rule::kPhantomSlot,
        .severity = Severity::kWarning,
        .summary = "bytes are reserved that no instruction touches",
        .invariant = "Every reserved range has a writer and a reader.",
        .meaning =
            "Memory is paid for and never used. Runs are right. An in-place update can leave such "
            "a slot: the result took its operand's place, and its own stays reserved. Where the "
            "method has one that fits, the finding names it.",
        .example = "v3 reserves bank 1 [32,256) and is in no instruction.",
        .fix = "Nothing has to be done. If an in-place update is named, the memory is saved by an "
               "export "
               "without the in-place rewrite.",
        .policies = kAnyPolicy},
    RuleInfo{.name = rule::kPlanWaste,
             .severity = Severity::kNote,
             .summary = "a bank is much larger than the values that are live at once",
             .invariant = "A bank is close to its load, below which no plan can go.",
             .meaning =
                 "Load is the most bytes that are live at one time. What a bank has above it is "
                 "fragmentation, padding or unused slots. Runs are right.",
             .example = "Bank 1 has 160 bytes where 96 are the most that is live.",
             .fix = "Try other planning algorithms; let the greedy one run first in a suite.",
             .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kSelfCopy,
        .severity = Severity::kWarning,
        .summary = "a value is copied onto itself",
        .invariant = "A store has a source of its own.",
        .meaning =
            "The instruction does nothing. A model that stores a view of a buffer back to it has "
            "one; else a store was probably meant for another value: with a buffer in the method "
            "that nothing touches it is a write-back-missing.",
        .example = "copy_ writes v1 from v1.",
        .fix = "Rename arguments that have a buffer's name.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kNotProvable,
        .severity = Severity::kNote,
        .summary = "the file does not say enough to decide this point",
        .invariant = "Where the file leaves two readings, the report says so.",
        .meaning =
            "A delegate's inputs and outputs are not told apart, a buffer has no name, an operator "
            "is unknown. Where the standing assumptions settle it, the verdict stays; where one of "
            "two readings is an error, the verdict is undecided.",
        .example = "A delegate call has five arguments, and nothing says which it writes.",
        .fix = "Write a manifest at export: it says what the file cannot.",
        .policies = kAnyPolicy},
};

}  // namespace

std::span<const RuleInfo> PlanRules() {
  return kPlan;
}

}  // namespace pteproof
