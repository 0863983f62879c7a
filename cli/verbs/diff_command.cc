#include "cli/verbs/diff_command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/progress.h"
#include "cli/io/quote.h"
#include "cli/load/program_parts.h"
#include "cli/verbs/tagged_calls.h"
#include "properties/oracles/diff_program.h"

namespace pteproof {
namespace {

std::string DisagreementText(const Program& program, const Disagreement& disagreement) {
  std::vector<std::string> calls;
  for (const std::string& method : disagreement.methods) calls.push_back(Quote(method));
  std::string text = fmt::format("  after the calls {}:\n", fmt::join(calls, ", "));
  if (!disagreement.what.empty()) {
    text += fmt::format(
        "  {}\n"
        "  A run with a storage of its own for every value gives something else: the plan loses\n"
        "  bytes.\n",
        disagreement.what);
  }
  if (disagreement.wrong_read) {
    text += fmt::format("  {}\n", WrongReadText(program, *disagreement.wrong_read));
  }
  return text;
}

std::string DiffJson(const DiffRequest& request, const Program& program, Policy policy,
                     std::string_view verdict, const DiffReport& report) {
  nlohmann::ordered_json line = {{"file", request.file},
                                 {"policy", Name(policy)},
                                 {"verdict", verdict},
                                 {"compared", report.compared},
                                 {"not_compared", nlohmann::ordered_json::object()},
                                 {"seed", request.seed},
                                 {"disagreement", nullptr}};
  for (const auto& [reason, calls] : report.not_compared) line["not_compared"][reason] = calls;
  if (report.disagreement) {
    const Disagreement& found = *report.disagreement;
    line["disagreement"] = {
        {"calls", found.methods}, {"what", found.what}, {"wrong_read", nullptr}};
    if (found.wrong_read) {
      line["disagreement"]["wrong_read"] = WrongReadText(program, *found.wrong_read);
    }
  }
  return JsonText(line) + "\n";
}

ExitCode DiffUnder(const DiffRequest& request, const ProgramParts& parts, Policy policy) {
  DiffOptions options;
  options.policy = policy;
  options.seed = request.seed;
  options.sequences = request.sequences;
  options.data = parts.data_file();
  options.manifest = parts.manifest.get();
  const DiffReport report = DiffProgram(parts.source(), options);
  int64_t left_out = 0;
  for (const auto& [reason, calls] : report.not_compared) left_out += calls;
  const bool differs = report.disagreement.has_value();
  const std::string_view verdict = differs                ? "differs"
                                   : report.compared == 0 ? "undecided"
                                                          : "agrees";
  const ExitCode code = differs                ? ExitCode::kUnsafe
                        : report.compared == 0 ? ExitCode::kUndecided
                                               : ExitCode::kSafe;
  if (request.json) {
    WriteOutput(DiffJson(request, parts.source(), policy, verdict, report));
    return code;
  }
  WriteOutput(fmt::format("{:<9} {} under {}: {} of {} calls compared (seed {})\n", verdict,
                          QuotePath(request.file), Name(policy), report.compared,
                          report.compared + left_out, request.seed));
  if (differs) WriteOutput(DisagreementText(parts.source(), *report.disagreement));
  for (const auto& [reason, calls] : report.not_compared) {
    WriteOutput(fmt::format("  {} calls not compared: {}\n", calls, Quote(reason, kLongestLine)));
  }
  return code;
}

}  // namespace

ExitCode RunDiff(const DiffRequest& request) {
  const auto parts = LoadParts({request.file, request.data, request.manifest, request.no_manifest});
  if (!parts.ok()) {
    Complain(parts.error().why);
    return parts.error().code;
  }
  const Manifest* manifest = parts.value().manifest.get();
  std::vector<Policy> policies = {Policy::kPrivate, Policy::kShare12, Policy::kShareAll};
  if (manifest != nullptr && manifest->policy) policies = {*manifest->policy};
  if (request.policy) policies = {*request.policy};
  ExitCode worst = ExitCode::kSafe;
  Progress progress(policies.size(), "policies compared");
  for (const Policy policy : policies) {
    progress.Clear();
    const ExitCode code = DiffUnder(request, parts.value(), policy);
    progress.Advance();
    if (code == ExitCode::kUnsafe || worst == ExitCode::kSafe) worst = code;
  }
  return worst;
}

}  // namespace pteproof
