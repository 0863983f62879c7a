#include "meaning/delegate_results.h"

#include <algorithm>
#include <utility>

#include "reference/op_schema.h"

namespace pteproof::meaning {
namespace {

template <class Each>
void ForEachTensorIn(const Method& method, int32_t v, Each each) {
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) return each(v);
  if (!IsTensorLike(value.kind)) return;
  for (const int32_t item : method.Ints(value.items)) {
    if (item >= 0) each(item);
  }
}

}  // namespace

DelegateResults::DelegateResults(const Method& method, Numbers numbers, std::vector<bool> given)
    : method_(method),
      numbers_(numbers),
      given_(std::move(given)),
      last_use_(method.values.size(), -1),
      varies_(method.values.size()),
      first_store_(method.values.size(), -1),
      seen_(method.instructions.size() + 1, 0) {
  if (!method.inputs.empty()) first_input_ = *std::ranges::min_element(method.inputs);
  for (const int32_t v : method.inputs) varies_[static_cast<size_t>(v)] = true;
  const auto count = static_cast<int32_t>(method.instructions.size());
  highest_.reserve(method.instructions.size());
  for (int32_t i = 0; i < count; ++i) Note(method.instructions[static_cast<size_t>(i)], i);
  for (const int32_t v : method.outputs) NoteUse(v, count);
  NoteNextCall();
  std::ranges::sort(uses_);
  for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
    const Tensor* t = method.TensorOf(v);
    if (t != nullptr && t->planned)
      of_form_[{t->bank, t->offset, t->nbytes, t->dtype}].push_back(v);
  }
}

void DelegateResults::NoteUse(int32_t v, int32_t at, bool overwrites) {
  ForEachTensorIn(method_, v, [&](int32_t t) {
    last_use_[static_cast<size_t>(t)] = at;
    uses_.push_back({t, at, overwrites});
  });
}

// What a buffer holds at the end the next call reads.
void DelegateResults::NoteNextCall() {
  const auto end = static_cast<int32_t>(method_.instructions.size());
  std::vector<bool> is_input(method_.values.size());
  for (const int32_t v : method_.inputs) is_input[static_cast<size_t>(v)] = true;
  for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
    const Tensor* tensor = method_.TensorOf(v);
    if (tensor == nullptr || !tensor->planned || is_input[static_cast<size_t>(v)]) continue;
    if (IsAtEntry(v, *tensor)) uses_.push_back({v, end, false});
  }
}

void DelegateResults::Note(const Instruction& instruction, int32_t at) {
  int32_t highest = highest_.empty() ? -1 : highest_.back();
  const auto args = method_.Ints(instruction.args);
  for (const int32_t v : args) highest = std::max(highest, v);
  if (instruction.kind == InstructionKind::kMove) {
    highest = std::max({highest, instruction.target, instruction.other});
    NoteUse(instruction.target, at);
    NoteUse(instruction.other, at, true);
    varies_[static_cast<size_t>(instruction.other)] = true;
  } else if (instruction.kind == InstructionKind::kJumpFalse) {
    highest = std::max(highest, instruction.target);
    NoteUse(instruction.target, at);
    jumps_.push_back({at, instruction.other, instruction.target});
  }
  highest_.push_back(highest);
  const OpSchema* op = instruction.kind == InstructionKind::kKernelCall
                           ? method_.operators[static_cast<size_t>(instruction.target)].schema
                           : nullptr;
  if (op != nullptr) {
    NoteStores(*op, args, at);
  } else {
    for (const int32_t v : args) {
      NoteUse(v, at);
      varies_[static_cast<size_t>(v)] = true;
    }
  }
}

// The return slot, which comes last, is not an argument. Its number is set.
void DelegateResults::NoteStores(const OpSchema& op, std::span<const int32_t> args, int32_t at) {
  if (!args.empty()) varies_[static_cast<size_t>(args.back())] = true;
  for (size_t a = 0; a < op.args.size(); ++a) {
    const Access access = op.args[a].access;
    NoteUse(args[a], at, access == Access::kWrite);
    if (!op.in_place || access == Access::kRead || access == Access::kNone) continue;
    ForEachTensorIn(method_, args[a], [&](int32_t t) {
      int32_t& first = first_store_[static_cast<size_t>(t)];
      if (first < 0) first = at;
    });
  }
}

void DelegateResults::NoteMade(int32_t value, int32_t instruction) {
  auto use = std::ranges::lower_bound(uses_, Use{value, instruction, false});
  for (; use != uses_.end() && use->value == value && use->at == instruction; ++use) {
    use->overwrites = true;
  }
}

const DelegateResults::Use* DelegateResults::NextUse(int32_t v, int32_t from) const {
  const auto next = std::ranges::lower_bound(uses_, Use{v, from, false});
  return next == uses_.end() || next->value != v ? nullptr : &*next;
}

// Stretches of instructions that follow each other, from `start` on: each ends at a jump, behind
// which one or two others begin. `look` is told where one begins, its jump or null, and whether
// there were too many already.
template <class Look>
bool DelegateResults::AnyStretch(int32_t start, const Look& look) const {
  ++question_;
  open_.assign(1, start);
  for (size_t turns = 0; !open_.empty();) {
    const int32_t from = open_.back();
    open_.pop_back();
    ++steps_;
    if (std::exchange(seen_[static_cast<size_t>(from)], question_) == question_) continue;
    const auto jump = std::ranges::lower_bound(jumps_, from, {}, &Jump::at);
    const Jump* next = jump == jumps_.end() ? nullptr : &*jump;
    const Answer answer = look(from, next, ++turns > kMostTurns);
    if (answer == Answer::kYes) return true;
    if (answer == Answer::kGoOn && next != nullptr) GoOn(*next);
  }
  return false;
}

