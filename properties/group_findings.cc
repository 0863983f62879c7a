// Idea: a finding has one cause with another one if it is the same rule's, holds under the same
// loaders, is mended by the same fix, and is about
//   - the same two methods and their banks, if it is between methods, or else
//   - the same bytes of one method's bank: one pair of placements.
//
//   state-clobbered  'encode' over 'k' of 'decode', bank 1  \  one finding, 2 instances
//   state-clobbered  'encode' over 'v' of 'decode', bank 1  /
//   state-clobbered  'adapt'  over 'k' of 'decode', bank 1     another method: another finding
//
// Invariant: severities, loaders and suppressions of the result are those of the findings, so the
// verdicts are. Cost: O(n log n).
#include "properties/group_findings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/rule_names.h"

namespace pteproof {
namespace {

// Rules about two values that meet in the bytes of the finding.
constexpr std::array kMeetings = {rule::kPlanOverlap,  rule::kAliasLifetime,
                                  rule::kInPlaceAlias, rule::kInPlaceSingleUse,
                                  rule::kRegionEscape, rule::kStateClobbered};

using Cause = std::tuple<std::string_view, Severity, bool, uint8_t, std::string, uint32_t,
                         std::string, uint32_t, std::string, std::string, uint64_t, uint64_t>;

std::optional<Cause> CauseOf(const Finding& f) {
  const bool between = !f.other_method.empty();
  const bool meeting =
      f.bytes.has_value() && f.bank != 0 && std::ranges::find(kMeetings, f.rule) != kMeetings.end();
  if (!between && !meeting) return std::nullopt;
  const ByteRange bytes = between ? ByteRange{} : *f.bytes;
  return Cause{f.rule,         f.severity,   f.undecided, f.policies.bits,      f.method, f.bank,
               f.other_method, f.other_bank, f.fix,       f.suppressed_because, bytes.lo, bytes.hi};
}

FindingInstance InstanceOf(const Finding& f) {
  return {f.instruction, f.values, f.bank, f.bytes, f.explanation};
}

uint64_t SizeOf(const FindingInstance& instance) {
  return instance.bytes ? instance.bytes->hi - instance.bytes->lo : 0;
}

}  // namespace

std::vector<Finding> GroupFindings(std::vector<Finding> findings) {
  std::map<Cause, size_t> known;  // to the index in `groups`
  std::vector<Finding> groups;
  for (Finding& finding : findings) {
    if (const auto cause = CauseOf(finding)) {
      const auto [group, is_new] = known.try_emplace(*cause, groups.size());
      if (!is_new) {
        Finding& first = groups[group->second];
        if (first.instances.empty()) first.instances.push_back(InstanceOf(first));
        first.instances.push_back(InstanceOf(finding));
        continue;
      }
    }
    groups.push_back(std::move(finding));
  }
  return groups;
}

std::vector<Finding> UngroupFindings(const std::vector<Finding>& findings) {
  std::vector<Finding> all;
  for (const Finding& finding : findings) {
    if (finding.instances.empty()) all.push_back(finding);
    for (const FindingInstance& instance : finding.instances) {
      Finding one = finding;
      one.instances.clear();
      one.instruction = instance.instruction;
      one.values = instance.values;
      one.bank = instance.bank;
      one.bytes = instance.bytes;
      one.explanation = instance.explanation;
      all.push_back(std::move(one));
    }
  }
  return all;
}

size_t WorstOf(const std::vector<FindingInstance>& instances) {
  const auto worst = std::ranges::max_element(instances, {}, SizeOf);
  return static_cast<size_t>(worst - instances.begin());
}

}  // namespace pteproof
