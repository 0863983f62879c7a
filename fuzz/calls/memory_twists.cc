#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/calls/twist_parts.h"
#include "fuzz/calls/twists.h"

namespace pteproof::fuzz {
namespace {

// A result and another tensor of one call.
struct Meeting {
  DraftStep* call = nullptr;
  int32_t result = -1;
  int32_t other = -1;
};

Meeting DrawMeeting(Draft& draft, Choices& choices, bool with_operand) {
  const auto calls = CallsOf(draft);
  if (calls.empty()) return {};
  DraftStep& call = draft.steps[choices.Of(calls)];
  const auto results = WrittenTensors(draft, call);
  auto others = with_operand ? OperandTensors(draft, call) : results;
  if (results.empty()) return {};
  const int32_t result = choices.Of(results);
  std::erase(others, result);
  if (others.empty()) return {};
  return {&call, result, choices.Of(others)};
}

void PlaceAt(DraftTensor& tensor, const DraftTensor& other, uint64_t distance) {
  MakePlanned(tensor);
  tensor.bank = other.bank;
  tensor.offset = other.offset + distance;
}

// Room in `tensor` for the sizes of both.
void MakeRoomFor(const DraftTensor& other, DraftTensor& tensor) {
  tensor.bounded = !tensor.stored();
  if (other.sizes.size() != tensor.sizes.size()) return;
  for (size_t d = 0; d < tensor.sizes.size(); ++d) {
    tensor.sizes[d] = std::max(tensor.sizes[d], other.sizes[d]);
  }
}

bool OutIsOperand(Draft& draft, Choices& choices) {
  const Meeting m = DrawMeeting(draft, choices, true);
  if (m.call == nullptr) return false;
  if (choices.Below(4) != 0) MakeRoomFor(draft.At(m.result).tensor, draft.At(m.other).tensor);
  ReplaceInCall(draft, *m.call, m.result, m.other);
  return true;
}

bool OutAtPlaceOfOperand(Draft& draft, Choices& choices) {
  const Meeting m = DrawMeeting(draft, choices, true);
  if (m.call == nullptr) return false;
  DraftTensor& other = draft.At(m.other).tensor;
  MakePlanned(other);
  PlaceAt(draft.At(m.result).tensor, other, 0);
  return true;
}

bool OutOverOperand(Draft& draft, Choices& choices) {
  constexpr std::array<uint64_t, 12> kDistances = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 64};
  const Meeting m = DrawMeeting(draft, choices, true);
  if (m.call == nullptr) return false;
  DraftTensor& operand = draft.At(m.other).tensor;
  DraftTensor& result = draft.At(m.result).tensor;
  MakePlanned(operand);
  const uint64_t distance = choices.Of(kDistances);
  PlaceAt(result, operand, 0);
  (choices.Below(2) == 0 ? result : operand).offset += distance;
  return true;
}

bool TwoOutsAreOne(Draft& draft, Choices& choices) {
  const Meeting m = DrawMeeting(draft, choices, false);
  if (m.call == nullptr) return false;
  if (choices.Below(4) != 0) MakeRoomFor(draft.At(m.result).tensor, draft.At(m.other).tensor);
  ReplaceInCall(draft, *m.call, m.result, m.other);
  return true;
}

bool TwoOutsAtOnePlace(Draft& draft, Choices& choices) {
  const Meeting m = DrawMeeting(draft, choices, false);
  if (m.call == nullptr) return false;
  DraftTensor& other = draft.At(m.other).tensor;
  MakePlanned(other);
  PlaceAt(draft.At(m.result).tensor, other, choices.Below(3) * 4);
  return true;
}

// A tensor of the call is another one of the method.
bool TensorIsAnother(Draft& draft, Choices& choices) {
  const auto calls = CallsOf(draft);
  if (calls.empty()) return false;
  DraftStep& call = draft.steps[choices.Of(calls)];
  auto ours = OperandTensors(draft, call);
  if (choices.Below(3) == 0) ours = WrittenTensors(draft, call);
  const auto all = ValuesOf(draft, ValueKind::kTensor);
  if (ours.empty() || all.empty()) return false;
  const int32_t old_value = choices.Of(ours);
  ReplaceInCall(draft, call, old_value, choices.Of(all));
  return true;
}

bool ItemIsAnother(Draft& draft, Choices& choices) {
  std::vector<int32_t> lists;
  for (const ValueKind kind :
       {ValueKind::kTensorList, ValueKind::kOptionalTensorList, ValueKind::kIntList}) {
    std::ranges::copy_if(ValuesOf(draft, kind), std::back_inserter(lists),
                         [&](int32_t v) { return !draft.At(v).items.empty(); });
  }
  if (lists.empty()) return false;
  const int32_t list = choices.Of(lists);
  const int32_t other = choices.Of(lists);
  const bool alike = IsTensorLike(draft.At(list).kind) == IsTensorLike(draft.At(other).kind);
  if (!alike) return false;
  auto& items = draft.At(list).items;
  const int32_t item = choices.Of(draft.At(other).items);
  if (item < 0 && draft.At(list).kind != ValueKind::kOptionalTensorList) return false;
  if (choices.Below(3) == 0) {
    items.push_back(item);
  } else {
    choices.Of(items) = item;
  }
  return true;
}

bool OtherHome(Draft& draft, Choices& choices) {
  const auto all = ValuesOf(draft, ValueKind::kTensor);
  if (all.empty()) return false;
  constexpr std::array kHomes = {Home::kBank, Home::kState, Home::kConstant, Home::kCaller};
  DraftTensor& tensor = draft.At(choices.Of(all)).tensor;
  tensor.home = choices.Of(kHomes);
  tensor.is_input = choices.Below(2) == 0 && !tensor.stored();
  tensor.is_output = choices.Below(2) == 0;
  return true;
}

// Any two tensors lie over each other, whatever uses them.
bool AnyTwoMeet(Draft& draft, Choices& choices) {
  const auto all = ValuesOf(draft, ValueKind::kTensor);
  if (all.size() < 2) return false;
  DraftTensor& a = draft.At(choices.Of(all)).tensor;
  DraftTensor& b = draft.At(choices.Of(all)).tensor;
  MakePlanned(b);
  PlaceAt(a, b, choices.Below(16));
  return true;
}

constexpr std::array kMemoryTwists = {
    TwistRow{"out is operand", OutIsOperand},
    TwistRow{"out at place of operand", OutAtPlaceOfOperand},
    TwistRow{"out over operand", OutOverOperand},
    TwistRow{"two outs are one", TwoOutsAreOne},
    TwistRow{"two outs at one place", TwoOutsAtOnePlace},
    TwistRow{"tensor is another", TensorIsAnother},
    TwistRow{"item is another", ItemIsAnother},
    TwistRow{"other home", OtherHome},
    TwistRow{"any two meet", AnyTwoMeet},
};

}  // namespace

std::span<const TwistRow> MemoryTwists() {
  return kMemoryTwists;
}

}  // namespace pteproof::fuzz
