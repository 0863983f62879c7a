// Idea: follow each use upwards to the making of the name. Within a run that gives a span of
// moments in which the name is wanted. A name that the run does not make is wanted at the end of
// each run before it, and a name that was taken from others wants these at that moment.
//
//   run 0:  0: v3 = ..                     [0.write, end)   v3
//   run 1:  1: ..   2: reads v3            [begin, 2.read)  v3, made before
//
// Invariant: one span per run, name and making; a later use only moves its end. So loops end, and a
// write within a span, by anybody but the name itself, destroys a wanted value.
//
// Cost: O(spans log spans); beyond kMostSpans `complete` is false.
#include "properties/proofs/facts/needs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace pteproof::proofs {
namespace {

class NeedSearch {
 public:
  NeedSearch(const Paths& paths, std::span<const Take> takes, const Makings& makings)
      : paths_(paths), takes_(takes), makings_(makings) {}

  void Want(Use use, int32_t run, int32_t before_take = 0) {
    open_.push_back({use, run, before_take});
    while (!open_.empty()) {
      const Wanted next = open_.back();
      open_.pop_back();
      Follow(next);
    }
  }

  void WantAtEnd(Use use, int32_t run) {
    use.at = EndOf(run);
    leaving_.insert({run, use.name});
    Want(use, run);
  }

  Needs Finish(const std::vector<std::vector<int32_t>>& touches) && {
    const auto made = MadeBefore(touches);
    Needs needs;
    for (const auto& [key, span] : spans_) {
      needs.spans.push_back(span);
      needs.spans.back().made_before = made.contains({span.run, span.name});
    }
    std::ranges::sort(needs.spans, {},
                      [](const Need& n) { return std::tuple(n.run, n.from, n.name, n.until); });
    needs.at_entry.assign(at_entry_.begin(), at_entry_.end());
    needs.complete = spans_.size() <= kMostSpans;
    return needs;
  }

 private:
  struct Wanted {
    Use use;
    int32_t run = 0;
    int32_t before_take = 0;  // of takes at that very moment only those with smaller indices count
  };
  using Key = std::tuple<int32_t, Name, Making>;  // run; nowhere in it: kNowhere

  static constexpr Making kNowhere = {{-2, Step::kBefore}, -1};

  [[nodiscard]] Moment EndOf(int32_t run) const { return {paths_[run].end, Step::kBefore}; }

  [[nodiscard]] Making LastMaking(const Wanted& wanted) const {
    const auto& makings = makings_[static_cast<size_t>(wanted.use.name)];
    const auto after = std::ranges::partition_point(makings, [&](const Making& m) {
      return m.at < wanted.use.at ||
             (m.at == wanted.use.at && m.take >= 0 && m.take < wanted.before_take);
    });
    if (after == makings.begin()) return kNowhere;
    const Making last = *std::prev(after);
    return last.at.instruction >= paths_[wanted.run].begin ? last : kNowhere;
  }

  void Follow(const Wanted& wanted) {
    if (spans_.size() > kMostSpans) return;
    const Making making = LastMaking(wanted);
    const bool here = making != kNowhere;
    if (!here && wanted.run == 0) WantAtEntry(wanted.use);
    const Moment from = here ? making.at : Moment{paths_[wanted.run].begin, Step::kBefore};
    const auto [known, fresh] = spans_.try_emplace(
        {wanted.run, wanted.use.name, making},
        Need{wanted.use.name, wanted.run, from, wanted.use.at, here, false, wanted.use.reader});
    if (!fresh) {
      if (known->second.until < wanted.use.at) {
        known->second.until = wanted.use.at;
        known->second.reader = wanted.use.reader;
      }
      return;
    }
    if (!here) WantBefore(wanted);
    if (making.take < 0) return;
    const Take& take = takes_[static_cast<size_t>(making.take)];
    for (const int32_t source : take.from) {
      open_.push_back({{source, take.at, wanted.use.reader}, wanted.run, making.take});
    }
  }

  // The first reader has the least that was made before it.
  void WantAtEntry(const Use& use) {
    const auto [known, fresh] = at_entry_.emplace(use.name, use.reader);
    known->second = std::min(known->second, use.reader);
  }

  void WantBefore(const Wanted& wanted) {
    for (const int32_t p : paths_[wanted.run].before) {
      if (!paths_[p].reached) continue;
      leaving_.insert({p, wanted.use.name});
      open_.push_back({{wanted.use.name, EndOf(p), wanted.use.reader}, p, 0});
    }
  }

  // Runs and names that are wanted there and that some run before it touched, the name being
  // wanted all the way.
  [[nodiscard]] std::set<std::pair<int32_t, Name>> MadeBefore(
      const std::vector<std::vector<int32_t>>& touches) const {
    std::set<std::pair<int32_t, Name>> made;
    if (paths_.straight()) return made;
    std::vector<std::pair<int32_t, Name>> open;
    for (size_t n = 0; n < touches.size(); ++n) {
      for (const int32_t i : touches[n]) open.emplace_back(paths_.RunAt(i), static_cast<Name>(n));
    }
    while (!open.empty()) {
      const auto [run, name] = open.back();
      open.pop_back();
      if (!leaving_.contains({run, name})) continue;
      for (const int32_t next : paths_[run].next) {
        if (made.insert({next, name}).second) open.emplace_back(next, name);
      }
    }
    return made;
  }

  const Paths& paths_;
  std::span<const Take> takes_;
  const Makings& makings_;
  std::map<Key, Need> spans_;
  std::map<Name, int32_t> at_entry_;
  std::set<std::pair<int32_t, Name>> leaving_;  // runs at whose end a name is wanted
  std::vector<Wanted> open_;
};

}  // namespace

Needs NeedsOf(const Paths& paths, std::span<const Take> takes, const Makings& makings,
              std::span<const Use> uses, std::span<const Use> ends,
              const std::vector<std::vector<int32_t>>& touches) {
  NeedSearch search(paths, takes, makings);
  for (const Use& use : uses) {
    const int32_t run = paths.RunAt(use.at.instruction);
    if (paths[run].reached) search.Want(use, run);
  }
  for (int32_t r = 0; r < static_cast<int32_t>(paths.runs.size()); ++r) {
    if (!paths[r].leaves || !paths[r].reached) continue;
    for (const Use& use : ends) search.WantAtEnd(use, r);
  }
  return std::move(search).Finish(touches);
}

}  // namespace pteproof::proofs
