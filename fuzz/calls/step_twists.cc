#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "fuzz/calls/twist_parts.h"
#include "fuzz/calls/twists.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {
namespace {

size_t PlaceAmongSteps(const Draft& draft, Choices& choices) {
  return choices.Below(draft.steps.size() + 1);
}

bool MoveBetween(Draft& draft, Choices& choices) {
  constexpr std::array kKinds = {ValueKind::kTensor, ValueKind::kTensor, ValueKind::kInt,
                                 ValueKind::kTensorList};
  const auto values = ValuesOf(draft, choices.Of(kKinds));
  if (values.size() < 2) return false;
  const int32_t from = choices.Of(values);
  const int32_t to = choices.Of(values);
  draft.Insert(PlaceAmongSteps(draft, choices), StepOf(InstructionKind::kMove, from, to));
  return true;
}

// A value like another one, without memory of its own.
int32_t NameLike(Draft& draft, int32_t v) {
  DraftValue value;
  value.kind = ValueKind::kTensor;
  value.tensor = draft.At(v).tensor;
  value.tensor.home = Home::kCaller;
  value.tensor.is_input = false;
  value.tensor.is_output = false;
  value.tensor.data.clear();
  return draft.Add(std::move(value));
}

// The return slot is a value of its own, which stands for the result from then on.
bool SlotOfItsOwn(Draft& draft, Choices& choices) {
  const auto calls = CallsOf(draft);
  if (calls.empty()) return false;
  const size_t at = choices.Of(calls);
  const int32_t slot = draft.steps[at].args.back();
  if (draft.At(slot).kind != ValueKind::kTensor) return false;
  const int32_t name = NameLike(draft, slot);
  draft.steps[at].args.back() = name;
  draft.At(name).tensor.is_output = choices.Below(2) == 0;
  for (size_t i = at + 1; i < draft.steps.size(); ++i) {
    if (draft.steps[i].op != nullptr) ReplaceInCall(draft, draft.steps[i], slot, name);
  }
  return true;
}

// A view of a tensor, as it is, with other sizes or as another type, before a call that uses it or
// behind.
bool ViewBefore(Draft& draft, Choices& choices) {
  const auto calls = CallsOf(draft);
  if (calls.empty()) return false;
  size_t at = choices.Of(calls);
  auto tensors = OperandTensors(draft, draft.steps[at]);
  const auto results = WrittenTensors(draft, draft.steps[at]);
  tensors.insert(tensors.end(), results.begin(), results.end());
  if (tensors.empty()) return false;
  const int32_t owner = choices.Of(tensors);
  const bool moved = choices.Below(4) == 0;
  const int32_t viewed = moved ? NameLike(draft, owner) : owner;
  const int32_t view = NameLike(draft, owner);
  DraftTensor& tensor = draft.At(view).tensor;
  const size_t how = choices.Below(8);
  if (how == 1) tensor.dtype = static_cast<ScalarType>(choices.Below(12));
  if (how == 2 && !tensor.sizes.empty()) Grow(choices.Of(tensor.sizes), 1);
  if (how == 3) tensor.home = Home::kBank;
  tensor.bounded = choices.Below(2) == 0;
  DraftValue sizes;
  sizes.kind = ValueKind::kIntList;
  for (const int32_t size : std::vector<int32_t>(tensor.sizes)) {
    sizes.items.push_back(draft.Add(NumberValue(how == 4 ? -size : size)));
  }
  const int32_t list = draft.Add(std::move(sizes));
  DraftStep step;
  step.op = FindOperator("executorch_prim::et_view.default");
  step.args = {viewed, list, view};
  const bool inside = choices.Below(4) != 0;
  if (inside) ReplaceInCall(draft, draft.steps[at], owner, view);
  if (!inside) draft.At(view).tensor.is_output = true;
  if (!inside) ++at;
  draft.Insert(at, std::move(step));
  if (moved) draft.Insert(at, StepOf(InstructionKind::kMove, owner, viewed));
  return true;
}

// All that follows runs twice.
bool Twice(Draft& draft, Choices& choices) {
  RunTwice(draft, PlaceAmongSteps(draft, choices));
  return true;
}

bool JumpAnywhere(Draft& draft, Choices& choices) {
  auto conditions = ValuesOf(draft, ValueKind::kBool);
  std::ranges::copy_if(ValuesOf(draft, ValueKind::kTensor), std::back_inserter(conditions),
                       [&](int32_t v) { return draft.At(v).tensor.dtype == ScalarType::kBool; });
  if (conditions.empty()) return false;
  const int32_t condition = choices.Of(conditions);
  const size_t at = PlaceAmongSteps(draft, choices);
  const auto to = static_cast<int32_t>(choices.Below(draft.steps.size() + 2));
  draft.Insert(at, StepOf(InstructionKind::kJumpFalse, condition, to));
  return true;
}

bool FreeSomething(Draft& draft, Choices& choices) {
  std::vector<int32_t> free;
  std::ranges::copy_if(ValuesOf(draft, ValueKind::kTensor), std::back_inserter(free),
                       [&](int32_t v) {
                         const DraftTensor& tensor = draft.At(v).tensor;
                         return tensor.home == Home::kCaller && !tensor.is_input;
                       });
  if (free.empty()) {
    DraftValue own;
    own.kind = ValueKind::kTensor;
    own.tensor.home = Home::kCaller;
    free.push_back(draft.Add(std::move(own)));
  }
  const int32_t v = choices.Of(free);
  draft.At(v).tensor.is_output = false;  // readers refuse it otherwise
  draft.Insert(PlaceAmongSteps(draft, choices), StepOf(InstructionKind::kFree, v, 0));
  return true;
}

// A number that the program computes goes where a literal was: in a list, too.
bool ComputedNumber(Draft& draft, Choices& choices) {
  constexpr std::array<std::string_view, 5> kOperators = {
      "executorch_prim::add.Scalar", "executorch_prim::sub.Scalar", "executorch_prim::mul.Scalar",
      "executorch_prim::floordiv.Scalar", "executorch_prim::mod.Scalar"};
  const auto numbers = ValuesOf(draft, ValueKind::kInt);
  if (numbers.empty()) return false;
  DraftStep step;
  step.op = FindOperator(choices.Of(kOperators));
  const int32_t a = choices.Of(numbers);
  const int32_t b = choices.Of(numbers);
  step.args = {a, b, choices.Of(numbers)};
  draft.Insert(PlaceAmongSteps(draft, choices), std::move(step));
  return true;
}

// A call leaves a float or a bool where the file has an integer or nothing: an operand, an item of
// a list, an operand that may be left out.
bool NumberOfAnotherKind(Draft& draft, Choices& choices) {
  constexpr std::array<std::string_view, 2> kOperators = {"executorch_prim::truediv.Scalar",
                                                          "executorch_prim::lt.Scalar"};
  auto slots = ValuesOf(draft, choices.Below(2) == 0 ? ValueKind::kInt : ValueKind::kNull);
  if (slots.empty()) slots = ValuesOf(draft, ValueKind::kInt);
  if (slots.empty()) return false;
  DraftStep step;
  step.op = FindOperator(choices.Of(kOperators));
  const int32_t slot = choices.Of(slots);
  step.args = {draft.Add(NumberValue(3)), draft.Add(NumberValue(2)), slot};
  draft.At(slot).tensor.is_output = choices.Below(2) == 0;
  draft.Insert(PlaceAmongSteps(draft, choices), std::move(step));
  return true;
}

// The number is true when the program is loaded, and a step in a loop changes it.
bool MoveIntoItem(Draft& draft, Choices& choices) {
  const auto lists = ValuesOf(draft, ValueKind::kIntList);
  if (lists.empty()) return false;
  const auto items = draft.At(choices.Of(lists)).items;
  if (items.empty()) return false;
  constexpr std::array<int64_t, 8> kNumbers = {0, 1, 2, 3, 100, -1, 1LL << 32, INT64_MIN};
  const int32_t number = draft.Add(NumberValue(choices.Of(kNumbers)));
  draft.Insert(PlaceAmongSteps(draft, choices),
               StepOf(InstructionKind::kMove, number, choices.Of(items)));
  return true;
}

// A loop whose second round has another number in a list than the one that was there at first.
bool ItemChangesInLoop(Draft& draft, Choices& choices) {
  const auto lists = ValuesOf(draft, ValueKind::kIntList);
  if (lists.empty()) return false;
  const auto items = draft.At(choices.Of(lists)).items;
  if (items.empty()) return false;
  constexpr std::array<int64_t, 8> kNumbers = {0, 1, 2, 3, 64, -1, 1LL << 31, INT64_MAX};
  const int32_t number = draft.Add(NumberValue(choices.Of(kNumbers)));
  draft.steps.push_back(StepOf(InstructionKind::kMove, number, choices.Of(items)));
  RunTwice(draft, 0);
  return true;
}

bool CallAgain(Draft& draft, Choices& choices) {
  const DraftStep step = draft.steps[choices.Below(draft.steps.size())];
  if (draft.steps.size() > 12) return false;
  draft.Insert(PlaceAmongSteps(draft, choices), step);
  return true;
}

bool SwapArguments(Draft& draft, Choices& choices) {
  const auto calls = CallsOf(draft);
  if (calls.empty()) return false;
  auto& args = draft.steps[choices.Of(calls)].args;
  if (args.size() < 2) return false;
  std::swap(args[choices.Below(args.size())], args[choices.Below(args.size())]);
  return true;
}

bool CallOfTheUnknown(Draft& draft, Choices& choices) {
  const auto tensors = ValuesOf(draft, ValueKind::kTensor);
  if (tensors.empty()) return false;
  DraftStep step;
  if (choices.Below(2) == 0) step.kind = InstructionKind::kDelegateCall;
  for (size_t count = 1 + choices.Below(3); count > 0; --count) {
    step.args.push_back(choices.Of(tensors));
  }
  draft.Insert(PlaceAmongSteps(draft, choices), std::move(step));
  return true;
}

constexpr std::array kStepTwists = {
    TwistRow{"move between", MoveBetween},
    TwistRow{"slot of its own", SlotOfItsOwn},
    TwistRow{"view before", ViewBefore},
    TwistRow{"view before", ViewBefore},
    TwistRow{"twice", Twice},
    TwistRow{"jump anywhere", JumpAnywhere},
    TwistRow{"free something", FreeSomething},
    TwistRow{"computed number", ComputedNumber},
    TwistRow{"move into item", MoveIntoItem},
    TwistRow{"item changes in loop", ItemChangesInLoop},
    TwistRow{"call again", CallAgain},
    TwistRow{"swap arguments", SwapArguments},
    TwistRow{"call of the unknown", CallOfTheUnknown},
    TwistRow{"number of another kind", NumberOfAnotherKind},
};

}  // namespace

std::span<const TwistRow> StepTwists() {
  return kStepTwists;
}

}  // namespace pteproof::fuzz
