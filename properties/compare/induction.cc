// Idea: at the head of the loop, which is the jump with the open condition, both sides hold bytes,
// numbers and the calls that count. What a round changes is replaced by unknown terms: one term for
// all that has held equal contents in the rounds so far, on either side. From there one more round
// is followed. If what was one term is one content again, it is so after any number of rounds.
//
//     old  x = [head 1]   round: x = f([head 1])        one term, and one content again: the loop
//     new  y = [head 1]   round: y = f([head 1])        may be left with x = y = [head 1]
//
// If it is not, histories with that round are told apart and the round is followed again.
//
// Invariant: where values are and which sizes they have is the same in all rounds, else there is no
// answer. The first arrival is an instance of the unknown terms, and so is each arrival after one.
//
// Cost: two rounds for each split, at most kMostSplits; ways through a round at most kMostArrivals.
#include "properties/compare/induction.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "properties/compare/terms/heads.h"

namespace pteproof::compare {
namespace {

constexpr int kMostSplits = 6;
constexpr size_t kMostArrivals = 16;

// Both sides at the head of the loop.
struct Arrival {
  Snapshot sides[2];
};

class LoopProof {
 public:
  LoopProof(TermTable& table, const PathRunners& runners, const Path& path, bool again)
      : table_(table), runners_(runners), path_(path), again_(again) {}

  std::optional<Path> Run() {
    const auto first = ArrivalAt(path_);
    if (!first) return std::nullopt;
    at_ = condition_;
    Round round = {*first, {}};
    if (!Follow(Decided(path_, at_, again_), round)) return std::nullopt;
    rounds_.push_back(std::move(round));
    for (int split = 0; split < kMostSplits; ++split) {
      Path head = path_;
      if (!MakeCut(0, head.old_cuts) || !MakeCut(1, head.new_cuts)) return std::nullopt;
      const auto any = ArrivalAt(head);
      if (!any || !SameForms(rounds_.front().from, *any)) return std::nullopt;
      const Condition condition = condition_;
      Round next = {*any, {}};
      if (!Follow(Decided(head, condition, again_), next)) return std::nullopt;
      rounds_.push_back(std::move(next));
      if (IsClosed()) return Decided(head, condition, !again_);
    }
    return std::nullopt;
  }

 private:
  // What is held at one arrival, and at the next ones on all ways through the round.
  struct Round {
    Arrival from;
    std::vector<Arrival> to;
  };

  static Path Decided(Path path, const Condition& condition, bool holds) {
    path.assumed.holds[condition] = holds;
    return path;
  }

  // Both sides end at one open condition, at their jumps of the loop: that condition is condition_.
  std::optional<Arrival> ArrivalAt(const Path& path) {
    Trace old_trace = RunOld(runners_, path, true);
    Trace new_trace = RunNew(runners_, path, true);
    open_ = old_trace.open && new_trace.open && *old_trace.open == *new_trace.open;
    if (!open_) return std::nullopt;
    condition_ = *old_trace.open;
    if (old_jump_ < 0) {
      old_jump_ = old_trace.open_at;
      new_jump_ = new_trace.open_at;
    }
    const bool at_old = old_trace.open_at == old_jump_;
    const bool at_new = new_trace.open_at == new_jump_;
    if (at_old != at_new) open_ = false;
    if (!at_old || !at_new || !old_trace.snapshot || !new_trace.snapshot) return std::nullopt;
    return Arrival{{*std::move(old_trace.snapshot), *std::move(new_trace.snapshot)}};
  }

  // All arrivals at the head after one more round. False: some way through it does not come back.
  bool Follow(Path path, Round& round) {
    std::vector<Path> open = {std::move(path)};
    size_t runs = 0;
    while (!open.empty()) {
      const Path next = std::move(open.back());
      open.pop_back();
      if (++runs > 2 * kMostArrivals) return false;
      auto arrival = ArrivalAt(next);
      if (arrival) {
        if (!SameForms(round.from, *arrival)) return false;
        round.to.push_back(*std::move(arrival));
        continue;
      }
      if (!open_) return false;
      if (condition_ == at_) return false;
      for (const bool holds : {false, true}) open.push_back(Decided(next, condition_, holds));
    }
    return !round.to.empty() && round.to.size() <= kMostArrivals;
  }

