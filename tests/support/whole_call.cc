#include "tests/support/whole_call.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/element.h"

namespace pteproof {
namespace {

std::vector<std::byte> MadeUp(const Tensor& tensor, std::mt19937& random) {
  std::vector<std::byte> bytes(tensor.nbytes);
  const size_t size = ElementSize(tensor.dtype);
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    const uint32_t drawn = static_cast<uint32_t>(random()) >> 16;
    ElementNumber number;
    number.is_real = !kernels::IsIntegerType(tensor.dtype);
    number.real = static_cast<double>(drawn) / 65536;
    number.integer = drawn % 2;
    StoreElement(tensor.dtype, bytes.data() + at, number);
  }
  return bytes;
}

bool NeedsMemory(const Method& method, int32_t v) {
  const Tensor* tensor = method.TensorOf(v);
  return tensor != nullptr && !tensor->planned && tensor->data_index == 0 && !tensor->external &&
         std::ranges::find(method.inputs, v) == method.inputs.end();
}

template <class T>
std::vector<std::byte> NumberBytes(T number) {
  std::vector<std::byte> bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

}  // namespace

WholeCall::WholeCall(const Method& method, uint32_t seed) {
  std::mt19937 random(seed);
  for (const int32_t v : method.inputs) {
    const Value& value = method.values[static_cast<size_t>(v)];
    RunInput& input = inputs_.emplace_back();
    auto& bytes = bytes_.emplace_back();
    input.kind = value.kind;
    input.integer = value.integer;
    input.real = value.real;
    if (value.kind == ValueKind::kString) input.text = method.Text(value.items);
    if (value.kind != ValueKind::kTensor) continue;
    const Tensor& tensor = *method.TensorOf(v);
    const auto bounds = method.Ints(tensor.sizes);
    input.dtype = tensor.dtype;
    input.sizes = sizes_.emplace_back(bounds.begin(), bounds.end());
    bytes = MadeUp(tensor, random);
    input.data = bytes;
  }
  for (size_t n = 0; n < method.outputs.size(); ++n) {
    if (!NeedsMemory(method, method.outputs[n])) continue;
    lent_.push_back({n, std::vector<std::byte>(method.TensorOf(method.outputs[n])->nbytes)});
  }
}

std::optional<RunFault> WholeCall::Make(LoadedMethod& loaded, int64_t fuel) {
  for (size_t n = 0; n < inputs_.size(); ++n) {
    if (auto fault = loaded.SetInput(n, inputs_[n])) return fault;
  }
  for (Lent& lent : lent_) {
    if (auto fault = loaded.SetOutput(lent.output, lent.bytes)) return fault;
  }
  return loaded.Execute(fuel);
}

std::vector<std::vector<std::byte>> OutputBytes(LoadedMethod& loaded) {
  std::vector<std::vector<std::byte>> outputs;
  for (size_t n = 0; n < loaded.method().outputs.size(); ++n) {
    const RunValue& output = loaded.Output(n);
    if (output.kind == ValueKind::kTensor) {
      const size_t count = ByteCount(*output.tensor);
      const auto bytes = output.tensor->memory().bytes().first(count);
      outputs.emplace_back(bytes.begin(), bytes.end());
    } else if (output.kind == ValueKind::kDouble) {
      outputs.push_back(NumberBytes(output.real));
    } else {
      outputs.push_back(NumberBytes(output.integer));
    }
  }
  return outputs;
}

std::vector<std::vector<std::byte>> BankBytes(Instance& instance, size_t method) {
  std::vector<std::vector<std::byte>> banks;
  for (uint32_t id = 1; const Bank* bank = instance.BankOf(method, id); ++id) {
    banks.emplace_back(bank->bytes.begin(), bank->bytes.end());
  }
  return banks;
}

std::vector<StoredBuffer> StoredBuffers(const Program& program, size_t method) {
  std::vector<StoredBuffer> buffers;
  for (const Tensor& tensor : program.methods[method].tensors) {
    if (!tensor.planned || tensor.data_index == 0) continue;
    const Bytes stored = program.initial_values[tensor.data_index];
    const size_t count = std::min<size_t>(stored.size(), tensor.nbytes);
    if (count > 0) buffers.push_back({tensor.bank, tensor.offset, stored.first(count)});
  }
  return buffers;
}

}  // namespace pteproof
