#include "planner/emit/arguments.h"

#include <algorithm>

#include "base/checked_math.h"
#include "reference/graph/method_uses.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

using graph::OperandList;

int64_t IntegerOf(const Operand& operand) {
  if (const auto* size = std::get_if<SizeExpr>(&operand.held)) return size->Constant().value_or(0);
  if (const auto* flag = std::get_if<bool>(&operand.held)) return *flag ? 1 : 0;
  if (const auto* real = std::get_if<double>(&operand.held)) return TruncatedInt(*real);
  return 0;
}

double RealOf(const Operand& operand) {
  const auto* real = std::get_if<double>(&operand.held);
  return real != nullptr ? *real : static_cast<double>(IntegerOf(operand));
}

int32_t ListOf(const OperandList& list, ArgKind kind, FileValues& values, MethodWriter& writer) {
  std::vector<int32_t> items;
  switch (kind) {
    case ArgKind::kFloatList: {
      std::vector<double> reals;
      for (const Operand& item : list) reals.push_back(RealOf(item));
      return writer.DoubleList(reals);
    }
    case ArgKind::kBoolList:
      for (const Operand& item : list) items.push_back(IntegerOf(item) != 0 ? 1 : 0);
      return writer.List(ValueKind::kBoolList, items);
    case ArgKind::kTensorList:
    case ArgKind::kOptionalTensorList:
      for (const Operand& item : list) {
        const auto value = graph::ValueOfOperand(item);
        items.push_back(value ? values.Of(*value) : -1);
      }
      return writer.List(
          kind == ArgKind::kTensorList ? ValueKind::kTensorList : ValueKind::kOptionalTensorList,
          items);
    default:
      for (const Operand& item : list) {
        items.push_back(ArgumentOf(item, Taking(ArgKind::kInt), values, writer));
      }
      return writer.List(ValueKind::kIntList, items);
  }
}

int32_t NumberOf(const Operand& operand, ArgKind kind, MethodWriter& writer) {
  const bool is_real = std::holds_alternative<double>(operand.held);
  const bool is_flag = std::holds_alternative<bool>(operand.held);
  if (kind == ArgKind::kFloat || (kind == ArgKind::kScalar && is_real)) {
    return writer.Double(RealOf(operand));
  }
  if (kind == ArgKind::kBool || (kind == ArgKind::kScalar && is_flag)) {
    return writer.Bool(IntegerOf(operand) != 0);
  }
  return writer.Int(IntegerOf(operand));
}

}  // namespace

int32_t ArgumentOf(const Operand& operand, const ArgSchema& arg, FileValues& values,
                   MethodWriter& writer) {
  if (const auto value = graph::ValueOfOperand(operand)) return values.Of(*value);
  if (std::holds_alternative<std::monostate>(operand.held)) return writer.Null();
  if (const auto* text = std::get_if<std::string>(&operand.held)) return writer.String(*text);
  if (const auto* list = std::get_if<OperandList>(&operand.held)) {
    return ListOf(*list, arg.kind, values, writer);
  }
  return NumberOf(operand, arg.kind, writer);
}

ArgSchema Taking(ArgKind kind) {
  ArgSchema arg;
  arg.kind = kind;
  return arg;
}

ArgSchema UnknownArgument(const Operand& operand) {
  const auto* list = std::get_if<OperandList>(&operand.held);
  if (list == nullptr) return Taking(ArgKind::kScalar);
  const auto is = [&](auto test) { return !list->empty() && std::ranges::any_of(*list, test); };
  if (is([](const Operand& item) { return graph::ValueOfOperand(item).has_value(); })) {
    const bool gaps = is([](const Operand& i) { return !graph::ValueOfOperand(i); });
    return Taking(gaps ? ArgKind::kOptionalTensorList : ArgKind::kTensorList);
  }
  if (is([](const Operand& i) { return std::holds_alternative<double>(i.held); })) {
    return Taking(ArgKind::kFloatList);
  }
  if (is([](const Operand& i) { return std::holds_alternative<bool>(i.held); })) {
    return Taking(ArgKind::kBoolList);
  }
  return Taking(ArgKind::kIntList);
}

std::vector<int32_t> CallArguments(const OpSchema& schema, std::span<const Operand> operands,
                                   std::span<const ValueId> results, FileValues& values,
                                   MethodWriter& writer) {
  std::vector<int32_t> args;
  std::vector<int32_t> written;  // what the return slot names
  std::vector<int32_t> outs;
  for (const ValueId v : results) outs.push_back(values.Of(v));
  size_t operand = 0;
  size_t out = 0;
  bool lists = false;
  for (const ArgSchema& arg : schema.args) {
    if (!arg.out) {
      args.push_back(ArgumentOf(operands[operand++], arg, values, writer));
      if (arg.returned) written.push_back(args.back());
    } else if (arg.kind == ArgKind::kTensorList) {
      lists = true;
      written.assign(outs.begin(), outs.end());
      args.push_back(writer.List(ValueKind::kTensorList, outs));
    } else {
      args.push_back(outs[out++]);
      if (arg.returned) written.push_back(args.back());
    }
  }
  switch (schema.returns) {
    case ReturnSlot::kNone:
      break;
    case ReturnSlot::kScalar:
      args.push_back(outs.front());
      break;
    case ReturnSlot::kWritten:
      args.push_back(lists || written.empty() ? args.back() : written.front());
      break;
    case ReturnSlot::kWrittenList:
      args.push_back(writer.List(ValueKind::kTensorList, written));
      break;
  }
  return args;
}

}  // namespace pteproof::planner
