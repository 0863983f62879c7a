#include "properties/proofs/facts/horizon.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

bool Overwrites(const Method& method, const Instruction& instruction, int32_t v) {
  if (instruction.kind == InstructionKind::kMove)
    return instruction.other == v && instruction.target != v;
  if (instruction.kind != InstructionKind::kKernelCall) return false;
  const OpSchema* op = method.operators[static_cast<size_t>(instruction.target)].schema;
  if (op == nullptr) return false;
  bool writes = false;
  const auto args = method.Ints(instruction.args);
  for (size_t a = 0; a < op->args.size(); ++a) {
    if (args[a] != v) continue;
    if (op->args[a].access != Access::kWrite) return false;
    writes = true;
  }
  return writes;
}

// Whether the instruction is a call whose last value is its return slot, which it sets.
bool HasReturnSlot(const Method& method, const Instruction& instruction) {
  return instruction.kind == InstructionKind::kKernelCall && instruction.args.count > 0 &&
         method.operators[static_cast<size_t>(instruction.target)].schema != nullptr;
}

// All tensors that an instruction is given, in lists too; and values of moves and jumps.
template <class Each>
void ForAllListed(const Method& method, const Instruction& instruction, Each each) {
  if (instruction.kind == InstructionKind::kMove || instruction.kind == InstructionKind::kJumpFalse)
    each(instruction.target);
  if (instruction.kind == InstructionKind::kMove) each(instruction.other);
  const auto args = method.Ints(instruction.args);
  for (const int32_t v : args.first(args.size() - (HasReturnSlot(method, instruction) ? 1 : 0))) {
    each(v);
    const ValueKind kind = method.values[static_cast<size_t>(v)].kind;
    if (kind == ValueKind::kTensor || !IsTensorLike(kind)) continue;
    for (const int32_t item : method.Ints(method.values[static_cast<size_t>(v)].items)) {
      if (item >= 0) each(item);
    }
  }
}

// Arguments of a call that its operator changes and was given with contents.
template <class Each>
void ForAllUpdated(const Method& method, const Instruction& instruction, Each each) {
  if (instruction.kind != InstructionKind::kKernelCall) return;
  const OpSchema* op = method.operators[static_cast<size_t>(instruction.target)].schema;
  if (op == nullptr || !op->in_place) return;
  const auto args = method.Ints(instruction.args);
  for (size_t a = 0; a < op->args.size(); ++a) {
    const Access access = op->args[a].access;
    if (access != Access::kRead && access != Access::kNone) each(args[a]);
  }
}

// Values that an instruction may set: a move's target, what a call returns, and whatever is given
// to a call of which the table says nothing.
template <class Each>
void ForAllSet(const Method& method, const Instruction& instruction, Each each) {
  if (instruction.kind == InstructionKind::kMove) each(instruction.other);
  const auto args = method.Ints(instruction.args);
  for (const int32_t v : HasReturnSlot(method, instruction) ? args.last(1) : args) each(v);
}

}  // namespace

Horizon::Horizon(const Method& method, bool by_number, const std::vector<bool>& brought)
    : method_(method),
      by_number_(by_number),
      lowest_input_(method.inputs.empty() ? -1 : std::ranges::min(method.inputs)),
      last_use_(method.values.size(), -1),
      touches_(method.values.size()),
      from_start_(brought),
      changes_(method.values.size()),
      updated_at_(method.values.size(), -1) {
  int32_t highest = -1;
  const auto count = static_cast<int32_t>(method.instructions.size());
  for (int32_t i = 0; i < count; ++i) {
    const Instruction& instruction = method.instructions[static_cast<size_t>(i)];
    ForAllListed(method, instruction, [&](int32_t v) {
      highest = std::max(highest, v);
      last_use_[static_cast<size_t>(v)] = i;
      touches_[static_cast<size_t>(v)].push_back({i, Overwrites(method, instruction, v)});
    });
    ForAllSet(method, instruction, [&](int32_t v) {
      highest = std::max(highest, v);
      changes_[static_cast<size_t>(v)] = true;
    });
    if (instruction.kind == InstructionKind::kJumpFalse) forks_.push_back(i);
    ForAllUpdated(method, instruction, [&](int32_t v) {
      int32_t& at = updated_at_[static_cast<size_t>(v)];
      if (at < 0) at = i;
    });
    passed_.push_back(highest);
  }
  std::vector<bool> is_input(method.values.size());
  for (const int32_t v : method.inputs) {
    is_input[static_cast<size_t>(v)] = true;
    changes_[static_cast<size_t>(v)] = true;
  }
  for (const int32_t v : method.outputs) {
    last_use_[static_cast<size_t>(v)] = count;
    touches_[static_cast<size_t>(v)].push_back({count, false});
  }
  for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
    const Extent place = ExtentOf(method, v);
    if (place.empty()) continue;
    const Tensor& tensor = *method.TensorOf(v);
    at_place_[{place, tensor.dtype}].push_back(v);
    const bool numbered_first = by_number && v < lowest_input_;
    if (numbered_first || tensor.data_index > 0 || tensor.external || tensor.name.count > 0)
      from_start_[static_cast<size_t>(v)] = true;
    if (from_start_[static_cast<size_t>(v)] && !is_input[static_cast<size_t>(v)])
      touches_[static_cast<size_t>(v)].push_back({count, false});
  }
}

