#include "properties/readings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/finding_names.h"
#include "base/rule_names.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

constexpr size_t kMostNamed = 3;

std::string WordsOf(const Doubt& doubt) {
  switch (doubt.kind) {
    case DoubtKind::kOperandUpdated:
      return fmt::format("whether '{}' updates its argument {}", doubt.subject, doubt.argument);
    case DoubtKind::kResultFilled:
      return fmt::format("whether '{}' makes all of its argument {} or keeps a part of it",
                         doubt.subject, doubt.argument);
    case DoubtKind::kDelegateOperand:
      return fmt::format("whether delegate call {} of '{}' makes its argument {} or reads it",
                         doubt.call, doubt.subject, doubt.argument);
  }
  return "";
}

std::string SettlementOf(const Doubt& doubt) {
  switch (doubt.kind) {
    case DoubtKind::kDelegateOperand:
      return "Say in a manifest how many outputs the delegate call has, and which arguments it "
             "updates.";
    case DoubtKind::kOperandUpdated:
    case DoubtKind::kResultFilled:
      return fmt::format("Give the signature of '{}' with --operators or in a manifest.",
                         doubt.subject);
  }
  return "";
}

struct Judged {
  std::vector<Doubt> other;  // what is read the other way
  Report report;
};

// The policies under which two reports differ in whether the plan is unsafe.
PolicySet PoliciesApart(const Report& a, const Report& b) {
  PolicySet apart = PolicySet::None();
  for (const Policy policy : kAllPolicies) {
    const auto p = static_cast<size_t>(policy);
    if ((a.verdicts[p] == Verdict::kUnsafe) != (b.verdicts[p] == Verdict::kUnsafe)) {
      apart.Add(policy);
    }
  }
  return apart;
}

PolicySet Both(PolicySet a, PolicySet b) {
  return {static_cast<uint8_t>(a.bits & b.bits)};
}
PolicySet Except(PolicySet a, PolicySet b) {
  return {static_cast<uint8_t>(a.bits & ~b.bits & PolicySet::All().bits)};
}

// Those under which the usual reading is right, and the other one leaves something open itself.
PolicySet PoliciesOpened(const Report& usual, const Report& other) {
  PolicySet opened = PolicySet::None();
  for (const Policy policy : kAllPolicies) {
    const auto p = static_cast<size_t>(policy);
    if (usual.verdicts[p] == Verdict::kSafe && other.verdicts[p] == Verdict::kUndecided) {
      opened.Add(policy);
    }
  }
  return opened;
}

// The first two lines of an explanation: what happens. The third says what comes of it, which is in
// doubt.
std::string WithoutConsequence(const std::string& explanation) {
  const size_t first = explanation.find('\n');
  const size_t second = first == std::string::npos ? first : explanation.find('\n', first + 1);
  return explanation.substr(0, second);
}

// An error of some readings only, under these policies.
Finding Doubtful(Finding finding, PolicySet policies, const Judged& judged, bool holds_usually) {
  finding.severity = Severity::kNote;
  finding.undecided = true;
  finding.policies = policies;
  finding.explanation =
      fmt::format("{}\nThis holds in the {} of two readings: the file does not say {}.",
                  WithoutConsequence(finding.explanation), holds_usually ? "usual" : "other",
                  Words(judged.other));
  finding.fix = Settlement(judged.other);
  return finding;
}

// Its rule, method, instruction, bank and bytes.
using FindingPlace =
    std::tuple<std::string_view, std::string_view, int32_t, uint32_t, uint64_t, uint64_t>;

FindingPlace PlaceOf(const Finding& f) {
  const ByteRange bytes = f.bytes.value_or(ByteRange{});
  return {f.rule, f.method, f.instruction, f.bank, bytes.lo, bytes.hi};
}

bool IsError(const Finding& f) {
  return f.severity == Severity::kError && f.suppressed_because.empty();
}

// The policies under which a report has an error, by place.
std::map<FindingPlace, PolicySet> ErrorsOf(const Report& report) {
  std::map<FindingPlace, PolicySet> errors;
  for (const Finding& f : report.findings) {
    if (!IsError(f)) continue;
    PolicySet& policies = errors.try_emplace(PlaceOf(f), PolicySet::None()).first->second;
    policies.bits |= f.policies.bits;
  }
  return errors;
}

// Of the policies of a finding, those under which nothing of the others is at its place.
PolicySet Unshared(const Finding& f, const std::map<FindingPlace, PolicySet>& others) {
  const auto shared = others.find(PlaceOf(f));
  return shared == others.end() ? f.policies : Except(f.policies, shared->second);
}

