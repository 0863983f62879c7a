// Idea: a finding has a weight. It is nothing if somebody whose word counts accepts the finding,
// else what the standard takes its severity for. The verdict of what weighs, and not the file's
// own, decides what fails; the file's own stays as it is.
#include "cli/standard/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/file_name.h"
#include "cli/io/load_file.h"
#include "cli/io/quote.h"
#include "cli/standard/glob.h"
#include "properties/loads.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

std::string FolderOf(const std::string& file) {
  const std::filesystem::path folder = FilePath(file).parent_path();
  return folder.empty() ? "." : FileName(folder);
}

Weight WeightOfSeverity(Severity severity) {
  if (severity == Severity::kError) return Weight::kError;
  return severity == Severity::kWarning ? Weight::kWarning : Weight::kNothing;
}

bool Has(const std::vector<std::string>& rules, std::string_view rule) {
  return std::ranges::find(rules, rule) != rules.end();
}

// The verdict of what weighs.
Overall OpenVerdict(const FileReport& report, const std::vector<Weight>& weights) {
  Verdicts verdicts{};
  for (size_t f = 0; f < weights.size(); ++f) {
    if (weights[f] < Weight::kUndecided || IsRefusal(report.report.findings[f])) continue;
    const Verdict alone = weights[f] == Weight::kError ? Verdict::kUnsafe : Verdict::kUndecided;
    for (const Policy policy : kAllPolicies) {
      Verdict& verdict = verdicts[static_cast<size_t>(policy)];
      if (report.report.findings[f].policies.Has(policy)) verdict = std::max(verdict, alone);
    }
  }
  return OverallOf(verdicts, report.policy);
}

std::string CountText(const std::vector<Weight>& weights, Weight weight, std::string_view one,
                      std::string_view many) {
  const auto count = std::ranges::count(weights, weight);
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void Break(Standing& standing, ExitCode code, std::string why) {
  standing.code = Worse(standing.code, code);
  standing.broken.push_back(std::move(why));
}

void HoldFindings(const FileReport& report, const FailOn& fail_on, Standing& standing) {
  const std::vector<Weight>& weights = standing.weights;
  const Overall open = OpenVerdict(report, weights);
  bool refused = false;
  for (size_t f = 0; f < weights.size(); ++f) {
    refused = refused || (weights[f] == Weight::kError && IsRefusal(report.report.findings[f]));
  }
  if ((open == Overall::kUnsafe || refused) && fail_on.error) {
    Break(standing, ExitCode::kUnsafe,
          CountText(weights, Weight::kError, "finding counts as an error",
                    "findings count as errors"));
  }
  if (open == Overall::kDepends && fail_on.depends) {
    Break(standing, ExitCode::kUndecided, "the verdict depends on the loader");
  }
  if (open == Overall::kUndecided && fail_on.undecided) {
    Break(standing, ExitCode::kUndecided,
          CountText(weights, Weight::kUndecided, "finding leaves the verdict open",
                    "findings leave the verdict open"));
  }
  if (fail_on.warning && std::ranges::count(weights, Weight::kWarning) > 0) {
    Break(standing, ExitCode::kUnsafe,
          CountText(weights, Weight::kWarning, "finding counts as a warning",
                    "findings count as warnings"));
  }
}

// The manifest, which is not trusted, betters nothing any more if all that it accepts is accepted
// otherwise.
void ForgetNeedlessWord(FileReport& report, const FailOn& fail_on) {
  if (!report.by_word || *report.by_word != OverallOf(report.report.verdicts, report.policy))
    return;
  Standing believed;
  believed.weights = report.standing->weights;
  for (size_t f = 0; f < believed.weights.size(); ++f) {
    if (!report.report.findings[f].suppressed_because.empty()) {
      believed.weights[f] = Weight::kNothing;
    }
  }
  HoldFindings(report, fail_on, believed);
  Standing as_is;
  as_is.weights = report.standing->weights;
  HoldFindings(report, fail_on, as_is);
  if (believed.code == as_is.code) report.by_word.reset();
}

}  // namespace

Gate::Gate(Standard standard, Baseline known, std::string written)
    : standard_(std::move(standard)),
      known_(std::move(known)),
      written_(std::move(written)),
      baseline_folder_(FolderOf(written_.empty() ? standard_.baseline : written_)) {}

