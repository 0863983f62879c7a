#include "runtime/reader/values.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/file_rules.h"
#include "runtime/reader/tensors.h"

namespace pteproof::reader {
namespace {

constexpr uint64_t kValueCharge = 16;
constexpr uint64_t kTensorCharge = 24;  // on top

// The file's tags are numbered like our kinds, from 1.
static_assert(static_cast<int>(schema::AnyValue::Null) == static_cast<int>(ValueKind::kNull) + 1);
static_assert(static_cast<int>(schema::AnyValue::Tensor) ==
              static_cast<int>(ValueKind::kTensor) + 1);
static_assert(static_cast<int>(schema::AnyValue::OptionalTensorList) ==
              static_cast<int>(ValueKind::kOptionalTensorList) + 1);

void MarkBroken(Value& value) {
  value.kind = ValueKind::kNull;
  value.tensor = kBroken;
}

void RefuseHole(const MethodScope& scope, uint32_t index, const void* wire, std::string_view what) {
  MarkBroken(scope.out.values[index]);
  RefuseValue(scope, rule::kFileValue, index, wire, fmt::format("Value {} {}.", index, what));
}

// Fills in the kinds; the number of tensors.
uint32_t ReadKinds(const MethodScope& scope, const WireTables<schema::Value>& wire) {
  uint32_t tensors = 0;
  for (uint32_t i = 0; i < wire.size(); ++i) {
    const schema::Value& value = *wire.Get(i);
    const auto tag = static_cast<uint8_t>(value.held_type());
    if (tag == 0 || tag > static_cast<uint8_t>(schema::AnyValue::MAX)) {
      RefuseHole(scope, i, &value, fmt::format("has tag {}. Known tags are 1 to 11", tag));
    } else if (value.held() == nullptr && value.held_type() != schema::AnyValue::Null) {
      RefuseHole(
          scope, i, &value,
          fmt::format("has the tag {}, but no table", schema::EnumNameAnyValue(value.held_type())));
    } else {
      scope.out.values[i].kind = static_cast<ValueKind>(tag - 1);
      tensors += value.held_type() == schema::AnyValue::Tensor ? 1 : 0;
    }
    if (scope.context.Stopped()) break;
  }
  return tensors;
}

void RefuseItem(const MethodScope& scope, uint32_t list, uint32_t position, int64_t item,
                const void* wire, std::string_view why) {
  RefuseValue(scope, rule::kFileListItem, list, wire,
              fmt::format("Item {} of value {} ({}) is {}: {}.", position, list,
                          KindName(ValueAt(scope, list).kind), item, why));
}

// Why an item of a list cannot be what it says; empty: that is said already.
std::string ItemFault(const MethodScope& scope, int64_t item, ValueKind wanted) {
  if (!IsValue(scope, item))
    return fmt::format("the method has values 0 to {}", scope.out.values.size() - 1);
  const Value& value = ValueAt(scope, item);
  if (IsBroken(value)) return {};
  if (value.kind != wanted)
    return fmt::format("that value has the kind {}, not {}", KindName(value.kind),
                       KindName(wanted));
  return "the tensors of a list come before the list";
}

// A list's items as value indices.
template <class T>
void ReadIndices(const MethodScope& scope, uint32_t index, const WireVector<T>* wire,
                 ValueKind wanted) {
  Value& list = scope.out.values[index];
  const bool holes = list.kind == ValueKind::kOptionalTensorList;
  if (!Charge(scope.context, kVectorCharge + sizeof(T) * wire->size())) return;
  std::vector<int32_t>& pool = scope.out.ints;
  list.items = {static_cast<uint32_t>(pool.size()), wire->size()};
  for (uint32_t i = 0; i < wire->size() && !scope.context.Stopped(); ++i) {
    const int64_t item = Element(*wire, i);
    const bool in_range = IsValue(scope, item);
    const bool none = holes && (item == -1 || (in_range && item < int64_t{index} &&
                                               ValueAt(scope, item).kind == ValueKind::kNull));
    pool.push_back(in_range && !none ? static_cast<int32_t>(item) : -1);
    if (none) continue;
    const bool good = in_range && ValueAt(scope, item).kind == wanted &&
                      (wanted != ValueKind::kTensor || item < int64_t{index});
    if (good) [[likely]]
      continue;
    const std::string fault = ItemFault(scope, item, wanted);
    if (!fault.empty()) RefuseItem(scope, index, i, item, wire, fault);
  }
}

void ReadReals(const MethodScope& scope, Value& list, const WireVector<double>& wire) {
  if (!Charge(scope.context, kVectorCharge + sizeof(double) * wire.size())) return;
  list.items = {static_cast<uint32_t>(scope.out.reals.size()), wire.size()};
  for (uint32_t i = 0; i < wire.size(); ++i) scope.out.reals.push_back(Element(wire, i));
}

void ReadFlags(const MethodScope& scope, Value& list, const WireVector<uint8_t>& wire) {
  // Paid for twice, since a byte there becomes four here.
  if (!Charge(scope.context, kVectorCharge + uint64_t{2} * wire.size())) return;
  list.items = {static_cast<uint32_t>(scope.out.ints.size()), wire.size()};
  for (const uint8_t flag : wire) scope.out.ints.push_back(flag == 0 ? 0 : 1);
}

void ReadText(const MethodScope& scope, uint32_t index, const schema::String& wire) {
  if (wire.value() == nullptr)
    return RefuseHole(scope, index, &wire, "has the tag String, but no text");
  if (!AppendText(scope, *wire.value(), scope.out.values[index].items)) return;
}

// Decodes a list whose vector must be there.
template <class WireList, class ReadFn>
void ReadList(const MethodScope& scope, uint32_t index, const WireList& wire, ReadFn read) {
  if (wire.items() != nullptr) return read(wire.items());
  RefuseHole(
      scope, index, &wire,
      fmt::format("has the tag {}, but no list of items", KindName(ValueAt(scope, index).kind)));
}

void ReadAnyList(const MethodScope& scope, uint32_t index, const schema::Value& wire) {
  Value& value = scope.out.values[index];
  const auto indices = [&](ValueKind wanted) {
    return [&scope, index, wanted](const auto* items) { ReadIndices(scope, index, items, wanted); };
  };
  switch (value.kind) {
    case ValueKind::kIntList:
      return ReadList(scope, index, *wire.held_as_IntList(), indices(ValueKind::kInt));
    case ValueKind::kTensorList:
      return ReadList(scope, index, *wire.held_as_TensorList(), indices(ValueKind::kTensor));
    case ValueKind::kOptionalTensorList:
      return ReadList(scope, index, *wire.held_as_OptionalTensorList(),
                      indices(ValueKind::kTensor));
    case ValueKind::kDoubleList:
      return ReadList(scope, index, *wire.held_as_DoubleList(),
                      [&](const auto* items) { ReadReals(scope, value, *items); });
    case ValueKind::kBoolList:
      return ReadList(scope, index, *wire.held_as_BoolList(),
                      [&](const auto* items) { ReadFlags(scope, value, *items); });
    default:
      return;
  }
}

void ReadValue(const MethodScope& scope, uint32_t index, const schema::Value& wire) {
  Value& value = scope.out.values[index];
  switch (value.kind) {
    case ValueKind::kNull:
      return;
    case ValueKind::kInt:
      value.integer = wire.held_as_Int()->value();
      return;
    case ValueKind::kBool:
      value.integer = wire.held_as_Bool()->value() ? 1 : 0;
      return;
    case ValueKind::kDouble:
      value.real = wire.held_as_Double()->value();
      return;
    case ValueKind::kTensor:
      return ReadTensor(scope, index, *wire.held_as_Tensor());
    case ValueKind::kString:
      return ReadText(scope, index, *wire.held_as_String());
    default:
      return ReadAnyList(scope, index, wire);
  }
}

}  // namespace

void ReadValues(const MethodScope& scope) {
  const WireTables<schema::Value>* wire = scope.wire.values();
  const uint32_t count = Count(wire);
  if (count == 0 || !Charge(scope.context, kValueCharge * count)) return;
  scope.out.values.resize(count);
  const uint32_t tensors = ReadKinds(scope, *wire);
  if (!Charge(scope.context, kTensorCharge * tensors)) return;
  scope.out.tensors.reserve(tensors);
  scope.out.ints.reserve(size_t{tensors} * 8);
  for (uint32_t i = 0; i < count && !scope.context.Stopped(); ++i)
    ReadValue(scope, i, *wire->Get(i));
}

std::string_view KindName(ValueKind kind) {
  return schema::EnumNameAnyValue(static_cast<schema::AnyValue>(static_cast<int>(kind) + 1));
}

}  // namespace pteproof::reader
