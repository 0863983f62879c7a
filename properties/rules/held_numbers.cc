#include "properties/rules/held_numbers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/checked_math.h"
#include "properties/rules/number_ops.h"
#include "properties/vocabulary.h"
#include "reference/tensor_value.h"

namespace pteproof::checks {
namespace {

constexpr size_t kMostStates = 4'000'000;  // values that are held before blocks, in sum
constexpr size_t kMostSteps = 20'000'000;

// Without bounds where a bound does not fit.
IntRange Within(std::optional<int64_t> least, std::optional<int64_t> most) {
  return least && most ? IntRange{*least, *most} : IntRange{};
}

IntRange ProductOf(const IntRange& a, const IntRange& b) {
  IntRange product = {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  for (const int64_t x : {a.least, a.most}) {
    for (const int64_t y : {b.least, b.most}) {
      const auto corner = CheckedMul(x, y);
      if (!corner) return {};
      product = {std::min(product.least, *corner), std::max(product.most, *corner)};
    }
  }
  return product;
}

IntRange RangeOf(Sum sum, const IntRange& a, const IntRange& b) {
  switch (sum) {
    case Sum::kNone:
      return {};
    case Sum::kAdd:
      return Within(CheckedAdd(a.least, b.least), CheckedAdd(a.most, b.most));
    case Sum::kSubtract:
      return Within(CheckedSub(a.least, b.most), CheckedSub(a.most, b.least));
    case Sum::kMultiply:
      return ProductOf(a, b);
    case Sum::kMax:
      return {std::max(a.least, b.least), std::max(a.most, b.most)};
    case Sum::kMin:
      return {std::min(a.least, b.least), std::min(a.most, b.most)};
    case Sum::kNegate:
      return Within(CheckedSub(int64_t{0}, a.most), CheckedSub(int64_t{0}, a.least));
    case Sum::kSame:
      return a;
  }
  return {};
}

constexpr IntRange kFlag = {0, 1};

HeldValue Joined(const HeldValue& a, const HeldValue& b) {
  return {static_cast<Kinds>(a.kinds | b.kinds),
          {std::min(a.range.least, b.range.least), std::max(a.range.most, b.range.most)},
          a.stands_for == b.stands_for ? a.stands_for : -1};
}

HeldValue NumberOf(Kinds kinds, IntRange range = {}) {
  // Its range is not known beside a float's, which has none.
  return {kinds, (kinds & kDoubleBit) != 0 ? IntRange{} : range, -1};
}

Kinds KindsOf(const NumberOp& op, std::span<const HeldValue> operands) {
  const bool has_float =
      std::ranges::any_of(operands, [](const HeldValue& v) { return v.MayBe(kDoubleBit); });
  const bool all_floats =
      std::ranges::any_of(operands, [](const HeldValue& v) { return !v.MayBe(kIntBit); });
  switch (op.gives) {
    case Gives::kAsOperands:
      if (!has_float) return kIntBit;
      return all_floats ? kDoubleBit : kIntBit | kDoubleBit;
    case Gives::kInteger:
      return kIntBit;
    case Gives::kFloat:
      return kDoubleBit;
    case Gives::kBool:
      return kBoolBit;
    case Gives::kChosen:
      break;
  }
  return kNumberBits;
}

HeldValue ResultOf(const NumberOp& op, std::span<const HeldValue> operands) {
  if (op.gives == Gives::kChosen) {
    const IntRange& condition = operands[0].range;
    HeldValue chosen = Joined(operands[1], operands[2]);
    if (condition.IsOne()) chosen = operands[condition.least != 0 ? 1 : 2];
    return NumberOf(chosen.kinds, chosen.range);
  }
  const Kinds kinds = KindsOf(op, operands);
  if (kinds == kBoolBit) return NumberOf(kinds, kFlag);
  return NumberOf(kinds, RangeOf(op.sum, operands.front().range, operands.back().range));
}

Kinds KindOfElement(ScalarType type) {
  switch (type) {
    case ScalarType::kBool:
      return kBoolBit;
    case ScalarType::kFloat32:
    case ScalarType::kFloat64:
      return kDoubleBit;
    default:
      return IsInteger(type) ? kIntBit : kNumberBits;
  }
}

}  // namespace

HeldNumbers::HeldNumbers(const MethodFlow& flow)
    : flow_(flow),
      method_(flow.method),
      slot_of_(method_.values.size(), -1),
      is_input_(method_.values.size()) {
  for (const int32_t v : method_.inputs) is_input_[static_cast<size_t>(v)] = true;
  NoteReplaced();
}

HeldNumbers::Slots HeldNumbers::FirstSlots() const {
  Slots slots;
  for (const int32_t v : slot_values_) slots.push_back(InFile(v));
  return slots;
}

void HeldNumbers::Replaces(int32_t v) {
  int32_t& slot = slot_of_[static_cast<size_t>(v)];
  if (slot >= 0) return;
  slot = static_cast<int32_t>(slot_values_.size());
  slot_values_.push_back(v);
}

// A call of something that nobody knows may replace each number that it is given.
void HeldNumbers::NoteReplaced() {
  for (const Instruction& at : method_.instructions) {
    if (at.kind == InstructionKind::kMove) Replaces(at.other);
    const bool is_kernel = at.kind == InstructionKind::kKernelCall;
    if (!is_kernel && at.kind != InstructionKind::kDelegateCall) continue;
    const OpSchema* schema =
        is_kernel ? method_.operators[static_cast<size_t>(at.target)].schema : nullptr;
    const auto args = method_.Ints(at.args);
    if (schema != nullptr) {
      if (schema->returns == ReturnSlot::kScalar) Replaces(args.back());
      continue;
    }
    for (const int32_t v : args) {
      const Kinds kind = KindBit(method_.values[static_cast<size_t>(v)].kind);
      if ((kind & (kNumberBits | KindBit(ValueKind::kNull))) != 0) Replaces(v);
    }
  }
}

HeldValue HeldNumbers::InFile(int32_t v) const {
  const Value& value = method_.values[static_cast<size_t>(v)];
  const int64_t number =
      value.kind == ValueKind::kBool ? int64_t{value.integer != 0} : value.integer;
  IntRange range;
  if (value.kind == ValueKind::kBool) range = kFlag;
  const bool whole = value.kind == ValueKind::kInt || value.kind == ValueKind::kBool;
  if (whole && !is_input_[static_cast<size_t>(v)]) range = {number, number};
  return {KindBit(value.kind), range, v};
}

void HeldNumbers::Run(const Instruction& at) {
  if (at.kind == InstructionKind::kMove) return Set(at.other, At(at.target));
  if (at.kind == InstructionKind::kKernelCall) return Call(at);
  if (at.kind != InstructionKind::kDelegateCall) return;
  for (const int32_t v : method_.Ints(at.args)) {
    if (At(v).MayBe(kNumberBits | KindBit(ValueKind::kNull))) Set(v, NumberOf(kNumberBits));
  }
}

void HeldNumbers::Call(const Instruction& at) {
  const Operator& op = method_.operators[static_cast<size_t>(at.target)];
  const auto args = method_.Ints(at.args);
  if (op.schema == nullptr) {
    for (const int32_t v : args) {
      if (At(v).MayBe(kNumberBits | KindBit(ValueKind::kNull))) Set(v, NumberOf(kNumberBits));
    }
    return;
  }
  if (op.schema->returns != ReturnSlot::kScalar) return;
  if (const NumberOp* known = FindNumberOp(op.name)) {
    std::vector<HeldValue> operands;
    for (const int32_t v : args.first(op.schema->args.size())) operands.push_back(At(v));
    return Set(args.back(), ResultOf(*known, operands));
  }
  Set(args.back(), OfTensor(op, args));
}

// The number that an operator tells of a tensor. The sizes of a bounded one are not known.
HeldValue HeldNumbers::OfTensor(const Operator& op, std::span<const int32_t> args) const {
  const int32_t v = args.empty() ? -1 : At(args[0]).stands_for;
  const Tensor* tensor = v < 0 ? nullptr : method_.TensorOf(v);
  const auto sizes = tensor == nullptr ? std::span<const int32_t>() : method_.Ints(tensor->sizes);
  const bool fixed = tensor != nullptr && tensor->dynamism == Dynamism::kStatic;
  if (op.name == "aten::sym_size.int") {
    const IntRange dim = At(args[1]).range;
    const bool told =
        fixed && dim.IsOne() && dim.least >= 0 && dim.least < static_cast<int64_t>(sizes.size());
    const int64_t size = told ? sizes[static_cast<size_t>(dim.least)] : 0;
    return NumberOf(kIntBit, {size, told ? size : int64_t{std::numeric_limits<int32_t>::max()}});
  }
  if (op.name == "aten::sym_numel" && tensor != nullptr) {
    const auto count = static_cast<int64_t>(tensor->nbytes / ElementSize(tensor->dtype));
    return NumberOf(kIntBit, {fixed ? count : 0, count});
  }
  if (op.name == "aten::_local_scalar_dense" && tensor != nullptr) {
    const Kinds kinds = KindOfElement(tensor->dtype);
    return NumberOf(kinds, kinds == kBoolBit ? kFlag : IntRange{});
  }
  return NumberOf(kNumberBits);
}

// What paths that meet have in common; whether that is less than before.
bool HeldNumbers::Join(Slots& into, const Slots& from, bool goes_back) {
  if (into.empty()) {
    into = from;
    return !from.empty();
  }
  bool grows = false;
  for (size_t s = 0; s < into.size(); ++s) {
    HeldValue joined = Joined(into[s], from[s]);
    if (joined == into[s]) continue;
    if (goes_back && joined.range.least < into[s].range.least)
      joined.range.least = IntRange{}.least;
    if (goes_back && joined.range.most > into[s].range.most) joined.range.most = IntRange{}.most;
    into[s] = joined;
    grows = true;
  }
  return grows;
}

bool HeldNumbers::FindStates() {
  const auto& blocks = flow_.graph.blocks;
  before_.assign(blocks.size(), {});
  first_round_.assign(blocks.size(), {});
  if (slot_values_.empty()) return true;
  if (slot_values_.size() > kMostStates / blocks.size()) return false;
  before_[0] = FirstSlots();
  std::set<int32_t> pending = {0};
  for (size_t steps = 0; !pending.empty();) {
    const int32_t b = *pending.begin();
    pending.erase(pending.begin());
    const Block& block = blocks[static_cast<size_t>(b)];
    steps += static_cast<size_t>(block.end - block.begin) + slot_values_.size();
    if (steps > kMostSteps) return false;
    slots_ = before_[static_cast<size_t>(b)];
    for (int32_t i = block.begin; i < block.end; ++i) {
      Run(method_.instructions[static_cast<size_t>(i)]);
    }
    for (const int32_t next : block.successors) {
      if (Join(before_[static_cast<size_t>(next)], slots_, next <= b)) pending.insert(next);
    }
  }
  FindFirstRounds();
  return true;
}

// What the blocks before a loop bring to it.
void HeldNumbers::FindFirstRounds() {
  const auto& blocks = flow_.graph.blocks;
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto& from = blocks[b].predecessors;
    const auto goes_back = [&](int32_t p) { return p >= static_cast<int32_t>(b); };
    if (std::ranges::none_of(from, goes_back)) continue;
    if (b == 0) first_round_[b] = FirstSlots();
    for (const int32_t p : from) {
      if (goes_back(p) || before_[static_cast<size_t>(p)].empty()) continue;
      slots_ = before_[static_cast<size_t>(p)];
      const Block& block = blocks[static_cast<size_t>(p)];
      for (int32_t i = block.begin; i < block.end; ++i) {
        Run(method_.instructions[static_cast<size_t>(i)]);
      }
      static_cast<void>(Join(first_round_[b], slots_, false));
    }
  }
}

}  // namespace pteproof::checks
