#include "properties/checks/check_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/rule_names.h"
#include "properties/checks/in_place.h"
#include "properties/checks/overlap.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

// Places where some planned value ends: an offset there is a packing planner's, however odd.
std::set<std::pair<uint32_t, uint64_t>> Ends(const MethodMeaning& meant) {
  std::set<std::pair<uint32_t, uint64_t>> ends;
  for (const Place& place : meant.roles.place) {
    if (!place.empty()) ends.insert({place.bank, place.hi});
  }
  return ends;
}

[[gnu::cold]] Finding TellOutOfBank(const MethodMeaning& meant, int32_t v, const Place& place,
                                    uint64_t size) {
  Finding finding = FindingAt(rule::kPlanBounds, Severity::kError, *meant.method, -1, {v}, place);
  finding.explanation = fmt::format(
      "{} reaches past the end of its bank.\nBank {} of '{}' has {} bytes.\n"
      "Loaders refuse the method.",
      ValueWords(*meant.method, v), place.bank, meant.method->name, size);
  finding.fix = "Plan the method again, or give the bank that size.";
  return finding;
}

[[gnu::cold]] Finding TellMisaligned(const MethodMeaning& meant, int32_t v, const Place& place,
                                     bool packed) {
  const uint32_t element = ElementSize(meant.method->TensorOf(v)->dtype);
  Finding finding = FindingAt(rule::kPlanAlignment, packed ? Severity::kWarning : Severity::kError,
                              *meant.method, -1, {v}, place);
  finding.explanation = fmt::format(
      "{} starts at an offset that is not a multiple of its element size, {} bytes.\n{}",
      ValueWords(*meant.method, v), element,
      packed ? "Another value ends at that offset: the plan packs values without alignment.\n"
               "Such accesses are slow on many processors and fault on some."
             : "No value ends at that offset: no packing of values leads to it.\n"
               "Such accesses may fault.");
  finding.fix = packed ? "Plan with a larger alignment." : "Plan the method again.";
  return finding;
}

[[gnu::cold]] void TellIncomplete(const MethodMeaning& meant, std::vector<Finding>& findings) {
  Finding finding = FindingAt(rule::kNotProvable, Severity::kNote, *meant.method, -1, {}, {});
  finding.undecided = true;
  finding.explanation =
      "The control flow, or the number of names for the same bytes, is beyond the limit on work.\n"
      "Lifetimes of this method were not followed to the end, so its plan is undecided.\n"
      "Errors of this method may be missing in the report.";
  finding.fix = "Split the method, or do not trust it: no exporter writes such a method.";
  findings.push_back(std::move(finding));
}

// Victim and instruction of the observed clobbers: the ones that remain when instructions without
// an observer read nothing.
std::set<std::pair<int32_t, int32_t>> SeenClobbers(const MethodMeaning& meant,
                                                   const StateTable& states, size_t index) {
  Effects seen = meant.effects;
  seen.reads.clear();
  for (size_t i = 0; i < meant.method->instructions.size(); ++i) {
    const auto reads = meant.effects.ReadsOf(i);
    seen.first[i].read = static_cast<uint32_t>(seen.reads.size());
    if (IsObserved(meant, states, index, static_cast<int32_t>(i))) {
      seen.reads.insert(seen.reads.end(), reads.begin(), reads.end());
    }
  }
  seen.first.back().read = static_cast<uint32_t>(seen.reads.size());
  const MethodFlow flow = {*meant.method, seen, meant.graph, meant.roles, meant.aliases};
  std::set<std::pair<int32_t, int32_t>> clobbers;
  for (const Clobber& c : WalkBackwards(flow, LivenessOf(flow)).clobbers) {
    clobbers.insert({c.victim, c.instruction});
  }
  return clobbers;
}

void TellWalk(const MethodMeaning& meant, const Walk& walk, const StateTable& states, size_t index,
              std::vector<Finding>& findings) {
  std::set<std::pair<int32_t, int32_t>> told;
  std::optional<std::set<std::pair<int32_t, int32_t>>> seen;
  for (const Clobber& clobber : walk.clobbers) {
    if (!told.insert({clobber.victim, clobber.instruction}).second) continue;
    const int32_t state = meant.flow().EndOfState(clobber.victim);
    bool observed = state >= 0 || IsObserved(meant, states, index, clobber.reader);
    if (!observed) {
      // The next reader is not seen; another one may be.
      if (!seen.has_value()) seen = SeenClobbers(meant, states, index);
      observed = seen->contains({clobber.victim, clobber.instruction});
    }
    Finding finding = TellClobber(meant, clobber, observed);
    if (state >= 0) finding.policies = PoliciesWanting(meant, states, index, state);
    if (finding.policies != PolicySet::None()) findings.push_back(std::move(finding));
  }
  if (!walk.complete) TellIncomplete(meant, findings);
}

}  // namespace

std::vector<Finding> CheckPlacements(const MethodMeaning& meant) {
  std::vector<Finding> findings;
  std::set<std::pair<uint32_t, uint64_t>> ends;
  for (size_t v = 0; v < meant.roles.place.size(); ++v) {
    const Place& place = meant.roles.place[v];
    if (place.bank == 0) continue;
    const auto value = static_cast<int32_t>(v);
    const uint64_t size = meant.method->bank_sizes[place.bank];
    if (place.hi > size) findings.push_back(TellOutOfBank(meant, value, place, size));
    if (place.lo % ElementSize(meant.method->TensorOf(value)->dtype) == 0) continue;
    if (ends.empty()) ends = Ends(meant);
    findings.push_back(TellMisaligned(meant, value, place, ends.contains({place.bank, place.lo})));
  }
  return findings;
}

std::vector<Finding> CheckPlan(const MethodMeaning& meant, const Walk& walk,
                               const StateTable& states, size_t index) {
  std::vector<Finding> findings = CheckPlacements(meant);
  TellWalk(meant, walk, states, index, findings);
  std::ranges::move(CheckOperands(meant), std::back_inserter(findings));
  return findings;
}

}  // namespace pteproof::checks