Gate::Demands Gate::DemandsOf(const std::string& name) const {
  Demands demands;
  demands.severity = standard_.severity;
  const auto add = [](const std::vector<Limit>& limits, std::vector<const Limit*>& to) {
    for (const Limit& limit : limits) to.push_back(&limit);
  };
  add(standard_.max_bytes, demands.max_bytes);
  add(standard_.max_waste, demands.max_waste);
  for (const PathRule& rule : standard_.paths) {
    if (!GlobFits(rule.glob, name)) continue;
    demands.path_ignore.insert(rule.ignore.begin(), rule.ignore.end());
    for (const auto& [key, severity] : rule.severity) demands.severity[key] = severity;
    // A budget of a path overrides the general one.
    if (!rule.max_bytes.empty()) demands.max_bytes.clear();
    if (!rule.max_waste.empty()) demands.max_waste.clear();
    add(rule.max_bytes, demands.max_bytes);
    add(rule.max_waste, demands.max_waste);
  }
  return demands;
}

std::string Gate::Reason(const Finding& finding, const std::string& name, const Demands& demands) {
  std::string reason;
  for (size_t i = 0; i < standard_.suppress.size(); ++i) {
    const KnownRule& known = standard_.suppress[i];
    if (known.rule != finding.rule || (!known.method.empty() && known.method != finding.method) ||
        (!known.glob.empty() && !GlobFits(known.glob, name))) {
      continue;
    }
    fitted_.insert(i);
    if (reason.empty()) {
      reason = fmt::format("{} ({}:{})", known.reason, standard_.source, known.line);
    }
  }
  if (!reason.empty()) return reason;
  if (standard_.select && !Has(*standard_.select, finding.rule)) {
    return fmt::format("not among the rules of {}", standard_.select_source);
  }
  if (Has(standard_.ignore, finding.rule)) return "ignored by " + standard_.ignore_source;
  if (demands.path_ignore.contains(finding.rule)) return "ignored by " + standard_.source;
  return "";
}

bool Gate::TakeKnown(const std::string& file, const std::string& fingerprint) {
  const auto found = known_.files.find(file);
  if (found == known_.files.end()) return false;
  for (KnownFinding& known : found->second) {
    if (known.fingerprint != fingerprint || known.count == 0) continue;
    --known.count;
    return true;
  }
  return false;
}

void Gate::Record(const FileReport& report, size_t finding) {
  const Finding& of = report.report.findings[finding];
  auto& list = recorded_.files[NameIn(baseline_folder_, report.file)];
  const std::string& fingerprint = report.fingerprints[finding];
  const auto found = std::ranges::find(list, fingerprint, &KnownFinding::fingerprint);
  if (found != list.end()) {
    ++found->count;
    return;
  }
  const std::string first = of.explanation.substr(0, of.explanation.find('\n'));
  list.push_back({fingerprint, 1, std::string(of.rule), of.method, first});
}

// The weight of a finding, which gets its reason if it is accepted.
Weight Gate::Weigh(FileReport& report, size_t f, const std::string& name, const Demands& demands) {
  Finding& finding = report.report.findings[f];
  const std::string reason = Reason(finding, name, demands);
  if (report.policy && !finding.policies.Has(*report.policy)) return Weight::kNothing;
  if (report.trusted && !finding.suppressed_because.empty()) return Weight::kNothing;
  if (!reason.empty()) {
    finding.suppressed_because = reason;
    return Weight::kNothing;
  }
  if (TakeKnown(NameIn(baseline_folder_, report.file), report.fingerprints[f])) {
    finding.suppressed_because = "known to the baseline " + standard_.baseline;
    return Weight::kNothing;
  }
  Weight weight = WeightOfSeverity(finding.severity);
  if (finding.undecided) weight = Weight::kUndecided;
  if (const auto found = demands.severity.find(finding.rule); found != demands.severity.end()) {
    const Weight taken = WeightOfSeverity(found->second);
    if (taken < weight && IsGrave(finding)) {
      finding.suppressed_because =
          fmt::format("counts as a {} by {}", Name(found->second), standard_.source);
    }
    weight = taken;
  }
  if (!written_.empty() && weight != Weight::kNothing) {
    Record(report, f);
    finding.suppressed_because = "known to the baseline " + written_;
    return Weight::kNothing;
  }
  return weight;
}

