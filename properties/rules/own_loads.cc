// Two buffers of one method in common bytes: loading the method puts the initial value of one over
// the other.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/rule_names.h"
#include "properties/rules/initial_bytes.h"
#include "properties/rules/shared_state.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

// Those of one method, by place, the longest first. Of several that are loaded with the same from
// one byte on one is enough.
std::vector<StateInstance> ByPlace(const Program& program, std::vector<StateInstance> states) {
  std::erase_if(states, [](const StateInstance& s) { return s.place.empty(); });
  std::ranges::stable_sort(states, {}, [](const StateInstance& s) {
    return std::tuple(s.place.bank, s.place.lo, ~s.place.hi);
  });
  std::vector<StateInstance> kept;
  std::optional<size_t> loaded;  // the last one
  for (const StateInstance& s : states) {
    const bool same = loaded && LoadAlike(program, {kept[*loaded].place, kept[*loaded].initial},
                                          {s.place, s.initial});
    if (same) {
      kept[*loaded].reads = kept[*loaded].reads || s.reads;
      continue;
    }
    if (s.initial > 0) loaded = kept.size();
    kept.push_back(s);
  }
  return kept;
}

struct OwnLoad {
  const StateInstance* kept = nullptr;
  const StateInstance* loaded = nullptr;  // over it
};

// The first two that meet, one of them wanted at entry and the other loaded. O(states).
std::optional<OwnLoad> FirstMeeting(const std::vector<StateInstance>& states) {
  const auto reaches = [](const StateInstance* known, const StateInstance& s) {
    return known != nullptr && known->place.Meets(s.place);
  };
  const StateInstance* wanted = nullptr;  // of those before, the one that ends last
  const StateInstance* loaded = nullptr;
  for (const StateInstance& s : states) {
    if (s.reads && reaches(loaded, s)) return OwnLoad{&s, loaded};
    if (s.initialised() && reaches(wanted, s)) return OwnLoad{wanted, &s};
    const auto ends_last = [&](const StateInstance* known) {
      return known == nullptr || known->place.bank != s.place.bank || known->place.hi < s.place.hi;
    };
    if (s.reads && ends_last(wanted)) wanted = &s;
    if (s.initialised() && ends_last(loaded)) loaded = &s;
  }
  return std::nullopt;
}

Finding TellOwnLoad(const Method& method, const OwnLoad& load) {
  const Place bytes = Common(load.kept->place, load.loaded->place);
  Finding finding = FindingAt(rule::kStateClobbered, Severity::kError, method, -1,
                              {load.loaded->value, load.kept->value}, bytes);
  finding.explanation = fmt::format(
      "Method '{}' keeps state in {}.\n"
      "Loading the method copies the initial value of {} over some of these bytes.\n"
      "One of the two buffers starts with the value of the other.",
      method.name, ValueWords(method, load.kept->value), ValueWords(method, load.loaded->value));
  finding.fix = "Give each buffer bytes of its own.";
  return finding;
}

}  // namespace

std::vector<Finding> CheckOwnLoads(const ProgramFacts& facts) {
  std::vector<std::vector<StateInstance>> of_method(facts.methods.size());
  for (const StateKey& key : facts.states.keys) {
    for (const StateInstance& s : key.instances)
      of_method[static_cast<size_t>(s.method)].push_back(s);
  }
  std::vector<Finding> findings;
  for (size_t m = 0; m < of_method.size(); ++m) {
    if (!facts.calls.IsCalled(static_cast<int32_t>(m))) continue;
    const std::vector<StateInstance> states = ByPlace(facts.program, std::move(of_method[m]));
    if (const auto load = FirstMeeting(states))
      findings.push_back(TellOwnLoad(*facts.methods[m].method, *load));
  }
  return findings;
}

}  // namespace pteproof::checks
