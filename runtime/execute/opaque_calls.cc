// Idea. Everything is asked of a value's touches, which are few; what a call lists by way of a list
// is noted once for the list. Arguments of a delegate of one form (place and type) have one answer,
// which is that of all values of the form: without jumps each of them holds a value that is read
// later between two touches, and the union of these spans answers for every call.
//
//   0: write a    3: read a    5: write b    9: read b      a, b of one form
//      '---- [0, 2] ---'          '---- [5, 8] ---'         a delegate at 4 finds nothing there
//
// With jumps, paths are followed from touch to touch, for all calls together up to a limit.
#include "runtime/execute/opaque_calls.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

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

// Values that an instruction lists itself.
template <class Each>
void ForEachValueOf(const Method& method, const Instruction& instruction, const Each& each) {
  if (instruction.kind == InstructionKind::kMove || instruction.kind == InstructionKind::kJumpFalse)
    each(instruction.target);
  if (instruction.kind == InstructionKind::kMove) each(instruction.other);
  for (const int32_t v : method.Ints(instruction.args)) each(v);
}

bool IsListOfTensors(const Method& method, int32_t v) {
  const ValueKind kind = method.values[static_cast<size_t>(v)].kind;
  return kind != ValueKind::kTensor && IsTensorLike(kind);
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

constexpr int32_t kNever = std::numeric_limits<int32_t>::max();

// The first of these instructions from `from` on, or kNever.
int32_t FirstIn(const std::vector<int32_t>& at, int32_t from) {
  const auto found = std::ranges::lower_bound(at, from);
  return found == at.end() ? kNever : *found;
}

// The last of them before `end`, or -1.
int32_t LastIn(const std::vector<int32_t>& at, int32_t end) {
  const auto found = std::ranges::lower_bound(at, end);
  return found == at.begin() ? -1 : *(found - 1);
}

// The same, at most `most`: those that come last.
std::span<const int32_t> LastOf(const std::vector<int32_t>& at, size_t most) {
  return std::span(at).last(std::min(at.size(), most));
}

template <class Span>
void Unite(std::vector<Span>& spans) {
  std::ranges::sort(spans);
  size_t kept = 0;
  for (const Span& span : spans) {
    if (kept > 0 && span.first <= spans[kept - 1].last) {
      spans[kept - 1].last = std::max(spans[kept - 1].last, span.last);
    } else {
      spans[kept++] = span;
    }
  }
  spans.resize(kept);
}

// Adds the instructions from `from` on after which a read follows before an overwrite.
template <class Span>
void AddSpans(const std::vector<int32_t>& reads, const std::vector<int32_t>& overwrites,
              int32_t from, std::vector<Span>& spans) {
  const auto add = [&](int32_t overwrite, int32_t read) {
    if (read > overwrite && read > from) spans.push_back({std::max(overwrite, from), read - 1});
  };
  if (reads.size() <= overwrites.size()) {
    for (const int32_t read : reads) {
      if (!std::ranges::binary_search(overwrites, read)) add(LastIn(overwrites, read), read);
    }
    return;
  }
  int32_t before = -1;
  for (const int32_t overwrite : overwrites) {
    add(before, LastIn(reads, overwrite));
    before = overwrite;
  }
  add(before, reads.back());
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
      first_listed_(method.values.size(), kNever),
      listed_at_(method.values.size()),
      lists_of_(method.values.size()),
      read_at_(method.values.size()),
      overwritten_at_(method.values.size()),
      made_at_(method.values.size()),
      is_literal_(LiteralBoolsOf(method)),
      group_of_(method.values.size(), -1),
      operands_(method.instructions.size(), 0),
      seen_(method.instructions.size() + 1, 0) {
  if (!method.inputs.empty()) lowest_input_ = std::ranges::min(method.inputs);
  NoteTouches();
  NoteLists();
  NoteForms();
  const auto count = static_cast<int32_t>(method.instructions.size());
  for (int32_t i = 0; i < count && !jumps_.empty(); ++i) NoteResults(i);
  for (int32_t i = 0; i < count; ++i) {
    if (method.instructions[static_cast<size_t>(i)].kind == InstructionKind::kDelegateCall)
      operands_[static_cast<size_t>(i)] = OperandsOf(i);
  }
}

void OpaqueCalls::NoteTouches() {
  std::vector<int32_t> highest_item(method_.values.size(), -2);  // per list; -2: not known yet
  const auto highest_of = [&](int32_t list) {
    int32_t& known = highest_item[static_cast<size_t>(list)];
    if (known == -2) {
      known = -1;
      ForEachTensorOf(method_, list, [&](int32_t item) { known = std::max(known, item); });
    }
    return known;
  };
  int32_t highest = -1;
  const auto count = static_cast<int32_t>(method_.instructions.size());
  for (int32_t i = 0; i < count; ++i) {
    const Instruction& instruction = method_.instructions[static_cast<size_t>(i)];
    if (instruction.kind == InstructionKind::kJumpFalse) jumps_.push_back(i);
    ForEachValueOf(method_, instruction, [&](int32_t v) {
      const auto at = static_cast<size_t>(v);
      highest = std::max(highest, v);
      first_listed_[at] = std::min(first_listed_[at], i);
      auto& touched = IsOverwritten(method_, instruction, v) ? overwritten_at_ : read_at_;
      touched[at].push_back(i);
      if (!IsListOfTensors(method_, v)) return;
      highest = std::max(highest, highest_of(v));
      listed_at_[at].push_back(i);
    });
    highest_.push_back(highest);
  }
}

void OpaqueCalls::NoteLists() {
  for (int32_t list = 0; list < static_cast<int32_t>(method_.values.size()); ++list) {
    const std::vector<int32_t>& listed = listed_at_[static_cast<size_t>(list)];
    if (listed.empty()) continue;
    ForEachTensorOf(method_, list, [&](int32_t item) {
      const auto at = static_cast<size_t>(item);
      first_listed_[at] = std::min(first_listed_[at], listed.front());
      std::vector<int32_t>& lists = lists_of_[at];
      if (lists.empty() || lists.back() != list) lists.push_back(list);
    });
  }
}

void OpaqueCalls::NoteForms() {
  const auto count = static_cast<int32_t>(method_.instructions.size());
  for (const int32_t v : method_.inputs) first_listed_[static_cast<size_t>(v)] = -1;
  for (const int32_t v : method_.outputs) read_at_[static_cast<size_t>(v)].push_back(count);
  std::map<Form, int32_t> group_of_form;
  for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
    const Tensor* t = method_.TensorOf(v);
    if (t == nullptr || !t->planned) continue;
    const Form form = {t->bank, t->offset, t->nbytes, t->dtype};
    const auto known = group_of_form.emplace(form, static_cast<int32_t>(groups_.size())).first;
    if (static_cast<size_t>(known->second) == groups_.size()) groups_.emplace_back();
    groups_[static_cast<size_t>(known->second)].tensors.push_back(v);
    group_of_[static_cast<size_t>(v)] = known->second;
    const bool is_buffer = first_listed_[static_cast<size_t>(v)] >= 0 && HoldsBefore(0, v);
    if (is_buffer) read_at_[static_cast<size_t>(v)].push_back(count);  // by the next call
  }
}

// What a call makes it overwrites, where it does not read it.
void OpaqueCalls::NoteResults(int32_t instruction) {
  const Instruction& call = method_.instructions[static_cast<size_t>(instruction)];
  const bool opaque = call.kind == InstructionKind::kDelegateCall ||
                      (call.kind == InstructionKind::kKernelCall &&
                       method_.operators[static_cast<size_t>(call.target)].schema == nullptr);
  if (!opaque) return;
  for (const int32_t v : method_.Ints(call.args)) {
    steps_ +=
        1 + (IsListOfTensors(method_, v) ? method_.values[static_cast<size_t>(v)].items.count : 0);
  }
  if (steps_ > kMostSteps) return;
  if (call.kind == InstructionKind::kDelegateCall)
    operands_[static_cast<size_t>(instruction)] = OperandsOf(instruction);
  const OpaqueCall made = At(instruction);
  std::unordered_set<int32_t> read;
  for (const int32_t operand : made.operands) {
    ForEachTensorOf(method_, operand, [&](int32_t t) { read.insert(t); });
  }
  for (const int32_t v : made.results) {
    if (!read.contains(v)) made_at_[static_cast<size_t>(v)].push_back(instruction);
  }
}

OpaqueCall OpaqueCalls::At(int32_t instruction) const {
  const Instruction& call = method_.instructions[static_cast<size_t>(instruction)];
  const auto args = method_.Ints(call.args);
  return call.kind == InstructionKind::kDelegateCall ? Delegate(instruction, args)
                                                     : Kernel(instruction, args);
}

// Of one tensor, and of two that share place and type: the same number.
int32_t OpaqueCalls::ClassOf(int32_t v) const {
  const int32_t group = group_of_[static_cast<size_t>(v)];
  if (group < 0 || method_.TensorOf(v)->nbytes == 0) return v;
  return groups_[static_cast<size_t>(group)].tensors.front();
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
  struct Match {
    size_t operand = 0;
    int32_t value = -1;
  };
  std::unordered_map<int32_t, Match> matches;  // by class of a result: the last operand of it
  ForEachTensorOf(method_, args.back(), [&](int32_t r) { matches[ClassOf(r)] = {}; });
  for (size_t a = 0; a < operands.size(); ++a) {
    ForEachTensorOf(method_, operands[a], [&](int32_t t) {
      const auto match = matches.find(ClassOf(t));
      if (match != matches.end()) match->second = {a, t};
    });
  }
  std::vector<bool> is_new(operands.size());  // an argument that is a result and held nothing
  std::unordered_set<int32_t> added;
  ForEachTensorOf(method_, args.back(), [&](int32_t r) {
    const Match& match = matches.at(ClassOf(r));
    const int32_t result = match.value < 0 ? r : match.value;
    if (added.insert(result).second) call.results.push_back(result);
    if (result != r) call.returned.emplace_back(r, result);
    const bool is_new_value = !HoldsBefore(instruction, result) && !in_place;
    if (match.value >= 0 && is_new_value) is_new[match.operand] = true;
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
  const auto first = static_cast<size_t>(operands_[static_cast<size_t>(instruction)]);
  OpaqueCall call;
  call.operands.assign(args.begin(), args.begin() + static_cast<ptrdiff_t>(first));
  std::unordered_set<int32_t> added;
  for (const int32_t v : args.subspan(first)) {
    if (added.insert(v).second) call.results.push_back(v);
  }
  return call;
}

// The number of arguments of a delegate call before its results, which come last and are not there
// before it: the exporter numbers buffers below the inputs; what shares the place of a value that
// was there before is a view of it, if that value is read later, or the number was passed.
int32_t OpaqueCalls::OperandsOf(int32_t instruction) {
  const auto args = method_.Ints(method_.instructions[static_cast<size_t>(instruction)].args);
  const int32_t highest = instruction > 0 ? highest_[static_cast<size_t>(instruction) - 1] : -1;
  std::map<std::pair<int32_t, bool>, bool>
      known;  // of the groups, and whether the number is passed
  const auto is_older = [&](int32_t v) {
    const Tensor* t = method_.TensorOf(v);
    if (t == nullptr || HoldsBefore(instruction, v)) return true;
    if (!t->planned || t->nbytes == 0) return false;
    const bool passed = v < highest;
    const int32_t group = group_of_[static_cast<size_t>(v)];
    const auto [at, is_new] = known.try_emplace({group, passed});
    if (is_new) at->second = IsHeld(instruction, groups_[static_cast<size_t>(group)], passed);
    return at->second;
  };
  size_t first = args.size();
  const size_t last = NumberedLast(args);
  while (first > last && !is_older(args[first - 1])) --first;
  return static_cast<int32_t>(first);
}

// Whether a tensor of the group holds a value before the instruction which is read after it, or
// whichever if the number was passed. One that holds none is not excepted: it cannot be found.
bool OpaqueCalls::IsHeld(int32_t instruction, Group& group, bool passed) {
  if (jumps_.empty()) {
    if (!group.is_known) FindSpans(group);
    if (passed) return group.held_from <= instruction;
    const auto& spans = group.read_later;
    const auto after = std::ranges::upper_bound(spans, instruction, {}, &Group::Span::first);
    return after != spans.begin() && (after - 1)->last >= instruction;
  }
  return std::ranges::any_of(group.tensors, [&](int32_t u) {
    if (++steps_ > kMostSteps || !HoldsBefore(instruction, u)) return false;
    return (passed || IsReadAfter(instruction, u)) && IsReachedFromMakes(instruction, u);
  });
}

void OpaqueCalls::FindSpans(Group& group) const {
  group.is_known = true;
  for (const int32_t u : group.tensors) {
    const auto at = static_cast<size_t>(u);
    const int32_t from = HeldFrom(u);
    group.held_from = std::min(group.held_from, from);
    AddSpans(read_at_[at], overwritten_at_[at], from, group.read_later);
    for (const int32_t list : lists_of_[at]) {
      AddSpans(listed_at_[static_cast<size_t>(list)], overwritten_at_[at], from, group.read_later);
    }
  }
  Unite(group.read_later);
}

// Without jumps: the first instruction before which the value is there, and is made.
int32_t OpaqueCalls::HeldFrom(int32_t v) const {
  if (HoldsBefore(0, v)) return 0;
  const auto at = static_cast<size_t>(v);
  if (first_listed_[at] == kNever) return kNever;
  const int32_t listed = first_listed_[at] + 1;
  return overwritten_at_[at].empty() ? listed : std::max(listed, overwritten_at_[at].front() + 1);
}

// Whether an instruction that overwrites the value has a path to this one; or none overwrites it,
// or it is there at entry.
bool OpaqueCalls::IsReachedFromMakes(int32_t instruction, int32_t v) {
  std::vector<int32_t> ahead;
  for (const auto* makes : {&overwritten_at_, &made_at_}) {
    // More than that are not looked at.
    for (const int32_t make : LastOf((*makes)[static_cast<size_t>(v)], kMostJumps + 1)) {
      ahead.push_back(make + 1);
    }
  }
  std::ranges::sort(ahead);
  steps_ += ahead.size();
  bool reached = ahead.empty() || HoldsBefore(0, v);
  size_t starts = 0;
  ++question_;
  while (!reached && !ahead.empty()) {
    const int32_t from = ahead.back();
    ahead.pop_back();
    if (!IsNew(from)) continue;
    const auto jump = std::ranges::lower_bound(jumps_, from);
    const bool jumps_first = jump != jumps_.end() && *jump < instruction;
    reached = ++starts > kMostJumps || (from <= instruction && !jumps_first);
    if (jump != jumps_.end()) GoOn(*jump, ahead);
  }
  return reached;
}

// On some path from the instruction, before anything overwrites it.
bool OpaqueCalls::IsReadAfter(int32_t instruction, int32_t v) {
  const auto at = static_cast<size_t>(v);
  size_t starts = 0;
  ++question_;
  std::vector<int32_t> ahead = {instruction + 1};
  while (!ahead.empty()) {
    const int32_t from = ahead.back();
    ahead.pop_back();
    if (!IsNew(from)) continue;
    int32_t read = FirstIn(read_at_[at], from);
    for (const int32_t list : lists_of_[at]) {
      read = std::min(read, FirstIn(listed_at_[static_cast<size_t>(list)], from));
    }
    steps_ += lists_of_[at].size();
    const int32_t overwrite =
        std::min(FirstIn(overwritten_at_[at], from), FirstIn(made_at_[at], from));
    const int32_t end = std::min(read, overwrite);
    const int32_t jump = ++starts > kMostJumps ? end : FirstIn(jumps_, from);
    if (end <= jump) {
      if (read < overwrite) return true;
      continue;
    }
    GoOn(jump, ahead);
  }
  return false;
}

// Whether the question did not come by yet.
bool OpaqueCalls::IsNew(int32_t start) {
  ++steps_;
  uint32_t& seen = seen_[static_cast<size_t>(start)];
  return std::exchange(seen, question_) != question_;
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
