// Idea: a verdict is the worst of the findings that hold under a policy. So the worse of two
// verdicts is the verdict of both lists of findings together.
//
//   with the manifest    of the file alone    together
//   error at 3           error at 3           error at 3
//   warning at 5                              warning at 5
//                        undecided at 7       undecided at 7, of the file alone
//                        note at 9
//
// Invariant: under each policy the verdict is not better than that of either reading. Of the file
// alone only findings that count for a verdict are taken: the reading with the manifest knows more,
// and its other remarks stand. A finding of both readings comes once, in the manifest's words,
// under the policies of either; so does one that the file alone leaves open, and that is an error
// with the manifest. Cost: O(n log n) in the findings.
#include "properties/two_readings.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "properties/finding_order.h"
#include "properties/group_findings.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

// Findings are one if all but their policies and words are equal.
struct FindingLess {
  bool operator()(const Finding* a, const Finding* b) const { return KeyOf(*a) < KeyOf(*b); }

 private:
  using Key = std::tuple<std::string_view, Severity, bool, std::string_view, int32_t, uint32_t,
                         bool, uint64_t, uint64_t, const std::vector<int32_t>&>;
  static Key KeyOf(const Finding& f) {
    const ByteRange bytes = f.bytes.value_or(ByteRange{});
    return {f.rule, f.severity,          f.undecided, f.method, f.instruction,
            f.bank, f.bytes.has_value(), bytes.lo,    bytes.hi, f.values};
  }
};

// Whether a finding that the file alone leaves open is an error with the manifest, under the same
// policies: then it is told.
bool IsToldAsError(const Finding& open, const std::set<Finding*, FindingLess>& known) {
  if (!open.undecided) return false;
  Finding error = open;
  error.severity = Severity::kError;
  error.undecided = false;
  const auto same = known.find(&error);
  return same != known.end() && (*same)->policies.HasAll(open.policies) &&
         (*same)->suppressed_because.empty();
}

// Those that count for a verdict and are not among `with`. The others' policies go to `with`.
std::vector<Finding> OnlyAlone(const std::vector<Finding>& alone, std::vector<Finding>& with) {
  std::set<Finding*, FindingLess> known;
  for (Finding& finding : with) known.insert(&finding);
  std::vector<Finding> only;
  for (Finding finding : alone) {
    if (!IsGrave(finding) || IsToldAsError(finding, known)) continue;
    const auto same = known.find(&finding);
    if (same == known.end()) {
      only.push_back(std::move(finding));
    } else {
      (*same)->policies.bits |= finding.policies.bits;
    }
  }
  return only;
}

// Both lists are in order; returns which of the result come from `more`.
std::vector<bool> Merge(std::vector<Finding> more, std::vector<Finding>& into) {
  std::vector<Finding> merged;
  std::vector<bool> is_more;
  auto m = more.begin();
  const auto take = [&](Finding& finding, bool from_more) {
    merged.push_back(std::move(finding));
    is_more.push_back(from_more);
  };
  for (Finding& finding : into) {
    while (m != more.end() && ComesBefore(*m, finding)) take(*m++, true);
    take(finding, false);
  }
  while (m != more.end()) take(*m++, true);
  into = std::move(merged);
  return is_more;
}

// Memory that may be shared by the manifest's word alone is not offered.
void KeepCommon(const std::vector<IoOverlay>& alone, std::vector<IoOverlay>& with) {
  std::set<std::tuple<std::string_view, int32_t, int32_t>> known;
  for (const IoOverlay& o : alone) known.emplace(o.method, o.output, o.input);
  std::erase_if(with,
                [&](const IoOverlay& o) { return !known.contains({o.method, o.output, o.input}); });
}

}  // namespace

bool SaysOfProgram(const Manifest& manifest) {
  return manifest.buffers || !manifest.methods.empty() || manifest.all_first.value_or(false) ||
         !manifest.operators.empty() || manifest.calls.has_value();
}

std::vector<bool> AddFileAlone(const Report& alone, Report& with) {
  const Verdicts believed = with.verdicts;
  with.findings = UngroupFindings(with.findings);
  std::vector<Finding> more = OnlyAlone(UngroupFindings(alone.findings), with.findings);
  with.findings = GroupFindings(std::move(with.findings));
  std::vector<bool> is_alone = Merge(GroupFindings(std::move(more)), with.findings);
  with.verdicts = VerdictsOf(with.findings);
  KeepCommon(alone.overlays, with.overlays);
  if (with.verdicts == believed) return is_alone;
  for (const std::string& assumption : alone.assumptions) {
    if (std::ranges::find(with.assumptions, assumption) == with.assumptions.end()) {
      with.assumptions.push_back(assumption);
    }
  }
  return is_alone;
}

}  // namespace pteproof