  static bool SameForms(const Arrival& a, const Arrival& b) {
    for (const int side : {0, 1}) {
      if (a.sides[side].form != b.sides[side].form) return false;
    }
    return true;
  }

  // Calls each(arrival, is_start) for all that were followed so far.
  template <class Each>
  void ForEachArrival(const Each& each) const {
    for (const Round& round : rounds_) {
      each(round.from, true);
      for (const Arrival& to : round.to) each(to, false);
    }
  }

  // Between two of these bytes of a memory, all were written alike.
  [[nodiscard]] std::vector<uint64_t> BoundsOf(int side, uint64_t number) const {
    std::set<uint64_t> bounds;
    ForEachArrival([&](const Arrival& arrival, bool) {
      const auto found = arrival.sides[side].memories.find(number);
      if (found == arrival.sides[side].memories.end()) return;
      for (const uint64_t bound : found->second.Bounds()) bounds.insert(bound);
    });
    return {bounds.begin(), bounds.end()};
  }

  // What was held in all arrivals; nothing: a memory was not there in some.
  [[nodiscard]] std::optional<std::vector<ContentId>> HistoryOf(int side, uint64_t number,
                                                                uint64_t first,
                                                                uint64_t count) const {
    std::vector<ContentId> history;
    bool known = true;
    ForEachArrival([&](const Arrival& arrival, bool) {
      const auto found = arrival.sides[side].memories.find(number);
      known = known && found != arrival.sides[side].memories.end();
      if (known) history.push_back(found->second.Read(first, count));
    });
    return known ? std::optional(std::move(history)) : std::nullopt;
  }

  // Unknown terms for all that rounds change.
  bool MakeCut(int side, std::vector<Cut>& cuts) {
    Cut cut;
    cut.at = at_;
    std::set<uint64_t> numbers;
    ForEachArrival([&](const Arrival& arrival, bool) {
      for (const auto& [number, memory] : arrival.sides[side].memories) numbers.insert(number);
    });
    for (const uint64_t number : numbers) {
      const std::vector<uint64_t> bounds = BoundsOf(side, number);
      for (size_t b = 0; b + 1 < bounds.size(); ++b) {
        const uint64_t count = bounds[b + 1] - bounds[b];
        const auto history = HistoryOf(side, number, bounds[b], count);
        if (!history) return false;
        if (IsConstant(*history)) continue;
        const TermId unknown = HeadOfBytes(table_, *history);
        sizes_[unknown] = count;
        cut.bytes.push_back({number, bounds[b], table_.Whole(unknown, count)});
      }
    }
    if (!CutNumbers(side, cut)) return false;
    std::vector<TermId> effects;
    ForEachArrival(
        [&](const Arrival& arrival, bool) { effects.push_back(arrival.sides[side].effect); });
    cut.effect = IsConstant(effects) ? effects.front() : HeadOfEffect(table_, effects);
    cuts.push_back(std::move(cut));
    return true;
  }

  bool CutNumbers(int side, Cut& cut) {
    const size_t count = rounds_.front().from.sides[side].numbers.size();
    for (size_t v = 0; v < count; ++v) {
      std::vector<SymbolicNumber> history;
      size_t arrivals = 0;
      ForEachArrival([&](const Arrival& arrival, bool) {
        ++arrivals;
        const auto& number = arrival.sides[side].numbers[v];
        if (number) history.push_back(*number);
      });
      if (!history.empty() && history.size() < arrivals) return false;
      if (history.empty() || IsConstant(history)) continue;
      cut.numbers.emplace_back(
          v, SymbolicNumber{SymbolicNumber::Kind::kTerm, HeadOfNumber(table_, history)});
    }
    return true;
  }

  template <class T>
  static bool IsConstant(const std::vector<T>& history) {
    return std::ranges::all_of(history, [&](const T& held) { return held == history.front(); });
  }

  // Whether what was one term, or was not replaced, is that again on all ways through the last
  // round.
  bool IsClosed() const {
    return std::ranges::all_of(rounds_.back().to, [&](const Arrival& to) { return Agrees(to); });
  }

