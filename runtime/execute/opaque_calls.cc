#include "runtime/execute/opaque_calls.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include "reference/op_schema.h"
#include "runtime/literal_bools.h"

namespace pteproof {
namespace {

template <class Each>
void ForEachTensorOf(const Method& method, int32_t v, const Each& each) {
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) return each(v);
  if (!IsTensorLike(value.kind)) return;
  for (const int32_t item : method.Ints(value.items)) {
    if (item >= 0) each(item);
  }
}

// Values that an instruction lists, and the tensors in them.
template <class Each>
void ForEachValueOf(const Method& method, const Instruction& instruction, const Each& each) {
  const auto listed = [&](int32_t v) {
    each(v);
    if (method.TensorOf(v) == nullptr) ForEachTensorOf(method, v, each);
  };
  if (instruction.kind == InstructionKind::kMove || instruction.kind == InstructionKind::kJumpFalse)
    listed(instruction.target);
  if (instruction.kind == InstructionKind::kMove) listed(instruction.other);
  for (const int32_t v : method.Ints(instruction.args)) listed(v);
}

// "my::roll_.default" updates its operand, by its name.
bool IsNamedInPlace(std::string_view op) {
  op = op.substr(0, op.find('.'));
  return op.ends_with('_') && !op.ends_with("__");
}

// A known operator, or a move from another value, writes all of the value and reads none of it. The
// last argument of a call is its return slot.
bool IsOverwritten(const Method& method, const Instruction& call, int32_t v) {
  if (call.kind == InstructionKind::kMove) return call.other == v && call.target != v;
  if (call.kind != InstructionKind::kKernelCall) return false;
  const OpSchema* op = method.operators[static_cast<size_t>(call.target)].schema;
  if (op == nullptr) return false;
  const auto args = method.Ints(call.args);
  const auto reads = [&](size_t a) { return args[a] == v && op->args[a].access != Access::kWrite; };
  for (size_t a = 0; a < op->args.size(); ++a) {
    if (reads(a)) return false;
  }
  return std::ranges::count(args.first(op->args.size()), v) > 0;
}

void AddOnce(std::vector<int32_t>& values, int32_t v) {
  if (std::ranges::find(values, v) == values.end()) values.push_back(v);
}

// Where the arguments at the end begin that are numbered in one go, above all to their left.
size_t NumberedLast(std::span<const int32_t> args) {
  size_t begin = 0;
  size_t highest = 0;
  for (size_t a = 1; a < args.size(); ++a) {
    const int32_t step = args[a] - args[highest];
    if (step > 1) begin = a;
    if (step < 0) begin = a + 1;
    if (step > 0) highest = a;
  }
  return begin;
}

}  // namespace

OpaqueCalls::OpaqueCalls(const Method& method)
    : method_(method),
      first_listed_(method.values.size(), std::numeric_limits<int32_t>::max()),
      read_at_(method.values.size()),
      overwritten_at_(method.values.size()),
      is_literal_(LiteralBoolsOf(method)) {
  if (!method.inputs.empty()) lowest_input_ = std::ranges::min(method.inputs);
  int32_t highest = -1;
  const auto count = static_cast<int32_t>(method.instructions.size());
  for (int32_t i = 0; i < count; ++i) {
    const Instruction& instruction = method.instructions[static_cast<size_t>(i)];
    if (instruction.kind == InstructionKind::kJumpFalse) jumps_.push_back(i);
    ForEachValueOf(method, instruction, [&](int32_t v) {
      highest = std::max(highest, v);
      int32_t& first = first_listed_[static_cast<size_t>(v)];
      first = std::min(first, i);
      auto& touched = IsOverwritten(method, instruction, v) ? overwritten_at_ : read_at_;
      touched[static_cast<size_t>(v)].push_back(i);
    });
    highest_.push_back(highest);
  }
  for (const int32_t v : method.inputs) first_listed_[static_cast<size_t>(v)] = -1;
  for (const int32_t v : method.outputs) read_at_[static_cast<size_t>(v)].push_back(count);
  for (int32_t v = 0; v < static_cast<int32_t>(method.values.size()); ++v) {
    const Tensor* t = method.TensorOf(v);
    if (t == nullptr || !t->planned) continue;
    of_form_[{t->bank, t->offset, t->nbytes, t->dtype}].push_back(v);
    const bool is_buffer = first_listed_[static_cast<size_t>(v)] >= 0 && HoldsBefore(0, v);
    if (is_buffer) read_at_[static_cast<size_t>(v)].push_back(count);  // by the next call
  }
  for (int32_t i = 0; i < count; ++i) NoteResults(i);
}

