#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/checked_math.h"
#include "fuzz/calls/twist_parts.h"
#include "fuzz/calls/twists.h"
#include "pteproof/datum.h"
#include "reference/tensor_value.h"

namespace pteproof::fuzz {
namespace {

constexpr std::array<int64_t, 20> kIntegers = {0,
                                               1,
                                               -1,
                                               2,
                                               -2,
                                               INT64_MIN,
                                               INT64_MAX,
                                               INT32_MIN,
                                               INT32_MAX,
                                               1LL << 31,
                                               1LL << 32,
                                               1LL << 40,
                                               1LL << 62,
                                               -(1LL << 62),
                                               INT64_MIN + 1,
                                               INT64_MAX / 2 + 1,
                                               255,
                                               -128,
                                               1000,
                                               3};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array<double, 14> kReals = {0.0,
                                           -0.0,
                                           1.0,
                                           -1.5,
                                           kInfinity,
                                           -kInfinity,
                                           std::numeric_limits<double>::quiet_NaN(),
                                           std::numeric_limits<double>::denorm_min(),
                                           std::numeric_limits<double>::max(),
                                           0x1p63,
                                           -0x1p64,
                                           1e10,
                                           1e-40,
                                           0x1p31};

bool OtherLiteral(Draft& draft, Choices& choices) {
  std::vector<int32_t> numbers = ValuesOf(draft, ValueKind::kInt);
  for (const ValueKind kind : {ValueKind::kDouble, ValueKind::kBool, ValueKind::kDoubleList}) {
    const auto more = ValuesOf(draft, kind);
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  if (numbers.empty()) return false;
  DraftValue& value = draft.At(choices.Of(numbers));
  switch (choices.Below(8)) {
    case 0:
      value.kind = value.kind == ValueKind::kDoubleList ? value.kind : ValueKind::kDouble;
      value.real = choices.Of(kReals);
      break;
    case 1:
      value.integer = CheckedAdd<int64_t>(value.integer, 1).value_or(0);
      break;
    case 2:
      value.integer = CheckedSub<int64_t>(value.integer, 1).value_or(0);
      break;
    default:
      value.integer = choices.Of(kIntegers);
      value.real = choices.Of(kReals);
  }
  if (value.kind == ValueKind::kBool) value.integer = value.integer != 0 ? 1 : 0;
  if (!value.reals.empty()) choices.Of(value.reals) = value.real;
  return true;
}

// Two numbers of a list change their signs, and their product does not.
bool NegatePair(Draft& draft, Choices& choices) {
  auto lists = ValuesOf(draft, ValueKind::kIntList);
  std::erase_if(lists, [&](int32_t v) { return draft.At(v).items.size() < 2; });
  if (lists.empty()) return false;
  const int32_t list = choices.Of(lists);
  const size_t first = choices.Below(draft.At(list).items.size() - 1);
  for (const size_t i : {first, first + 1}) {
    const int64_t number = draft.At(draft.At(list).items[i]).integer;
    const int32_t negated = draft.Add(NumberValue(number == INT64_MIN ? number : -number));
    draft.At(list).items[i] = negated;
  }
  return true;
}

// The caller says the number, another one in each call.
bool NumberFromCaller(Draft& draft, Choices& choices) {
  auto numbers = ValuesOf(draft, ValueKind::kInt);
  const auto reals = ValuesOf(draft, ValueKind::kDouble);
  numbers.insert(numbers.end(), reals.begin(), reals.end());
  if (numbers.empty()) return false;
  draft.At(choices.Of(numbers)).is_input = true;
  return true;
}

// A list without items, or with more.
bool OtherLength(Draft& draft, Choices& choices) {
  std::vector<int32_t> lists = ValuesOf(draft, ValueKind::kIntList);
  for (const ValueKind kind : {ValueKind::kDoubleList, ValueKind::kBoolList, ValueKind::kTensorList,
                               ValueKind::kOptionalTensorList}) {
    const auto more = ValuesOf(draft, kind);
    lists.insert(lists.end(), more.begin(), more.end());
  }
  if (lists.empty()) return false;
  DraftValue& list = draft.At(choices.Of(lists));
  const size_t count = choices.Below(20);
  const int32_t first = list.items.empty() ? -1 : list.items[0];
  const bool of_reals = list.kind == ValueKind::kDoubleList || list.kind == ValueKind::kBoolList;
  if (of_reals) list.reals.resize(count, 1);
  if (!of_reals && (first >= 0 || count < list.items.size())) list.items.resize(count, first);
  return true;
}

bool NothingInstead(Draft& draft, Choices& choices) {
  const auto calls = CallsOf(draft);
  if (calls.empty()) return false;
  DraftStep& call = draft.steps[choices.Of(calls)];
  if (call.args.empty()) return false;
  choices.Of(call.args) = draft.Add({});
  return true;
}

TensorValue ContentsOfDraft(const DraftTensor& tensor) {
  TensorValue value = Zeros(tensor.dtype, {tensor.sizes.begin(), tensor.sizes.end()});
  std::copy_n(tensor.data.begin(), std::min(tensor.data.size(), value.bytes.size()),
              value.bytes.begin());
  return value;
}

// Of an input, a state or a constant, the elements from some place on.
bool OtherElements(Draft& draft, Choices& choices) {
  std::vector<int32_t> given;
  for (const int32_t v : ValuesOf(draft, ValueKind::kTensor)) {
    const DraftTensor& tensor = draft.At(v).tensor;
    if (!tensor.data.empty() && ByteCountOf(tensor) <= 1 << 14) given.push_back(v);
  }
  if (given.empty()) return false;
  DraftTensor& tensor = draft.At(choices.Of(given)).tensor;
  TensorValue value = ContentsOfDraft(tensor);
  const auto count = static_cast<size_t>(ElementCount(value));
  if (count == 0) return false;
  const bool all = choices.Below(4) == 0;
  const bool real = IsFloat(tensor.dtype) || IsComplex(tensor.dtype);
  const int64_t integer = choices.Of(kIntegers);
  const double number = choices.Of(kReals);
  const size_t first = choices.Below(count);
  for (size_t i = first; i < (all ? count : first + 1); ++i) {
    if (real) SetReal(value, static_cast<int64_t>(i), number);
    if (!real) SetInt(value, static_cast<int64_t>(i), integer);
  }
  tensor.data.assign(value.bytes.begin(), value.bytes.end());
  return true;
}

// Bytes as they come, which are no bools and no numbers that anyone would write.
bool OtherBytes(Draft& draft, Choices& choices) {
  const auto all = ValuesOf(draft, ValueKind::kTensor);
  if (all.empty()) return false;
  auto& data = draft.At(choices.Of(all)).tensor.data;
  if (data.empty()) return false;
  const size_t first = choices.Below(data.size());
  const auto byte = static_cast<std::byte>(choices.Below(256));
  const size_t count = std::min(data.size() - first, 1 + choices.Below(9));
  std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(first), count, byte);
  return true;
}

constexpr std::array kNumberTwists = {
    TwistRow{"other literal", OtherLiteral},
    TwistRow{"other literal", OtherLiteral},
    TwistRow{"other elements", OtherElements},
    TwistRow{"other elements", OtherElements},
    TwistRow{"other bytes", OtherBytes},
    TwistRow{"other length", OtherLength},
    TwistRow{"nothing instead", NothingInstead},
    TwistRow{"negate pair", NegatePair},
    TwistRow{"number from caller", NumberFromCaller},
};

}  // namespace

std::span<const TwistRow> NumberTwists() {
  return kNumberTwists;
}

}  // namespace pteproof::fuzz
