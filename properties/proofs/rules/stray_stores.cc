#include "properties/proofs/rules/stray_stores.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace pteproof::proofs {
namespace {

// Of a run, from its end: an input that comes back is stored to once, and not again before somebody
// reads it.
class StraySearch {
 public:
  explicit StraySearch(const MethodFacts& facts)
      : facts_(facts), returned_(facts.method->outputs.begin(), facts.method->outputs.end()) {}

  void InRun(const Run& run, std::vector<int32_t>& stray) {
    stored_.clear();
    const auto& takes = facts_.listing.takes;
    auto take = std::ranges::lower_bound(takes, run.end, {},
                                         [](const Take& t) { return t.at.instruction; });
    for (int32_t i = run.end; i-- > run.begin;) {
      if (facts_.IsSelfCopy(i) || StoresAstray(i)) stray.push_back(i);
      if (facts_.IsSelfCopy(i)) continue;
      for (const ReadEvent& r : facts_.listing.ReadsAt(i)) Wanted(r.value);
      for (; take != takes.begin() && std::prev(take)->at.instruction >= i; --take) {
        if (std::prev(take)->at.step == Step::kMove) Wanted(std::prev(take)->from.front());
      }
    }
  }

 private:
  bool StoresAstray(int32_t i) {
    for (const WriteEvent& w : facts_.listing.WritesAt(i)) {
      const bool into_input = facts_.parts.Of(w.value) == Part::kInput && !w.result && w.replaces();
      if (!into_input) continue;
      if (!returned_.contains(w.value) || !stored_.insert(w.value).second) return true;
    }
    return false;
  }

  void Wanted(int32_t v) { stored_.erase(facts_.names.RootOf(v)); }

  const MethodFacts& facts_;
  std::set<int32_t> returned_;
  std::set<int32_t> stored_;
};

}  // namespace

std::vector<int32_t> StrayStores(const MethodFacts& facts) {
  std::vector<int32_t> stray;
  StraySearch search(facts);
  for (const Run& run : facts.paths.runs) {
    if (run.reached) search.InRun(run, stray);
  }
  std::ranges::sort(stray);
  return stray;
}

int32_t SourceOfStore(const MethodFacts& facts, int32_t store) {
  const auto reads = facts.listing.ReadsAt(store);
  return reads.empty() ? facts.listing.WritesAt(store).front().value : reads.front().value;
}

}  // namespace pteproof::proofs
