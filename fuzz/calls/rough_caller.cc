#include "fuzz/calls/rough_caller.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "fuzz/bounds.h"
#include "fuzz/heap_meter.h"
#include "fuzz/mutate/random.h"
#include "fuzz/require.h"
#include "fuzz/runnable.h"
#include "meaning/opaque_calls.h"
#include "properties/oracles/run_values.h"
#include "reference/op_schema.h"
#include "runtime/execute/instance.h"
#include "runtime/execute/opaque_call.h"
#include "runtime/execute/written_constants.h"
#include "runtime/placed_outs.h"

namespace pteproof::fuzz {
namespace {

constexpr uint64_t kLittleMemory = 2048;
constexpr int64_t kLittleWork = 64;  // elements
// What a call takes beside its kernels' memory: the list of what they are lent, and the explanation
// of a fault.
constexpr int64_t kOfLists = 512;
constexpr int64_t kOfExplanations = 1024;

// Half of the callers have all of it, the others down to a sixteenth.
uint64_t LessOf(uint64_t seed) {
  constexpr uint64_t kFull = 3;
  const uint64_t draw = seed / 4 % 8;
  return draw > kFull ? draw - kFull : 0;
}

bool IsStored(const Tensor& tensor) {
  return !tensor.planned && (tensor.data_index > 0 || tensor.external);
}

// As many bytes, or more than any memory has.
uint64_t BytesOf(ScalarType dtype, std::span<const int64_t> sizes) {
  if (std::ranges::count(sizes, 0) > 0) return 0;
  unsigned __int128 bytes = ElementSize(dtype);
  for (const int64_t size : sizes) {
    bytes *= static_cast<uint64_t>(size);
    if (bytes > std::numeric_limits<uint32_t>::max()) return std::numeric_limits<uint64_t>::max();
  }
  return static_cast<uint64_t>(bytes);
}

// What the header of the library says of inputs.
bool IsInput(const Method& method, size_t n, const RunInput& given) {
  if (n >= method.inputs.size()) return false;
  const int32_t v = method.inputs[n];
  const Tensor* tensor = method.TensorOf(v);
  if (tensor == nullptr) return given.kind == method.values[static_cast<size_t>(v)].kind;
  const auto sizes = method.Ints(tensor->sizes);
  if (given.kind != ValueKind::kTensor || given.dtype != tensor->dtype || IsStored(*tensor) ||
      given.sizes.size() != sizes.size()) {
    return false;
  }
  const bool changes = !std::ranges::equal(given.sizes, sizes);
  if (changes && tensor->dynamism != Dynamism::kBounded) return false;
  for (const int64_t size : given.sizes) {
    if (size < 0 || size > std::numeric_limits<int32_t>::max()) return false;
  }
  const uint64_t bytes = BytesOf(given.dtype, given.sizes);
  return bytes <= tensor->nbytes && bytes <= given.data.size();
}

// Whether the caller is to bring memory for it.
bool IsCallersOutput(const Method& method, size_t n) {
  if (n >= method.outputs.size()) return false;
  const int32_t v = method.outputs[n];
  const Tensor* tensor = method.TensorOf(v);
  return tensor != nullptr && !tensor->planned && !IsStored(*tensor) &&
         std::ranges::count(method.inputs, v) == 0;
}

// An input and what it points to, of exactly so many bytes.
struct HeldInput {
  RunInput input;
  std::vector<int64_t> sizes;
  std::vector<std::byte> data;
};

void ChangeSizes(HeldInput& held, Random& random) {
  std::vector<int64_t>& sizes = held.sizes;
  const size_t how = random.Below(8);
  if (how == 0) sizes.insert(sizes.begin(), 1);
  if (sizes.empty()) return;
  int64_t& size = sizes[random.Below(sizes.size())];
  if (how == 1) sizes.pop_back();
  if (how == 2) size += 1;
  if (how == 3 || how == 4) size -= 1;
  if (how == 5) size = int64_t{1} << 32;
  if (how == 6) size = int64_t{1} << 31;
  if (how == 7) size = -size;
}

// One thing that is wrong with it, mostly.
void ChangeInput(HeldInput& held, Random& random) {
  if (held.input.kind != ValueKind::kTensor) {
    held.input.kind = static_cast<ValueKind>(random.Below(6));
    return;
  }
  switch (random.Below(8)) {
    case 0:
      held.input.kind = ValueKind::kInt;
      break;
    case 1:
      held.input.dtype = static_cast<ScalarType>(random.Below(12));
      break;
    case 2:
      if (!held.data.empty()) held.data = std::vector<std::byte>(held.data.size() - 1);
      break;
    case 3:
      held.data = std::vector<std::byte>();
      break;
    default:
      ChangeSizes(held, random);
      break;
  }
}

// Values that an operator writes in each call that comes to its end: without jumps.
std::vector<bool> Written(const Method& method) {
  std::vector<bool> written(method.values.size());
  for (const Instruction& instruction : method.instructions) {
    if (instruction.kind == InstructionKind::kJumpFalse) return {};
    if (instruction.kind != InstructionKind::kKernelCall) continue;
    const OpSchema* op = method.operators[static_cast<size_t>(instruction.target)].schema;
    if (op == nullptr || op->is_view || IsNoOperation(*op)) continue;
    const auto args = method.Ints(instruction.args);
    for (size_t a = 0; a < op->args.size(); ++a) {
      if (op->args[a].access == Access::kWrite) written[static_cast<size_t>(args[a])] = true;
    }
  }
  return written;
}

class RoughCaller {
 public:
  RoughCaller(const Method& method, LoadedMethod& loaded, const RunLimits& limits, Random& random)
      : method_(method), loaded_(loaded), limits_(limits), random_(random) {
    out_.resize(method.outputs.size());
    written_ = Written(method);
  }

