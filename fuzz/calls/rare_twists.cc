// What few programs have: conditions that are none, results of views that are another value by
// then, calls that a planner has made needless, operators that the user alone knows, stored data
// that lie in another file.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/calls/own_calls.h"
#include "fuzz/calls/twist_parts.h"
#include "fuzz/calls/twists.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {
namespace {

size_t PlaceFor(const Draft& draft, Choices& choices) {
  return choices.Below(draft.steps.size() + 1);
}

DraftValue TensorOf(ScalarType dtype, std::vector<int32_t> sizes, Home home) {
  DraftValue value;
  value.kind = ValueKind::kTensor;
  value.tensor.dtype = dtype;
  value.tensor.sizes = std::move(sizes);
  value.tensor.given = value.tensor.sizes;
  value.tensor.home = home;
  return value;
}

// A number operator leaves an integer where the file has a bool, and a jump asks for it.
bool ConditionOfAnotherKind(Draft& draft, Choices& choices) {
  const int32_t condition = draft.Add(BoolValue(choices.Below(2) == 0));
  DraftStep step;
  step.op = FindOperator(choices.Below(2) == 0 ? "executorch_prim::add.Scalar"
                                               : "executorch_prim::truediv.Scalar");
  step.args = {draft.Add(NumberValue(3)), draft.Add(NumberValue(2)), condition};
  const size_t at = PlaceFor(draft, choices);
  const auto to = static_cast<int32_t>(choices.Below(draft.steps.size() + 2));
  draft.Insert(at, StepOf(InstructionKind::kJumpFalse, condition, to));
  draft.Insert(at, std::move(step));
  return true;
}

// A tensor of bools that only a view behind the jump gives memory.
bool ConditionWithoutMemory(Draft& draft, Choices& choices) {
  const auto size = static_cast<int32_t>(choices.Below(4));
  const int32_t condition = draft.Add(TensorOf(ScalarType::kBool, {size}, Home::kCaller));
  DraftValue sizes;
  sizes.kind = ValueKind::kIntList;
  sizes.items = {draft.Add(NumberValue(size))};
  DraftStep view;
  view.op = FindOperator("executorch_prim::et_view.default");
  view.args = {draft.Add(TensorOf(ScalarType::kBool, {size}, Home::kConstant)),
               draft.Add(std::move(sizes)), condition};
  const size_t at = PlaceFor(draft, choices);
  draft.Insert(at, std::move(view));
  const auto to = static_cast<int32_t>(choices.Below(draft.steps.size() + 2));
  draft.Insert(at, StepOf(InstructionKind::kJumpFalse, condition, to));
  return true;
}

// A tensor of another type is moved to the condition of a jump to the end.
bool ConditionOfAnotherType(Draft& draft, Choices& choices) {
  const auto tensors = ValuesOf(draft, ValueKind::kTensor);
  if (tensors.empty()) return false;
  const int32_t from = choices.Of(tensors);
  const int32_t condition =
      draft.Add(TensorOf(ScalarType::kBool, draft.At(from).tensor.sizes, Home::kCaller));
  const size_t at = PlaceFor(draft, choices);
  const auto to = static_cast<int32_t>(draft.steps.size() + 2);
  draft.Insert(at, StepOf(InstructionKind::kJumpFalse, condition, to));
  draft.Insert(at, StepOf(InstructionKind::kMove, from, condition));
  return true;
}

// The result of a view is another value by then, whose memory is a constant's from then on.
bool ViewIntoMoved(Draft& draft, Choices& choices) {
  const auto calls = CallsOf(draft);
  if (calls.empty()) return false;
  const size_t at = choices.Of(calls);
  auto tensors = WrittenTensors(draft, draft.steps[at]);
  if (choices.Below(4) == 0) tensors = OperandTensors(draft, draft.steps[at]);
  if (tensors.empty()) return false;
  const int32_t owner = choices.Of(tensors);
  const DraftTensor like = draft.At(owner).tensor;
  const int32_t name = draft.Add(TensorOf(like.dtype, like.sizes, Home::kCaller));
  const Home home = choices.Below(4) == 0 ? Home::kCaller : Home::kConstant;
  const int32_t base = draft.Add(TensorOf(like.dtype, like.sizes, home));
  DraftValue sizes;
  sizes.kind = ValueKind::kIntList;
  for (const int32_t size : like.sizes) sizes.items.push_back(draft.Add(NumberValue(size)));
  DraftStep view;
  view.op = FindOperator("executorch_prim::et_view.default");
  view.args = {base, draft.Add(std::move(sizes)), name};
  draft.Insert(at, std::move(view));
  draft.Insert(at, StepOf(InstructionKind::kMove, owner, name));
  return true;
}

uint32_t NextBank(const Draft& draft) {
  uint32_t bank = 1;
  for (const DraftValue& value : draft.values) bank = std::max(bank, value.tensor.bank + 1);
  return bank;
}

// The elements of a tensor whose last dimension is not the innermost one, with other sizes.
bool TurnedView(Draft& draft, Choices& choices) {
  const auto a = static_cast<int32_t>(2 + choices.Below(6));
  const auto b = static_cast<int32_t>(2 + choices.Below(6));
  DraftValue self = TensorOf(ScalarType::kFloat32, {a, b}, Home::kBank);
  self.tensor.bank = NextBank(draft);
  self.tensor.dim_order = {1, 0};
  self.tensor.is_input = true;
  DraftValue out = TensorOf(ScalarType::kFloat32, {b, a}, Home::kBank);
  out.tensor.bank = self.tensor.bank + 1;
  out.tensor.is_output = true;
  DraftValue sizes;
  sizes.kind = ValueKind::kIntList;
  sizes.items = {draft.Add(NumberValue(b)), draft.Add(NumberValue(a))};
  DraftStep step;
  step.op = FindOperator("aten::view_copy.out");
  step.args = {draft.Add(std::move(self)), draft.Add(std::move(sizes)), draft.Add(std::move(out))};
  step.args.push_back(step.args.back());
  draft.Insert(PlaceFor(draft, choices), std::move(step));
  return true;
}

int32_t AddInput(Draft& draft, std::vector<int32_t> sizes) {
  DraftValue value = TensorOf(ScalarType::kFloat32, std::move(sizes), Home::kBank);
  value.tensor.bank = NextBank(draft);
  value.tensor.is_input = true;
  return draft.Add(std::move(value));
}

// What is added to a product of matrices has more dimensions than that.
bool SumWithMoreDimensions(Draft& draft, Choices& choices) {
  const auto layers = static_cast<int32_t>(1 + choices.Below(2));
  DraftStep step;
  step.op = FindOperator("aten::addmm.out");
  step.args = {AddInput(draft, {layers, 2, 3}), AddInput(draft, {2, 4}), AddInput(draft, {4, 3})};
  for (int n = 0; n < 2; ++n) step.args.push_back(draft.Add(NumberValue(1)));
  DraftValue out = TensorOf(ScalarType::kFloat32, {2, 3}, Home::kBank);
  out.tensor.bank = NextBank(draft);
  out.tensor.is_output = true;
  step.args.push_back(draft.Add(std::move(out)));
  step.args.push_back(step.args.back());
  draft.Insert(PlaceFor(draft, choices), std::move(step));
  return true;
}

// A view with sizes that no tensor has, or not that one: negative, open twice, or too many.
bool ViewOfOddSizes(Draft& draft, Choices& choices) {
  constexpr int64_t kMost = INT32_MAX;
  const std::array<std::vector<int64_t>, 8> kSizes = {{{-2, -3},
                                                       {-1, -1},
                                                       {-1, 0},
                                                       {kMost, kMost, kMost, 0},
                                                       {int64_t{1} << 40, 0},
                                                       {1, 6, 1},
                                                       {7, 1},
                                                       {1, -1}}};
  const std::vector<int64_t>& asked = choices.Of(kSizes);
  const int32_t base =
      AddInput(draft, choices.Below(2) == 0 ? std::vector<int32_t>{0, 3} : std::vector<int32_t>{1});
  DraftValue sizes;
  sizes.kind = ValueKind::kIntList;
  for (const int64_t size : asked) sizes.items.push_back(draft.Add(NumberValue(size)));
  if (choices.Below(4) == 0) draft.At(sizes.items[0]).integer = 1;
  const bool fits = choices.Below(2) == 0;
  std::vector<int32_t> bounds(fits ? asked.size() : 2, static_cast<int32_t>(choices.Below(3)));
  DraftValue view = TensorOf(ScalarType::kFloat32, std::move(bounds), Home::kCaller);
  view.tensor.bounded = choices.Below(2) == 0;
  view.tensor.is_output = true;
  DraftStep step;
  step.op = FindOperator("executorch_prim::et_view.default");
  step.args = {base, draft.Add(std::move(sizes)), draft.Add(std::move(view))};
  draft.Insert(PlaceFor(draft, choices), std::move(step));
  return true;
}

// Distances of the rows of two constants.
DraftStep DistancesOf(Draft& draft, int32_t left, int32_t right) {
  constexpr int32_t kLength = 8;
  DraftStep step;
  step.op = FindOperator("aten::_cdist_forward.out");
  for (const int32_t rows : {left, right}) {
    step.args.push_back(
        draft.Add(TensorOf(ScalarType::kFloat32, {rows, kLength}, Home::kConstant)));
  }
  step.args.push_back(draft.Add(RealValue(2)));
  step.args.push_back(draft.Add({}));
  DraftValue out = TensorOf(ScalarType::kFloat32, {left, right}, Home::kBank);
  out.tensor.bank = NextBank(draft);
  step.args.push_back(draft.Add(std::move(out)));
  step.args.push_back(step.args.back());
  return step;
}

// The first call asks for much memory, then for little, the second one the other way round.
bool MemoryTheOtherWayRound(Draft& draft, Choices& choices) {
  const auto many = static_cast<int32_t>(16 + choices.Below(16));
  const size_t at = PlaceFor(draft, choices);
  draft.Insert(at, DistancesOf(draft, 1, many));
  draft.Insert(at, DistancesOf(draft, many, 1));
  return true;
}

// A call that nobody can look into writes to an input of the caller's, which is smaller than the
// file says; another operand may have no memory.
bool CallIntoTheInput(Draft& draft, Choices& choices) {
  const size_t which = choices.Below(3);
  DraftValue target = TensorOf(ScalarType::kFloat32, {8}, Home::kCaller);
  target.tensor.bounded = true;
  target.tensor.is_input = true;
  target.tensor.is_output = true;
  target.tensor.given = {static_cast<int32_t>(1 + choices.Below(8))};
  const int32_t t = draft.Add(std::move(target));
  const bool empty = which == 0 && choices.Below(2) == 0;
  const int32_t x = empty ? draft.Add(TensorOf(ScalarType::kFloat32, {2}, Home::kCaller)) : t;
  DraftStep step;
  if (which == 0) step.kind = InstructionKind::kDelegateCall;
  if (which == 2) step.op = &OwnCalls().front();
  step.args = {t, x, t};
  if (which == 2) step.args.push_back(t);
  draft.Insert(PlaceFor(draft, choices), std::move(step));
  return true;
}

// As many rows as there are numbers that are not zero, and the file says: none.
bool ResultOfNothing(Draft& draft, Choices& choices) {
  DraftValue self = TensorOf(ScalarType::kInt32, {2, 2}, Home::kBank);
  self.tensor.bank = NextBank(draft);
  self.tensor.is_input = true;
  self.tensor.data.assign(16, static_cast<std::byte>(choices.Below(4)));
  DraftValue out = TensorOf(ScalarType::kInt64, {0, 2}, Home::kBank);
  out.tensor.bank = self.tensor.bank + 1;
  out.tensor.is_output = choices.Below(2) == 0;
  DraftStep step;
  step.op = FindOperator("aten::nonzero.out");
  step.args = {draft.Add(std::move(self)), draft.Add(std::move(out))};
  step.args.push_back(step.args.back());
  draft.Insert(0, std::move(step));
  return true;
}

// Parts that lie in a whole, of which a planner has made the call that puts them together
// needless; some of them do not lie there.
bool NeedlessCall(Draft& draft, Choices& choices) {
  const size_t which = choices.Below(kNeedlessCalls);
  DraftStep step = AddNeedlessCall(draft, which, NextBank(draft));
  const size_t wrong = choices.Below(16);
  DraftTensor& part = draft.At(AnyPartOf(draft, step, choices.Below(2))).tensor;
  DraftTensor& whole = draft.At(step.args.back()).tensor;
  if (wrong == 1) part.offset += 4;
  if (wrong == 2) part.bank += 1;
  if (wrong == 3) part.dtype = ScalarType::kInt32;
  if (wrong == 4) part.home = Home::kCaller;
  if (wrong == 5) whole.home = Home::kCaller;
  if (wrong == 6) whole.offset += 4 * choices.Below(4);
  if (wrong == 7) Grow(whole.sizes[0], 1);
  if (wrong == 8) draft.At(step.args[1]).integer = static_cast<int64_t>(choices.Below(4)) - 2;
  if (wrong == 9) whole.bounded = true;
  draft.Insert(PlaceFor(draft, choices), std::move(step));
  return true;
}

// A call of an operator that a signature of the user's describes.
bool CallOfTheUser(Draft& draft, Choices& choices) {
  const auto tensors = ValuesOf(draft, ValueKind::kTensor);
  if (tensors.empty()) return false;
  DraftStep step;
  step.op = &choices.Of(OwnCalls());
  for (const ArgSchema& arg : step.op->args) {
    const int32_t v = choices.Of(tensors);
    step.args.push_back(v);
    if (!arg.out || choices.Below(2) == 0) continue;
    const DraftTensor like = draft.At(v).tensor;
    step.args.back() = draft.Add(TensorOf(like.dtype, like.sizes, Home::kCaller));
    DraftTensor& out = draft.At(step.args.back()).tensor;
    out.bounded = choices.Below(2) == 0;
    out.is_output = step.op->is_view || choices.Below(4) != 0;
  }
  for (size_t a = 0; a < step.op->args.size() && step.op->returns != ReturnSlot::kNone; ++a) {
    if (!step.op->args[a].returned) continue;
    step.args.push_back(step.args[a]);
    break;
  }
  draft.Insert(PlaceFor(draft, choices), std::move(step));
  return true;
}

// A constant that the file names, and that no data file brings.
bool ConstantOfAnotherFile(Draft& draft, Choices& choices) {
  const auto tensors = ValuesOf(draft, ValueKind::kTensor);
  if (tensors.empty()) return false;
  DraftTensor& tensor = draft.At(choices.Of(tensors)).tensor;
  tensor.home = Home::kConstant;
  tensor.external = true;
  tensor.is_input = false;
  tensor.bounded = false;
  return true;
}

constexpr std::array kRareTwists = {
    TwistRow{"condition of another kind", ConditionOfAnotherKind},
    TwistRow{"condition without memory", ConditionWithoutMemory},
    TwistRow{"condition of another type", ConditionOfAnotherType},
    TwistRow{"view into moved", ViewIntoMoved},
    TwistRow{"result of nothing", ResultOfNothing},
    TwistRow{"turned view", TurnedView},
    TwistRow{"view of odd sizes", ViewOfOddSizes},
    TwistRow{"memory the other way round", MemoryTheOtherWayRound},
    TwistRow{"sum with more dimensions", SumWithMoreDimensions},
    TwistRow{"call into the input", CallIntoTheInput},
    TwistRow{"call into the input", CallIntoTheInput},
    TwistRow{"needless call", NeedlessCall},
    TwistRow{"needless call", NeedlessCall},
    TwistRow{"call of the user", CallOfTheUser},
    TwistRow{"call of the user", CallOfTheUser},
    TwistRow{"constant of another file", ConstantOfAnotherFile},
};

}  // namespace

std::span<const TwistRow> RareTwists() {
  return kRareTwists;
}

}  // namespace pteproof::fuzz
