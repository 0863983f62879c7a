// What a caller gives for a call: inputs, and memory for outputs that the program has no place for.
#include <algorithm>
#include <cstring>

#include "base/within_memory.h"
#include "runtime/execute/loaded_method.h"

namespace pteproof {

std::optional<RunFault> LoadedMethod::SetInput(size_t n, const RunInput& input) {
  const auto set = [&]() -> std::optional<RunFault> {
    const char* why = TakeInput(n, input);
    if (why == nullptr) return std::nullopt;
    return Fault(-1, "input " + std::to_string(n) + ": " + why);
  };
  return WithinMemory(set, [&] { return OutOfMemory(method_.name); });
}

std::optional<RunFault> LoadedMethod::SetOutput(size_t n, std::span<std::byte> memory) {
  const auto set = [&]() -> std::optional<RunFault> {
    const char* why = TakeOutput(n, memory);
    if (why == nullptr) return std::nullopt;
    return Fault(-1, "output " + std::to_string(n) + ": " + why);
  };
  return WithinMemory(set, [&] { return OutOfMemory(method_.name); });
}

const char* LoadedMethod::TakeInput(size_t n, const RunInput& input) {
  if (n >= method_.inputs.size()) return "the method has fewer of them";
  given_[n] = 0;
  const int32_t v = method_.inputs[n];
  values_.Restore(v);
  RunValue& value = values_[v];
  if (value.kind == ValueKind::kTensor) {
    if (const char* why = TakeTensor(v, input)) return why;
  } else {
    if (input.kind != value.kind) return "the argument has another kind than the input";
    value.integer = input.integer;
    value.real = input.real;
    value.text = input.text;
  }
  given_[n] = 1;
  return nullptr;
}

const char* LoadedMethod::TakeTensor(int32_t v, const RunInput& input) {
  if (input.kind != ValueKind::kTensor) return "the input is a tensor, and the argument is not";
  TensorRef& tensor = *values_.OwnTensor(v);
  if (input.dtype != tensor.dtype) return "the argument has another element type than the input";
  const Tensor& source = *method_.TensorOf(v);
  // Wherever the last call left it.
  GoHome(tensor);
  if (tensor.memory().there() && !tensor.memory().writable()) {
    return "the value is a constant of the program";
  }
  // More than the upper bound is not read, whatever there is.
  if (!source.planned) LieIn(tensor, MemoryExtent(input.data, &scratch_.work()));
  if (const char* why = Resize(tensor, input.sizes)) return why;
  const uint64_t bytes = ByteCount(tensor);
  if (bytes > input.data.size()) return "the argument has fewer bytes than its sizes need";
  if (source.planned && bytes > 0) {
    std::memmove(tensor.memory().writable_bytes().first(bytes).data(), input.data.data(), bytes);
  }
  return nullptr;
}

const char* LoadedMethod::TakeOutput(size_t n, std::span<std::byte> memory) {
  if (n >= method_.outputs.size()) return "the method has fewer of them";
  const int32_t v = method_.outputs[n];
  const Tensor* tensor = method_.TensorOf(v);
  if (tensor == nullptr || tensor->planned) return "the plan has a place for the output already";
  if (is_input_[static_cast<size_t>(v)])
    return "the output is also an input and has the memory of that input";
  if (!is_unplaced_[static_cast<size_t>(v)]) return "the value is a constant of the program";
  if (memory.size() < tensor->nbytes) return "the memory is too small for the output";
  SetHome(*values_.OwnTensor(v), MemoryExtent(memory, &scratch_.work()));
  return nullptr;
}

// What the last call viewed is gone: a tensor that nothing gives a place has none.
std::optional<RunFault> LoadedMethod::BeginCall() {
  const auto missing = static_cast<size_t>(std::ranges::find(given_, 0) - given_.begin());
  // Whatever becomes of the call, its inputs are the caller's again.
  std::ranges::fill(given_, 0);
  if (missing < given_.size()) {
    return Fault(-1, "input " + std::to_string(missing) + ": the caller set no value");
  }
  for (TensorRef* tensor : moved_) GoHome(*tensor);
  scratch_.work().Begin(limits_.work);
  return std::nullopt;
}

}  // namespace pteproof
