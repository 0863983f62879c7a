// The instructions of a call, one by one. Invariants: the values of an instruction are checked, and
// its tensors' sizes fixed, before its kernel runs; a tensor that occurs in it twice keeps the
// sizes that it has. What a kernel nevertheless asks of memory that is not the call's ends the call
// (kernels/base/checked_pointer.h). `fuel` bounds the number of instructions, and work the elements
// that they touch, so that each call ends. Nothing is allocated but by kernels that ask for scratch
// memory. Cost: that of the kernels, and O(arguments) for each step that is not settled.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/stop.h"
#include "base/within_memory.h"
#include "reference/op_schema.h"
#include "runtime/dense_layout.h"
#include "runtime/execute/argument_kinds.h"
#include "runtime/execute/loaded_method.h"
#include "runtime/kernels/hash/hash_call.h"

namespace pteproof {
namespace {

constexpr char kUnplacedCondition[] = "the condition has no memory";

RunFault::Kind KindOfFault(const char* why) {
  if (why == kNoMemory) return RunFault::Kind::kMemory;
  if (why == kTooMuchWork) return RunFault::Kind::kFuel;
  const bool unplaced = why == kUnplacedTensor || why == kUnplacedCondition;
  return unplaced ? RunFault::Kind::kUnplaced : RunFault::Kind::kRefused;
}

// Not an out argument that is there for the form of it: no kernel touches that.
bool Writes(const ArgSchema& arg) {
  return arg.access != Access::kRead && arg.access != Access::kNone;
}

// Counts how often each tensor occurs in a call, for as long as one lives.
class Uses {
 public:
  explicit Uses(std::span<RunValue* const> args) : args_(args) {
    for (const RunValue* arg : args_) ForEachTensor(*arg, [](TensorRef& tensor) { ++tensor.uses; });
  }
  ~Uses() {
    for (const RunValue* arg : args_)
      ForEachTensor(*arg, [](TensorRef& tensor) { tensor.uses = 0; });
  }
  Uses(const Uses&) = delete;
  Uses& operator=(const Uses&) = delete;