// What a call makes it overwrites, where it does not read it.
void OpaqueCalls::NoteResults(int32_t instruction) {
  const Instruction& call = method_.instructions[static_cast<size_t>(instruction)];
  const bool opaque = call.kind == InstructionKind::kDelegateCall ||
                      (call.kind == InstructionKind::kKernelCall &&
                       method_.operators[static_cast<size_t>(call.target)].schema == nullptr);
  if (!opaque || jumps_.empty()) return;
  const OpaqueCall made = At(instruction);
  for (const int32_t v : made.results) {
    bool reads = false;
    for (const int32_t operand : made.operands) {
      ForEachTensorOf(method_, operand, [&](int32_t t) { reads = reads || t == v; });
    }
    auto& read_at = read_at_[static_cast<size_t>(v)];
    if (reads || std::erase(read_at, instruction) == 0) continue;
    auto& overwritten_at = overwritten_at_[static_cast<size_t>(v)];
    overwritten_at.insert(std::ranges::upper_bound(overwritten_at, instruction), instruction);
  }
}

OpaqueCall OpaqueCalls::At(int32_t instruction) const {
  const Instruction& call = method_.instructions[static_cast<size_t>(instruction)];
  const auto args = method_.Ints(call.args);
  return call.kind == InstructionKind::kDelegateCall ? Delegate(instruction, args)
                                                     : Kernel(instruction, args);
}

// One tensor, or two that share place and type.
bool OpaqueCalls::AreOne(int32_t a, int32_t b) const {
  if (a == b) return true;
  const Tensor& one = *method_.TensorOf(a);
  const Tensor& other = *method_.TensorOf(b);
  return one.planned && other.planned && one.bank == other.bank && one.offset == other.offset &&
         one.nbytes == other.nbytes && one.nbytes > 0 && one.dtype == other.dtype;
}

// The exporter numbers buffers below the inputs.
bool OpaqueCalls::HoldsBefore(int32_t instruction, int32_t v) const {
  const Tensor& t = *method_.TensorOf(v);
  return v < lowest_input_ || first_listed_[static_cast<size_t>(v)] < instruction ||
         t.data_index > 0 || t.external || t.name.count > 0;
}

OpaqueCall OpaqueCalls::Kernel(int32_t instruction, std::span<const int32_t> args) const {
  OpaqueCall call;
  if (args.empty()) return call;
  const auto operands = args.first(args.size() - 1);
  const Instruction& at_hand = method_.instructions[static_cast<size_t>(instruction)];
  const bool in_place = IsNamedInPlace(method_.operators[static_cast<size_t>(at_hand.target)].name);
  std::vector<bool> is_new(operands.size());  // an argument that is a result and held nothing
  ForEachTensorOf(method_, args.back(), [&](int32_t r) {
    size_t at = operands.size();
    int32_t result = r;
    for (size_t a = 0; a < operands.size(); ++a) {
      ForEachTensorOf(method_, operands[a], [&](int32_t t) {
        if (!AreOne(t, r)) return;
        at = a;
        result = t;
      });
    }
    AddOnce(call.results, result);
    if (result != r) call.returned.emplace_back(r, result);
    const bool is_new_value = !HoldsBefore(instruction, result) && !in_place;
    if (at < operands.size() && is_new_value) is_new[at] = true;
  });
  for (size_t a = 0; a < operands.size(); ++a) {
    if (!is_new[a]) call.operands.push_back(operands[a]);
  }
  if (!IsTensorLike(method_.values[static_cast<size_t>(args.back())].kind)) {
    call.operands.push_back(args.back());
  }
  return call;
}

