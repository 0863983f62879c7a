// Idea: a second count of the pairs of a write and a live name, as different from needs.h as
// possible. Sets of live names, one bit per name, are iterated over all blocks to a fixed point. A
// last walk then counts at each write the names that are live after it. If the counts differ, an
// obligation is missing.
//
//   2: reads v3       live above: v3
//   1: writes v4      pair (v4, v3)
//   0: writes v3      live above: none
//
// Invariant: both counts use the same definition of a pair: writer, name, and a value in whose
// bytes each of the two lies, in one memory.
//
// Cost: O(names x instructions) per iteration, of which loops need one more for each that lies in
// another; not done beyond kMostSwept.
#include "properties/proofs/facts/sweep.h"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/proofs/facts/holders.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

using NameSet = std::vector<bool>;

void AddAll(NameSet& to, const NameSet& from) {
  for (size_t n = 0; n < to.size(); ++n) to[n] = to[n] || from[n];
}

class Sweep {
 public:
  Sweep(const ProgramFacts& program, int32_t method)
      : program_(program),
        index_(method),
        flow_(program.MeaningAt(method).flow()),
        holders_(program.MeaningAt(method)),
        names_(flow_.method.values.size() + flow_.roles.states.size()),
        live_in_(flow_.graph.blocks.size(), NameSet(names_)),
        touched_out_(flow_.graph.blocks.size(), NameSet(names_)),
        writes_of_(flow_.method.values.size()) {
    for (const int32_t input : flow_.method.inputs) ++writes_of_[Index(input)];
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      for (const Write& w : WritesAt(i)) ++writes_of_[Index(w.value)];
    }
  }

  size_t Count() {
    UntilStable([&](size_t step) {
      const size_t b = flow_.graph.blocks.size() - 1 - step;
      return BlockAt(b).reachable && Replace(live_in_[b], WalkBack(b, false));
    });
    UntilStable([&](size_t b) {
      return BlockAt(b).reachable && Replace(touched_out_[b], TouchedAfter(b));
    });
    for (size_t b = 0; b < flow_.graph.blocks.size(); ++b) {
      if (BlockAt(b).reachable) WalkBack(b, true);
    }
    AtEntry();
    return once_ + pairs_.size();
  }

 private:
  [[nodiscard]] const Block& BlockAt(size_t b) const { return flow_.graph.blocks[b]; }

  // As many steps as there are blocks, each of which says whether it changed a set. In the order in
  // which names flow, rounds are as many as loops lie in each other, and one or two more.
  template <class Each>
  void UntilStable(Each step) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = 0; b < flow_.graph.blocks.size(); ++b) changed = step(b) || changed;
    }
  }

  static bool Replace(NameSet& known, NameSet set) { return std::exchange(known, set) != set; }

  [[nodiscard]] NameSet TouchedBefore(size_t b) const {
    NameSet touched(names_);
    for (const int32_t p : BlockAt(b).predecessors) {
      const auto before = static_cast<size_t>(p);
      if (BlockAt(before).reachable) AddAll(touched, touched_out_[before]);
    }
    return touched;
  }

  [[nodiscard]] NameSet TouchedAfter(size_t b) const {
    NameSet touched = TouchedBefore(b);
    for (int32_t i = BlockAt(b).begin; i < BlockAt(b).end; ++i) Touch(i, touched);
    return touched;
  }

  void Touch(int32_t i, NameSet& touched) const {
    for (const Write& w : WritesAt(i)) touched[Index(w.value)] = true;
    for (const Transfer& t : TransfersAt(i)) touched[Index(t.to)] = true;
  }

  static size_t Index(int32_t n) { return static_cast<size_t>(n); }

  [[nodiscard]] std::span<const Write> WritesAt(int32_t i) const {
    return flow_.effects.WritesOf(static_cast<size_t>(i));
  }
  [[nodiscard]] std::span<const Transfer> TransfersAt(int32_t i) const {
    return std::ranges::equal_range(flow_.aliases.transfers, i, {}, &Transfer::instruction);
  }

  [[nodiscard]] NameSet WantedAtEnd() const {
    NameSet wanted(names_);
    for (const int32_t v : flow_.method.outputs) {
      if (flow_.method.TensorOf(v) != nullptr) wanted[Index(v)] = true;
    }
    TakeBack(flow_.instruction_count(), std::nullopt, wanted);
    for (size_t s = 0; s < flow_.roles.states.size(); ++s) {
      const int32_t end = flow_.value_count() + static_cast<int32_t>(s);
      if (!flow_.PlaceOf(end).empty()) wanted[Index(end)] = true;
    }
    return wanted;
  }

  // Transfers of one phase, or of all, from the last to the first.
  void TakeBack(int32_t i, std::optional<Phase> phase, NameSet& live) const {
    const auto transfers = TransfersAt(i);
    for (size_t t = transfers.size(); t-- > 0;) {
      const Transfer& transfer = transfers[t];
      if ((phase && transfer.phase != *phase) || !live[Index(transfer.to)]) continue;
      live[Index(transfer.to)] = false;
      for (const int32_t source : flow_.aliases.SourcesOf(transfer)) live[Index(source)] = true;
    }
  }

  NameSet WalkBack(size_t b, bool count) {
    const Block& block = BlockAt(b);
    NameSet live(names_);
    if (block.exits) live = WantedAtEnd();
    for (const int32_t next : block.successors) AddAll(live, live_in_[static_cast<size_t>(next)]);
    std::vector<NameSet> touched;  // before each instruction, where pairs are counted
    if (count) {
      touched.push_back(TouchedBefore(b));
      for (int32_t i = block.begin; i < block.end; ++i) {
        touched.push_back(touched.back());
        Touch(i, touched.back());
      }
    }
    for (int32_t i = block.end; i-- > block.begin;) {
      TakeBack(i, Phase::kAfter, live);
      if (count) CountAt(i, live, touched[static_cast<size_t>(i - block.begin)]);
      for (const Write& w : WritesAt(i)) Unmake(w, live);
      if (program_.IsObserved(index_, i)) {
        for (const Read& read : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
          live[Index(read.value)] = true;
        }
      }
      TakeBack(i, Phase::kAt, live);
      TakeBack(i, Phase::kBefore, live);
    }
    return live;
  }

  void Unmake(const Write& w, NameSet& live) const {
    if (w.access != Access::kFill) live[Index(w.value)] = false;
    const int32_t state = flow_.StoredState(w);
    if (state < 0 || w.access != Access::kWrite) return;
    const int32_t end = flow_.value_count() + state;
    if (flow_.PlaceOf(w.value).Holds(flow_.PlaceOf(end))) live[Index(end)] = false;
  }

  void CountAt(int32_t i, const NameSet& live, const NameSet& touched) {
    const auto writes = WritesAt(i);
    for (const Write& w : writes) {
      for (size_t n = 0; n < names_; ++n) {
        const auto name = static_cast<int32_t>(n);
        const auto same = std::ranges::find(writes, name, &Write::value);
        const bool sibling = same != writes.end();
        const bool is_scratch = sibling && same->is_scratch;
        if ((!live[n] && !is_scratch) || name == w.value) continue;
        const bool held =
            touched[n] || sibling || flow_.IsThereAtEntry(name) || IsNamedHereBefore(i, name);
        const int32_t end = flow_.EndOfState(name);
        if (held && (end < 0 || flow_.StoredState(w) != end)) Pair(w.value, name, i);
      }
    }
  }

  // Named by this very instruction, before it writes.
  [[nodiscard]] bool IsNamedHereBefore(int32_t i, int32_t n) const {
    return std::ranges::any_of(TransfersAt(i), [&](const Transfer& transfer) {
      return transfer.to == n && transfer.phase != Phase::kAfter;
    });
  }

  void AtEntry() {
    for (const int32_t input : flow_.method.inputs) {
      if (flow_.method.TensorOf(input) == nullptr) continue;
      for (size_t n = 0; n < names_; ++n) {
        const auto name = static_cast<int32_t>(n);
        if (live_in_.front()[n] && name != input && flow_.IsThereAtEntry(name))
          Pair(input, name, -1);
      }
    }
  }

  void Pair(int32_t writer, int32_t name, int32_t i) {
    const int32_t end = flow_.EndOfState(name);
    if (end >= 0 && program_.PoliciesWanting(index_, end) == PolicySet::None()) return;
    const Point at = {i, Step::kWrite};
    const auto held_in = holders_.Of(name, at);
    const auto written_in = holders_.Of(writer, at);
    if (writes_of_[Index(writer)] == 1 && held_in.size() == 1 && written_in.size() == 1) {
      once_ += holders_.ShareMemory(written_in.front(), held_in.front()) ? 1 : 0;
      return;
    }
    for (const int32_t to : written_in) {
      for (const int32_t from : held_in) {
        if (holders_.ShareMemory(to, from)) pairs_.insert({writer, name, to, from});
      }
    }
  }

  const ProgramFacts& program_;
  int32_t index_;
  const MethodFlow flow_;
  Holders holders_;
  size_t names_;
  std::vector<NameSet> live_in_;  // per block
  std::vector<NameSet>
      touched_out_;  // per block: names that something before its end writes or takes
  std::vector<int32_t> writes_of_;  // per value: how many write it, the caller among them
  // Pairs of a value that one write alone makes: each is met once. All others are kept.
  size_t once_ = 0;
  std::set<std::tuple<int32_t, int32_t, int32_t, int32_t>> pairs_;
};

}  // namespace

std::optional<size_t> SweptPairs(const ProgramFacts& facts, int32_t method) {
  const MethodMeaning& at = facts.MeaningAt(method);
  const size_t names = at.method->values.size() + at.roles.states.size();
  if (names * (at.method->instructions.size() + 1) > kMostSwept) return std::nullopt;
  return Sweep(facts, method).Count();
}

}  // namespace pteproof::proofs
