#include "cli/verbs/diff_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/exit_code.h"
#include "cli/io/json_text.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/stage_line.h"
#include "cli/load/program_parts.h"
#include "cli/render/trust_words.h"
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

ExitCode CodeOf(const DiffReport& report) {
  if (report.disagreement || report.unplaced) return ExitCode::kUnsafe;
  const bool undecided = report.compared == 0 || !report.never_compared.empty();
  return undecided ? ExitCode::kUndecided : ExitCode::kSafe;
}

// Whether random calls depend on the manifest: on the protocol, the names of state and the sizes of
// inputs.
bool SaysOfCalls(const Manifest& manifest) {
  return manifest.calls.has_value() ||
         std::ranges::any_of(manifest.methods, [](const auto& method) {
           return !method.second.values.empty() || method.second.inputs.has_value();
         });
}

std::string_view WordOf(ExitCode code) {
  if (code == ExitCode::kUnsafe) return "differs";
  return code == ExitCode::kUndecided ? "undecided" : "agrees";
}

std::string_view WordOf(const DiffReport& report) {
  return report.unplaced && !report.disagreement ? "fails" : WordOf(CodeOf(report));
}

// "; 3 of 3 pairs of methods that share bytes were called in both orders"
std::string PairsText(const DiffReport& report) {
  if (report.pairs == 0) return "";
  return fmt::format("; {} of {} pairs of methods that share bytes were called in both orders",
                     report.pairs_tried, report.pairs);
}

// The protocol that the calls follow; null: none.
const CallProtocol* ProtocolOf(const DiffOptions& options) {
  const Manifest* manifest = options.manifest;
  return manifest != nullptr && manifest->calls.has_value() ? &*manifest->calls : nullptr;
}

std::string DiffJson(const DiffRequest& request, const Program& program, const DiffOptions& options,
                     const DiffReport& report) {
  nlohmann::ordered_json line = {{"file", request.file},
                                 {"policy", Name(options.policy)},
                                 {"verdict", WordOf(report)},
                                 {"compared", report.compared},
                                 {"not_compared", nlohmann::ordered_json::object()},
                                 {"pairs", report.pairs},
                                 {"pairs_tried", report.pairs_tried},
                                 {"seed", request.seed},
                                 {"calls", nullptr},
                                 {"disagreement", nullptr}};
  if (const CallProtocol* protocol = ProtocolOf(options)) line["calls"] = protocol->text;
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

void Print(const DiffRequest& request, const Program& program, const DiffOptions& options,
           const DiffReport& report) {
  if (request.json) return WriteOutput(DiffJson(request, program, options, report));
  int64_t left_out = 0;
  for (const auto& [reason, calls] : report.not_compared) left_out += calls;
  const bool is_alone = program.methods.size() == 1 && !request.policy;
  WriteOutput(fmt::format("{:<9} {} under {}: {} of {} calls compared{} (seed {})\n",
                          WordOf(report), QuotePath(request.file),
                          is_alone ? "every policy" : Name(options.policy), report.compared,
                          report.compared + left_out, PairsText(report), request.seed));
  if (const CallProtocol* protocol = ProtocolOf(options)) {
    WriteOutput(fmt::format("  assumed: the calls since loading begin a word of '{}'\n",
                            Quote(protocol->text, kLongestLine)));
  }
  if (report.disagreement) WriteOutput(DisagreementText(program, *report.disagreement));
  for (const auto& [reason, calls] : report.not_compared) {
    WriteOutput(fmt::format("  {} calls not compared: {}\n", calls, Quote(reason, kLongestLine)));
  }
  for (const std::string& method : report.never_compared) {
    WriteOutput(fmt::format("  no call of {} could be compared\n", Quote(method)));
  }
}

// What both readings come to.
struct Codes {
  ExitCode code = ExitCode::kSafe;
  ExitCode by_word = ExitCode::kSafe;  // as if the manifest were trusted
};

std::chrono::steady_clock::time_point After(double seconds) {
  using Clock = std::chrono::steady_clock;
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// The command as a whole says that memory ran out.
DiffReport DiffWithin(const Program& program, const DiffOptions& options) {
  const StageLine line(fmt::format("random calls under {}", Name(options.policy)));
  DiffReport report = DiffProgram(program, options);
  if (report.out_of_memory) throw MemoryRanOut(*report.out_of_memory);
  return report;
}

// Prints the reading that decides: with the manifest, or if it is not trusted and the file alone
// comes out worse, without it.
Codes DiffUnder(const DiffRequest& request, const ProgramParts& parts, Policy policy,
                std::optional<double> seconds) {
  DiffOptions options;
  options.policy = policy;
  options.seed = request.seed;
  options.sequences = request.sequences;
  options.data = parts.data_file();
  options.manifest = parts.manifest.get();
  const bool twice = !parts.manifest_source.trusted && SaysOfCalls(*parts.manifest);
  if (seconds) options.sequences = std::numeric_limits<int>::max();
  if (seconds) options.end = After(twice ? *seconds / 2 : *seconds);
  DiffReport report = DiffWithin(parts.source(), options);
  const ExitCode by_word = CodeOf(report);
  if (twice && by_word != ExitCode::kUnsafe) {
    options.manifest = nullptr;
    if (seconds) options.end = After(*seconds / 2);
    DiffReport alone = DiffWithin(parts.source(), options);
    if (Worse(by_word, CodeOf(alone)) != by_word) report = std::move(alone);
  }
  Print(request, parts.source(), options, report);
  return {CodeOf(report), by_word};
}

}  // namespace

ExitCode RunDiff(const DiffRequest& request) {
  const auto parts = LoadParts({request.file, request.data, request.manifest});
  if (!parts.ok()) {
    Complain(parts.error().why);
    return parts.error().code;
  }
  const Manifest* manifest = parts.value().manifest.get();
  const ManifestSource& source = parts.value().manifest_source;
  const std::optional<Policy> stated = manifest != nullptr ? manifest->policy : std::nullopt;
  std::vector<Policy> policies = {Policy::kPrivate, Policy::kShare12, Policy::kShareAll};
  if (stated && source.trusted) policies = {*stated};
  if (request.policy) policies = {*request.policy};
  // No other method can share a bank with the only one.
  const bool is_alone = parts.value().source().methods.size() == 1;
  if (is_alone) policies.resize(1);
  Codes worst;
  for (const Policy policy : policies) {
    std::optional<double> seconds = request.seconds;
    if (seconds) *seconds /= static_cast<double>(policies.size());
    const Codes codes = DiffUnder(request, parts.value(), policy, seconds);
    worst.code = Worse(worst.code, codes.code);
    if (is_alone || request.policy || !stated || policy == *stated) {
      worst.by_word = Worse(worst.by_word, codes.by_word);
    }
  }
  if (worst.by_word != worst.code && !request.json) {
    WriteOutput(fmt::format("{} {}\n", WordOf(worst.by_word), ByTheWordOf(source.path)));
  }
  return worst.code;
}

}  // namespace pteproof
