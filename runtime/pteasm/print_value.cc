// Values: literals, and the types and places of all others.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <span>

#include "reference/text/literals.h"
#include "runtime/pteasm/printer.h"

namespace pteproof::pteasm {
namespace {

// A number with a dot or an exponent, or the bits of one that no number names.
std::string RealLiteral(double real) {
  const auto bits = std::bit_cast<uint64_t>(real);
  const bool plain =
      real == real || bits == std::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN());
  return plain ? text::RealText(real) : fmt::format("0x{:016x}", bits);
}

std::string_view BoolLiteral(int64_t flag) {
  return flag != 0 ? "true" : "false";
}

// "[a, b]" of the items, each as `print` adds it.
template <class T, class Print>
void PrintList(std::string& text, std::string_view word, std::span<const T> items, Print print) {
  text.append(word).append("[");
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += ", ";
    print(items[i]);
  }
  text += "]";
}

// Lists that show by their items what they hold need no word before them.
void PrintAnyList(MethodPrinter& printer, const Value& value) {
  std::string& text = printer.out.text;
  const Method& method = printer.method;
  const auto use = [&](int32_t item) { PrintUse(printer, item); };
  const bool empty = value.items.count == 0;
  switch (value.kind) {
    case ValueKind::kIntList: {
      const auto items = method.Ints(value.items);
      const bool plain = !empty && std::ranges::all_of(items, [&](int32_t item) {
        return printer.literal[static_cast<size_t>(item)] != 0;
      });
      return PrintList(text, plain ? "" : "ints", items, use);
    }
    case ValueKind::kDoubleList: {
      const auto items =
          std::span<const double>(method.reals).subspan(value.items.first, value.items.count);
      const bool plain = !empty && items[0] == items[0];
      return PrintList(text, plain ? "" : "doubles", items,
                       [&](double item) { text += RealLiteral(item); });
    }
    case ValueKind::kBoolList:
      return PrintList(text, empty ? "bools" : "", method.Ints(value.items),
                       [&](int32_t item) { text += BoolLiteral(item); });
    case ValueKind::kTensorList:
      return PrintList(text, "tensors", method.Ints(value.items), use);
    default:
      return PrintList(text, "optionals", method.Ints(value.items), [&](int32_t item) {
        if (item < 0) {
          text += "None";
        } else {
          use(item);
        }
      });
  }
}

void PrintTensorType(MethodPrinter& printer, const Tensor& tensor) {
  std::string& text = printer.out.text;
  const auto sizes = printer.method.Ints(tensor.sizes);
  const auto order = printer.method.Ints(tensor.dim_order);
  text += fmt::format("{}[{}]", Name(tensor.dtype), fmt::join(sizes, ", "));
  if (tensor.dynamism == Dynamism::kBounded) text += " bounded";
  if (!std::ranges::is_sorted(order)) text += fmt::format(" order [{}]", fmt::join(order, ", "));
  if (tensor.planned) text += fmt::format(" @{}:{}", tensor.bank, tensor.offset);
  if (tensor.device_type != 0 || tensor.device_index != 0) {
    text += fmt::format(" on({}, {})", tensor.device_type, tensor.device_index);
  }
  if (tensor.external) text += " external";
  if (tensor.name.count > 0) {
    text.append(" ").append(text::QuotedText(printer.method.Text(tensor.name)));
  }
}

// What stands after the colon.
void PrintType(MethodPrinter& printer, const Value& value) {
  std::string& text = printer.out.text;
  switch (value.kind) {
    case ValueKind::kNull:
      text += "none";
      return;
    case ValueKind::kInt:
      text += fmt::format("int {}", value.integer);
      return;
    case ValueKind::kBool:
      text.append("bool ").append(BoolLiteral(value.integer));
      return;
    case ValueKind::kDouble:
      text += "double " + RealLiteral(value.real);
      return;
    case ValueKind::kString:
      text += "string " + text::QuotedText(printer.method.Text(value.items));
      return;
    case ValueKind::kTensor:
      return PrintTensorType(printer, printer.method.tensors[value.tensor]);
    default:
      return PrintAnyList(printer, value);
  }
}

void PrintLiteral(MethodPrinter& printer, const Value& value) {
  std::string& text = printer.out.text;
  switch (value.kind) {
    case ValueKind::kNull:
      text += "None";
      return;
    case ValueKind::kInt:
      text += std::to_string(value.integer);
      return;
    case ValueKind::kBool:
      text += BoolLiteral(value.integer);
      return;
    case ValueKind::kDouble:
      text += RealLiteral(value.real);
      return;
    case ValueKind::kString:
      text += text::QuotedText(printer.method.Text(value.items));
      return;
    default:
      return PrintAnyList(printer, value);
  }
}

}  // namespace

void PrintUse(MethodPrinter& printer, int32_t value) {
  const auto index = static_cast<size_t>(value);
  if (printer.literal[index]) return PrintLiteral(printer, printer.method.values[index]);
  printer.out.text += fmt::format("%{}", value);
}

void PrintResult(MethodPrinter& printer, int32_t value) {
  const auto index = static_cast<size_t>(value);
  printer.out.text += fmt::format("%{}", value);
  if (printer.declared[index]) return;
  printer.declared[index] = true;
  printer.out.text += ": ";
  PrintType(printer, printer.method.values[index]);
}

bool HasContents(const Method& method, int32_t value) {
  const Tensor* tensor = method.TensorOf(value);
  return tensor != nullptr && tensor->data_index > 0 && !tensor->external &&
         (!tensor->planned || tensor->nbytes > 0);
}

}  // namespace pteproof::pteasm