OpaqueCall OpaqueCalls::Delegate(int32_t instruction, std::span<const int32_t> args) const {
  size_t first = args.size();
  const size_t last = NumberedLast(args);
  while (first > last && !IsOlder(instruction, args[first - 1])) --first;
  OpaqueCall call;
  call.operands.assign(args.begin(), args.begin() + static_cast<ptrdiff_t>(first));
  for (const int32_t v : args.subspan(first)) AddOnce(call.results, v);
  return call;
}

// Whether an argument of a delegate call is there before it: the exporter numbers buffers below the
// inputs; what shares the place of a value that was there before is a view of it, if that value is
// read later, or the number was passed.
bool OpaqueCalls::IsOlder(int32_t instruction, int32_t v) const {
  const Tensor* t = method_.TensorOf(v);
  if (t == nullptr || HoldsBefore(instruction, v)) return true;
  const bool passed = instruction > 0 && v < highest_[static_cast<size_t>(instruction) - 1];
  if (!t->planned || t->nbytes == 0) return false;
  const auto& same = of_form_.at({t->bank, t->offset, t->nbytes, t->dtype});
  return std::ranges::any_of(same, [&](int32_t u) {
    if (u == v || !HoldsBefore(instruction, u)) return false;
    return (passed || IsReadAfter(instruction, u)) && IsReachedFromMakes(instruction, u);
  });
}

// Whether an instruction that overwrites the value has a path to this one; or none overwrites it,
// or it is there at entry.
bool OpaqueCalls::IsReachedFromMakes(int32_t instruction, int32_t v) const {
  std::vector<int32_t> ahead;
  for (const int32_t make : overwritten_at_[static_cast<size_t>(v)]) ahead.push_back(make + 1);
  bool reached = ahead.empty() || HoldsBefore(0, v);
  std::set<int32_t> starts;
  while (!reached && !ahead.empty()) {
    const int32_t from = ahead.back();
    ahead.pop_back();
    if (!starts.insert(from).second) continue;
    const auto jump = std::ranges::lower_bound(jumps_, from);
    const bool jumps_first = jump != jumps_.end() && *jump < instruction;
    reached = starts.size() > kMostJumps || (from <= instruction && !jumps_first);
    if (jump != jumps_.end()) GoOn(*jump, ahead);
  }
  return reached;
}

// On some path from the instruction, before anything overwrites it.
bool OpaqueCalls::IsReadAfter(int32_t instruction, int32_t v) const {
  const auto first = [](const std::vector<int32_t>& at, int32_t from) {
    const auto found = std::ranges::lower_bound(at, from);
    return found == at.end() ? std::numeric_limits<int32_t>::max() : *found;
  };
  std::set<int32_t> starts;
  std::vector<int32_t> ahead = {instruction + 1};
  while (!ahead.empty()) {
    const int32_t from = ahead.back();
    ahead.pop_back();
    if (!starts.insert(from).second) continue;
    const int32_t read = first(read_at_[static_cast<size_t>(v)], from);
    const int32_t end = std::min(read, first(overwritten_at_[static_cast<size_t>(v)], from));
    const int32_t jump = starts.size() > kMostJumps ? end : first(jumps_, from);
    if (end <= jump) {
      if (read == end && read != std::numeric_limits<int32_t>::max()) return true;
      continue;
    }
    GoOn(jump, ahead);
  }
  return false;
}

// Adds the instructions that may follow the jump.
void OpaqueCalls::GoOn(int32_t jump, std::vector<int32_t>& ahead) const {
  const Instruction& taken = method_.instructions[static_cast<size_t>(jump)];
  const auto condition = static_cast<size_t>(taken.target);
  const bool known = is_literal_[condition];
  const bool holds = method_.values[condition].integer != 0;
  if (!known || holds) ahead.push_back(jump + 1);
  if (!known || !holds) ahead.push_back(taken.other);
}

}  // namespace pteproof
