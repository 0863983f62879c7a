// CallWork that is done once, when a method is loaded. Idea: operators are resolved to kernels,
// arguments to pointers, and kinds are checked. A call whose tensors have fixed memory and fixed
// sizes in each run is settled: memory and sizes are checked here, and the run only calls the
// kernel.
//
//   step.placed    its tensors' memory never changes, and it is right
//   step.settled   nor do its sizes, its numbers and the items of its lists
//
// Invariant: a value counts as changing if a move, a number operator, an input or a view can
// replace it; a settled step has no such value, nor a list of which one is an item. Cost:
// O(arguments).
#include <algorithm>
#include <set>

#include "base/within_memory.h"
#include "reference/op_movement.h"
#include "reference/op_schema.h"
#include "runtime/execute/argument_kinds.h"
#include "runtime/execute/loaded_method.h"
#include "runtime/placed_outs.h"

namespace pteproof {
namespace {

// The values of an instruction, and the items of those that are lists of values.
template <class Each>
void ForEachListed(const Method& method, const Instruction& instruction, const Each& each) {
  if (instruction.kind == InstructionKind::kMove) {
    each(instruction.target);
    each(instruction.other);
  }
  for (const int32_t v : method.Ints(instruction.args)) {
    each(v);
    const Value& value = method.values[static_cast<size_t>(v)];
    if (!ListsValues(value.kind)) continue;
    for (const int32_t item : method.Ints(value.items)) {
      if (item >= 0) each(item);
    }
  }
}

bool HoldsNumber(ValueKind kind) {
  return kind == ValueKind::kInt || kind == ValueKind::kBool || kind == ValueKind::kDouble;
}

}  // namespace

Result<std::unique_ptr<LoadedMethod>, RunFault> LoadedMethod::Load(
    const Program& program, size_t method, const MethodMemory& memory, KernelSet kernels,
    const DelegateRegistry& known, const OpaqueCalls& opaque) {
  const Method& source = program.methods[method];
  return WithinMemory([&] { return Make(program, source, memory, kernels, known, opaque); },
                      [&] { return OutOfMemory(source.name); });
}

Result<std::unique_ptr<LoadedMethod>, RunFault> LoadedMethod::Make(
    const Program& program, const Method& method, const MethodMemory& memory, KernelSet kernels,
    const DelegateRegistry& known, const OpaqueCalls& opaque) {
  auto loaded = std::unique_ptr<LoadedMethod>(
      new LoadedMethod(program, method, memory.limits, kernels, known));
  if (std::string why = loaded->values_.Bind(memory); !why.empty()) {
    return loaded->Fault(-1, std::move(why));
  }
  loaded->NoteUnplaced();
  if (auto fault = loaded->Resolve(opaque)) return *std::move(fault);
  return loaded;
}

void LoadedMethod::NoteUnplaced() {
  for (int32_t v = 0; v < static_cast<int32_t>(values_.size()); ++v) {
    TensorRef* tensor = values_.OwnTensor(v);
    if (tensor == nullptr || tensor->memory().there()) continue;
    unplaced_.push_back(tensor);
    is_unplaced_[static_cast<size_t>(v)] = true;
  }
}

// A view gives its result other memory. Where the result may be another value's tensor by then, it
// may be any tensor's. Inputs get theirs before each call.
void LoadedMethod::NoteMoved() {
  const std::vector<bool> changes = ChangingValues(false);
  std::set<TensorRef*> moved(unplaced_.begin(), unplaced_.end());
  for (const Step& step : steps_) {
    if (step.schema == nullptr || !step.schema->is_view) continue;
    const Instruction& call = method_.instructions[static_cast<size_t>(&step - steps_.data())];
    const int32_t result = method_.Ints(call.args)[step.args.size() - 1];
    moved.insert(values_.OwnTensor(result));
    views_move_any_ = views_move_any_ || changes[static_cast<size_t>(result)];
  }
  for (int32_t v = 0; views_move_any_ && v < static_cast<int32_t>(values_.size()); ++v) {
    moved.insert(values_.OwnTensor(v));
  }
  moved.erase(nullptr);
  for (const int32_t v : method_.inputs) moved.erase(values_.OwnTensor(v));
  moved_.assign(moved.begin(), moved.end());
}

// Values that moves and calls replace; `views`: those too whose memory a view replaces.
std::vector<bool> LoadedMethod::ChangingValues(bool views) const {
  std::vector<bool> changes(method_.values.size());
  for (const int32_t v : volatile_) changes[static_cast<size_t>(v)] = true;
  for (const int32_t v : method_.inputs) {
    if (method_.TensorOf(v) == nullptr) changes[static_cast<size_t>(v)] = true;
  }
  for (size_t i = 0; views && i < steps_.size(); ++i) {
    const OpSchema* schema = steps_[i].schema;
    if (schema == nullptr || !schema->is_view) continue;
    const auto args = method_.Ints(method_.instructions[i].args);
    changes[static_cast<size_t>(args[schema->args.size() - 1])] = true;
  }
  return changes;
}

// Values and items that an instruction lists, and the bytes of texts.
int64_t LoadedMethod::ListedIn(const Instruction& instruction) const {
  int64_t listed = 1;
  for (const int32_t v : method_.Ints(instruction.args)) {
    listed += 1 + method_.values[static_cast<size_t>(v)].items.count;
  }
  return listed;
}

// Many calls may share one long list: loading is work, too.
std::optional<RunFault> LoadedMethod::Resolve(const OpaqueCalls& opaque) {
  scratch_.work().Begin(limits_.work);
  try {
    return ResolveSteps(opaque);
  } catch (const CallFault& fault) {
    RunFault why = Fault(static_cast<int32_t>(steps_.size()) - 1, fault.why);
    why.kind = RunFault::Kind::kFuel;
    return why;
  }
}

std::optional<RunFault> LoadedMethod::ResolveSteps(const OpaqueCalls& opaque) {
  constexpr int64_t kWalks = 16;  // over what an instruction lists
  size_t most_targets = 0;
  for (size_t i = 0; i < method_.instructions.size(); ++i) {
    const Instruction& instruction = method_.instructions[i];
    Step& step = steps_.emplace_back();
    step.kind = instruction.kind;
    step.target = instruction.target;
    step.other = instruction.other;
    step.listed = ListedIn(instruction);
    scratch_.work().Take(kWalks * step.listed);
    const bool is_call = instruction.kind == InstructionKind::kKernelCall ||
                         instruction.kind == InstructionKind::kDelegateCall;
    std::string why = is_call ? ResolveCall(instruction, step) : ResolveMove(instruction);
    if (!why.empty()) return Fault(static_cast<int32_t>(i), std::move(why));
    if (is_call && kernels_ == KernelSet::kReal) {
      if (auto fault = UnknownCall(step)) return fault;
    }
    if (IsOpaque(method_, instruction)) {
      const auto given = opaque.find(static_cast<int32_t>(i));
      if (given == opaque.end()) return UntoldCall(step);
      NoteOpaque(given->second, step);
    }
    NoteVolatile(instruction);
    size_t listed = 0;
    ForEachListed(method_, instruction, [&](int32_t) { ++listed; });
    most_targets = std::max(most_targets, listed);
  }
  targets_.reserve(most_targets);
  std::ranges::sort(volatile_);
  volatile_.erase(std::ranges::unique(volatile_).begin(), volatile_.end());
  NoteMoved();
  if (kernels_ == KernelSet::kReal) Settle();
  std::erase_if(volatile_, [&](int32_t v) { return is_input_[static_cast<size_t>(v)]; });
  return std::nullopt;
}

// The fault of a call without a kernel or a delegate, of the step resolved last.
std::optional<RunFault> LoadedMethod::UnknownCall(const Step& step) const {
  const bool has_kernel = step.kernel != nullptr && step.kernel->run != nullptr;
  if (has_kernel || step.delegate != nullptr || step.does_nothing) return std::nullopt;
  const bool is_delegate = step.kind == InstructionKind::kDelegateCall;
  RunFault fault = Fault(static_cast<int32_t>(steps_.size()) - 1,
                         is_delegate ? "delegate '" + std::string(step.name) + "' is not registered"
                                     : "the runtime has no kernel for the operator");
  fault.kind = RunFault::Kind::kUnknown;
  fault.op = step.name;
  return fault;
}

// The fault of a call of which nothing tells the operands and results, of the step resolved last.
std::optional<RunFault> LoadedMethod::UntoldCall(const Step& step) const {
  RunFault fault =
      Fault(static_cast<int32_t>(steps_.size()) - 1,
            "which arguments are operands and which are results is not given for the call of '" +
                std::string(step.name) + "'");
  fault.op = step.name;
  return fault;
}

// Finds the calls whose values are the same whenever they are run, so that what is to be checked of
// them is checked here. Those that it does not hold for are left to the run.
void LoadedMethod::Settle() {
  if (views_move_any_) return;
  const std::vector<bool> changes = ChangingValues(true);
  for (size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    if (step.schema == nullptr || step.kernel == nullptr || step.schema->is_view) continue;
    bool in_place = true;
    bool fixed = true;
    ForEachListed(method_, method_.instructions[i], [&](int32_t v) {
      const TensorRef* tensor = values_.OwnTensor(v);
      const bool changed = changes[static_cast<size_t>(v)];
      const bool number = HoldsNumber(method_.values[static_cast<size_t>(v)].kind);
      const bool there = tensor == nullptr || tensor->memory().there();
      in_place = in_place && (number || (there && !changed));
      fixed = fixed && !changed && (tensor == nullptr || !tensor->bounded);
    });
    step.placed = in_place && Prepare(step) == nullptr;
    if (!step.placed || !fixed || step.kernel->sizes_from_bytes) continue;
    const KernelCall call = {*step.schema, step.args, step.result, false, &scratch_};
    step.settled = KindFault(step) == nullptr && Resized(step, call) == nullptr;
  }
}

bool LoadedMethod::KeepsMeaningOf(const OpSchema& schema, std::span<const int32_t> args) const {
  const size_t count = schema.args.size();
  const Tensor* operand = count == 0 ? nullptr : method_.TensorOf(args[0]);
  const Tensor* result = count == 0 ? nullptr : method_.TensorOf(args[count - 1]);
  if (operand == nullptr || result == nullptr) return KeepsMeaning(schema);
  return KeepsMeaning(schema, operand->dtype, result->dtype);
}

std::string LoadedMethod::ResolveCall(const Instruction& instruction, Step& step) {
  const auto args = method_.Ints(instruction.args);
  step.args = values_.Pointers(instruction.args);
  if (instruction.kind == InstructionKind::kDelegateCall) {
    step.name = method_.delegates[static_cast<size_t>(instruction.target)].id;
    const auto known = delegates_.find(step.name);
    if (known != delegates_.end() && known->second && kernels_ == KernelSet::kReal) {
      step.delegate = &known->second;
    }
    return "";
  }
  const Operator& op = method_.operators[static_cast<size_t>(instruction.target)];
  step.name = op.name;
  step.schema = op.schema;
  if (op.schema == nullptr) return "";
  if (std::string why = ArgumentFault(method_, *op.schema, args); !why.empty()) {
    return op.name + ": " + why;
  }
  step.kernel = FindKernel(op.name);
  step.is_stated = FindOperator(op.name) == nullptr;
  step.does_nothing = IsNoOperation(*op.schema);
  step.onto_itself = placed_outs_.CopiedBy(*op.schema, args).has_value();
  step.keeps_meaning = KeepsMeaningOf(*op.schema, args);
  if (op.schema->returns == ReturnSlot::kScalar) step.result = step.args[op.schema->args.size()];
  NoteSlot(args, step);
  step.args = step.args.first(op.schema->args.size());
  return "";
}

// The result of an in-place call may be a value of its own in the file, with a place of its own.
// ExecuTorch's kernels put the written argument there, so that it is that from then on.
void LoadedMethod::NoteSlot(std::span<const int32_t> args, Step& step) const {
  if (method_.TensorOf(args.back()) == nullptr) return;
  for (size_t a = 0; a < step.schema->args.size(); ++a) {
    const bool is_other = args[a] != args.back() && method_.TensorOf(args[a]) != nullptr;
    if (!step.schema->PutsInSlot(a) || !is_other) continue;
    step.slot = step.args.back();
    step.returned = step.args[a];
  }
}

void LoadedMethod::NoteOpaque(const OpaqueCall& call, Step& step) {
  Opaque& opaque = opaque_.emplace_back();
  for (const int32_t v : call.operands) opaque.operands.push_back(&values_[v]);
  for (const int32_t v : call.results) opaque.results.push_back(&values_[v]);
  for (const auto& [slot, result] : call.returned) {
    opaque.returned.emplace_back(&values_[slot], &values_[result]);
    volatile_.push_back(slot);
  }
  step.opaque = &opaque;
}

std::string LoadedMethod::ResolveMove(const Instruction& instruction) const {
  if (instruction.kind != InstructionKind::kMove) return "";
  const auto kind = [&](int32_t v) { return method_.values[static_cast<size_t>(v)].kind; };
  const bool fits = MayHold(kind(instruction.other), kind(instruction.target));
  return fits ? "" : "source and destination of the move have different kinds";
}

void LoadedMethod::NoteVolatile(const Instruction& instruction) {
  const auto args = method_.Ints(instruction.args);
  if (instruction.kind == InstructionKind::kMove) volatile_.push_back(instruction.other);
  if (steps_.back().slot != nullptr) volatile_.push_back(args.back());
  if (steps_.back().result != nullptr) volatile_.push_back(args[steps_.back().schema->args.size()]);
}

RunFault LoadedMethod::Fault(int32_t at, std::string explanation) const {
  return {RunFault::Kind::kRefused, method_.name, at, "", std::move(explanation)};
}

}  // namespace pteproof
