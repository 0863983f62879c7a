#include "cli/verbs/test_command.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <system_error>

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

std::string ExplanationOf(const CampaignFailure& failure, const explain::Explanation& explanation,
                          const std::string& folder) {
  std::string calls;
  for (const auto& call : failure.shrunk.calls) {
    calls += (calls.empty() ? "" : ", ") + failure.shrunk.module.methods[call.method].name;
  }
  const std::string again = folder.empty() ? fmt::format("--seed {} --cases 1", failure.seed)
                                           : fmt::format("--replay {}", folder);
  return fmt::format(
      "seed {} fails ({}): {}\n"
      "shrunk to the Module below; its calls: {}; what is wrong there: {}\n"
      "{}again: pteproof test {}\n\n{}",
      failure.seed, failure.setting, failure.fault, calls.empty() ? "none" : calls,
      failure.shrunk_fault, explain::SummaryOf(failure.shrunk, explanation), again,
      graph::Print(failure.shrunk.module, explain::NotesOf(failure.shrunk, explanation)));
}

// The case's own files and the explanation.
ExitCode WriteFailure(const std::string& folder, const CampaignFailure& failure,
                      const std::string& explanation) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    Complain(fmt::format("{} cannot be made: {}", folder, error.message()));
    return ExitCode::kUnreadable;
  }
  const std::filesystem::path base(folder);
  for (const auto& [name, bytes] : FilesOf({failure.shrunk, failure.seed})) {
    const ExitCode code = StoreFile((base / name).string(), std::span(bytes));
    if (code != ExitCode::kSafe) return code;
  }
  return StoreFile((base / "explanation.txt").string(), explanation);
}

// Tries a stored case again.
ExitCode ReplayCase(const std::string& folder) {
  const auto stored = ReadStoredCase(folder);
  if (!stored.ok()) {
    Complain(stored.error());
    return ExitCode::kUnreadable;
  }
  const Setting setting = SettingOf(stored.value().setting);
  const CaseVerdict verdict = RunCase(stored.value().c, setting.options, setting.ways);
  if (verdict.fault.empty()) {
    WriteOutput(fmt::format("{}: {}\n", folder, verdict.refused ? "has no plan" : "passes now"));
    return ExitCode::kSafe;
  }
  const auto& failing = stored.value().c;
  const explain::Explanation explanation = Explained(failing, setting);
  WriteOutput(fmt::format("{} fails ({}): {}\n{}\n{}", folder, setting.name,
                          verdict.fault.explanation, explain::SummaryOf(failing, explanation),
                          graph::Print(failing.module, explain::NotesOf(failing, explanation))));
  return ExitCode::kUnsafe;
}

}  // namespace

ExitCode RunTest(const TestRequest& request) {
  if (!request.replay.empty()) return ReplayCase(request.replay);
  // What failed before is tried first.
  if (std::filesystem::exists(std::filesystem::path(request.keep) / "case.module")) {
    const ExitCode again = ReplayCase(request.keep);
    if (again != ExitCode::kSafe) return again;
  }
  constexpr double kDefaultSeconds = 10;
  const bool unlimited = request.cases == 0;
  const double seconds = request.seconds.value_or(unlimited ? kDefaultSeconds : 0);
  const auto start = Clock::now();
  Progress progress(request.cases, "tried");
  CampaignOptions options;
  options.seed = request.seed;
  options.cases = unlimited ? std::numeric_limits<uint64_t>::max() : request.cases;
  options.goes_on = [&](const CampaignReport&) {
    progress.Advance();
    return seconds == 0 || SecondsSince(start) < seconds;
  };
  const CampaignReport report = RunCampaign(options);
  const double took = SecondsSince(start);
  progress.Clear();
  const uint64_t cases = report.statistics.cases;
  WriteOutput(fmt::format(
      "{} cases from seed {}, {} without a plan, {} calls compared, {:.0f} cases/s\n", cases,
      request.seed, report.refused, report.calls, static_cast<double>(cases) / took));
  if (request.statistics) WriteOutput(generators::TableOf(report.statistics));
  if (report.failure) {
    const CampaignFailure& failure = *report.failure;
    const std::string explanation =
        ExplanationOf(failure, Explained(failure.shrunk, SettingOf(failure.seed)), request.keep);
    WriteOutput(explanation);
    if (request.keep.empty()) return ExitCode::kUnsafe;
    const ExitCode written = WriteFailure(request.keep, failure, explanation);
    return written == ExitCode::kSafe ? ExitCode::kUnsafe : written;
  }
  const auto problems = generators::HealthProblems(report.statistics);
  for (const std::string& problem : problems) Complain("drifted: " + problem);
  return problems.empty() ? ExitCode::kSafe : ExitCode::kUnsafe;
}

}  // namespace pteproof
