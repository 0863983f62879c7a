#include "properties/proofs/rules/stray_stores.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "properties/proofs/rules/return_names.h"

namespace pteproof::proofs {
namespace {

// The outputs begin with the inputs that the model mutates, one output each: the input itself, or a
// name that an operator gave it after writing it. Ends at the first output that is none of these.
std::set<int32_t> ListedAsMutated(const MethodFacts& facts) {
  const ReturnNames names(facts);
  std::set<int32_t> listed;
  for (const int32_t v : facts.method->outputs) {
    const int32_t input = names.WrittenAs(v);
    const bool mutated =
        facts.parts.Of(input) == Part::kInput && facts.parts.TouchedOf(input).stored_to;
    if (!mutated || !listed.insert(input).second) break;
  }
  return listed;
}

// Of a run, from its end: of the stores to an input that the model mutates the last is the input's,
// unless somebody reads between them.
class StraySearch {
 public:
  explicit StraySearch(const MethodFacts& facts) : facts_(facts), mutated_(ListedAsMutated(facts)) {
    const bool known = facts.stated != nullptr && facts.stated->mutates_inputs.has_value();
    if (known) {
      mutated_.clear();
      for (const int32_t k : *facts.stated->mutates_inputs) {
        const auto position = static_cast<size_t>(k);
        if (position < facts.method->inputs.size()) mutated_.insert(facts.method->inputs[position]);
      }
    }
    std::map<int32_t, int> stores;
    for (const WriteEvent& w : facts.listing.writes) {
      if (IsIntoInput(w)) ++stores[w.value];
    }
    for (const auto& [input, count] : stores) {
      if (!known && count == 1 && mutated_.contains(input)) once_.insert(input);
    }
  }

  void InRun(const Run& run, StrayStores& stray) {
    stored_.clear();
    const auto& takes = facts_.listing.takes;
    auto take = std::ranges::lower_bound(takes, run.end, {},
                                         [](const Take& t) { return t.at.instruction; });
    for (int32_t i = run.end; i-- > run.begin;) {
      if (facts_.IsSelfCopy(i)) {
        stray.certain.push_back(i);
        continue;
      }
      Store(i, stray);
      for (const ReadEvent& r : facts_.listing.ReadsAt(i)) Wanted(r.value);
      for (; take != takes.begin() && std::prev(take)->at.instruction >= i; --take) {
        if (std::prev(take)->at.step == Step::kMove) Wanted(std::prev(take)->from.front());
      }
    }
  }

 private:
  [[nodiscard]] bool IsIntoInput(const WriteEvent& w) const {
    return facts_.parts.Of(w.value) == Part::kInput && !w.result && w.replaces();
  }

  void Store(int32_t i, StrayStores& stray) {
    for (const WriteEvent& w : facts_.listing.WritesAt(i)) {
      if (!IsIntoInput(w)) continue;
      const bool own = stored_.insert(w.value).second && mutated_.contains(w.value);
      if (own && !once_.contains(w.value)) continue;
      (own ? stray.possible : stray.certain).push_back(i);
      return;
    }
  }

  void Wanted(int32_t v) { stored_.erase(facts_.names.RootOf(v)); }

  const MethodFacts& facts_;
  std::set<int32_t> mutated_;
  std::set<int32_t> once_;  // of these, as far as only their place tells, those with one store
  std::set<int32_t> stored_;
};

}  // namespace

StrayStores StrayStoresOf(const MethodFacts& facts) {
  StrayStores stray;
  StraySearch search(facts);
  for (const Run& run : facts.paths.runs) {
    if (run.reached) search.InRun(run, stray);
  }
  std::ranges::sort(stray.certain);
  std::ranges::sort(stray.possible);
  return stray;
}

int32_t SourceOfStore(const MethodFacts& facts, int32_t store) {
  const auto reads = facts.listing.ReadsAt(store);
  return reads.empty() ? facts.listing.WritesAt(store).front().value : reads.front().value;
}

}  // namespace pteproof::proofs
