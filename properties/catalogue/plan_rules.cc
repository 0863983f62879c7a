// The catalogue's entries for the rules that a memory plan can break (base/rule_names.h).
#include <array>

#include "base/rule_names.h"
#include "pteproof/rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kAnyPolicy =
    "None: one method alone can break the rule, whatever the loader shares.";

constexpr std::array kPlan = {
    RuleInfo{
        .name = rule::kPlanOverlap,
        .summary = "two values that are live at the same time share bytes",
        .invariant =
            "Values that are live together lie on disjoint bytes, unless they are names of one "
            "storage.",
        .meaning =
            "An instruction writes bytes that still hold another value, and a later instruction "
            "reads that value. Lifetimes come from the instructions, not from the planner: bytes "
            "of "
            "a dead value may be reused.",
        .example =
            "Instruction 1 writes v3 over v2's bytes [0,32); instruction 4 reads v2 and gets v3.",
        .fix = "Export again without the option that placed the value there. Try in-place "
               "annotations, custom planning algorithms and preset memory ids first.",
        .policies = kAnyPolicy,
        .reported = "pytorch/executorch#6971 apache/tvm#1012"},
    RuleInfo{
        .name = rule::kPlanBounds,
        .summary = "a value reaches past the end of its bank",
        .invariant = "Offset plus size stays within the bank, in every method that uses the bank.",
        .meaning =
            "The runtime refuses to load the method. If methods share the bank, each method must "
            "declare it large enough for its own values.",
        .example = "v0 takes bank 2 [0,1024), and the method declares bank 2 with 32 bytes.",
        .fix =
            "Use a fresh memory-planning pass object for each program. A pass object remembers the "
            "sizes of the programs that it has planned.",
        .policies = kAnyPolicy,
        .reported = "pytorch/executorch#21958"},
    RuleInfo{
        .name = rule::kPlanAlignment,
        .summary = "a value starts at an offset that does not align its elements",
        .invariant = "A value's offset is a multiple of its element's size.",
        .meaning =
            "Kernels read elements through typed pointers. A misaligned access is slow on some "
            "processors and ends the program on others. The finding is a warning if another value "
            "ends at that offset, as in a packed plan, and an error otherwise.",
        .example = "A float32 value at offset 6.",
        .fix = "Plan with an alignment of 16 bytes (the default), or at least with the size of the "
               "largest element.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kAliasLifetime,
        .summary = "bytes are reused while another name of the same storage is still read",
        .invariant =
            "A storage lives until the last read through any of its names: views, in-place "
            "results, moved values.",
        .meaning =
            "The planner ended the lifetime of a storage at the last use of one name and "
            "missed another name. When the other name is read, the bytes hold another value.",
        .example =
            "v12 is written over v3, the result of an in-place update; instruction 5 reads v3.",
        .fix = "Turn off the in-place rewrite or view elision (`remove_view_copy=False`) for this "
               "model.",
        .policies = kAnyPolicy,
        .reported = "apache/tvm#17145 apache/tvm#20134"},
    RuleInfo{
        .name = rule::kInPlaceAlias,
        .summary =
            "an operator overwrites bytes of its own operand, of a constant or of the caller",
        .invariant =
            "The destination of an operator is writable. It overlaps an operand only if the "
            "operator works element by element.",
        .meaning =
            "The operator reads and writes the same bytes in a different order, so it reads its "
            "own results. Or it writes to a constant or to an input of the caller.",
        .example = "aten::flip.out reads v2 and writes v4, both bank 1 [32,64).",
        .fix =
            "Mark only elementwise operators as in-place. Copy constants and inputs in the model "
            "before they are updated.",
        .policies = kAnyPolicy,
        .reported = "apache/tvm#19577"},
    RuleInfo{
        .name = rule::kInPlaceSingleUse,
        .summary = "a value is overwritten in place although another instruction reads it later",
        .invariant = "The in-place operator is the last reader of the value that it overwrites.",
        .meaning =
            "The result took the bytes of its operand, and a later instruction reads the operand. "
            "That instruction gets the result instead.",
        .example = "maximum(a, x) writes p over a; minimum(a, p) then reads p twice.",
        .fix = "Turn off the in-place rewrite, or keep a clone of the operand in the model.",
        .policies = kAnyPolicy,
        .reported = "pytorch/executorch#19482"},
    RuleInfo{
        .name = rule::kInPlacePassThrough,
        .summary =
            "the part that an in-place update leaves untouched is not the value that it updates",
        .invariant =
            "Bytes that an in-place operator does not write still hold the value that it updates.",
        .meaning =
            "An update of a part relies on the other bytes of the value. If these hold another "
            "value, the result is a mixture of two values.",
        .example = "index_put_ writes row 2 of a slot whose other rows were never copied into it.",
        .fix = "Turn off the in-place rewrite for this operator, or export its functional form.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kStateClobbered,
        .summary = "a method overwrites bytes in which another method keeps state",
        .invariant =
            "Bytes that hold state between calls are written only by stores to that state.",
        .meaning =
            "The loader gives several methods one bank, and intermediate values of one method lie "
            "on state of another. The state is wrong at the next call.",
        .example = "other writes v1 bank 1 [0,128) over inc's state v0 bank 1 [96,128).",
        .fix =
            "Load with private banks (C++ Module's default), or export with state in a bank of its "
            "own: `share_mutable_buffers=True`.",
        .policies =
            "The ones that share the bank: share-all, and share-1-2 for memory ids 1 and 2. Under "
            "private it cannot happen between methods.",
        .reported = "pytorch/executorch#12182"},
    RuleInfo{
        .name = rule::kSharedLayout,
        .summary = "methods disagree on the place or the size of shared state",
        .invariant =
            "One state has one place, size and type in all methods; two states are disjoint.",
        .meaning =
            "A method does not find the value that another method stored or that its loading put "
            "there, or it finds the value of another state. States are matched by name. Without "
            "names they are matched by place, and by a manifest. A method that stores to "
            "one place of a name and reads another never reads the stored value.",
        .example = "down keeps 'a' in bank 2 [0,16), up keeps 'a' in bank 2 [32,48).",
        .fix = "Plan all methods once, with one pass object and `share_mutable_buffers=True`. Give "
               "the "
               "buffer the same type and size in every method.",
        .policies =
            "The ones that share the bank. Under private no method sees the state of another: see "
            "state-split. Two places in one method: all."},
    RuleInfo{
        .name = rule::kStateSplit,
        .summary = "state that methods should share lies in a bank that the loader keeps private",
        .invariant = "One state of the model has one place in memory.",
        .meaning =
            "Each method gets a copy of its own and never sees the value that another one stored. "
            "The finding is an error if a manifest declares the buffer shared, or if a buffer with "
            "a name is laid out for sharing. If only one of both holds, a common name or that "
            "layout, the file does not tell one buffer from two, and the verdict is undecided. "
            "Otherwise the finding is a warning.",
        .example =
            "put stores 'state' in bank 2 and get reads bank 2, but each has its own bank 2.",
        .fix =
            "Load the program with a loader that shares the bank, or declare in the manifest that "
            "each method has a buffer of its own (`\"shared\": false`).",
        .policies = "private; share-1-2 for memory ids above 2.",
        .reported = "pytorch/executorch#10807"},
    RuleInfo{
        .name = rule::kWriteBackMissing,
        .summary = "a method computes a new value of a buffer and never stores it",
        .invariant = "At the end of a call each mutated buffer holds its new value.",
        .meaning =
            "The export dropped the store, or the store goes to another value. The next call reads "
            "the old state without an error message. The only store to an input that is returned "
            "ahead of the user's outputs may be meant for the input itself: a manifest decides.",
        .example = "The store of buffer 'state' (v0) goes to the argument of the same name (v1).",
        .fix = "Rename arguments that have the name of a buffer, if there are any. Write a store "
               "from one buffer to another with `.clone()`.",
        .policies = kAnyPolicy,
        .reported = "pytorch/executorch#17005 pytorch/executorch#7515"},
    RuleInfo{
        .name = rule::kEntryValueLost,
        .summary = "a read of the value at entry gets a value that was stored later",
        .invariant =
            "Stores to state act like one parallel assignment at the end of a call: each read of "
            "the old value gets the old value.",
        .meaning =
            "A store runs before the last read of the old value, often a read through a view. Or "
            "the method returns the old value from bytes that were overwritten.",
        .example =
            "Instruction 1 stores v0; instruction 2 copies a view of v0, made before the store.",
        .fix = "Clone the old value in the model before the buffer is written.",
        .policies = kAnyPolicy,
        .reported = "iree-org/iree#16168 pytorch/pytorch#169118"},
    RuleInfo{
        .name = rule::kReadBeforeWrite,
        .summary = "bytes are read that nothing has written",
        .invariant = "Each value that is read was written before, or has an initial value.",
        .meaning =
            "On some path, or at the first call, the reader gets the bytes that the memory held "
            "before. Today's loaders fill state without stored data with zeros, which is wrong if "
            "the model starts from another value.",
        .example =
            "The model registers 'level' as ones. The file holds no initial data, and read is "
            "called first.",
        .fix = "Store initial values with `InitializedMutableBufferPass`. State the initial value "
               "of the buffer in the manifest.",
        .policies = kAnyPolicy,
        .reported = "pytorch/executorch#21958"},
    RuleInfo{
        .name = rule::kInitialisedTwice,
        .summary = "loading a second method resets state that a first one has already changed",
        .invariant = "An initial value is applied once.",
        .meaning =
            "Every method carries the initial value, and every load copies it. If a method is "
            "loaded at its first call, that load overwrites the values that other methods stored. "
            "If two methods carry different values, the buffer starts with the one that was loaded "
            "last.",
        .example =
            "write changes 'level'; the first call of read loads it and copies 'level' again.",
        .fix = "Load all methods before the first call (check with `--load all-first`).",
        .policies =
            "The ones that share the bank. With `--load all-first` no load follows a store."},
    RuleInfo{
        .name = rule::kInitialValueWrong,
        .summary = "the stored initial value is not the one that the model registers",
        .invariant = "State starts from the registered value.",
        .meaning =
            "The data that a load copies into the state belong to another buffer, or are missing. "
            "The rule needs the manifest's `initial` or `initial_sha256`. If no method reads the "
            "value at entry, the finding is a warning.",
        .example = "'t' and 's' both start from initial data 1.",
        .fix = "Export without `emit_mutable_buffer_names` (pteproof's to_executorch writes names "
               "in another way), or make sure that no constant has the bytes of the "
               "initial value.",
        .policies = kAnyPolicy},
    RuleInfo{.name = rule::kMutabilityMismatch,
             .summary = "a method holds as a constant, or a delegate for itself, a buffer that "
                        "others change",
             .invariant =
                 "State that one method writes is a constant in no method, and no delegate keeps a "
                 "copy of it.",
             .meaning = "The reader always gets the value of the time of export, or of its own "
                        "copy. Methods that are exported one by one do not take each other's "
                        "writes into account. The rule needs names or a manifest.",
             .example = "put stores 'state'; get holds 'state' as constant data 1.",
             .fix = "Export all methods with one pass object and `share_mutable_buffers=True`. "
                    "Exclude the buffer from constant folding and from delegates.",
             .policies = kAnyPolicy,
             .reported = "pytorch/executorch#7779 pytorch/executorch#21979"},
    RuleInfo{
        .name = rule::kRegionEscape,
        .summary = "a value that left a branch or loop is overwritten by another branch or loop",
        .invariant = "A branch's result keeps its bytes until it is last read.",
        .meaning =
            "All branches and loops of a method are planned over one common range of bytes. Their "
            "results leave that range as handles, not as copies, so the next branch or loop "
            "overwrites them.",
        .example = "r1 = cond(p, a); r2 = cond(p, b); r1 + r2 computes r2 + r2.",
        .fix = "Clone each result after its cond, and use only the clone.",
        .policies = kAnyPolicy,
        .reported = "pytorch/executorch#21490"},
    RuleInfo{
        .name = rule::kBoundTooSmall,
        .summary = "an admitted input is larger than the memory planned for it",
        .invariant = "The planned size covers every size that the model admits.",
        .meaning =
            "The upper bound in the file is below the one in the manifest. The runtime refuses a "
            "larger input at the call. For a static input it refuses smaller inputs as well.",
        .example = "A dimension without an upper bound is planned with 4, the size of the example.",
        .fix = "Give every dynamic dimension a finite `max` when the model is exported.",
        .policies = kAnyPolicy,
        .reported = "apache/tvm#18663"},
    RuleInfo{
        .name = rule::kOutputMisbound,
        .summary = "an output is not the value that the model returns there",
        .invariant = "Output i of the method is output i of the model.",
        .meaning =
            "The export confused names or positions of outputs, or the memory of an output takes "
            "the place of that of an input, since both are one unplanned value. Or a move or an "
            "update in place makes an unplanned output a name of another tensor: the next call "
            "gives that tensor the output's memory, and what it held in its own bytes is lost; or "
            "branches do so with several tensors, and one is left in memory that the caller has "
            "freed. If nothing is lost, this is a warning. Or two outputs are one storage that is "
            "updated in place, though the model returns two values. The first kind needs the "
            "manifest's `outputs`. From the file alone only one case of it is seen, and is "
            "undecided: a buffer that is updated in place is returned, and an input that is stored "
            "to is not. The last kind is undecided without the manifest's `same_as`.",
        .example = "The first output must be the new value of the input, and is buffer 'cache'.",
        .fix = "Export without the in-place rewrite if the model mutates both buffers and inputs.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kDimOrderMismatch,
        .summary = "a kernel refuses the dim orders of its tensors",
        .invariant = "The tensors of a call are in dim orders that the kernel takes.",
        .meaning =
            "Most of ExecuTorch's kernels take tensors only if all are in the default order, or "
            "all are channels-last; some take the default order alone. A kernel that converts to "
            "another order takes only a result in the order that its argument asks for. The export "
            "succeeds, and the call ends with an error at run time. The finding is an error if the "
            "kernel is known to refuse the call (recorded from ExecuTorch 1.5.1, for CPU kernels). "
            "Other kernels take tensors of any order and do not look at it. The finding is a "
            "warning if such a call was recorded with wrong values: the call ends well, and "
            "elements can end up in wrong places, as in a slice of the channels of a channels-last "
            "image. So is a view of a channels-last image that the exporter left out. It is a note "
            "if a call mixes orders and nothing is known of its kernel.",
        .example = "add gets a channels-last image and a vector of its channels.",
        .fix = "Convert the tensors of the call to one memory format in the model. Or export "
               "without dim orders (`_skip_dim_order=True`).",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kCallRefused,
        .severity = Severity::kWarning,
        .summary = "ExecuTorch refuses a call when it is made",
        .invariant = "The kernel takes the call.",
        .meaning =
            "The file loads, and each call ends with an error at run time, or ends the process. "
            "The plan is not to blame, so that the verdict stays. Two kinds are judged. First, the "
            "runtime's own operators and jumps, recorded from ExecuTorch 1.5.1: a view (`et_view`) "
            "has the element type and as many elements as its base, and one size at most is "
            "deduced; a row that a loop collects (`et_copy_index`) has the sizes of a row, and its "
            "table grows by one, so that sizes that do not vary do not admit it; a size "
            "(`sym_size`) is one of a dimension that exists, counted from 0; an operator on "
            "numbers takes the kinds of number that it knows, and no integer is divided by 0; a "
            "condition is a bool. Numbers and moved tensors are followed over all paths; sizes "
            "that vary are a finding only if none that the file admits is taken. Second, "
            "`index_put_`, which the exporter's in-place rewrite (`run_reinplace_pass`) puts in "
            "the place of `index_put`, and whose kernel takes fewer calls: it replaces elements "
            "and does not add, by one index of one dimension, with numbers of int64 or int32 from "
            "0 on, and the values have the sizes of what they replace, without broadcasting. "
            "ExecuTorch 0.7.0 to 1.5.1 refuse the same of these. Indices that are computed are "
            "not judged.",
        .example = "index_put_ gets one number for a row of four; et_view makes int8 of float32.",
        .fix = "Correct the pass that wrote the call. Of index_put_: export without "
               "`run_reinplace_pass`, or expand the values in the model to the sizes of what they "
               "replace.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kOutputInvalidated,
        .severity = Severity::kNote,
        .summary = "an output's memory is overwritten by a later call of another method",
        .invariant = "An output stays valid until the next call.",
        .meaning =
            "If a loader does not copy outputs, an output that the caller keeps changes at a later "
            "call. The finding is a note: today's Python loaders copy outputs. One note of a "
            "method "
            "names each such output and all methods that write over it.",
        .example =
            "The output of encode lies in bank 1 [0,64), and decode keeps intermediate values "
            "there.",
        .fix = "Copy outputs that you keep, or export with `alloc_graph_output=False`.",
        .policies = "The ones that share the bank."},
    RuleInfo{
        .name = rule::kConcurrentAccess,
        .summary = "two methods that run at the same time touch the same bytes",
        .invariant = "What one of two calls writes lies apart from what the other one uses.",
        .meaning =
            "Asked by `check --use concurrent`. A bank that the loader shares holds the values of "
            "all methods, which a plan lays over each other: calls one after the other lose "
            "nothing by that. Of calls at the same time one overwrites values that the other one "
            "still needs. If both touch one buffer, and one of them stores to it, the result "
            "depends on which comes first.",
        .example = "'down' writes v4 to bank 1 [0,64), and 'up' reads v7 from bank 1 [32,96).",
        .fix = "Call the methods one after the other, or load the program with a loader that gives "
               "each method banks of its own.",
        .policies = "The ones that share the bank. Under private no two methods have a planned "
                    "byte in common."},
    RuleInfo{
        .name = rule::kDeviceMismatch,
        .summary = "an instruction or a loader touches memory of a device that it cannot reach",
        .invariant = "Each access is made on the device in whose memory the value lies.",
        .meaning =
            "A bank lies on a device. Kernels run on the host, and loaders fill planned inputs and "
            "initial values by a copy on the host: both follow a pointer that is not memory of the "
            "host. An unknown delegate or operator may run on the device: if the file "
            "does not say so (compile spec `target_device`), the verdict is undecided. A method "
            "without a bank on a device is not judged.",
        .example = "Bank 2 lies on device cuda:0, and input v4 is planned there.",
        .fix = "Export with copies at the boundary of the delegate "
               "(`skip_h2d_for_method_inputs=False`), or with `alloc_graph_input=False`.",
        .policies =
            "Kernels: none. Copies of the loader: private, since Module alone allocates banks on "
            "devices. Under share-1-2 and share-all a bank on a device is undecided: Module with "
            "shared arenas refuses it, and the Python Runtime allocates it on the host up to 1.4.",
        .reported = "pytorch/executorch#22057 pytorch/executorch#21703"},
    RuleInfo{
        .name = rule::kDelegateMismatch,
        .summary = "a delegate's blob is made for other arguments than the call gives it",
        .invariant = "Number, types and sizes of a call's arguments are those of the blob.",
        .meaning =
            "The blob of a known format lists its inputs and outputs. A call with another number "
            "of arguments, another type or other sizes makes the backend read or write other "
            "bytes, or refuse the call. The same holds if two of them are one argument, or one "
            "result stands in the place of another. Sizes that vary are compared in their number "
            "alone. Blobs of other formats are not judged. Two values inside a blob that share "
            "memory while both are live are `plan-overlap`, as a warning. OpenVINO's runtime gives "
            "results no other sizes and takes all bytes row by row: a result whose sizes vary, and "
            "an argument in another order, are errors whatever the blob holds.",
        .example = "Argument 2 has the sizes [2, 3], and the blob writes [2, 1] there.",
        .fix = "Export again: the blob and the call of it come from one lowering. If they do, "
               "report the blob to the backend.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kDelegateOutputUnwritten,
        .summary = "a delegate's blob does not write a result that the call has a place for",
        .invariant = "The graph inside a delegate makes each of its outputs.",
        .meaning = "No node inside the blob writes the output, or the blob does not know the "
                   "argument, or the output is a constant inside, which the backend does not "
                   "copy out. The argument keeps the bytes of an earlier value. A blob with an "
                   "unknown operator, or without a readable graph, is not judged.",
        .example = "Argument 3 is an output of the XNNPACK blob, and none of its nodes makes it.",
        .fix = "Export again, without the delegate if the finding stays, and report the blob to "
               "the backend.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kMemoryMissing,
        .severity = Severity::kNote,
        .summary = "a buffer has no placement, and no loader of ExecuTorch gives it memory",
        .invariant = "Everything that a method uses lies in memory that the loader gives.",
        .meaning =
            "The buffer was exported without memory (`alloc_mutable_buffers=False`). ExecuTorch's "
            "loaders, Module and the Python Runtime, give memory to planned values, inputs and "
            "outputs only: a call follows a null pointer, and the process ends by a signal. A "
            "loader of your own may supply the memory, so the verdict is undecided. A warning: a "
            "program that is to be trained returns parameters that are constant data. A loader "
            "that maps the file, as Python's do, does not let the optimiser write there, and its "
            "first step ends by a signal.",
        .example = "v4 'k' has no placement, and instruction 3 (aten::index_put_) writes it.",
        .fix = "Export with `alloc_mutable_buffers=True`. If your loader supplies the memory, "
               "accept the finding in a manifest (`suppress`).",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kLoadFails,
        .summary = "the loader refuses the program, or a part of it is not given",
        .invariant = "The runtime has all that the program calls, and gets all its data.",
        .meaning =
            "The plan is not to blame, and its verdict stays. The loader looks up each operator "
            "that an instruction calls, each delegate, and each tensor that a data file holds. "
            "If one is missing, a method does not load. With `--loader` this is an error, and the "
            "exit code is 1. The operators are those of `--operators-of`, else those of the "
            "loader, if they are known. Without `--loader` it is a note, which changes no exit "
            "code.",
        .example = "Instruction 1 calls aten::relu_, and the runtime of executorch.runtime@1.5 "
                   "does not register it.",
        .fix = "Export without the operator, link it into the runtime, or name the data file.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kPhantomSlot,
        .severity = Severity::kWarning,
        .summary = "bytes are reserved that no instruction touches",
        .invariant = "Every reserved range has a writer and a reader.",
        .meaning =
            "Memory is reserved and never used. Results are right. An in-place update can leave "
            "such a slot: the result took the place of its operand, and its own place stays "
            "reserved. If the method has an update that fits, the finding names it.",
        .example = "v3 reserves bank 1 [32,256) and is in no instruction.",
        .fix = "No change is necessary. If the finding names an in-place update, an export without "
               "the in-place rewrite saves the memory.",
        .policies = kAnyPolicy,
        .reported = "pytorch/executorch#1300"},
    RuleInfo{
        .name = rule::kPlanWaste,
        .severity = Severity::kNote,
        .summary = "a bank is much larger than the values that are live at once",
        .invariant = "The size of a bank is close to its peak live bytes.",
        .meaning =
            "Peak live bytes are the largest sum of bytes that are live at one time. A "
            "method's own state always lives. No plan of the same instructions needs fewer. Bytes "
            "beyond that are fragmentation, padding or unused slots. Up to 64 bytes at a bank's "
            "end, which exporters leave for delegates, do not count. Stores that come earlier may "
            "save more: the finding counts those bytes separately. Results are right.",
        .example = "Bank 1 has 160 bytes, and its peak live bytes are 96.",
        .fix = "Try other planning algorithms.",
        .policies = kAnyPolicy,
        .reported = "google/XNNPACK#10800"},
    RuleInfo{
        .name = rule::kSelfCopy,
        .severity = Severity::kWarning,
        .summary = "a value is copied onto itself",
        .invariant = "A store copies from another value.",
        .meaning =
            "The instruction does nothing. A model that stores a view of a buffer back to the "
            "buffer has such a store. In other models the store was probably meant for another "
            "value. If nothing in the method touches one of its buffers, the finding is "
            "write-back-missing.",
        .example = "copy_ writes v1 from v1.",
        .fix = "Rename arguments that have the name of a buffer. If there are none, state the "
               "stores in a manifest.",
        .policies = kAnyPolicy},
    RuleInfo{
        .name = rule::kNotProvable,
        .severity = Severity::kNote,
        .summary = "the file does not say enough to decide this point",
        .invariant = "If the file has two readings, the report says so.",
        .meaning =
            "The file does not tell the inputs of a delegate from its outputs, a buffer has no "
            "name, or an operator is unknown. If a standing assumption settles the question, the "
            "verdict stays. If one of two readings is an error, the verdict is undecided.",
        .example =
            "A delegate call has five arguments, and the file does not tell which it writes.",
        .fix = "Write a manifest at export. It states the facts that a file cannot hold.",
        .policies = kAnyPolicy},
};

}  // namespace

std::span<const RuleInfo> PlanRules() {
  return kPlan;
}

}  // namespace pteproof
