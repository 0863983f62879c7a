// One piece of shared state, two initial values.
#include <fmt/format.h>

#include <algorithm>

#include "base/rule_names.h"
#include "properties/checks/shared_state.h"
#include "properties/checks/wording.h"

namespace pteproof::checks {
namespace {

// What the file holds may go on behind the tensor's bytes.
Bytes LoadedBytes(const Program& program, const StateInstance& state) {
  const Bytes stored = program.initial_values[state.initial];
  return stored.first(std::min<uint64_t>(stored.size(), state.place.hi - state.place.lo));
}

bool BeginUnlike(const Program& program, const StateInstance& a, const StateInstance& b) {
  if (a.initial == 0 || b.initial == 0 || a.initial == b.initial || a.place != b.place)
    return false;
  return !std::ranges::equal(LoadedBytes(program, a), LoadedBytes(program, b));
}

[[nodiscard]] Finding TellUnlike(const ProgramFacts& facts, const StateKey& key,
                                 const StateInstance& one, const StateInstance& other) {
  const Method& first = facts.MethodAt(one.method);
  const Method& second = facts.MethodAt(other.method);
  Finding finding = FindingAt(rule::kInitialisedTwice, Severity::kError, second, -1, {other.value},
                              other.place);
  finding.policies = PoliciesSharing(other.place.bank);
  finding.story = fmt::format(
      "Loading '{}' puts data {} to {}, and loading '{}' other data ({}).\n"
      "Under a loader that shares bank {}, {} begins with whatever was loaded last.\n"
      "Its value at the first call depends on that: export one initial value.",
      first.name, one.initial, Words(one.place), second.name, other.initial, other.place.bank,
      key.name.empty() ? std::string("the state there") : fmt::format("'{}'", key.name));
  return finding;
}

}  // namespace

std::vector<Finding> CheckUnlikeInitials(const ProgramFacts& facts) {
  std::vector<Finding> findings;
  for (const StateKey& key : facts.states.keys) {
    const auto one = std::ranges::find_if(
        key.instances, [](const StateInstance& i) { return i.initial > 0; });
    if (!key.read_somewhere || one == key.instances.end()) continue;
    if (PoliciesSharing(one->place.bank) == PolicySet::None()) continue;
    const ManifestBuffer* stated = facts.Stated(key.name);
    if (stated != nullptr && !stated->shared.value_or(true)) continue;
    const auto other = std::ranges::find_if(key.instances, [&](const StateInstance& i) {
      return BeginUnlike(facts.program, *one, i);
    });
    if (other != key.instances.end()) findings.push_back(TellUnlike(facts, key, *one, *other));
  }
  return findings;
}

}  // namespace pteproof::checks
