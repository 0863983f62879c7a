// Idea: a second count of the pairs of a write and a live name, as different from needs.h as
// possible. Sets of live names, one bit per name, are iterated over all runs to a fixed point. A
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
        facts_(program.FactsAt(method)),
        holders_(facts_.names.takes, facts_.paths),
        names_(static_cast<size_t>(facts_.value_count()) + facts_.parts.buffers.size()),
        live_in_(facts_.paths.runs.size(), NameSet(names_)),
        touched_out_(facts_.paths.runs.size(), NameSet(names_)) {}

  size_t Count() {
    UntilStable([&](int32_t step) {
      const int32_t r = RunCount() - 1 - step;
      return IsReached(r) && Replace(live_in_, r, WalkBack(r, false));
    });
    UntilStable(
        [&](int32_t r) { return IsReached(r) && Replace(touched_out_, r, TouchedAfter(r)); });
    for (int32_t r = 0; r < RunCount(); ++r) {
      if (IsReached(r)) WalkBack(r, true);
    }
    AtEntry();
    return pairs_.size();
  }

 private:
  [[nodiscard]] int32_t RunCount() const { return static_cast<int32_t>(facts_.paths.runs.size()); }

  [[nodiscard]] bool IsReached(int32_t r) const { return facts_.paths[r].reached; }

  // As many steps as there are runs, each of which says whether it changed a set. In the order in
  // which names flow, rounds are as many as loops lie in each other, and one or two more.
  template <class Step>
  void UntilStable(Step step) {
    for (bool changed = true; changed;) {
      changed = false;
      for (int32_t r = 0; r < RunCount(); ++r) changed = step(r) || changed;
    }
  }

  static bool Replace(std::vector<NameSet>& sets, int32_t r, NameSet set) {
    return std::exchange(sets[static_cast<size_t>(r)], set) != set;
  }

  [[nodiscard]] NameSet TouchedBefore(int32_t r) const {
    NameSet touched(names_);
    for (const int32_t p : facts_.paths[r].before) {
      if (IsReached(p)) AddAll(touched, touched_out_[static_cast<size_t>(p)]);
    }
    return touched;
  }

  [[nodiscard]] NameSet TouchedAfter(int32_t r) const {
    NameSet touched = TouchedBefore(r);
    for (int32_t i = facts_.paths[r].begin; i < facts_.paths[r].end; ++i) Touch(i, touched);
    return touched;
  }

  void Touch(int32_t i, NameSet& touched) const {
    for (const WriteEvent& w : facts_.listing.WritesAt(i)) touched[Index(w.value)] = true;
    for (const Take& take : TakesAt(i)) touched[Index(take.to)] = true;
  }

  static size_t Index(Name n) { return static_cast<size_t>(n); }

  [[nodiscard]] std::span<const Take> TakesAt(int32_t i) const {
    return std::ranges::equal_range(facts_.names.takes, i, {},
                                    [](const Take& t) { return t.at.instruction; });
  }

  [[nodiscard]] NameSet WantedAtEnd() const {
    NameSet wanted(names_);
    for (const int32_t v : facts_.method->outputs) {
      if (facts_.method->TensorOf(v) != nullptr) wanted[Index(v)] = true;
    }
    TakeBack(facts_.instruction_count(), Step::kBefore, Step::kEnd, wanted);
    for (size_t b = 0; b < facts_.parts.buffers.size(); ++b) {
      const Name end = facts_.value_count() + static_cast<int32_t>(b);
      if (!ExtentOf(*facts_.method, facts_.ValueOf(end)).empty()) wanted[Index(end)] = true;
    }
    return wanted;
  }

  void TakeBack(int32_t i, Step first, Step last, NameSet& live) const {
    const auto takes = TakesAt(i);
    for (size_t t = takes.size(); t-- > 0;) {
      if (takes[t].at.step < first || takes[t].at.step > last) continue;
      if (!live[Index(takes[t].to)]) continue;
      live[Index(takes[t].to)] = false;
      for (const int32_t source : takes[t].from) live[Index(source)] = true;
    }
  }

  NameSet WalkBack(int32_t r, bool count) {
    const Run& run = facts_.paths[r];
    NameSet live(names_);
    if (run.leaves) live = WantedAtEnd();
    for (const int32_t next : run.next) AddAll(live, live_in_[static_cast<size_t>(next)]);
    std::vector<NameSet> touched;  // before each instruction, where pairs are counted
    if (count) {
      touched.push_back(TouchedBefore(r));
      for (int32_t i = run.begin; i < run.end; ++i) {
        touched.push_back(touched.back());
        Touch(i, touched.back());
      }
    }
    for (int32_t i = run.end; i-- > run.begin;) {
      TakeBack(i, Step::kReturn, Step::kReturn, live);
      if (count) CountAt(i, live, touched[static_cast<size_t>(i - run.begin)]);
      for (const WriteEvent& w : facts_.listing.WritesAt(i)) Unmake(w, live);
      if (program_.IsObserved(index_, i)) {
        for (const ReadEvent& read : facts_.listing.ReadsAt(i)) live[Index(read.value)] = true;
      }
      TakeBack(i, Step::kMove, Step::kMove, live);
      TakeBack(i, Step::kBefore, Step::kBefore, live);
    }
    return live;
  }

  void Unmake(const WriteEvent& w, NameSet& live) const {
    if (w.access != Access::kFill) live[Index(w.value)] = false;
    const int32_t b = facts_.StoredBuffer(w);
    if (b < 0 || !w.replaces()) return;
    const Name end = facts_.value_count() + b;
    const Extent all = ExtentOf(*facts_.method, facts_.ValueOf(end));
    if (ExtentOf(*facts_.method, w.value).Covers(all)) live[Index(end)] = false;
  }

  void CountAt(int32_t i, const NameSet& live, const NameSet& touched) {
    const auto writes = facts_.listing.WritesAt(i);
    for (const WriteEvent& w : writes) {
      for (size_t n = 0; n < names_; ++n) {
        const auto name = static_cast<Name>(n);
        if (!live[n] || name == w.value) continue;
        const bool sibling = std::ranges::find(writes, name, &WriteEvent::value) != writes.end();
        const bool held =
            touched[n] || sibling || IsThereAtEntry(name) || IsMovedHereBefore(i, name);
        const int32_t end = facts_.EndOf(name);
        if (held && (end < 0 || facts_.StoredBuffer(w) != end)) Pair(w.value, name, i);
      }
    }
  }

  // Named by this very instruction, before it writes.
  [[nodiscard]] bool IsMovedHereBefore(int32_t i, Name n) const {
    return std::ranges::any_of(
        TakesAt(i), [&](const Take& take) { return take.to == n && take.at.step < Step::kWrite; });
  }

  void AtEntry() {
    for (const int32_t input : facts_.method->inputs) {
      if (facts_.method->TensorOf(input) == nullptr) continue;
      for (size_t n = 0; n < names_; ++n) {
        const auto name = static_cast<Name>(n);
        if (live_in_.front()[n] && name != input && IsThereAtEntry(name)) Pair(input, name, -1);
      }
    }
  }

  [[nodiscard]] bool IsThereAtEntry(Name n) const {
    if (facts_.EndOf(n) >= 0) return true;
    return facts_.parts.Of(n) != Part::kLocal && facts_.parts.Of(n) != Part::kCaller;
  }

  void Pair(int32_t writer, Name name, int32_t i) {
    const int32_t end = facts_.EndOf(name);
    if (end >= 0 && program_.PoliciesWanting(index_, end) == PolicySet::None()) return;
    const Moment at = {i, Step::kWrite};
    const auto held_in = end >= 0 ? std::vector{facts_.ValueOf(name)} : holders_.Of(name, at);
    for (const int32_t to : holders_.Of(writer, at)) {
      for (const int32_t from : held_in) {
        if (facts_.ShareMemory(to, from)) pairs_.insert({writer, name, to, from});
      }
    }
  }

  const ProgramFacts& program_;
  int32_t index_;
  const MethodFacts& facts_;
  Holders holders_;
  size_t names_;
  std::vector<NameSet> live_in_;  // per run
  std::vector<NameSet>
      touched_out_;  // per run: names that something before its end writes or takes
  std::set<std::tuple<int32_t, Name, int32_t, int32_t>> pairs_;
};

}  // namespace

std::optional<size_t> SweptPairs(const ProgramFacts& facts, int32_t method) {
  const MethodFacts& at = facts.FactsAt(method);
  const size_t names = at.method->values.size() + at.parts.buffers.size();
  if (names * (at.method->instructions.size() + 1) > kMostSwept) return std::nullopt;
  return Sweep(facts, method).Count();
}

}  // namespace pteproof::proofs
