// What values other than tensors are: numbers, texts, lists, and of which kind.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "fuzz/mutate/plan/change.h"
#include "fuzz/mutate/plan/parts.h"

namespace pteproof::fuzz::plan {
namespace {

Value* AnyValue(Program& program, Random& random, ValueKind kind, Method*& method) {
  method = AnyMethod(program, random);
  if (method == nullptr) return nullptr;
  return AnyOf(method->values, random, [&](const Value& value) { return value.kind == kind; });
}

bool ChangeInt(Program& program, Random& random) {
  Method* method = nullptr;
  Value* value = AnyValue(program, random, ValueKind::kInt, method);
  if (value == nullptr) return false;
  const int64_t before = value->integer;
  value->integer = InterestingInt(random, before);
  return value->integer != before;
}

bool FlipBool(Program& program, Random& random) {
  Method* method = nullptr;
  Value* value = AnyValue(program, random, ValueKind::kBool, method);
  if (value == nullptr) return false;
  value->integer = value->integer == 0 ? 1 : 0;
  return true;
}

bool ChangeDouble(Program& program, Random& random) {
  static constexpr std::array kNumbers = {0.0,
                                          -0.0,
                                          1.0,
                                          -1.0,
                                          0.5,
                                          1e300,
                                          std::numeric_limits<double>::infinity(),
                                          std::numeric_limits<double>::quiet_NaN()};
  Method* method = nullptr;
  Value* value = AnyValue(program, random, ValueKind::kDouble, method);
  if (value == nullptr) return false;
  const double before = value->real;
  value->real = random.Of(kNumbers);
  return value->real != before || std::signbit(value->real) != std::signbit(before);
}

// A number stays the same number where it can, as another kind of number, or becomes nothing.
bool ChangeKind(Program& program, Random& random) {
  static constexpr std::array kKinds = {ValueKind::kNull, ValueKind::kInt, ValueKind::kBool,
                                        ValueKind::kDouble};
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  Value* value = AnyOf(method->values, random, [](const Value& v) {
    return v.kind != ValueKind::kString && v.kind < ValueKind::kIntList;
  });
  if (value == nullptr) return false;
  const ValueKind kind = random.Of(kKinds);
  if (kind == value->kind) return false;
  const int64_t number = value->kind == ValueKind::kDouble ? 1 : value->integer;
  Value changed = {.kind = kind};
  if (kind == ValueKind::kDouble) changed.real = static_cast<double>(number);
  if (kind == ValueKind::kInt) changed.integer = number;
  if (kind == ValueKind::kBool) changed.integer = number != 0 ? 1 : 0;
  // Lists may name it: they hold no other kind.
  *value = changed;
  return true;
}

// Where an argument or an item is optional, None is a tensor too.
bool DropTensor(Program& program, Random& random) {
  Method* method = nullptr;
  Value* value = AnyValue(program, random, ValueKind::kTensor, method);
  if (value == nullptr) return false;
  *value = {};
  const auto dropped = static_cast<int32_t>(value - method->values.data());
  for (Value& list : method->values) {
    if (list.kind != ValueKind::kOptionalTensorList) continue;
    const auto items = method->Ints(list.items);
    std::vector<int32_t> left(items.begin(), items.end());
    std::ranges::replace(left, dropped, -1);
    list.items = Append(method->ints, left);
  }
  return true;
}

bool ChangeText(Program& program, Random& random) {
  static constexpr std::array<std::string_view, 4> kTexts = {"", "trunc", "none", "\xff"};
  Method* method = nullptr;
  Value* value = AnyValue(program, random, ValueKind::kString, method);
  if (value == nullptr) return false;
  const std::string_view text = random.Of(kTexts);
  if (method->Text(value->items) == text) return false;
  value->items = AppendText(method->text, text);
  return true;
}

// One item less, or one more.
bool ResizeReals(Program& program, Random& random) {
  Method* method = nullptr;
  Value* list = AnyValue(program, random, ValueKind::kDoubleList, method);
  if (list == nullptr) return false;
  const auto first = method->reals.begin() + static_cast<ptrdiff_t>(list->items.first);
  std::vector<double> changed(first, first + static_cast<ptrdiff_t>(list->items.count));
  if (!changed.empty() && random.OneIn(2)) {
    changed.pop_back();
  } else {
    changed.push_back(static_cast<double>(InterestingInt(random, 0)));
  }
  list->items = {static_cast<uint32_t>(method->reals.size()),
                 static_cast<uint32_t>(changed.size())};
  method->reals.insert(method->reals.end(), changed.begin(), changed.end());
  return true;
}

bool IsIntPooled(const Value& value) {
  return value.kind >= ValueKind::kIntList && value.kind != ValueKind::kDoubleList;
}

// One item another value of the kind, or a flag turned.
bool ChangeItem(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  Value* list = AnyOf(method->values, random,
                      [](const Value& v) { return IsIntPooled(v) && v.items.count > 0; });
  if (list == nullptr) return false;
  const auto items = method->Ints(list->items);
  std::vector<int32_t> changed(items.begin(), items.end());
  int32_t& item = random.Of(changed);
  const int32_t before = item;
  if (list->kind == ValueKind::kBoolList) {
    item = 1 - item;
  } else if (list->kind == ValueKind::kOptionalTensorList && random.OneIn(3)) {
    item = -1;
  } else if (item >= 0) {
    item = LikeValue(*method, item, random);
  }
  if (item == before) return false;
  list->items = Append(method->ints, changed);
  return true;
}

// One item less, or one twice.
bool ResizeList(Program& program, Random& random) {
  Method* method = AnyMethod(program, random);
  if (method == nullptr) return false;
  Value* list = AnyOf(method->values, random,
                      [](const Value& v) { return IsIntPooled(v) && v.items.count > 0; });
  if (list == nullptr) return false;
  const auto items = method->Ints(list->items);
  std::vector<int32_t> changed(items.begin(), items.end());
  const auto at = changed.begin() + static_cast<ptrdiff_t>(random.Below(changed.size()));
  if (random.OneIn(2)) {
    changed.erase(at);
  } else {
    changed.insert(at, int32_t{*at});
  }
  list->items = Append(method->ints, changed);
  return true;
}

constexpr std::array kValueChanges = {
    Change{"change-int", ChangeInt},       Change{"flip-bool", FlipBool},
    Change{"change-double", ChangeDouble}, Change{"change-kind", ChangeKind},
    Change{"drop-tensor", DropTensor},     Change{"change-text", ChangeText},
    Change{"resize-reals", ResizeReals},   Change{"change-item", ChangeItem},
    Change{"resize-list", ResizeList},
};

}  // namespace

std::span<const Change> ValueChanges() {
  return kValueChanges;
}

}  // namespace pteproof::fuzz::plan
