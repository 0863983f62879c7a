#include "cli/verbs/replan_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "base/rule_names.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/stage_line.h"
#include "cli/io/store_file.h"
#include "cli/io/written_files.h"
#include "cli/load/beside.h"
#include "cli/load/program_parts.h"
#include "cli/load/runtime_operators.h"
#include "cli/render/replan_report.h"
#include "cli/standard/loader_file.h"
#include "cli/verbs/repair_program.h"
#include "cli/verbs/replan_output.h"
#include "properties/certify/shown_replan.h"
#include "pteproof/check.h"

namespace pteproof {
namespace {

// Of one policy, or the best that any has.
Verdict BestOf(const Verdicts& verdicts, std::optional<Policy> policy) {
  if (policy) return verdicts[static_cast<size_t>(*policy)];
  return std::ranges::min(verdicts);
}

// A program without a plan that is known to be right has none to keep.
ExitCode RefuseVerdict(const ReplanRequest& request, const Report& report, Verdict verdict) {
  const bool unsafe = verdict == Verdict::kUnsafe;
  std::string text =
      fmt::format("{}: the plan is {}, so that a new one cannot be shown to compute the same{}",
                  QuotePath(request.file), unsafe ? "unsafe" : "undecided",
                  unsafe ? "; --repair makes one for what the program means" : "");
  for (const Finding& finding : report.findings) {
    const bool decides = unsafe ? finding.severity == Severity::kError : finding.undecided;
    if (decides) text += FindingLines(finding);
  }
  Complain(text);
  return unsafe ? ExitCode::kUnsafe : ExitCode::kUndecided;
}

// Bytes that nothing uses, which a repair takes back if buffers may move.
bool HasWaste(const Report& report) {
  return std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.rule == rule::kPhantomSlot || finding.rule == rule::kPlanWaste;
  });
}

ExitCode Replan(const ReplanRequest& request, const ProgramParts& parts, const Report& report,
                std::optional<Policy> policy) {
  std::optional<StageLine> line("planning");
  const certify::ShownReplan shown = certify::ReplanShown(
      {&parts.source(), parts.data_file(), parts.manifest.get()},
      {.plan = request.options,
       .move_state = request.move_state || (request.repair && HasWaste(report)),
       .reorder = request.reorder,
       .bank = request.bank,
       .certify = {.old_report = &report,
                   .all_first = AllFirst(request, parts),
                   .calls = compare::CallCount::Of(request.calls, 1000),
                   .seed = request.seed,
                   .jobs = std::max(1U, std::thread::hardware_concurrency())}});
  line.reset();
  if (!shown.unwritable.empty()) {
    Complain(fmt::format("{}: {}", QuotePath(request.file), shown.unwritable));
    return ExitCode::kUnsafe;
  }
  const certify::Certificate& certificate = shown.certificate;
  if (certificate.open) {
    Complain(fmt::format("{}: nothing is written: {}", QuotePath(request.file),
                         Quote(certificate.failure, kLongestLine)));
    return ExitCode::kUndecided;
  }
  const ReplanFiles files = {request.file, request.output, &parts.source(), policy};
  const std::string json = CertificateJson(files, shown.replanned, certificate);
  if (!certificate.holds()) {
    return KeepFailure(request, parts, certificate.failure, shown.bytes, json);
  }
  const Manifest* manifest = shown.manifest ? &*shown.manifest : parts.manifest.get();
  return WriteReplanned(request, parts, {shown.bytes, manifest},
                        ReplanText(files, shown.replanned, certificate), json);
}

// Why the files that are asked for cannot be written; empty: they can. The new program may replace
// the old one, and its manifest the old one's.
std::string WrongFiles(const ReplanRequest& request) {
  const bool is_file = request.output != kStandardOutput;
  const bool has_manifest = is_file && !request.manifest.none;
  const MadeFiles made = {request.output,
                          has_manifest ? NameBeside(request.output, kManifestSuffix) : "",
                          {{"--certificate", request.certificate}, {"--html", request.html}}};
  OldFiles old = {request.file, {request.manifest.named}};
  if (!request.manifest.none) old.manifests.push_back(NameBeside(request.file, kManifestSuffix));
  std::vector<std::string> read = request.data;
  read.push_back(request.loader_file);
  if (request.operators_of != kWheelRuntime) read.push_back(request.operators_of);
  read.insert(read.end(), request.manifest.operators.begin(), request.manifest.operators.end());
  return WhyNotMade(made, std::span(&old, 1), read);
}

// The loader's table, and the policy that does the same with the program's own memory ids.
ExitCode ReadTable(ReplanRequest& request, const Program& program) {
  if (request.loader_file.empty()) return ExitCode::kSafe;
  auto table = LoadLoaderFile(request.loader_file);
  if (!table) {
    Complain(table.error().error);
    return ExitCodeOf(table.error());
  }
  const auto under = Under(table.value(), program);
  if (!under || !under->own.empty()) {
    Complain(
        fmt::format("{}: replan takes a loader that shares no bank of the program, all of them, "
                    "or exactly banks 1 and 2",
                    QuotePath(request.loader_file)));
    return ExitCode::kUsage;
  }
  request.policy = under->policy;
  for (const auto& [bank, row] : table.value().banks) {
    if (!row.size) continue;
    uint64_t& most = request.options.bank_sizes.try_emplace(bank, *row.size).first->second;
    most = std::min(most, *row.size);
  }
  request.table = std::move(table).value();
  return ExitCode::kSafe;
}

}  // namespace

ExitCode RunReplan(const ReplanRequest& asked) {
  ReplanRequest request = asked;
  if (request.html == kStandardOutput) {
    Complain("standard output is for the report or the program: name a file with --html");
    return ExitCode::kUsage;
  }
  if (const std::string wrong = WrongFiles(request); !wrong.empty()) {
    Complain(wrong);
    return ExitCode::kUsage;
  }
  const auto parts = LoadParts({request.file, request.data, request.manifest});
  if (!parts.ok()) {
    Complain(parts.error().why);
    return parts.error().code;
  }
  if (const ExitCode code = ReadTable(request, parts.value().source()); code != ExitCode::kSafe) {
    return code;
  }
  const auto operators = RuntimeOperators(request.operators_of);
  if (!operators.ok()) {
    Complain(operators.error().error);
    return ExitCodeOf(operators.error());
  }
  request.options.operators = operators.value();
  const Manifest* manifest = parts.value().manifest.get();
  const Report report =
      Check(parts.value().source(),
            {.manifest = manifest, .all_first = AllFirst(request, parts.value())});
  const auto stated = manifest == nullptr ? std::nullopt : manifest->policy;
  const auto policy = request.policy ? request.policy : stated;
  if (request.repair && WantsRepair(report, policy)) {
    return RunRepair(request, parts.value(), report, policy);
  }
  // No other method has such a bank.
  const bool is_private = policy == Policy::kPrivate;
  if (is_private && request.options.outputs == planner::OutputsLast::kOwnNextCall) {
    request.options.outputs = planner::OutputsLast::kNextCall;
  }
  const Verdict verdict = BestOf(report.verdicts, policy);
  if (verdict != Verdict::kSafe) return RefuseVerdict(request, report, verdict);
  return Replan(request, parts.value(), report, policy);
}

}  // namespace pteproof