 private:
  std::span<RunValue* const> args_;
};

}  // namespace

std::optional<RunFault> LoadedMethod::Execute(int64_t fuel) {
  auto fault = WithinMemory([&] { return Run(fuel); }, [&] { return OutOfMemory(method_.name); });
  // What the caller does with the outputs is no work of the call.
  scratch_.work().Begin(std::numeric_limits<int64_t>::max());
  return fault;
}

std::optional<RunFault> LoadedMethod::Run(int64_t fuel) {
  if (auto fault = BeginCall()) return fault;
  for (const int32_t v : volatile_) values_.Restore(v);
  const auto count = static_cast<int32_t>(steps_.size());
  for (int32_t i = 0; i < count;) {
    EndIfStopped();
    if (fuel-- <= 0) {
      RunFault fault = Fault(i, "the call does not end: the limit on executed steps is reached");
      fault.kind = RunFault::Kind::kFuel;
      return fault;
    }
    int32_t next = i + 1;
    const Step& step = steps_[static_cast<size_t>(i)];
    if (const char* why = TryStep(step, next)) {
      RunFault fault = Fault(i, std::string(step.name) + (step.name.empty() ? "" : ": ") + why);
      fault.kind = KindOfFault(why);
      return fault;
    }
    i = next;
  }
  for (const int32_t v : method_.outputs) {
    const RunValue& output = values_[v];
    if (output.kind == ValueKind::kTensor && !HasMemory(*output.tensor)) {
      RunFault fault = Fault(-1, "an output has no memory");
      fault.kind = RunFault::Kind::kUnplaced;
      return fault;
    }
  }
  return std::nullopt;
}

const char* LoadedMethod::TryStep(const Step& step, int32_t& next) {
  try {
    return RunStep(step, next);
  } catch (const CallFault& fault) {
    return fault.why;
  }
}

const char* LoadedMethod::RunStep(const Step& step, int32_t& next) {
  switch (step.kind) {
    case InstructionKind::kKernelCall:
      return RunKernel(step);
    case InstructionKind::kDelegateCall:
      return step.delegate == nullptr ? RunOpaque(step) : RunDelegate(step);
    case InstructionKind::kMove:
      values_[step.other] = values_[step.target];
      return nullptr;
    case InstructionKind::kJumpFalse:
      return Jump(step, next);
    case InstructionKind::kFree:
      return nullptr;
  }
  return nullptr;
}

const char* LoadedMethod::RunKernel(const Step& step) {
  const char* why = step.schema == nullptr ? RunOpaque(step) : RunCall(step);
  if (why == nullptr && step.slot != nullptr) *step.slot = *step.returned;
  return why;
}

// A tensor is true where all its elements are.
const char* LoadedMethod::Jump(const Step& step, int32_t& next) {
  const RunValue& condition = values_[step.target];
  bool holds = true;
  if (condition.kind == ValueKind::kBool) {
    holds = condition.integer != 0;
  } else if (condition.kind == ValueKind::kTensor && condition.tensor->dtype == ScalarType::kBool) {
    const TensorRef& tensor = *condition.tensor;
    if (!HasMemory(tensor)) return kUnplacedCondition;
    const auto count = static_cast<int64_t>(ByteCount(tensor));
    const std::byte* flags = tensor.pointer().Read(1, 1, count);
    scratch_.work().InPieces(count, [&](int64_t first, int64_t part) {
      holds = holds && std::memchr(flags + first, 0, static_cast<size_t>(part)) == nullptr;
    });
  } else {
    return "the condition is not a bool";
  }
  if (!holds) next = step.other;
  return nullptr;
}

// The tensors that a call writes, in the order of its arguments.
void LoadedMethod::GatherTargets(const Step& step) {
  targets_.clear();
  const auto add = [&](TensorRef& tensor) { targets_.push_back(&tensor); };
  if (step.schema == nullptr) {
    for (const RunValue* result : step.opaque->results) {
      ForEachTensor(*result, [&](TensorRef& tensor) {
        if (tensor.uses++ == 0) add(tensor);
      });
    }
    for (TensorRef* target : targets_) target->uses = 0;
    return;
  }
  for (size_t a = 0; a < step.args.size(); ++a) {
    if (Writes(step.schema->args[a])) ForEachTensor(*step.args[a], add);
  }
}

const char* LoadedMethod::Prepare(const Step& step) {
  const bool is_view = step.schema != nullptr && step.schema->is_view;
  for (size_t a = 0; a < step.args.size(); ++a) {
    if (is_view && a + 1 == step.args.size()) break;  // it is given its memory
    bool has_memory = true;
    ForEachTensor(*step.args[a],
                  [&](const TensorRef& tensor) { has_memory = has_memory && HasMemory(tensor); });
    if (!has_memory) return kUnplacedTensor;
  }
  GatherTargets(step);
  for (const TensorRef* target : targets_) {
    const MemoryExtent& memory = target->memory();
    if (memory.there() && !memory.writable()) return "the instruction would write to a constant";
  }
  return nullptr;
}

// What moves and calls have put to the arguments may be of another kind than the file has there.
const char* LoadedMethod::KindFault(const Step& step) {
  for (size_t a = 0; a < step.args.size(); ++a) {
    if (const char* why = ValueFault(step.schema->args[a], *step.args[a])) return why;
  }
  return nullptr;
}

// Gives the results their sizes; why that cannot be.
const char* LoadedMethod::Resized(const Step& step, const KernelCall& call) {
  if (step.kernel == nullptr || step.kernel->resize == nullptr) return nullptr;
  const Uses uses(step.args);
  try {
    return step.kernel->resize(call);
  } catch (const CallFault& fault) {
    return fault.why;
  }
}

const char* LoadedMethod::RunCall(const Step& step) {
  if (step.does_nothing) return nullptr;
  const KernelCall call = {*step.schema, step.args, step.result, kernels_ == KernelSet::kHash,
                           &scratch_};
  scratch_.TakeBack();
  scratch_.work().Take(step.listed);
  if (step.settled) return step.kernel->run(call);
  if (const char* why = KindFault(step)) return why;
  if (step.schema->is_view && step.is_stated) return PointAtOperand(step);
  const char* misplaced = step.placed ? nullptr : Prepare(step);
  return misplaced != nullptr ? misplaced : RunPrepared(step, call);
}

const char* LoadedMethod::RunPrepared(const Step& step, const KernelCall& call) {
  const bool hashes = kernels_ == KernelSet::kHash;
  const bool has_rule = step.kernel != nullptr && step.kernel->resize != nullptr;
  const char* misfit = Resized(step, call);
  if (!hashes || step.keeps_meaning) {
    if (misfit != nullptr) return misfit;
    if (step.kernel == nullptr || step.kernel->run == nullptr)
      return "the runtime has no kernel for the operator";
    if (hashes && !step.onto_itself) SpoilResults(call);
    const Uses uses(step.args);
    return step.kernel->run(call);
  }
  if (misfit == kTooMuchWork) return misfit;
  const Uses uses(step.args);
  if (step.is_stated) {
    for (TensorRef* target : targets_) {
      if (const char* why = ResizeToBounds(*target)) return why;
    }
  } else if (!has_rule && !step.schema->in_place) {
    for (const TensorRef* target : targets_) {
      if (target->bounded) return "the runtime has no rule for the sizes of the results";
    }
  }
  // What mixes need not fit together: results of unknown operators have the sizes of the file.
  if (misfit != nullptr) {
    for (TensorRef* target : targets_) {
      if (const char* why = ResizeToBounds(*target)) return why;
    }
  }
  SpoilResults(call);
  return HashCall(call, targets_);
}

// A view according to a signature: the result gets the operand's memory and the file's sizes.
const char* LoadedMethod::PointAtOperand(const Step& step) {
  const TensorRef& operand = *step.args[step.schema->viewed]->tensor;
  TensorRef& view = *step.args.back()->tensor;
  std::array<int64_t, kMaxRank> sizes = {};
  std::ranges::copy(view.bounds, sizes.begin());
  const Uses uses(step.args);
  return LieOver(view, operand, std::span(sizes).first(view.rank()));
}

const char* LoadedMethod::RunOpaque(const Step& step) {
  scratch_.work().Take(step.listed);
  if (const char* why = Prepare(step)) return why;
  for (TensorRef* target : targets_) {
    if (const char* why = ResizeToBounds(*target)) return why;
  }
  HashOpaqueCall(step.name, step.opaque->operands, targets_);
  for (const auto& [slot, result] : step.opaque->returned) *slot = *result;
  return nullptr;
}

const char* LoadedMethod::RunDelegate(const Step& step) {
  scratch_.work().Take(step.listed);
  if (const char* why = Prepare(step)) return why;
  for (TensorRef* target : targets_) {
    if (const char* why = ResizeToBounds(*target)) return why;
  }
  const Delegate& delegate = method_.delegates[static_cast<size_t>(step.target)];
  auto why = (*step.delegate)({delegate.id, delegate.blob, delegate.specs, step.args});
  if (!why) return nullptr;
  delegate_explanation_ = *std::move(why);
  return delegate_explanation_.c_str();
}

}  // namespace pteproof
