#include "cli/verbs/test_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <vector>

#include "base/file_name.h"
#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/progress.h"
#include "cli/io/store_file.h"
#include "properties/differential/campaign.h"
#include "properties/differential/settings.h"
#include "properties/differential/stored_case.h"
#include "properties/explain/explain.h"
#include "properties/explain/words.h"
#include "reference/graph/print.h"

namespace pteproof {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

explain::Explanation Explained(const generators::RandomCase& failing, const Setting& setting) {
  return explain::Explain(failing, [&](const generators::RandomCase& c) {
    return RunCase(c, setting.options, setting.ways).fault.kind;
  });
}

std::vector<std::string> CallsOf(const generators::RandomCase& failing) {
  std::vector<std::string> methods;
  for (const auto& call : failing.calls)
    methods.push_back(failing.module.methods[call.method].name);
  return methods;
}

// The command that makes the failure again.
std::string AgainOf(const CampaignFailure& failure, const std::string& folder) {
  if (!folder.empty()) return fmt::format("pteproof dev test --replay {}", folder);
  return fmt::format("pteproof dev test --seed {} --cases 1", failure.seed);
}

std::string ExplanationOf(const CampaignFailure& failure, const explain::Explanation& explanation,
                          const std::string& folder) {
  const std::vector<std::string> calls = CallsOf(failure.shrunk);
  return fmt::format(
      "seed {} fails ({}): {}\n"
      "shrunk to the Module below; its calls: {}; what is wrong there: {}\n"
      "{}again: {}\n\n{}",
      failure.seed, failure.setting, failure.fault,
      calls.empty() ? "none" : fmt::format("{}", fmt::join(calls, ", ")), failure.shrunk_fault,
      explain::SummaryOf(failure.shrunk, explanation), AgainOf(failure, folder),
      graph::Print(failure.shrunk.module, explain::NotesOf(failure.shrunk, explanation)));
}

// Of a failing case, as the Module's text has it.
nlohmann::ordered_json FailureJson(const generators::RandomCase& failing,
                                   const std::string& setting, const std::string& fault,
                                   const explain::Explanation& explanation) {
  return {{"setting", setting},
          {"fault", fault},
          {"calls", CallsOf(failing)},
          {"essential", explain::SummaryOf(failing, explanation)},
          {"module", graph::Print(failing.module, explain::NotesOf(failing, explanation))}};
}

// The case's own files and the explanation.
ExitCode WriteFailure(const std::string& folder, const CampaignFailure& failure,
                      const std::string& explanation) {
  std::error_code error;
  std::filesystem::create_directories(FilePath(folder), error);
  if (error) {
    Complain(fmt::format("{} cannot be made: {}", folder, error.message()));
    return ExitCode::kUnreadable;
  }
  const std::filesystem::path base = FilePath(folder);
  for (const auto& [name, bytes] : FilesOf({failure.shrunk, failure.seed})) {
    const ExitCode code = StoreFile(FileName(base / name), std::span(bytes));
    if (code != ExitCode::kSafe) return code;
  }
  return StoreFile(FileName(base / "explanation.txt"), explanation);
}

// A stored case that is tried again.
std::string ReplayText(const std::string& folder, const Setting& setting,
                       const CaseVerdict& verdict, const generators::RandomCase& failing) {
  if (verdict.fault.empty()) {
    return fmt::format("{}: {}\n", folder, verdict.refused ? "has no plan" : "passes now");
  }
  const explain::Explanation explanation = Explained(failing, setting);
  return fmt::format("{} fails ({}): {}\n{}\n{}", folder, setting.name, verdict.fault.explanation,
                     explain::SummaryOf(failing, explanation),
                     graph::Print(failing.module, explain::NotesOf(failing, explanation)));
}

std::string ReplayJson(const std::string& folder, const Setting& setting,
                       const CaseVerdict& verdict, const generators::RandomCase& failing) {
  nlohmann::ordered_json json = {{"case", folder}, {"verdict", "passes"}, {"failure", nullptr}};
  if (verdict.refused) json["verdict"] = "no-plan";
  if (!verdict.fault.empty()) {
    json["verdict"] = "fails";
    json["failure"] =
        FailureJson(failing, setting.name, verdict.fault.explanation, Explained(failing, setting));
  }
  return JsonText(json) + "\n";
}

ExitCode ReplayCase(const std::string& folder, bool json) {
  const auto stored = ReadStoredCase(folder);
  if (!stored.ok()) {
    Complain(stored.error());
    return ExitCode::kUnreadable;
  }
  const Setting setting = SettingOf(stored.value().setting);
  const CaseVerdict verdict = RunCase(stored.value().c, setting.options, setting.ways);
  WriteOutput((json ? ReplayJson : ReplayText)(folder, setting, verdict, stored.value().c));
  return verdict.fault.empty() ? ExitCode::kSafe : ExitCode::kUnsafe;
}

// The campaign, for as long as the request allows.
CampaignReport Campaign(const TestRequest& request, Clock::time_point start) {
  constexpr double kDefaultSeconds = 10;
  const bool unlimited = request.cases == 0;
  const double seconds = request.seconds.value_or(unlimited ? kDefaultSeconds : 0);
  Progress progress(request.cases, "tried");
  CampaignOptions options;
  options.seed = request.seed;
  options.cases = unlimited ? std::numeric_limits<uint64_t>::max() : request.cases;
  options.goes_on = [&](const CampaignReport&) {
    progress.Advance();
    return seconds == 0 || SecondsSince(start) < seconds;
  };
  return RunCampaign(options);
}

std::string CampaignText(const TestRequest& request, const CampaignReport& report, double seconds) {
  const uint64_t cases = report.statistics.cases;
  std::string text = fmt::format(
      "{} cases from seed {}, {} without a plan, {} calls compared, {:.0f} cases/s\n", cases,
      request.seed, report.refused, report.calls, static_cast<double>(cases) / seconds);
  if (request.statistics) text += generators::TableOf(report.statistics);
  return text;
}

std::string CampaignJson(const TestRequest& request, const CampaignReport& report,
                         const std::optional<explain::Explanation>& explanation,
                         const std::vector<std::string>& drifted) {
  nlohmann::ordered_json json = {{"seed", request.seed},
                                 {"verdict", drifted.empty() ? "passes" : "drifted"},
                                 {"cases", report.statistics.cases},
                                 {"without_plan", report.refused},
                                 {"calls", report.calls},
                                 {"drifted", drifted},
                                 {"failure", nullptr}};
  if (report.failure) {
    const CampaignFailure& failure = *report.failure;
    json["verdict"] = "fails";
    json["failure"] =
        FailureJson(failure.shrunk, failure.setting, failure.shrunk_fault, *explanation);
    json["failure"]["seed"] = failure.seed;
    json["failure"]["first_fault"] = failure.fault;
    json["failure"]["again"] = AgainOf(failure, request.keep);
  }
  const std::string counts = request.statistics ? generators::JsonLinesOf(report.statistics) : "";
  return counts + JsonText(json) + "\n";
}

}  // namespace

