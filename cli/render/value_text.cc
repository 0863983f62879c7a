#include "cli/render/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "cli/io/quote.h"

namespace pteproof {
namespace {

constexpr size_t kShownItems = 16;  // as many as a tensor has dimensions

// "[1, 2, 3]", each item after `prefix`, with "..." for what is too much.
template <class T>
std::string ListText(std::span<const T> items, std::string_view prefix) {
  std::string text = "[";
  for (size_t i = 0; i < items.size() && i < kShownItems; ++i) {
    text += fmt::format("{}{}{}", i > 0 ? ", " : "", prefix, items[i]);
  }
  return text + (items.size() > kShownItems ? ", ...]" : "]");
}

std::string OptionalListText(std::span<const int32_t> items) {
  std::string text = "[";
  for (size_t i = 0; i < items.size() && i < kShownItems; ++i) {
    text += i > 0 ? ", " : "";
    text += items[i] < 0 ? "none" : fmt::format("v{}", items[i]);
  }
  return text + (items.size() > kShownItems ? ", ...]" : "]");
}

bool IsPlainOrder(std::span<const int32_t> order) {
  return std::ranges::is_sorted(order);
}

std::string TensorText(const Method& method, const Tensor& tensor) {
  const std::span<const int32_t> order = method.Ints(tensor.dim_order);
  std::string text =
      fmt::format("{} {}", Name(tensor.dtype), ListText(method.Ints(tensor.sizes), ""));
  if (tensor.dynamism == Dynamism::kBounded) text += " at most";
  if (!IsPlainOrder(order)) text += " order " + ListText(order, "");
  return text;
}

std::span<const double> RealsOf(const Method& method, Range range) {
  return std::span(method.reals).subspan(range.first, range.count);
}

}  // namespace

std::string TypeText(const Method& method, int32_t value) {
  const Value& v = method.values[static_cast<size_t>(value)];
  switch (v.kind) {
    case ValueKind::kNull:
      return "none";
    case ValueKind::kInt:
      return fmt::format("int {}", v.integer);
    case ValueKind::kBool:
      return v.integer != 0 ? "bool true" : "bool false";
    case ValueKind::kDouble:
      return fmt::format("double {}", v.real);
    case ValueKind::kTensor:
      return TensorText(method, method.tensors[v.tensor]);
    case ValueKind::kString:
      return fmt::format("string '{}'", Quote(method.Text(v.items), 40));
    case ValueKind::kIntList:
      return "ints " + ListText(method.Ints(v.items), "v");
    case ValueKind::kDoubleList:
      return "doubles " + ListText(RealsOf(method, v.items), "");
    case ValueKind::kBoolList:
      return "bools " + ListText(method.Ints(v.items), "");
    case ValueKind::kTensorList:
      return "tensors " + ListText(method.Ints(v.items), "v");
    case ValueKind::kOptionalTensorList:
      return "tensors " + OptionalListText(method.Ints(v.items));
  }
  return "";
}

std::string PlaceText(const Method& method, int32_t value) {
  const Tensor* tensor = method.TensorOf(value);
  if (tensor == nullptr) return "-";
  if (tensor->planned) {
    return fmt::format("bank {} [{},{})", tensor->bank, tensor->offset,
                       tensor->offset + tensor->nbytes);
  }
  if (tensor->external) return "external";
  return tensor->data_index > 0 ? fmt::format("constant {}", tensor->data_index) : "unplanned";
}

std::string OriginText(const Method& method, int32_t value) {
  const Tensor* tensor = method.TensorOf(value);
  if (tensor == nullptr) return "";
  std::vector<std::string> parts;
  if (tensor->planned && tensor->data_index > 0) {
    parts.push_back(fmt::format("initial value {}", tensor->data_index));
  }
  if (tensor->planned && tensor->external) parts.push_back("initial value external");
  if (tensor->device_type != 0) {
    parts.push_back(
        fmt::format("device type {} index {}", tensor->device_type, tensor->device_index));
  }
  if (tensor->name.count > 0) parts.push_back("'" + Quote(method.Text(tensor->name)) + "'");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace pteproof