bool DelegateResults::IsWantedAfter(int32_t v, int32_t instruction) const {
  return AnyStretch(instruction + 1, [&](int32_t from, const Jump* jump, bool too_many) {
    const Use* use = NextUse(v, from);
    const bool ends = too_many || jump == nullptr || (use != nullptr && use->at <= jump->at);
    if (use != nullptr && !use->overwrites && ends) return Answer::kYes;
    return ends ? Answer::kStop : Answer::kGoOn;
  });
}

// Adds where the stretches begin that follow the jump.
void DelegateResults::GoOn(const Jump& jump) const {
  const auto condition = static_cast<size_t>(jump.condition);
  const Value& value = method_.values[condition];
  const bool both = value.kind != ValueKind::kBool || varies_[condition];
  if (both || value.integer != 0) open_.push_back(jump.at + 1);
  if (both || value.integer == 0) open_.push_back(jump.target);
}

bool DelegateResults::Leads(int32_t from, int32_t to) const {
  return AnyStretch(from, [&](int32_t begin, const Jump* jump, bool too_many) {
    const bool ends_before = jump != nullptr && jump->at < to;
    return too_many || (begin <= to && !ends_before) ? Answer::kYes : Answer::kGoOn;
  });
}

bool DelegateResults::MayBeThere(int32_t v, int32_t instruction) const {
  if (IsAtEntry(v, *method_.TensorOf(v))) return true;
  bool is_made = false;
  for (auto use = std::ranges::lower_bound(uses_, Use{v, 0, false});
       use != uses_.end() && use->value == v; ++use) {
    ++steps_;
    if (!use->overwrites) continue;
    is_made = true;
    if (Leads(use->at + 1, instruction)) return true;
  }
  return !is_made;
}

size_t DelegateResults::FirstResult(int32_t instruction, size_t end,
                                    const std::vector<bool>& defined) const {
  const Instruction& call = method_.instructions[static_cast<size_t>(instruction)];
  const auto args = method_.Ints(call.args);
  const size_t numbered = NumberedFrom(args);
  size_t first = end;
  while (first > numbered && !IsThereBefore(instruction, args[first - 1], defined)) --first;
  return first;
}

// The first position from which the arguments are numbered as results are: one after the other,
// above all arguments before them; 0 if numbers tell nothing.
size_t DelegateResults::NumberedFrom(std::span<const int32_t> args) const {
  if (numbers_ == Numbers::kTellNothing) return 0;
  size_t from = 0;
  int32_t highest = -1;
  for (size_t a = 0; a < args.size(); ++a) {
    if (args[a] < highest) {
      from = a + 1;
    } else if (args[a] > highest + 1) {
      from = a;
    }
    highest = std::max(highest, args[a]);
  }
  return from;
}

bool DelegateResults::IsThereBefore(int32_t instruction, int32_t v,
                                    const std::vector<bool>& defined) const {
  return IsKnown(v, defined) || IsView(instruction, v, defined);
}

bool DelegateResults::IsKnown(int32_t v, const std::vector<bool>& defined) const {
  const Tensor* tensor = method_.TensorOf(v);
  return tensor == nullptr || defined[static_cast<size_t>(v)] || IsAtEntry(v, *tensor);
}

bool DelegateResults::IsAtEntry(int32_t v, const Tensor& tensor) const {
  if (given_[static_cast<size_t>(v)] || (NumbersTell() && v < first_input_)) return true;
  return tensor.data_index > 0 || tensor.external || tensor.name.count > 0;
}

bool DelegateResults::NumbersTell() const {
  return numbers_ == Numbers::kTell && first_input_ >= 0;
}

bool DelegateResults::IsPassed(int32_t v, int32_t instruction) const {
  return numbers_ == Numbers::kTell && instruction > 0 &&
         v < highest_[static_cast<size_t>(instruction) - 1];
}

bool DelegateResults::IsView(int32_t instruction, int32_t v,
                             const std::vector<bool>& defined) const {
  const bool passed = IsPassed(v, instruction);
  return AnyTwin(v, defined, [&](int32_t u) {
    return (passed || IsWantedAfter(u, instruction)) && MayBeThere(u, instruction);
  });
}

bool DelegateResults::MayBeResult(int32_t instruction, int32_t value,
                                  const std::vector<bool>& defined) const {
  return !IsKnown(value, defined) && !IsPassed(value, instruction) &&
         last_use_[static_cast<size_t>(value)] > instruction;
}

template <class Holds>
bool DelegateResults::AnyTwin(int32_t v, const std::vector<bool>& defined, Holds holds) const {
  const Tensor& t = *method_.TensorOf(v);
  if (!t.planned || t.nbytes == 0) return false;
  for (const int32_t u : of_form_.at({t.bank, t.offset, t.nbytes, t.dtype})) {
    if (++steps_ > kMostSteps) return false;
    if (u != v && IsKnown(u, defined) && holds(u)) return true;
  }
  return false;
}

bool DelegateResults::IsDoubtful(int32_t instruction, int32_t value,
                                 const std::vector<bool>& defined) const {
  if (!NumbersTell() && first_store_[static_cast<size_t>(value)] > instruction) return true;
  if (last_use_[static_cast<size_t>(value)] > instruction) return false;
  return !NumbersTell() ||
         AnyTwin(value, defined, [&](int32_t u) { return MayBeThere(u, instruction); });
}

}  // namespace pteproof::meaning
