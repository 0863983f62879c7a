// Idea. Views, moves and return slots make values that lie in other values' bytes. In the effects
// of the instructions these are replaced by the values that they may lie in.
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

#include "planner/lift/derived_names.h"
#include "planner/planted.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

using meaning::MethodMeaning;

class Toucher {
 public:
  explicit Toucher(const MethodMeaning& meant)
      : meant_(meant),
        method_(*meant.method),
        sources_(method_.values.size()),
        at_home_(method_.values.size()) {}

  MethodTouches Go() {
    FindSources();
    touches_.of_instruction.resize(method_.instructions.size());
    for (size_t i = 0; i < method_.instructions.size(); ++i) NoteEffects(i);
    NoteRenames();
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
  [[nodiscard]] bool IsPlanned(int32_t v) const {
    const Tensor* tensor = method_.TensorOf(v);
    return tensor != nullptr && tensor->planned;
  }

  void FindSources() {
    for (const int32_t v : method_.inputs) at_home_[IndexOf(v)] = true;
    for (const meaning::Write& write : meant_.effects.writes) at_home_[IndexOf(write.value)] = true;
    for (const meaning::Rename& rename : meant_.effects.renames) {
      if (rename.placed) {
        at_home_[IndexOf(rename.to)] = true;
      } else if (rename.from != rename.to && !Planted(Defect::kMoveNotFollowed)) {
        sources_[IndexOf(rename.to)].push_back(rename.from);
      }
    }
  }

  void NoteEffects(size_t i) {
    Touch& touch = touches_.of_instruction[i];
    for (const meaning::Read& read : meant_.effects.ReadsOf(i)) {
      if (IsNoted(i, read.value)) AddReadHolders(read.value, touch.reads, touch.may_read);
    }
    for (const meaning::Write& write : meant_.effects.WritesOf(i)) {
      if (!IsNoted(i, write.value)) continue;
      const bool fills = write.access == Access::kWrite && sources_[IndexOf(write.value)].empty();
      AddHolders(write.value, fills ? touch.fills : touch.updates);
      if (write.access == Access::kFill) AddHolders(write.value, touch.rows);
    }
    const Instruction& instruction = method_.instructions[i];
    if (instruction.kind != InstructionKind::kJumpFalse) return;
    const auto at = static_cast<int32_t>(i);
    touches_.jumps.push_back({.at = at, .target = instruction.other, .always = !GoesOn(at)});
  }

  // Whether the next instruction may come after that one, the last of its block, or the end.
  [[nodiscard]] bool GoesOn(int32_t i) const {
    const meaning::Block& block = meant_.graph.blocks[IndexOf(meant_.graph.BlockOf(i))];
    if (IndexOf(i) + 1 == method_.instructions.size()) return block.exits;
    return std::ranges::any_of(block.successors, [&](int32_t next) {
      return meant_.graph.blocks[IndexOf(next)].begin == i + 1;
    });
  }

  [[nodiscard]] bool IsNoted(size_t i, int32_t v) const {
    if (!Planted(Defect::kListsNotTouched)) return true;
    const Instruction& call = method_.instructions[i];
    const auto args = method_.Ints(call.args);
    return call.kind == InstructionKind::kJumpFalse || std::ranges::find(args, v) != args.end();
  }

  // What is moved has to be there. A name that keeps its place is taken from what lies there, or
  // the call that makes it copies bytes onto themselves.
  void NoteRenames() {
    for (const meaning::Rename& rename : meant_.effects.renames) {
      Touch& touch = touches_.of_instruction[IndexOf(rename.instruction)];
      const Instruction& call = method_.instructions[IndexOf(rename.instruction)];
      if (rename.placed) {
        AddReadHolders(rename.from, touch.reads, touch.may_read);
        const bool fills = sources_[IndexOf(rename.to)].empty();
        auto& written = fills ? touch.fills : touch.updates;
        auto& made = CopiesIfApart(meant_, rename) ? written : touch.may_read;
        if (std::ranges::count(made, rename.to) == 0) AddHolders(rename.to, made);
      } else if (call.kind == InstructionKind::kMove && IsPlanned(rename.from) &&
                 sources_[IndexOf(rename.from)].empty()) {
        touch.moves.push_back(rename.from);
      }
    }
  }

  // Of several holders, the way that was taken tells which one is read.
  void AddReadHolders(int32_t v, std::vector<int32_t>& sure, std::vector<int32_t>& maybe) const {
    std::vector<int32_t> holders;
    AddHolders(v, holders);
    std::vector<int32_t>& found = holders.size() == 1 ? sure : maybe;
    found.insert(found.end(), holders.begin(), holders.end());
  }

  // A value that is only ever made by moves and views has no bytes of its own.
  void AddHolders(int32_t v, std::vector<int32_t>& holders) const {
    if (sources_[IndexOf(v)].empty()) {
      if (IsPlanned(v)) holders.push_back(v);
      return;
    }
    std::vector<int32_t> seen = {v};
    for (size_t n = 0; n < seen.size(); ++n) {
      const size_t at = IndexOf(seen[n]);
      const bool own = sources_[at].empty() || at_home_[at];
      if (own && IsPlanned(seen[n])) holders.push_back(seen[n]);
      for (const int32_t source : sources_[at]) {
        if (std::ranges::find(seen, source) == seen.end()) seen.push_back(source);
      }
    }
  }

  template <class Each>
  void ForEachTensor(int32_t v, const Each& each) const {
    const Value& value = method_.values[IndexOf(v)];
    if (value.kind == ValueKind::kTensor) return each(v);
    if (!IsTensorLike(value.kind) || Planted(Defect::kListsNotTouched)) return;
    for (const int32_t item : method_.Ints(value.items)) {
      if (item >= 0) each(item);
    }
  }

  const MethodMeaning& meant_;
  const Method& method_;
  MethodTouches touches_;
  std::vector<std::vector<int32_t>> sources_;  // per value: values in whose bytes it may lie
  std::vector<bool> at_home_;                  // per value: something writes its own bytes
};

}  // namespace

MethodTouches TouchesOf(const MethodMeaning& meant) {
  return Toucher(meant).Go();
}

}  // namespace pteproof::planner