  void Call(std::span<const Datum> inputs, int64_t fuel) {
    const bool all_given = SetInputs(inputs);
    SetOutputs();
    auto fault = Execute(fuel);
    Require(all_given || fault.has_value(), "no call is made with an input missing");
    if (!fault) ReadOutputs();
    if (method_.inputs.empty() || !random_.OneIn(4)) return;
    Require(Execute(fuel).has_value(), "each call needs inputs of its own");
  }
  // What was lent for the call is gone.
  void TakeBack() { in_.clear(); }

 private:
  std::optional<RunFault> Execute(int64_t fuel) {
    const HeapMeter heap;
    const WorkBound bound;
    auto fault = loaded_.Execute(fuel);
    bound.Require("rough call");
    const int64_t beside = fault ? kOfExplanations : kOfLists;
    Require(heap.Peak() <= static_cast<int64_t>(limits_.memory) + beside,
            "kernels are lent no more memory than the limit");
    if (fault) RequireEarlyRefusal(*fault);
    return fault;
  }

  // Whether all were taken in the end.
  bool SetInputs(std::span<const Datum> inputs) {
    bool all = inputs.size() == method_.inputs.size();
    for (size_t n = 0; n < inputs.size(); ++n) {
      bool given = false;
      if (random_.OneIn(6)) given = SetInput(n, inputs[n], true);
      if (!given && !random_.OneIn(16)) given = SetInput(n, inputs[n], false);
      all = all && given;
    }
    if (random_.OneIn(8)) {
      Require(loaded_.SetInput(method_.inputs.size(), {}).has_value(), "there are no more inputs");
    }
    return all;
  }

  bool SetInput(size_t n, const Datum& datum, bool changed) {
    std::deque<std::vector<std::byte>> memory;
    HeldInput& held = in_.emplace_back();
    held.input = InputFor(method_, n, datum, memory);
    held.sizes.assign(held.input.sizes.begin(), held.input.sizes.end());
    held.data.assign(held.input.data.begin(), held.input.data.end());
    if (changed) ChangeInput(held, random_);
    held.input.sizes = held.sizes;
    held.input.data = held.data;
    const bool taken = !loaded_.SetInput(n, held.input).has_value();
    const bool fits = IsInput(method_, n, held.input);
    Require(taken == fits, "an input is taken if it fits, and only then");
    return taken;
  }

  void SetOutputs() {
    for (size_t n = 0; n <= method_.outputs.size(); ++n) {
      const bool ours = IsCallersOutput(method_, n);
      if (!ours && !random_.OneIn(3)) continue;
      if (ours && !out_[n].empty() && random_.OneIn(2)) continue;  // that of the last call
      const Tensor* tensor = n < out_.size() ? method_.TensorOf(method_.outputs[n]) : nullptr;
      uint64_t nbytes = tensor == nullptr ? 16 : tensor->nbytes;
      const bool small = nbytes > 0 && random_.OneIn(16);
      if (small) --nbytes;
      std::vector<std::byte> memory(nbytes);
      const bool taken = !loaded_.SetOutput(n, memory).has_value();
      Require(taken == (ours && !small), "memory is taken for the caller's outputs alone");
      if (taken) out_[n] = std::move(memory);
    }
  }

  void ReadOutputs() {
    for (size_t n = 0; n < method_.outputs.size(); ++n) {
      const RunValue& output = loaded_.Output(n);
      RequireWithinPlan(output);
      static_cast<void>(DatumOf(output));
      if (written_.empty() || !written_[static_cast<size_t>(method_.outputs[n])]) continue;
      Require(output.kind != ValueKind::kTensor || ElementCount(*output.tensor) <= limits_.work,
              "a call writes no more elements than its work may be");
    }
  }