void Gate::TellGone(const std::string& file) {
  const auto found = known_.files.find(file);
  if (found == known_.files.end()) return;
  for (const KnownFinding& known : found->second) {
    if (known.count == 0) continue;
    const std::string of = known.method.empty() ? "" : " of method " + Quote(known.method);
    const std::string many = known.count > 1 ? fmt::format(" ({} times)", known.count) : "";
    gone_.push_back({standard_.baseline, 0,
                     fmt::format("{}: {}{}{} is gone: write the baseline anew", QuotePath(file),
                                 Quote(known.rule), of, many)});
  }
  known_.files.erase(found);
}

void Gate::HoldMemory(const FileReport& report, const Demands& demands, Standing& standing) {
  const std::vector<BankUse>& banks = report.report.banks;
  const auto add = [&](const std::vector<std::string>& sentences) {
    for (const std::string& over : sentences) Break(standing, ExitCode::kUnsafe, over);
  };
  for (const Limit* limit : demands.max_bytes) {
    if (Applies(*limit, banks)) limits_met_.insert(limit);
    add(OverBytes(*limit, banks, report.policy));
  }
  for (const Limit* limit : demands.max_waste) {
    if (Applies(*limit, banks)) limits_met_.insert(limit);
    add(OverWaste(*limit, banks));
  }
}

void Gate::Hold(FileReport& report) {
  if (report.outcome != Outcome::kJudged) return;
  const std::string name = NameIn(standard_.folder, report.file);
  for (size_t i = 0; i < standard_.suppress.size(); ++i) {
    const std::string& glob = standard_.suppress[i].glob;
    if (glob.empty() || GlobFits(glob, name)) met_.insert(i);
  }
  const Demands demands = DemandsOf(name);
  Standing standing;
  standing.source = standard_.source;
  for (size_t f = 0; f < report.report.findings.size(); ++f) {
    standing.weights.push_back(Weigh(report, f, name, demands));
  }
  TellGone(NameIn(baseline_folder_, report.file));
  HoldFindings(report, standard_.fail_on, standing);
  HoldMemory(report, demands, standing);
  report.standing = std::move(standing);
  ForgetNeedlessWord(report, standard_.fail_on);
}

std::vector<Remark> Gate::Remarks() const {
  std::vector<Remark> remarks;
  for (const size_t i : met_) {
    if (fitted_.contains(i)) continue;
    const KnownRule& known = standard_.suppress[i];
    remarks.push_back(
        {standard_.source, known.line,
         fmt::format("the suppression of {}{} fits no finding of these files: delete "
                     "it if none of yours needs it",
                     known.rule, known.method.empty() ? "" : " of method " + known.method)});
  }
  const auto tell = [&](const std::vector<Limit>& limits, std::string_view key) {
    for (const Limit& limit : limits) {
      if (limits_met_.contains(&limit)) continue;
      remarks.push_back({standard_.source, 0,
                         fmt::format("{} '{}' fits no bank of these files: correct the name, or "
                                     "delete it",
                                     key, Quote(limit.text))});
    }
  };
  tell(standard_.max_bytes, "max-bytes");
  tell(standard_.max_waste, "max-waste");
  remarks.insert(remarks.end(), gone_.begin(), gone_.end());
  return remarks;
}

namespace {

Result<Baseline, StandardFailure> ReadBaseline(const std::string& file) {
  if (file.empty()) return Baseline();
  const auto bytes = LoadFile(file);
  if (!bytes) {
    return StandardFailure{ExitCode::kUnreadable,
                           fmt::format("the baseline {} cannot be read: {}; --write-baseline makes "
                                       "one",
                                       file, bytes.error().why)};
  }
  const Bytes& read = *bytes.value();
  auto baseline = ParseBaseline({reinterpret_cast<const char*>(read.data()), read.size()});
  if (baseline) return std::move(baseline).value();
  std::string why = fmt::format("the baseline {} is wrong", file);
  for (const ManifestError& error : baseline.error()) {
    why += fmt::format("\n  {}: {}", error.where, error.what);
  }
  return StandardFailure{ExitCode::kUsage, std::move(why)};
}

}  // namespace

Result<std::optional<Gate>, StandardFailure> OpenGate(const StandardChoice& choice) {
  auto standard = LoadStandard(choice);
  if (!standard) return standard.error();
  if (!standard.value()) return std::optional<Gate>();
  auto known = ReadBaseline(standard.value()->baseline);
  if (!known) return known.error();
  return std::optional<Gate>(
      Gate(*std::move(standard).value(), std::move(known).value(), choice.write_baseline));
}

}  // namespace pteproof
