#include "runtime/execute/argument_kinds.h"

#include "reference/op_schema.h"

namespace pteproof {
namespace {

bool IsNumber(ValueKind kind) {
  return kind == ValueKind::kInt || kind == ValueKind::kBool || kind == ValueKind::kDouble;
}

// The file has an Int where a Float is meant, and the other way round.
bool Takes(ArgKind wanted, ValueKind kind) {
  switch (wanted) {
    case ArgKind::kTensor:
      return kind == ValueKind::kTensor;
    case ArgKind::kTensorList:
      return kind == ValueKind::kTensorList;
    case ArgKind::kOptionalTensorList:
      return kind == ValueKind::kOptionalTensorList || kind == ValueKind::kTensorList;
    case ArgKind::kScalar:
    case ArgKind::kInt:
    case ArgKind::kBool:
    case ArgKind::kFloat:
      return IsNumber(kind);
    case ArgKind::kString:
      return kind == ValueKind::kString;
    case ArgKind::kIntList:
      return kind == ValueKind::kIntList;
    case ArgKind::kFloatList:
      return kind == ValueKind::kDoubleList;
    case ArgKind::kBoolList:
      return kind == ValueKind::kBoolList;
  }
  return false;
}

// Numbers as ExecuTorch takes them at a call: it ends the process at one of another kind.
bool TakesNow(ArgKind wanted, ValueKind kind) {
  switch (wanted) {
    case ArgKind::kInt:
      return kind == ValueKind::kInt;
    case ArgKind::kBool:
      return kind == ValueKind::kBool;
    case ArgKind::kFloat:
      return kind == ValueKind::kDouble;
    default:
      return Takes(wanted, kind);
  }
}

// Items of lists are what the list's kind says.
bool HasItems(const Method& method, const Value& list) {
  if (!ListsValues(list.kind)) return true;
  for (const int32_t item : method.Ints(list.items)) {
    if (item < 0) {
      if (list.kind == ValueKind::kOptionalTensorList) continue;
      return false;
    }
    const ValueKind kind = method.values[static_cast<size_t>(item)].kind;
    const bool is_none = kind == ValueKind::kNull && list.kind == ValueKind::kOptionalTensorList;
    const bool fits =
        list.kind == ValueKind::kIntList ? IsNumber(kind) : kind == ValueKind::kTensor;
    if (!fits && !is_none) return false;
  }
  return true;
}

}  // namespace

bool MayHold(ValueKind place, ValueKind moved) {
  return place == moved || (IsNumber(place) && IsNumber(moved));
}

const char* ValueFault(const ArgSchema& arg, const RunValue& value) {
  const bool is_none = value.kind == ValueKind::kNull;
  if (is_none ? !arg.optional : !TakesNow(arg.kind, value.kind)) {
    return "an argument has another kind of value than the operator takes";
  }
  if (!ListsValues(value.kind)) return nullptr;
  for (const RunValue* item : value.items) {
    if (value.kind == ValueKind::kIntList) {
      if (item->kind != ValueKind::kInt) return "an item of a list of integers is not an integer";
    } else if (item == nullptr || item->kind != ValueKind::kTensor) {
      const bool none = item == nullptr || item->kind == ValueKind::kNull;
      if (!none || value.kind == ValueKind::kTensorList) return "an item of a list is not a tensor";
    }
  }
  return nullptr;
}

std::string ArgumentFault(const Method& method, const OpSchema& schema,
                          std::span<const int32_t> args) {
  if (args.size() < schema.ArgumentCount()) {
    return "there are " + std::to_string(args.size()) + " arguments, and the operator takes " +
           std::to_string(schema.ArgumentCount());
  }
  for (size_t a = 0; a < schema.args.size(); ++a) {
    const Value& value = method.values[static_cast<size_t>(args[a])];
    const bool is_none = value.kind == ValueKind::kNull;
    // `int[]? dim` and the like.
    const bool fits = is_none ? schema.args[a].optional : Takes(schema.args[a].kind, value.kind);
    if (!fits || !HasItems(method, value)) {
      return "argument '" + std::string(schema.args[a].name) + "' is of another kind";
    }
  }
  if (schema.returns == ReturnSlot::kScalar) {
    const Value& result = method.values[static_cast<size_t>(args[schema.args.size()])];
    // None becomes a number.
    const bool fits = IsNumber(result.kind) || result.kind == ValueKind::kNull;
    if (!fits) return "the result is not a number";
  }
  return "";
}

}  // namespace pteproof
