#include "reference/graph/call_operands.h"

#include <optional>
#include <string_view>
#include <utility>

namespace pteproof::graph {
namespace {

using Converted = Result<TypeArgument, std::string>;

std::string_view Wanted(ArgKind kind) {
  switch (kind) {
    case ArgKind::kTensor:
      return "a tensor";
    case ArgKind::kTensorList:
      return "a list of tensors";
    case ArgKind::kOptionalTensorList:
      return "a list of tensors and None";
    case ArgKind::kScalar:
      return "a number";
    case ArgKind::kInt:
      return "an integer";
    case ArgKind::kBool:
      return "true or false";
    case ArgKind::kFloat:
      return "a float, with a dot or an exponent";
    case ArgKind::kString:
      return "a text";
    case ArgKind::kIntList:
      return "a list of integers";
    case ArgKind::kFloatList:
      return "a list of floats";
    case ArgKind::kBoolList:
      return "a list of true and false";
  }
  return "";
}

std::string Title(const ArgSchema& arg) {
  return "operand '" + std::string(arg.name) + "'";
}

// Turns the operands of one call. Each function gives nothing for an operand of another kind.
class Converter {
 public:
  explicit Converter(const Method& method)
      : method_(method), next_symbol_(static_cast<int32_t>(method.dims.size())) {}

  std::optional<TypeArgument> Of(const Operand& operand, ArgKind kind) {
    switch (kind) {
      case ArgKind::kTensor:
        return Wrap(Tensor(operand));
      case ArgKind::kTensorList:
        return List<const TensorType*>(operand, [this](const Operand& o) { return Tensor(o); });
      case ArgKind::kOptionalTensorList:
        return List<const TensorType*>(operand, [this](const Operand& o) {
          return std::holds_alternative<std::monostate>(o.held)
                     ? std::optional<const TensorType*>(nullptr)
                     : Tensor(o);
        });
      case ArgKind::kScalar:
        return Number(operand);
      case ArgKind::kInt:
        return Wrap(Int(operand));
      case ArgKind::kBool:
        return Wrap(Literal<bool>(operand));
      case ArgKind::kFloat:
        return Wrap(Literal<double>(operand));
      case ArgKind::kString:
        return Wrap(Literal<std::string_view, std::string>(operand));
      case ArgKind::kIntList:
        return List<SizeExpr>(operand, [this](const Operand& o) { return Int(o); });
      case ArgKind::kFloatList:
        return List<double>(operand, Literal<double, double>);
      case ArgKind::kBoolList:
        return List<bool>(operand, Literal<bool, bool>);
    }
    return std::nullopt;
  }

 private:
  template <class T>
  static std::optional<TypeArgument> Wrap(std::optional<T> held) {
    if (!held) return std::nullopt;
    return TypeArgument(*std::move(held));
  }

  template <class As, class Held = As>
  static std::optional<As> Literal(const Operand& operand) {
    const auto* held = std::get_if<Held>(&operand.held);
    return held == nullptr ? std::nullopt : std::optional<As>(*held);
  }

  template <class T, class Item>
  static std::optional<TypeArgument> List(const Operand& operand, Item item) {
    const auto* items = std::get_if<OperandList>(&operand.held);
    if (items == nullptr) return std::nullopt;
    std::vector<T> list;
    for (const Operand& each : *items) {
      std::optional<T> held = item(each);
      if (!held) return std::nullopt;
      list.push_back(*std::move(held));
    }
    return TypeArgument(std::move(list));
  }

  const ValueType* TypeOf(const Operand& operand) const {
    const auto* value = std::get_if<Operand::Value>(&operand.held);
    return value == nullptr ? nullptr : TypeOfValue(method_, value->id);
  }

  std::optional<const TensorType*> Tensor(const Operand& operand) const {
    const auto* tensor = std::get_if<TensorType>(TypeOf(operand));
    return tensor == nullptr ? std::nullopt : std::optional(tensor);
  }

  std::optional<SizeExpr> Int(const Operand& operand) {
    const auto* number = std::get_if<NumberType>(TypeOf(operand));
    if (number == nullptr) return Literal<SizeExpr>(operand);
    if (*number != NumberType::kInt) return std::nullopt;
    return SizeExpr::Symbol(next_symbol_++);
  }

  // Of a number that is no integer a type rule may know the kind only, so any one will do.
  std::optional<TypeArgument> Number(const Operand& operand) {
    if (const auto* number = std::get_if<NumberType>(TypeOf(operand))) {
      if (*number == NumberType::kBool) return TypeArgument(false);
      if (*number == NumberType::kReal) return TypeArgument(0.0);
    }
    if (auto integer = Int(operand)) return TypeArgument(*std::move(integer));
    if (auto flag = Literal<bool>(operand)) return TypeArgument(*flag);
    return Wrap(Literal<double>(operand));
  }

  const Method& method_;
  int32_t next_symbol_;
};

}  // namespace

const ValueType* TypeOfValue(const Method& method, ValueId value) {
  if (value < 0 || static_cast<size_t>(value) >= method.values.size()) return nullptr;
  return &method.values[static_cast<size_t>(value)];
}

Result<std::vector<TypeArgument>, std::string> TypeArguments(const Method& method,
                                                             const Node& node) {
  Converter converter(method);
  std::vector<TypeArgument> args;
  args.reserve(node.operands.size());
  size_t next = 0;
  for (const ArgSchema& arg : node.schema->args) {
    if (arg.out) continue;
    if (next == node.operands.size()) return Title(arg) + " is missing";
    const Operand& operand = node.operands[next++];
    if (arg.optional && std::holds_alternative<std::monostate>(operand.held)) {
      args.emplace_back();
      continue;
    }
    auto converted = converter.Of(operand, arg.kind);
    if (!converted) {
      return Title(arg) + " must be " + std::string(Wanted(arg.kind)) +
             (arg.optional ? " or None" : "");
    }
    args.push_back(*std::move(converted));
  }
  if (next < node.operands.size()) {
    return "there are " + std::to_string(node.operands.size()) + " operands; the operator takes " +
           std::to_string(next);
  }
  return args;
}

}  // namespace pteproof::graph
