#include "runtime/reader/arguments.h"

#include <fmt/format.h>

#include "reference/op_schema.h"

namespace pteproof::reader {
namespace {

constexpr uint32_t Bit(ValueKind kind) {
  return uint32_t{1} << static_cast<uint32_t>(kind);
}

constexpr uint32_t kNumbers =
    Bit(ValueKind::kInt) | Bit(ValueKind::kBool) | Bit(ValueKind::kDouble);

// The kinds of value that an argument of that kind may be, as bits.
constexpr uint32_t Admitted(ArgKind kind) {
  switch (kind) {
    case ArgKind::kTensor:
      return Bit(ValueKind::kTensor);
    case ArgKind::kTensorList:
      return Bit(ValueKind::kTensorList);
    case ArgKind::kOptionalTensorList:
      return Bit(ValueKind::kOptionalTensorList);
    case ArgKind::kScalar:
      return kNumbers;
    case ArgKind::kInt:
      return Bit(ValueKind::kInt);
    case ArgKind::kBool:
      return Bit(ValueKind::kBool);
    case ArgKind::kFloat:
      return Bit(ValueKind::kDouble);
    case ArgKind::kString:
      return Bit(ValueKind::kString);
    case ArgKind::kIntList:
      return Bit(ValueKind::kIntList);
    case ArgKind::kFloatList:
      return Bit(ValueKind::kDoubleList);
    case ArgKind::kBoolList:
      return Bit(ValueKind::kBoolList);
  }
  return 0;
}

constexpr uint32_t Admitted(ReturnSlot slot) {
  switch (slot) {
    case ReturnSlot::kNone:
      return 0;
    case ReturnSlot::kWritten:
      return Bit(ValueKind::kTensor);
    case ReturnSlot::kWrittenList:
      return Bit(ValueKind::kTensorList);
    case ReturnSlot::kScalar:
      return kNumbers |
             Bit(ValueKind::kNull);  // exporters leave the slot empty until the first run
  }
  return 0;
}

std::string AdmittedNames(uint32_t kinds) {
  std::string names;
  for (int kind = 0; kind <= static_cast<int>(ValueKind::kOptionalTensorList); ++kind) {
    if ((kinds & Bit(static_cast<ValueKind>(kind))) == 0) continue;
    names += names.empty() ? "" : " or ";
    names += KindName(static_cast<ValueKind>(kind));
  }
  return names;
}

std::string KindFault(const MethodScope& scope, const Operator& op, size_t position,
                      std::string_view name, int32_t value, uint32_t admitted) {
  return fmt::format(
      "Argument {} (\"{}\") of {} is value {} ({}). The operator takes {} there.\nA kernel that "
      "reads a value as another kind ends the process or reads foreign memory.",
      position, name, op.name, value, KindName(ValueAt(scope, value).kind),
      AdmittedNames(admitted));
}

bool Fits(const MethodScope& scope, int32_t value, uint32_t admitted) {
  const Value& held = ValueAt(scope, value);
  return (admitted & Bit(held.kind)) != 0 || IsBroken(held);
}

}  // namespace

std::string ArgumentFault(const MethodScope& scope, const Operator& op,
                          std::span<const int32_t> args) {
  if (op.schema == nullptr) return {};
  const OpSchema& schema = *op.schema;
  if (args.size() != schema.ArgumentCount()) {
    return fmt::format(
        "{} is called with {} arguments. It takes {}, the return slot included.\nThe kernel would "
        "read past the arguments.",
        op.name, args.size(), schema.ArgumentCount());
  }
  for (size_t i = 0; i < schema.args.size(); ++i) {
    const ArgSchema& arg = schema.args[i];
    const uint32_t admitted = Admitted(arg.kind) | (arg.optional ? Bit(ValueKind::kNull) : 0);
    if (!Fits(scope, args[i], admitted))
      return KindFault(scope, op, i, arg.name, args[i], admitted);
  }
  if (schema.returns == ReturnSlot::kNone) return {};
  const uint32_t admitted = Admitted(schema.returns);
  if (Fits(scope, args.back(), admitted)) return {};
  return KindFault(scope, op, args.size() - 1, "return", args.back(), admitted);
}

}  // namespace pteproof::reader
