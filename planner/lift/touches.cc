// Idea. One pass over the instructions notes what each argument is to its operator. Views, moves
// and return slots make values that lie in other values' bytes; these are then replaced by the
// values that they may lie in.
//
//   0: add.out(v1, v1, v3)        reads v1        fills v3
//   1: et_view(v3, [2, 8], v4)    nothing         v4 lies in v3
//   2: relu.out(v4, v5)           reads v3        fills v5
//
// Invariant: what is noted is never less than what may happen. Which of several values a moved one
// is does not depend on the instruction here, so that a write to it may leave each of them alone:
// an update. Cost: O(arguments + holders).
#include "planner/lift/touches.h"

#include <algorithm>
#include <utility>

#include "meaning/opaque_calls.h"
#include "planner/planted.h"
#include "reference/op_schema.h"
#include "runtime/literal_bools.h"

namespace pteproof::planner {
namespace {

class Toucher {
 public:
  explicit Toucher(const Method& method)
      : method_(method),
        opaque_(meaning::OpaqueCallsOf(method, nullptr)),
        sources_(method.values.size()),
        at_home_(method.values.size()),
        literal_bools_(LiteralBoolsOf(method)) {}

  MethodTouches Go() {
    const auto count = static_cast<int32_t>(method_.instructions.size());
    for (int32_t i = 0; i < count; ++i) Note(i);
    for (const int32_t v : method_.inputs) at_home_[static_cast<size_t>(v)] = true;
    for (const Touch& touch : touches_.of_instruction) {
      for (const int32_t v : touch.fills) at_home_[static_cast<size_t>(v)] = true;
      for (const int32_t v : touch.updates) at_home_[static_cast<size_t>(v)] = true;
    }
    for (Touch& touch : touches_.of_instruction) touch = InBanks(touch);
    for (const int32_t v : method_.inputs) {
      if (IsPlanned(v)) touches_.inputs.push_back(v);
    }
    for (const int32_t v : method_.outputs) {
      ForEachTensor(
          v, [&](int32_t t) { AddReadHolders(t, touches_.outputs, touches_.may_be_outputs); });
    }
    touches_.sources = std::move(sources_);
    return std::move(touches_);
  }

 private:
  // --- What the instructions say.

  void Note(int32_t i) {
    const Instruction& instruction = method_.instructions[static_cast<size_t>(i)];
    Touch& touch = touches_.of_instruction.emplace_back();
    switch (instruction.kind) {
      case InstructionKind::kKernelCall: {
        const OpSchema* schema = method_.operators[static_cast<size_t>(instruction.target)].schema;
        if (schema == nullptr) return NoteOpaque(i, touch);
        return NoteKernel(*schema, method_.Ints(instruction.args), touch);
      }
      case InstructionKind::kDelegateCall:
        return NoteOpaque(i, touch);
      case InstructionKind::kMove:
        touch.moves.push_back(instruction.target);
        return NoteRename(instruction.target, instruction.other);
      case InstructionKind::kJumpFalse:
        ForEachTensor(instruction.target, [&](int32_t t) { touch.reads.push_back(t); });
        touches_.jumps.push_back(
            {.at = i, .target = instruction.other, .always = IsFalseForGood(instruction.target)});
        return;
      case InstructionKind::kFree:
        return;
    }
  }

  void NoteKernel(const OpSchema& schema, std::span<const int32_t> args, Touch& touch) {
    if (schema.is_view) {
      return NoteRename(args[schema.viewed], args[schema.args.size() - 1]);
    }
    std::vector<int32_t> written;
    for (size_t a = 0; a < schema.args.size(); ++a) {
      ForEachTensor(args[a], [&](int32_t t) {
        NoteAccess(schema.args[a].access, t, touch);
        if (schema.args[a].returned) written.push_back(t);
      });
    }
    if (schema.returns == ReturnSlot::kNone || schema.returns == ReturnSlot::kScalar) return;
    size_t slot = 0;
    ForEachTensor(args.back(), [&](int32_t t) {
      if (slot < written.size()) NoteRename(written[slot], t);
      ++slot;
    });
  }