void Horizon::Overwrite(int32_t i, int32_t v) {
  auto& touches = touches_[static_cast<size_t>(v)];
  for (Touch& touch : std::ranges::equal_range(touches, i, {}, &Touch::at)) touch.overwrites = true;
}

bool Horizon::IsOlderThan(int32_t i, int32_t v, const std::vector<bool>& known) const {
  if (by_number_ && v < lowest_input_) return true;
  const bool surely = IsSurelyOlder(i, v);
  return std::ranges::any_of(
      BasesOf(v, known), [&](int32_t u) { return (surely || IsKeptAt(i, u)) && ComesTo(i, u); });
}

bool Horizon::IsSurelyOlder(int32_t i, int32_t v) const {
  if (!by_number_) return false;
  return v < lowest_input_ || (i > 0 && v < passed_[static_cast<size_t>(i) - 1]);
}

bool Horizon::IsOpen(int32_t i, int32_t v, const std::vector<bool>& known) const {
  const bool numbered = by_number_ && lowest_input_ >= 0;
  if (!numbered && updated_at_[static_cast<size_t>(v)] > i) return true;
  if (LastUse(v) > i) return false;
  return !numbered ||
         std::ranges::any_of(BasesOf(v, known), [&](int32_t u) { return ComesTo(i, u); });
}

// Bytes are kept over a call if some way on from it reads them and has not overwritten them by
// then.
bool Horizon::IsKeptAt(int32_t i, int32_t v) const {
  const auto& touches = touches_[static_cast<size_t>(v)];
  std::set<int32_t> begun = {i + 1};
  std::vector<int32_t> to_follow = {i + 1};
  for (int forks = 0; !to_follow.empty(); ++forks) {
    const int32_t at = to_follow.back();
    to_follow.pop_back();
    const auto touch = std::ranges::lower_bound(touches, at, {}, &Touch::at);
    const auto fork = std::ranges::lower_bound(forks_, at);
    const bool forks_first =
        fork != forks_.end() && (touch == touches.end() || *fork < touch->at) && forks < kMostForks;
    if (!forks_first) {
      if (touch != touches.end() && !touch->overwrites) return true;
      continue;
    }
    for (const int32_t next : EndsOf(*fork)) {
      if (begun.insert(next).second) to_follow.push_back(next);
    }
  }
  return false;
}

bool Horizon::ComesTo(int32_t i, int32_t v) const {
  if (from_start_[static_cast<size_t>(v)]) return true;
  std::vector<int32_t> to_follow;
  for (const Touch& touch : touches_[static_cast<size_t>(v)]) {
    if (touch.overwrites) to_follow.push_back(touch.at + 1);
  }
  if (to_follow.empty()) return true;
  std::set<int32_t> begun(to_follow.begin(), to_follow.end());
  for (int forks = 0; !to_follow.empty(); ++forks) {
    const int32_t at = to_follow.back();
    to_follow.pop_back();
    const auto fork = std::ranges::lower_bound(forks_, at);
    const bool straight = at <= i && (fork == forks_.end() || *fork > i);
    if (straight || forks > kMostForks) return true;
    if (fork == forks_.end()) continue;
    for (const int32_t next : EndsOf(*fork)) {
      if (begun.insert(next).second) to_follow.push_back(next);
    }
  }
  return false;
}

std::vector<int32_t> Horizon::EndsOf(int32_t jump) const {
  const Instruction& instruction = method_.instructions[static_cast<size_t>(jump)];
  const auto target = static_cast<size_t>(instruction.target);
  const Value& condition = method_.values[target];
  if (condition.kind != ValueKind::kBool || changes_[target]) return {jump + 1, instruction.other};
  return {condition.integer != 0 ? jump + 1 : instruction.other};
}

std::vector<int32_t> Horizon::BasesOf(int32_t v, const std::vector<bool>& known) const {
  std::vector<int32_t> bases;
  const auto same = at_place_.find({ExtentOf(method_, v), method_.TensorOf(v)->dtype});
  if (same == at_place_.end()) return bases;
  std::ranges::copy_if(same->second, std::back_inserter(bases), [&](int32_t u) {
    const auto at = static_cast<size_t>(u);
    return u != v && (known[at] || from_start_[at]);
  });
  return bases;
}

}  // namespace pteproof::proofs
