#include "cli/render/render_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/quote.h"
#include "cli/render/device_total.h"
#include "cli/render/finding_text.h"
#include "cli/render/text_tables.h"
#include "cli/render/trust_words.h"
#include "properties/loaders.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

constexpr std::string_view kChosen = " (chosen)";

// A line for each policy: its verdict, and ExecuTorch's loaders that have it. Where they differ and
// none is chosen, how to name one.
std::string PolicyTable(const FileReport& report, const Paint& paint) {
  const size_t width = Name(Policy::kShareAll).size() + (report.policy ? kChosen.size() : 0);
  std::string text;
  for (const Policy policy : kAllPolicies) {
    const std::string name =
        fmt::format("{}{}", Name(policy), report.policy == policy ? kChosen : "");
    const std::string_view verdict = VerdictWord(report, policy);
    const size_t blanks = Name(Verdict::kUndecided).size() - verdict.size();
    text += fmt::format("  {:<{}}  {}{:{}}  {}\n", name, width, paint.Word(verdict), "", blanks,
                        LoaderNames(policy));
  }
  const Overall overall = OverallOf(report.report.verdicts, std::nullopt);
  if (overall == Overall::kDepends && !report.policy) {
    text += fmt::format(
        "  Name your loader: --policy private|share-1-2|share-all, --loader "
        "NAME@VERSION{}.\n",
        report.trusted ? ", or \"policy\" in the manifest" : "");
  }
  return text;
}

std::string FindingText(const Finding& finding, const FindingSource& source,
                        const TextOptions& options) {
  std::string text = fmt::format("  {}{} {}", options.paint.Word(Name(finding.severity)),
                                 finding.undecided ? " (undecided)" : "", finding.rule);
  for (const std::string& part : {PoliciesText(finding), WhereText(finding)}) {
    if (!part.empty()) text += "  " + part;
  }
  text += "\n";
  if (const std::string lines = TextOf(source, options.all); !lines.empty()) {
    text += QuoteLines(lines, "    ");
  }
  text += QuoteLines(WithFix(finding), "    ");
  if (!finding.suppressed_because.empty()) {
    text += fmt::format("    {}: {}\n", IsAccepted(finding) ? "Accepted" : "Suppressed",
                        Quote(finding.suppressed_because, kLongestLine));
  }
  return text;
}

// How often a rule came with a severity, suppressed or not.
struct Shown {
  std::string_view rule;
  Severity severity = Severity::kError;
  int count = 0;
};

// Counts the finding among those of its rule and severity; how many there are now.
int CountIn(std::vector<Shown>& shown, const Finding& finding) {
  for (Shown& entry : shown) {
    if (entry.rule == finding.rule && entry.severity == finding.severity) return ++entry.count;
  }
  shown.push_back({finding.rule, finding.severity, 1});
  return 1;
}

std::string FindingsText(const FileReport& report, const TextOptions& options) {
  std::string text;
  std::vector<Shown> shown;
  std::set<std::string_view> of_file;
  std::set<std::string_view>& told = options.told == nullptr ? of_file : *options.told;
  int elsewhere = 0;
  for (size_t f = 0; f < report.report.findings.size(); ++f) {
    const Finding& finding = report.report.findings[f];
    if (report.policy && !finding.policies.Has(*report.policy)) {
      ++elsewhere;
      continue;
    }
    const bool fits = CountIn(shown, finding) <= kShownPerRule;
    if (!fits && !options.all) continue;
    text += FindingText(finding, SourceOf(finding, report.source), options);
    if (IsOfFileAlone(report, f)) text += "    Only without the manifest, which is not trusted.\n";
    if (told.insert(finding.rule).second) {
      text += fmt::format("    More: pteproof rules {}\n", finding.rule);
    }
  }
  for (const Shown& entry : shown) {
    if (options.all || entry.count <= kShownPerRule) continue;
    text += fmt::format("  and {} more: {} {} (--all shows them)\n", entry.count - kShownPerRule,
                        Name(entry.severity), entry.rule);
  }
  if (elsewhere > 0) {
    text += fmt::format("  {} more under other loaders than {}\n", elsewhere, Name(*report.policy));
  }
  return text.empty() ? text : "\n" + text;
}

std::string Assumptions(const Report& report) {
  std::string text;
  for (const std::string& assumption : report.assumptions) {
    text += fmt::format("  assumes {}\n", Quote(assumption, kLongestLine));
  }
  return text.empty() ? text : "\n" + text;
}

