#include "cli/diff_command.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/finding_names.h"
#include "cli/load_manifest.h"
#include "cli/load_program.h"
#include "cli/output.h"
#include "cli/quote.h"
#include "properties/oracles/diff_program.h"

namespace pteproof {
namespace {

// Kept together: the program, and what is known of it besides.
struct DiffSubject {
  LoadedProgram program;
  std::unique_ptr<const LoadedData> data;
  std::unique_ptr<const Manifest> manifest;
};

ExitCode Fail(const std::string& file, const LoadFailure& failure) {
  if (failure.outcome == Outcome::kUnreadable) {
    Complain(fmt::format("{} cannot be read: {}", Quote(file), failure.error));
    return ExitCode::kUnreadable;
  }
  Complain(fmt::format("{} is malformed; 'pteproof check' says where", Quote(file)));
  return ExitCode::kMalformed;
}

std::string DisagreementText(const Disagreement& disagreement) {
  std::vector<std::string> calls;
  for (const std::string& method : disagreement.methods) calls.push_back(Quote(method));
  return fmt::format(
      "  after the calls {}:\n"
      "  {}\n"
      "  A run with a storage of its own for every value gives something else: the plan loses\n"
      "  bytes. 'pteproof check' says which instruction overwrites them.\n",
      fmt::join(calls, ", "), disagreement.what);
}

ExitCode DiffUnder(const DiffRequest& request, const DiffSubject& subject, Policy policy) {
  DiffOptions options;
  options.policy = policy;
  options.seed = request.seed;
  options.sequences = request.sequences;
  if (subject.data != nullptr) options.data = &subject.data->file;
  options.manifest = subject.manifest.get();
  const DiffReport report = DiffProgram(subject.program.program, options);
  int64_t left_out = 0;
  for (const auto& [reason, calls] : report.not_compared) left_out += calls;
  const bool differs = report.disagreement.has_value();
  const std::string_view verdict = differs                ? "differs"
                                   : report.compared == 0 ? "undecided"
                                                          : "agrees";
  WriteOutput(fmt::format("{:<9} {} under {}: {} of {} calls compared (seed {})\n", verdict,
                          Quote(request.file), Name(policy), report.compared,
                          report.compared + left_out, request.seed));
  if (differs) WriteOutput(DisagreementText(*report.disagreement));
  for (const auto& [reason, calls] : report.not_compared) {
    WriteOutput(fmt::format("  {} calls not compared: {}\n", calls, Quote(reason, kLongestLine)));
  }
  if (differs) return ExitCode::kUnsafe;
  return report.compared == 0 ? ExitCode::kUndecided : ExitCode::kSafe;
}

}  // namespace

ExitCode RunDiff(const DiffRequest& request) {
  auto program = LoadProgram(request.file);
  if (!program) return Fail(request.file, program.error());
  DiffSubject subject{std::move(program).value(), nullptr, nullptr};
  if (!request.data.empty()) {
    auto data = LoadData(request.data);
    if (!data) return Fail(request.data, data.error());
    subject.data = std::make_unique<const LoadedData>(std::move(data).value());
  }
  if (const std::string beside = ManifestBeside(request.file); !beside.empty()) {
    auto manifest = LoadManifest(beside, subject.program.program);
    if (!manifest) {
      Complain(manifest.error().error);
      return ExitCode::kUsage;
    }
    subject.manifest = std::make_unique<const Manifest>(std::move(manifest).value());
  }
  std::vector<Policy> policies = {Policy::kPrivate, Policy::kShare12, Policy::kShareAll};
  const bool stated = subject.manifest != nullptr && subject.manifest->policy.has_value();
  if (stated) policies = {*subject.manifest->policy};
  if (request.policy) policies = {*request.policy};
  ExitCode worst = ExitCode::kSafe;
  for (const Policy policy : policies) {
    const ExitCode code = DiffUnder(request, subject, policy);
    if (code == ExitCode::kUnsafe || worst == ExitCode::kSafe) worst = code;
  }
  return worst;
}

}  // namespace pteproof