ExitCode RunTest(const TestRequest& request) {
  if (!request.replay.empty()) return ReplayCase(request.replay, request.json);
  // A case that failed before is tried first.
  if (std::filesystem::exists(FilePath(request.keep) / "case.module")) {
    const ExitCode again = ReplayCase(request.keep, request.json);
    if (again != ExitCode::kSafe) return again;
  }
  const auto start = Clock::now();
  const CampaignReport report = Campaign(request, start);
  const double seconds = SecondsSince(start);
  if (!request.json) WriteOutput(CampaignText(request, report, seconds));
  std::optional<explain::Explanation> explanation;
  std::string text;  // of the explanation
  if (report.failure) {
    explanation = Explained(report.failure->shrunk, SettingOf(report.failure->seed));
    text = ExplanationOf(*report.failure, *explanation, request.keep);
  }
  std::vector<std::string> drifted;
  if (!report.failure) drifted = generators::HealthProblems(report.statistics);
  WriteOutput(request.json ? CampaignJson(request, report, explanation, drifted) : text);
  if (report.failure) {
    if (request.keep.empty()) return ExitCode::kUnsafe;
    const ExitCode written = WriteFailure(request.keep, *report.failure, text);
    return written == ExitCode::kSafe ? ExitCode::kUnsafe : written;
  }
  for (const std::string& problem : drifted) Complain("drifted: " + problem);
  return drifted.empty() ? ExitCode::kSafe : ExitCode::kUnsafe;
}

}  // namespace pteproof
