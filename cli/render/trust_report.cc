#include "cli/render/trust_report.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/json_text.h"
#include "cli/io/quote.h"
#include "cli/load/trust.h"

namespace pteproof {
namespace {

// A question that the manifest decides: a finding that is gone with it, or that it accepts.
struct Question {
  const Finding* finding = nullptr;
  bool accepted = false;
};

std::vector<Question> QuestionsOf(const FileReport& both) {
  std::vector<Question> questions;
  if (!both.by_word) return questions;
  for (size_t f = 0; f < both.report.findings.size(); ++f) {
    if (IsSettled(both, f)) {
      const Finding& finding = both.report.findings[f];
      questions.push_back({&finding, IsAccepted(finding)});
    }
  }
  return questions;
}

// The loader that the manifest or the entry chooses; nothing: it decides nothing.
std::optional<Policy> LoaderSettled(const TrustReport& report) {
  return report.alone.policy == report.with.policy ? std::nullopt : report.with.policy;
}

std::string_view FirstLineOfFinding(const Finding& finding) {
  const std::string_view text = finding.explanation;
  return text.substr(0, text.find('\n'));
}

std::string ManifestName(const std::string& path) {
  return Quote(FileNameIn(path), kLongestLine);
}

std::string QuestionText(const Question& question) {
  const Finding& finding = *question.finding;
  const std::string method =
      finding.method.empty() ? "" : fmt::format("  method {}", Quote(finding.method));
  return fmt::format("  {} {}{}\n    {}\n", question.accepted ? "accepts" : "settles", finding.rule,
                     method,
                     Quote(question.accepted ? std::string_view(finding.suppressed_because)
                                             : FirstLineOfFinding(finding),
                           kLongestLine));
}

std::string_view ChangeWord(EntryChange change) {
  switch (change) {
    case EntryChange::kAdded:
      return "added";
    case EntryChange::kReplaced:
      return "replaced";
    case EntryChange::kKept:
      return "kept";
  }
  return "";
}

std::string ChangeText(const TrustReport& report) {
  const std::string config = QuotePath(report.config, kLongestLine);
  if (report.change == EntryChange::kKept) {
    return fmt::format("{}: the entry is there already\n", config);
  }
  if (!report.written) {
    return fmt::format("{}: not written, the entry would be {}:\n{}", config,
                       ChangeWord(report.change), QuoteLines(TextOf(report.entry), "  "));
  }
  return fmt::format("{}: entry {}\n", config, ChangeWord(report.change));
}

}  // namespace

std::string TrustText(const TrustReport& report) {
  std::string text = fmt::format(
      "{}: {} without {}, {} with it\n", QuotePath(report.alone.file, kLongestLine),
      VerdictWord(report.alone), ManifestName(report.with.manifest), VerdictWord(report.with));
  if (const auto loader = LoaderSettled(report)) {
    text += fmt::format("  chooses the loader: {}\n", Name(*loader));
  }
  const std::vector<Question> questions = QuestionsOf(report.both);
  for (const Question& question : questions) text += QuestionText(question);
  if (!report.both.by_word) text += "  The manifest improves nothing.\n";
  if (!report.remark.empty()) text += fmt::format("  {}\n", report.remark);
  return text + ChangeText(report);
}

std::string TrustJson(const TrustReport& report) {
  nlohmann::ordered_json json = {{"file", report.alone.file},
                                 {"manifest", report.with.manifest},
                                 {"sha256", report.entry.sha256},
                                 {"verdict_alone", VerdictWord(report.alone)},
                                 {"verdict_trusted", VerdictWord(report.with)}};
  const auto loader = LoaderSettled(report);
  json["loader"] = loader ? nlohmann::ordered_json(Name(*loader)) : nlohmann::ordered_json(nullptr);
  json["settles"] = nlohmann::ordered_json::array();
  for (const Question& question : QuestionsOf(report.both)) {
    const Finding& finding = *question.finding;
    nlohmann::ordered_json& item = json["settles"].emplace_back();
    item["rule"] = finding.rule;
    item["method"] = finding.method;
    item["explanation"] = finding.explanation;
    item["accepted"] = question.accepted ? nlohmann::ordered_json(finding.suppressed_because)
                                         : nlohmann::ordered_json(nullptr);
  }
  json["config"] = report.config;
  json["entry"] = ChangeWord(report.change);
  json["written"] = report.written;
  return JsonText(json) + "\n";
}

}  // namespace pteproof