  const Method& method_;
  LoadedMethod& loaded_;
  RunLimits limits_;
  Random& random_;
  std::vector<bool> written_;
  std::deque<HeldInput> in_;
  std::vector<std::vector<std::byte>> out_;
};

// What the banks, the outputs that the caller brings, and copies of constants take of the limit.
uint64_t MemoryOf(const Program& program, const InstanceOptions& options) {
  const Method& method = program.methods[0];
  uint64_t bytes = 0;
  for (const uint64_t size : method.bank_sizes) bytes += options.provide ? 0 : size;
  if (options.writable_constants) {
    for (const uint64_t size : WrittenConstantBytes(program, options.opaque_calls)) bytes += size;
  }
  for (const int32_t v : method.outputs) {
    const Tensor* tensor = method.TensorOf(v);
    if (tensor != nullptr && !tensor->planned) bytes += tensor->nbytes;
  }
  return bytes;
}

}  // namespace

void RequireEarlyRefusal(const RunFault& fault) {
  if (std::string_view(fault.explanation).ends_with(kOutside)) {
    Fail("what a call must not do is refused before", fault.explanation);
  }
}

void RequireWithinPlan(const RunValue& output) {
  if (output.kind != ValueKind::kTensor) return;
  const TensorRef& tensor = *output.tensor;
  const bool same = std::ranges::equal(tensor.sizes, tensor.bounds);
  Require(same || tensor.bounded, "sizes that are static stay what the file says");
  for (const int32_t size : tensor.sizes) Require(size >= 0, "no size is negative");
  const uint64_t bytes = ByteCount(tensor);
  Require(bytes <= tensor.nbytes && bytes <= tensor.memory().size(), "a result lies in its memory");
}

namespace {

// Banks of the caller's own, of exactly so many bytes; one of them may be too small.
class Provider {
 public:
  explicit Provider(Random& random) : random_(random) {}

  std::optional<Bank> Provide(const BankRequest& request) {
    uint64_t nbytes = request.nbytes;
    if (nbytes > 0 && random_.OneIn(8)) {
      --nbytes;
      too_small_ = true;
    }
    memory_.emplace_back(nbytes);
    Bank bank;
    bank.bytes = memory_.back();
    return bank;
  }
  [[nodiscard]] bool too_small() const { return too_small_; }

 private:
  Random& random_;
  std::deque<std::vector<std::byte>> memory_;
  bool too_small_ = false;
};

// Delegates that find their tensors as the header of delegates says. `results`: positions of
// tensors that the call writes.
DelegateFunction Watching(std::vector<size_t> results) {
  return [results = std::move(results)](const DelegateCall& call) -> std::optional<std::string> {
    for (const RunValue* arg : call.args) {
      ForEachTensor(*arg, [](const TensorRef& tensor) {
        Require(HasMemory(tensor), "each tensor of a delegate has memory");
      });
    }
    for (const size_t a : results) {
      const TensorRef& result = *call.args[a]->tensor;
      Require(std::ranges::equal(result.sizes, result.bounds),
              "a delegate's results have the sizes of the file");
      const MemoryExtent& memory = result.memory();
      Require(!memory.there() || memory.writable(), "a delegate writes to no constant");
    }
    return std::nullopt;
  };
}

DelegateRegistry WatchingDelegates(const Method& method, const OpaqueCalls& opaque) {
  DelegateRegistry registry;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    const Instruction& call = method.instructions[i];
    if (call.kind != InstructionKind::kDelegateCall) continue;
    const std::vector<int32_t>& written = opaque.at(static_cast<int32_t>(i)).results;
    const auto args = method.Ints(call.args);
    std::vector<size_t> results;
    for (size_t a = 0; a < args.size(); ++a) {
      const bool is_result = std::ranges::count(written, args[a]) > 0;
      if (is_result && method.TensorOf(args[a]) != nullptr) results.push_back(a);
    }
    registry[method.delegates[static_cast<size_t>(call.target)].id] = Watching(std::move(results));
  }
  return registry;
}

}  // namespace

void CallRoughly(const Program& program, std::span<const std::vector<Datum>> inputs,
                 uint64_t seed) {
  Random random(seed);
  InstanceOptions options;
  options.kernels = random.OneIn(2) ? KernelSet::kHash : KernelSet::kReal;
  options.limits = kFuzzLimits;
  if (random.Below(4) < 2) options.limits.memory = kLittleMemory >> LessOf(seed);
  if (random.OneIn(4)) options.limits.work = kLittleWork;
  const Method& method = program.methods[0];
  Provider provider(random);
  const bool provides = random.OneIn(4);
  if (provides) options.provide = [&](const BankRequest& bank) { return provider.Provide(bank); };
  options.writable_constants = seed / 2 % 2 == 0;
  options.opaque_calls = meaning::OpaqueCallsOf(program, nullptr);
  options.delegates = WatchingDelegates(method, options.opaque_calls->front());
  auto instance = Instance::Load(program, options);
  Require(!instance.ok() || !provider.too_small(), "a bank is not smaller than asked for");
  Require(!instance.ok() || MemoryOf(program, options) <= options.limits.memory,
          "banks, outputs and copies of constants take no more memory than the limit");
  if (!instance.ok()) return RequireEarlyRefusal(instance.error());
  const auto loaded = instance.value()->MethodAt(0);
  Require(loaded.ok(), "what is loaded can be called");
  RoughCaller caller(method, *loaded.value(), options.limits, random);
  for (const std::vector<Datum>& given : inputs) {
    caller.Call(given, random.OneIn(8) ? 1 + static_cast<int64_t>(random.Below(4)) : kFuel);
    caller.TakeBack();
  }
}

}  // namespace pteproof::fuzz
