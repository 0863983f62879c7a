#include "planner/link/held_buffers.h"

#include <algorithm>

#include "pteproof/scalar_type.h"

namespace pteproof::planner {
namespace {

bool IsConstant(const Tensor& tensor) {
  return !tensor.planned && (tensor.data_index > 0 || tensor.external);
}

}  // namespace

HeldBuffers HeldBuffersOf(const Method& method, const std::map<int32_t, std::string>& values) {
  HeldBuffers held;
  for (size_t v = 0; v < method.values.size(); ++v) {
    const auto value = static_cast<int32_t>(v);
    const Tensor* tensor = method.TensorOf(value);
    if (tensor == nullptr) continue;
    const auto stated = values.find(value);
    // The name of an external constant is that of its weight.
    const bool by_file = tensor->name.count > 0 && !(tensor->external && !tensor->planned);
    if (stated == values.end() && !by_file) continue;
    const std::string name =
        stated == values.end() ? std::string(method.NameOf(value)) : stated->second;
    HeldBuffer& buffer = held[name];
    buffer.values.push_back(value);
    buffer.constant = buffer.constant || IsConstant(*tensor);
    buffer.planned = buffer.planned || tensor->planned;
  }
  return held;
}

BufferForm FormOf(const Program& program, const Method& method, int32_t value) {
  const Tensor& tensor = *method.TensorOf(value);
  const auto sizes = method.Ints(tensor.sizes);
  const auto order = method.Ints(tensor.dim_order);
  BufferForm form = {.dtype = tensor.dtype,
                     .sizes = {sizes.begin(), sizes.end()},
                     .dim_order = {order.begin(), order.end()},
                     .nbytes = tensor.nbytes,
                     .initial = {}};
  if (tensor.data_index > 0) {
    const auto& table = tensor.planned ? program.initial_values : program.constants;
    const Bytes stored = table[tensor.data_index];
    form.initial = stored.first(std::min<size_t>(stored.size(), tensor.nbytes));
    if (AreZero(form.initial)) form.initial = {};
  }
  return form;
}

std::string TypeWords(const BufferForm& form) {
  std::string words = std::string(Name(form.dtype)) + " [";
  for (size_t d = 0; d < form.sizes.size(); ++d) {
    words += (d == 0 ? "" : ", ") + std::to_string(form.sizes[d]);
  }
  return words + "]";
}

void SetName(Method& method, int32_t value, const std::string& name) {
  Tensor& tensor = method.tensors[method.values[static_cast<size_t>(value)].tensor];
  if (method.Text(tensor.name) == name) return;
  tensor.name = {static_cast<uint32_t>(method.text.size()), static_cast<uint32_t>(name.size())};
  method.text += name;
}

bool AreZero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace pteproof::planner
