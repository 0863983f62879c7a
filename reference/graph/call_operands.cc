#include "reference/graph/call_operands.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

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

std::string Missing(const ArgSchema& arg) {
  return Title(arg) + " is missing";
}

std::string OfAnotherKind(const ArgSchema& arg) {
  return Title(arg) + " must be " + std::string(Wanted(arg.kind)) +
         (arg.optional ? " or None" : "");
}

std::string TooMany(size_t given, size_t taken) {
  return "there are " + std::to_string(given) + " operands, and the operator takes " +
         std::to_string(taken);
}

// Turns the operands of one call. Each function appends to a list, of arguments or within one;
// false: the operand is of another kind.
class Converter {
 public:
  Converter(const Method& method, std::vector<TypeArgument>& args)
      : method_(method), args_(args), next_symbol_(static_cast<int32_t>(method.dims.size())) {}

  bool Add(const Operand& operand, ArgKind kind) {
    switch (kind) {
      case ArgKind::kTensor:
        return Tensor(operand, args_);
      case ArgKind::kTensorList:
        return List<const TensorType*>(
            operand, [this](const Operand& each, auto& to) { return Tensor(each, to); });
      case ArgKind::kOptionalTensorList:
        return List<const TensorType*>(operand, [this](const Operand& each, auto& to) {
          if (!std::holds_alternative<std::monostate>(each.held)) return Tensor(each, to);
          to.push_back(nullptr);
          return true;
        });
      case ArgKind::kScalar:
        return Number(operand);
      case ArgKind::kInt:
        return Int(operand, args_);
      case ArgKind::kBool:
        return Literal<bool>(operand, args_);
      case ArgKind::kFloat:
        return Literal<double>(operand, args_);
      case ArgKind::kString:
        return Literal<std::string>(operand, args_);
      case ArgKind::kIntList:
        return List<SizeExpr>(operand,
                              [this](const Operand& each, auto& to) { return Int(each, to); });
      case ArgKind::kFloatList:
        return List<double>(operand, Literal<double, std::vector<double>>);
      case ArgKind::kBoolList:
        return List<bool>(operand, Literal<bool, std::vector<bool>>);
    }
    return false;
  }

 private:
  template <class Held, class To>
  static bool Literal(const Operand& operand, To& to) {
    const auto* held = std::get_if<Held>(&operand.held);
    if (held != nullptr) to.emplace_back(*held);
    return held != nullptr;
  }

  template <class T, class Item>
  bool List(const Operand& operand, const Item& item) {
    const auto* items = std::get_if<OperandList>(&operand.held);
    if (items == nullptr) return false;
    auto& list = std::get<std::vector<T>>(args_.emplace_back(std::vector<T>()));
    list.reserve(items->size());
    return std::ranges::all_of(*items, [&](const Operand& each) { return item(each, list); });
  }

  const ValueType* TypeOf(const Operand& operand) const {
    const auto* value = std::get_if<Operand::Value>(&operand.held);
    return value == nullptr ? nullptr : TypeOfValue(method_, value->id);
  }

  template <class To>
  bool Tensor(const Operand& operand, To& to) const {
    const auto* tensor = std::get_if<TensorType>(TypeOf(operand));
    if (tensor != nullptr) to.emplace_back(tensor);
    return tensor != nullptr;
  }

  template <class To>
  bool Int(const Operand& operand, To& to) {
    const auto* number = std::get_if<NumberType>(TypeOf(operand));
    if (number == nullptr) return Literal<SizeExpr>(operand, to);
    if (*number != NumberType::kInt) return false;
    to.emplace_back(SizeExpr::Symbol(next_symbol_++));
    return true;
  }

  // A type rule may know only the kind of a number that is not an integer: any such number does.
  bool Number(const Operand& operand) {
    const auto* number = std::get_if<NumberType>(TypeOf(operand));
    if (number == nullptr || *number == NumberType::kInt) {
      return Int(operand, args_) || Literal<bool>(operand, args_) ||
             Literal<double>(operand, args_);
    }
    if (*number == NumberType::kBool) {
      args_.emplace_back(false);
    } else {
      args_.emplace_back(0.0);
    }
    return true;
  }

  const Method& method_;
  std::vector<TypeArgument>& args_;
  int32_t next_symbol_;
};

}  // namespace

const ValueType* TypeOfValue(const Method& method, ValueId value) {
  if (value < 0 || static_cast<size_t>(value) >= method.values.size()) return nullptr;
  return &method.values[static_cast<size_t>(value)];
}

std::string TypeArguments(const Method& method, const Node& node, std::vector<TypeArgument>& args) {
  args.clear();
  args.reserve(node.operands.size());
  Converter converter(method, args);
  size_t next = 0;
  for (const ArgSchema& arg : node.schema->args) {
    if (arg.out) continue;
    if (next == node.operands.size()) return Missing(arg);
    const Operand& operand = node.operands[next++];
    if (arg.optional && std::holds_alternative<std::monostate>(operand.held)) {
      args.emplace_back();
    } else if (!converter.Add(operand, arg.kind)) {
      return OfAnotherKind(arg);
    }
  }
  if (next < node.operands.size()) return TooMany(node.operands.size(), next);
  return {};
}

}  // namespace pteproof::graph
