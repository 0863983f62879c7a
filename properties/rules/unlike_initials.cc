// One piece of shared state, two initial values.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/rules/histories.h"
#include "properties/rules/initial_bytes.h"
#include "properties/rules/shared_state.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

bool BeginUnlike(const Program& program, const StateInstance& a, const StateInstance& b) {
  return a.place == b.place && !LoadAlike(program, {a.place, a.initial}, {b.place, b.initial});
}

// Those that loading gives a value in memory of several methods, by place.
std::vector<StateInstance> SharedBeginnings(const StateKey& key) {
  std::vector<StateInstance> loaded;
  std::ranges::copy_if(key.instances, std::back_inserter(loaded), [](const StateInstance& i) {
    return i.initial > 0 && PoliciesSharing(i.place.bank) != PolicySet::None();
  });
  std::ranges::stable_sort(loaded, {}, [](const StateInstance& i) {
    return std::tuple(i.place.bank, i.place.lo, i.place.hi);
  });
  return loaded;
}

// The first two, by index, that begin unlike, and of which a call can show it. If calls come in any
// order, two unlike ones are such neighbours.
std::optional<std::pair<size_t, size_t>> FirstUnlike(const ProgramFacts& facts, const StateKey& key,
                                                     const std::vector<StateInstance>& loaded) {
  for (size_t a = 0; a < loaded.size(); ++a) {
    const size_t end = facts.calls.IsAny() ? std::min(a + 2, loaded.size()) : loaded.size();
    for (size_t b = a + 1; b < end; ++b) {
      if (BeginUnlike(facts.program, loaded[a], loaded[b]) &&
          CanMixLoads(facts, key, loaded[a], loaded[b])) {
        return std::pair(a, b);
      }
    }
  }
  return std::nullopt;
}

[[nodiscard]] Finding TellUnlike(const ProgramFacts& facts, const StateKey& key,
                                 const StateInstance& one, const StateInstance& other) {
  const Method& first = facts.MethodAt(one.method);
  const Method& second = facts.MethodAt(other.method);
  Finding finding =
      FindingAt(rule::kInitialisedTwice, Severity::kError, second, -1, {other.value}, other.place);
  finding.policies = PoliciesSharing(other.place.bank);
  finding.other_method = first.name;
  finding.other_bank = one.place.bank;
  finding.explanation = fmt::format(
      "Loading '{}' copies data {} to {}. Loading '{}' copies data {} there.\n"
      "Under a loader that shares bank {}, {} starts with the data that were loaded last.\n"
      "Its value at the first call depends on the order of the loads.",
      first.name, one.initial, Words(one.place), second.name, other.initial, other.place.bank,
      key.name.empty() ? std::string("the state there") : fmt::format("'{}'", key.name));
  finding.fix = "Export one initial value for all methods.";
  return finding;
}

}  // namespace

std::vector<Finding> CheckUnlikeInitials(const ProgramFacts& facts) {
  std::vector<Finding> findings;
  for (const StateKey& key : facts.states.keys) {
    if (!key.read_somewhere || facts.SharingOf(key) == Sharing::kApart) continue;
    const std::vector<StateInstance> loaded = SharedBeginnings(key);
    if (const auto pair = FirstUnlike(facts, key, loaded)) {
      findings.push_back(TellUnlike(facts, key, loaded[pair->first], loaded[pair->second]));
    }
  }
  return findings;
}

}  // namespace pteproof::checks