// The policies under which both readings have an error in common. It makes the plan unsafe, so that
// errors of one reading need not.
PolicySet PoliciesInCommon(const Report& usual, const std::map<FindingPlace, PolicySet>& errors) {
  PolicySet common = PolicySet::None();
  for (const Finding& f : usual.findings) {
    if (IsError(f)) common.bits |= Except(f.policies, Unshared(f, errors)).bits;
  }
  return common;
}

// Adds the errors of another reading under those policies, and what it leaves open under the
// others, if nothing there says as much already.
void TakeOver(std::vector<Finding>& findings, const Judged& other, PolicySet apart,
              PolicySet opened) {
  std::map<FindingPlace, PolicySet> said;
  for (const Finding& f : findings) {
    if (!IsError(f) && !f.undecided) continue;
    said.try_emplace(PlaceOf(f), PolicySet::None()).first->second.bits |= f.policies.bits;
  }
  std::vector<Finding> more;
  for (const Finding& finding : other.report.findings) {
    if (finding.severity != Severity::kError && !finding.undecided) continue;
    const PolicySet doubtful = Both(Unshared(finding, said), finding.undecided ? opened : apart);
    if (doubtful != PolicySet::None()) more.push_back(Doubtful(finding, doubtful, other, false));
  }
  std::ranges::move(more, std::back_inserter(findings));
}

// Turns errors that `other` does not share into doubtful findings, and takes over its own. If both
// readings make the plan unsafe and have no error in common, their errors stay.
void Weaken(Report& usual, const Judged& other) {
  const PolicySet apart = PoliciesApart(usual, other.report);
  const PolicySet opened = PoliciesOpened(usual, other.report);
  const std::map<FindingPlace, PolicySet> errors = ErrorsOf(other.report);
  const PolicySet common = PoliciesInCommon(usual, errors);
  std::vector<Finding> merged;
  for (Finding& finding : usual.findings) {
    PolicySet doubtful = Both(finding.policies, apart);
    doubtful.bits |= Both(common, Unshared(finding, errors)).bits;
    if (!IsError(finding) || doubtful == PolicySet::None()) {
      merged.push_back(std::move(finding));
      continue;
    }
    const PolicySet sure = Except(finding.policies, doubtful);
    merged.push_back(Doubtful(finding, doubtful, other, true));
    if (sure == PolicySet::None()) continue;
    finding.policies = sure;
    merged.push_back(std::move(finding));
  }
  usual.findings = std::move(merged);
  TakeOver(usual.findings, other, apart, opened);
  usual.verdicts = VerdictsOf(usual.findings);
}

}  // namespace

std::string Words(const std::vector<Doubt>& doubts) {
  std::vector<std::string> words;
  for (size_t d = 0; d < std::min(doubts.size(), kMostNamed); ++d) {
    words.push_back(WordsOf(doubts[d]));
  }
  if (doubts.size() > kMostNamed)
    words.push_back(fmt::format("{} more", doubts.size() - kMostNamed));
  return fmt::format("{}", fmt::join(words, " and "));
}

std::string Settlement(const std::vector<Doubt>& doubts) {
  std::vector<std::string> ways;
  for (const Doubt& doubt : doubts) {
    std::string way = SettlementOf(doubt);
    if (std::ranges::find(ways, way) == ways.end()) ways.push_back(std::move(way));
    if (ways.size() == kMostNamed) break;
  }
  return fmt::format("{}", fmt::join(ways, " "));
}

std::vector<std::vector<Doubt>> OtherReadings(const std::vector<Doubt>& doubts) {
  std::vector<std::vector<Doubt>> others;
  for (size_t d = 0; d < std::min(doubts.size(), kMostDoubts); ++d) others.push_back({doubts[d]});
  if (doubts.size() > 1) others.push_back(doubts);
  return others;
}

Report JudgeReadings(const std::vector<Doubt>& doubts,
                     const std::function<Report(const Reading&)>& judge) {
  Report usual = judge({});
  const std::vector<std::vector<Doubt>> others = OtherReadings(doubts);
  // All are held against the usual reading as it was judged, not against what is left of it.
  std::vector<Judged> judged;
  for (const std::vector<Doubt>& other : others) {
    judged.push_back({other, judge(Reading(other.begin(), other.end()))});
  }
  for (const Judged& other : judged) Weaken(usual, other);
  return usual;
}

}  // namespace pteproof
