#include "cli/test_command.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <system_error>

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/store_file.h"
#include "planner/plan.h"
#include "properties/differential/campaign.h"
#include "properties/differential/settings.h"
#include "reference/graph/print.h"
#include "runtime/write_program.h"

namespace pteproof {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string StoryOf(const CampaignFailure& failure) {
  std::string calls;
  for (const auto& call : failure.shrunk.calls) {
    calls += (calls.empty() ? "" : ", ") + failure.shrunk.module.methods[call.method].name;
  }
  return fmt::format(
      "seed {} fails ({}): {}\n"
      "shrunk to the Module below; its calls: {}; what is wrong there: {}\n"
      "again: pteproof test --seed {} --cases 1\n\n{}",
      failure.seed, failure.setting, failure.fault, calls.empty() ? "none" : calls,
      failure.shrunk_fault, failure.seed, graph::Print(failure.shrunk.module));
}

// The Module, its program and the story, each in a file.
ExitCode WriteFailure(const std::string& folder, const CampaignFailure& failure) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    Complain(fmt::format("{} cannot be made: {}", folder, error.message()));
    return ExitCode::kUnreadable;
  }
  const std::filesystem::path base(folder);
  ExitCode code = StoreFile((base / "case.module").string(), graph::Print(failure.shrunk.module));
  if (code != ExitCode::kSafe) return code;
  code = StoreFile((base / "story.txt").string(), StoryOf(failure));
  if (code != ExitCode::kSafe) return code;
  const auto planned = planner::Plan(failure.shrunk.module, SettingOf(failure.seed).options);
  if (!planned.ok()) return ExitCode::kSafe;
  const auto bytes = WriteProgram(planned.value().program);
  return bytes.ok() ? StoreFile((base / "case.pte").string(), bytes.value()) : ExitCode::kSafe;
}

}  // namespace

ExitCode RunTest(const TestRequest& request) {
  constexpr double kDefaultSeconds = 10;
  const bool unlimited = request.cases == 0;
  const double seconds = request.seconds > 0 ? request.seconds : unlimited ? kDefaultSeconds : 0;
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
    WriteOutput(StoryOf(*report.failure));
    if (request.output.empty()) return ExitCode::kUnsafe;
    const ExitCode written = WriteFailure(request.output, *report.failure);
    return written == ExitCode::kSafe ? ExitCode::kUnsafe : written;
  }
  const auto problems = generators::HealthProblems(report.statistics);
  for (const std::string& problem : problems) Complain("drifted: " + problem);
  return problems.empty() ? ExitCode::kSafe : ExitCode::kUnsafe;
}

}  // namespace pteproof