// Warnings and notes only: errors are accepted.
int64_t SuppressedIn(const Report& report) {
  return std::ranges::count_if(report.findings, [](const Finding& f) {
    return !f.suppressed_because.empty() && !IsGrave(f);
  });
}

// Each demand that it does not meet is a line of its own.
std::string StandingText(const FileReport& report) {
  if (!report.standing) return "";
  std::string text =
      fmt::format("  standard: {}\n", Quote(StandardLine(*report.standing), kLongestLine));
  for (const std::string& broken : report.standing->broken) {
    text += fmt::format("    {}\n", broken);
  }
  return text;
}

std::string VerdictLine(const FileReport& report, const Paint& paint) {
  std::string line =
      fmt::format("{}: {}", QuotePath(report.file, kLongestLine), paint.Word(VerdictWord(report)));
  if (report.outcome == Outcome::kJudged && IsRefused(report)) {
    const bool safe = VerdictWord(report) == Name(Overall::kSafe);
    line += fmt::format(", {} {} refuses to load it", safe ? "but" : "and", report.loader);
  } else if (report.by_table) {
    line += fmt::format(" with {}", QuotePath(report.loader, kLongestLine));
  } else if (report.outcome == Outcome::kJudged && report.policy) {
    line += fmt::format(" with {} ({})", LoaderName(*report.policy), Name(*report.policy));
  }
  const auto suppressed = SuppressedIn(report.report);
  if (suppressed > 0) line += fmt::format(", {} suppressed", suppressed);
  line += TrustWords(report);
  if (!MeetsStandard(report)) line += "; standard not met";
  return line + "\n";
}

}  // namespace

bool MeetsStandard(const FileReport& report) {
  return !report.standing || report.standing->broken.empty();
}

std::string RenderText(const FileReport& report, const TextOptions& options) {
  std::string text = VerdictLine(report, options.paint);
  if (!report.error.empty()) text += QuoteLines(report.error, "  ");
  if (options.quiet) return MeetsStandard(report) ? text : text + StandingText(report);
  if (report.outcome == Outcome::kJudged) {
    if (!report.by_table) text += PolicyTable(report, options.paint);
    if (!report.manifest.empty()) {
      text += fmt::format("  manifest: {}\n", Quote(report.manifest, kLongestLine));
    }
    if (!report.source.unused.empty()) {
      text += fmt::format("  source lines: {}\n", Quote(report.source.unused, kLongestLine));
    }
    text += StandingText(report);
  }
  text += FindingsText(report, options);
  text += BankTable(report.report.banks, report.optima);
  if (report.memory) text += fmt::format("  {}\n", MemoryLine(*report.memory));
  text += OverlayLines(report.report.overlays);
  text += Assumptions(report.report);
  return text + "\n";
}

void Tally::Add(const FileReport& report) {
  const std::string_view word = VerdictWord(report);
  ++files;
  safe += word == "safe";
  unsafe += word == "unsafe";
  undecided += word == "undecided";
  depends += word == "depends";
  malformed += word == "malformed";
  failed += report.outcome != Outcome::kJudged && word != "malformed";
  suppressed += static_cast<int>(SuppressedIn(report.report));
  accepted += static_cast<int>(AcceptedOf(report));
  refused += IsRefused(report);
  by_word += report.by_word.has_value();
  below_standard += !MeetsStandard(report);
  worst = Worse(worst, ExitCodeOf(report));
}

std::string RenderTally(const Tally& tally, const Paint& paint) {
  std::vector<std::string> parts;
  const auto add = [&](int count, std::string_view verdict) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, paint.Word(verdict)));
  };
  add(tally.safe, "safe");
  add(tally.unsafe, "unsafe");
  add(tally.undecided, "undecided");
  add(tally.depends, "depends");
  add(tally.malformed, "malformed");
  add(tally.failed, "not judged");
  if (tally.refused > 0) parts.push_back(fmt::format("refused by the loader: {}", tally.refused));
  if (tally.accepted > 0) parts.push_back(fmt::format("findings accepted: {}", tally.accepted));
  if (tally.suppressed > 0)
    parts.push_back(fmt::format("findings suppressed: {}", tally.suppressed));
  if (tally.below_standard > 0) {
    parts.push_back(fmt::format("standard not met: {}", tally.below_standard));
  }
  if (tally.by_word > 0) {
    parts.push_back(
        fmt::format("better according to a manifest: {} (--trust-manifests)", tally.by_word));
  }
  return fmt::format("{} {}: {}\n", tally.files, tally.files == 1 ? "file" : "files",
                     fmt::join(parts, ", "));
}

}  // namespace pteproof