  bool Agrees(const Arrival& to) const {
    Images<ContentId> contents;
    Images<std::pair<SymbolicNumber::Kind, uint64_t>> numbers;
    Images<TermId> effects;
    for (const int side : {0, 1}) {
      const Snapshot& first = rounds_.front().from.sides[side];
      const Snapshot& before = rounds_.back().from.sides[side];
      const Snapshot& after = to.sides[side];
      if (!effects.Add(first.effect, before.effect, after.effect)) return false;
      if (!BytesAgree(side, after, contents)) return false;
      for (size_t v = 0; v < before.numbers.size(); ++v) {
        const auto& number = after.numbers[v];
        if (before.numbers[v].has_value() != number.has_value()) return false;
        if (number &&
            !numbers.Add(Pair(*first.numbers[v]), Pair(*before.numbers[v]), Pair(*number)))
          return false;
      }
    }
    return true;
  }

  static std::pair<SymbolicNumber::Kind, uint64_t> Pair(const SymbolicNumber& number) {
    return {number.kind, number.bits};
  }

  // What a round makes of each thing that is held.
  template <class T>
  struct Images {
    std::map<T, T> of;

    // False: what was not replaced is changed, or one thing becomes two.
    bool Add(const T& original, const T& before, const T& after) {
      if (original == before && before != after) return false;
      return of.try_emplace(before, after).first->second == after;
    }
  };

  bool BytesAgree(int side, const Snapshot& after, Images<ContentId>& contents) const {
    const Snapshot& first = rounds_.front().from.sides[side];
    const Snapshot& before = rounds_.back().from.sides[side];
    if (before.memories.size() != after.memories.size()) return false;
    for (const auto& [number, memory] : before.memories) {
      const auto original = first.memories.find(number);
      const auto found = after.memories.find(number);
      if (original == first.memories.end() || found == after.memories.end()) return false;
      const std::vector<uint64_t> bounds = BoundsOf(side, number);
      for (size_t b = 0; b + 1 < bounds.size(); ++b) {
        const uint64_t at = bounds[b];
        const uint64_t count = bounds[b + 1] - at;
        const ContentId held = memory.Read(at, count);
        const ContentId was = original->second.Read(at, count);
        // A part of an unknown term is told apart in the next round.
        if (held != was && !IsWholeHead(held)) return false;
        if (!contents.Add(was, held, found->second.Read(at, count))) return false;
      }
    }
    return true;
  }

  // Whether these are all bytes of an unknown term of the last cut.
  [[nodiscard]] bool IsWholeHead(ContentId content) const {
    const auto runs = table_[content].runs();
    if (runs.size() != 1 || runs.front().first != 0 || runs.front().count != 1) return false;
    const auto size = sizes_.find(runs.front().term);
    return size != sizes_.end() && size->second == runs.front().size;
  }

  TermTable& table_;
  const PathRunners& runners_;
  const Path& path_;
  bool again_;
  Condition at_;         // where the cut is
  Condition condition_;  // of the last arrival, or of the open jump where a run ended instead
  bool open_ = false;    // both sides ended at one condition
  int32_t old_jump_ = -1;
  int32_t new_jump_ = -1;
  std::vector<Round> rounds_;
  std::map<TermId, uint64_t> sizes_;  // of unknown terms
};

Trace RunWith(const std::function<Trace(const Assumptions&)>& run, const Path& path,
              const std::vector<Cut>& cuts, bool snapshot) {
  Assumptions assumed = path.assumed;
  assumed.cuts = cuts;
  assumed.snapshot = snapshot;
  return run(assumed);
}

}  // namespace

Trace RunOld(const PathRunners& runners, const Path& path, bool snapshot) {
  return RunWith(runners.old_call, path, path.old_cuts, snapshot);
}

Trace RunNew(const PathRunners& runners, const Path& path, bool snapshot) {
  return RunWith(runners.new_call, path, path.new_cuts, snapshot);
}

std::optional<Path> AfterLoop(TermTable& table, const PathRunners& runners, const Path& path,
                              bool again) {
  return LoopProof(table, runners, path, again).Run();
}

}  // namespace pteproof::compare