  static void NoteAccess(Access access, int32_t tensor, Touch& touch) {
    switch (access) {
      case Access::kRead:
        return touch.reads.push_back(tensor);
      case Access::kWrite:
        return touch.fills.push_back(tensor);
      case Access::kUpdate:
        touch.reads.push_back(tensor);
        return touch.updates.push_back(tensor);
      case Access::kFill:
        touch.rows.push_back(tensor);
        return touch.updates.push_back(tensor);
      case Access::kNone:
        return;
    }
  }

  void NoteOpaque(int32_t i, Touch& touch) {
    const OpaqueCall& call = opaque_.at(i);
    for (const int32_t v : call.operands) {
      ForEachTensor(v, [&](int32_t t) { touch.reads.push_back(t); });
    }
    for (const int32_t v : call.results) {
      const bool updates = std::ranges::find(touch.reads, v) != touch.reads.end();
      (updates ? touch.updates : touch.fills).push_back(v);
    }
    for (const auto& [slot, result] : call.returned) NoteRename(result, slot);
  }

  void NoteRename(int32_t from, int32_t to) {
    if (Planted(Defect::kMoveNotFollowed)) return;
    const bool tensors = method_.TensorOf(from) != nullptr && method_.TensorOf(to) != nullptr;
    if (tensors && from != to) sources_[static_cast<size_t>(to)].push_back(from);
  }

  [[nodiscard]] bool IsFalseForGood(int32_t v) const {
    const auto at = static_cast<size_t>(v);
    return literal_bools_[at] && method_.values[at].integer == 0;
  }

  // --- In whose bytes they are.

  [[nodiscard]] bool IsPlanned(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    return tensor != nullptr && tensor->planned;
  }

  Touch InBanks(const Touch& touch) {
    Touch placed;
    for (const int32_t v : touch.reads) AddReadHolders(v, placed.reads, placed.may_read);
    for (const int32_t v : touch.moves) {
      if (sources_[static_cast<size_t>(v)].empty() && IsPlanned(v)) placed.moves.push_back(v);
    }
    for (const int32_t v : touch.updates) AddHolders(v, placed.updates);
    for (const int32_t v : touch.rows) AddHolders(v, placed.rows);
    for (const int32_t v : touch.fills) {
      const bool alone = sources_[static_cast<size_t>(v)].empty();
      AddHolders(v, alone ? placed.fills : placed.updates);
    }
    return placed;
  }

  // Of several holders, the way that was taken tells which one is read.
  void AddReadHolders(int32_t v, std::vector<int32_t>& sure, std::vector<int32_t>& maybe) {
    std::vector<int32_t> holders;
    AddHolders(v, holders);
    std::vector<int32_t>& found = holders.size() == 1 ? sure : maybe;
    found.insert(found.end(), holders.begin(), holders.end());
  }

  // A value that is only ever made by moves and views has no bytes of its own.
  void AddHolders(int32_t v, std::vector<int32_t>& holders) {
    if (sources_[static_cast<size_t>(v)].empty()) {
      if (IsPlanned(v)) holders.push_back(v);
      return;
    }
    std::vector<int32_t> seen = {v};
    for (size_t n = 0; n < seen.size(); ++n) {
      const auto at = static_cast<size_t>(seen[n]);
      const bool own = sources_[at].empty() || at_home_[at];
      if (own && IsPlanned(seen[n])) holders.push_back(seen[n]);
      for (const int32_t source : sources_[at]) {
        if (std::ranges::find(seen, source) == seen.end()) seen.push_back(source);
      }
    }
  }

  template <class Each>
  void ForEachTensor(int32_t v, const Each& each) const {
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kTensor) return each(v);
    if (!IsTensorLike(value.kind) || Planted(Defect::kListsNotTouched)) return;
    for (const int32_t item : method_.Ints(value.items)) {
      if (item >= 0) each(item);
    }
  }

  const Method& method_;
  OpaqueCalls opaque_;
  MethodTouches touches_;
  std::vector<std::vector<int32_t>> sources_;  // per value: values in whose bytes it may lie
  std::vector<bool> at_home_;                  // per value: something writes its own bytes
  std::vector<bool> literal_bools_;            // per value
};

}  // namespace

MethodTouches TouchesOf(const Method& method) {
  return Toucher(method).Go();
}

}  // namespace pteproof::planner
