// Idea. Names of one tensor are a set: what a move or a returned result joins on any path. Each
// block is walked from its end; per set the names are counted that a later instruction uses before
// they are made anew. An instruction that says where a tensor lies is wrong for the others of its
// set that are counted there.
//
// Invariant: ahead of an instruction, `later_` holds the names that a path from there uses before
// it makes them. A set may be larger than the tensor on one path: that asks for more than is
// needed, never for less.
#include "properties/rules/shared_tensors.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "properties/rules/missing_memory.h"

namespace pteproof::checks {
namespace {

class SharedTensors {
 public:
  explicit SharedTensors(const MethodMeaning& meant)
      : meant_(meant),
        set_(meant.method->values.size()),
        is_moved_(set_.size()),
        later_(set_.size()),
        names_later_(set_.size()) {
    std::iota(set_.begin(), set_.end(), 0);
    for (const Rename& r : meant.effects.renames) {
      if (!IsJoin(r)) continue;
      is_moved_[Index(r.to)] = true;
      set_[Index(SetOf(r.to))] = SetOf(r.from);
      has_any_ = true;
    }
  }

  std::optional<PlacedTensor> First() && {
    if (!has_any_ || !meant_.live.complete) return std::nullopt;
    for (size_t block = 0; block < meant_.graph.blocks.size(); ++block) {
      if (meant_.graph.blocks[block].reachable) Walk(block);
    }
    return first_;
  }

 private:
  static size_t Index(int32_t v) { return static_cast<size_t>(v); }

  [[nodiscard]] bool IsJoin(const Rename& r) const {
    return r.to != r.from && IsSameTensor(meant_, r);
  }

  int32_t SetOf(int32_t v) {
    while (set_[Index(v)] != v) v = set_[Index(v)] = set_[Index(set_[Index(v)])];
    return v;
  }

  void Walk(size_t block) {
    const auto [begin, end] =
        std::pair(meant_.graph.blocks[block].begin, meant_.graph.blocks[block].end);
    for (const meaning::LiveName& live : meant_.live.out[block]) {
      if (Index(live.name) < set_.size()) SetLater(live.name, true);  // else for the next call
    }
    for (int32_t i = end - 1; i >= begin; --i) {
      Judge(i);
      const auto at = Index(i);
      const auto renames = meant_.effects.RenamesOf(at);
      for (const Rename& r : renames) SetLater(r.to, false);
      for (const Read& r : meant_.effects.ReadsOf(at)) SetLater(r.value, true);
      for (const Write& w : meant_.effects.WritesOf(at)) SetLater(w.value, true);
      for (const Rename& r : renames) SetLater(r.from, true);
      for (const Transfer& t : meant_.aliases.BirthsBefore(i)) {
        for (const int32_t source : meant_.aliases.SourcesOf(t)) SetLater(source, true);
      }
    }
    for (const int32_t name : set_names_) {
      later_[Index(name)] = false;
      names_later_[Index(SetOf(name))] = 0;
    }
    set_names_.clear();
  }

  void SetLater(int32_t name, bool later) {
    if (later_[Index(name)] == later) return;
    later_[Index(name)] = later;
    names_later_[Index(SetOf(name))] += later ? 1 : -1;
    if (later) set_names_.push_back(name);
  }

  // What instruction i places.
  void Judge(int32_t i) {
    const Instruction& at = meant_.method->instructions[Index(i)];
    if (at.kind == InstructionKind::kFree) JudgeValue(i, at.target);
    for (const Rename& r : meant_.effects.RenamesOf(Index(i))) {
      if (!r.placed && r.to != r.from && !IsJoin(r)) JudgeValue(i, r.to);
    }
  }

  void JudgeValue(int32_t i, int32_t v) {
    const int32_t others = names_later_[Index(SetOf(v))] - (later_[Index(v)] ? 1 : 0);
    const bool is_shared = is_moved_[Index(v)] || others > 0;
    if (is_shared && (!first_ || i < first_->instruction)) first_ = PlacedTensor{i, v};
  }

  const MethodMeaning& meant_;
  std::vector<int32_t> set_;    // per value, one of its set nearer to the one that stands for it
  std::vector<bool> is_moved_;  // per value: it became another tensor
  std::vector<bool> later_;     // per value
  std::vector<int32_t> names_later_;  // per set
  std::vector<int32_t> set_names_;    // of this block
  bool has_any_ = false;
  std::optional<PlacedTensor> first_;
};

}  // namespace

std::optional<PlacedTensor> PlacedWhileShared(const MethodMeaning& meant) {
  return SharedTensors(meant).First();
}

}  // namespace pteproof::checks
