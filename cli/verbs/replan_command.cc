#include "cli/verbs/replan_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>

#include "base/rule_names.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/store_file.h"
#include "cli/load/program_parts.h"
#include "cli/render/replan_report.h"
#include "cli/verbs/repair_program.h"
#include "cli/verbs/replan_output.h"
#include "planner/repair/spread.h"
#include "planner/replan/early_stores.h"
#include "pteproof/check.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

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

struct Attempt {
  planner::Replanned replanned;
  std::vector<std::byte> bytes;
  certify::Certificate certificate;
};

// `move_state`: buffers may move.
Result<Attempt, std::string> Try(const ReplanRequest& request, const ProgramParts& parts,
                                 const Report& report, const planner::ReplanOptions& options,
                                 bool move_state, bool early_stores) {
  std::optional<planner::Spread> spread;
  if (move_state) spread = planner::SpreadOut(parts.source(), true);
  if (spread && !spread->failure.empty()) return std::move(spread->failure);
  planner::ReplanOptions packing = options;
  packing.keep_outputs = !spread;  // that they are apart says nothing once all is spread out
  const Program& program = spread ? spread->program : parts.source();
  Attempt attempt = {early_stores ? planner::MoveStoresAndPlaces(program, packing)
                                  : planner::MovePlaces(program, packing),
                     {},
                     {}};
  planner::SetSizesBefore(parts.source(), attempt.replanned);
  auto bytes = WriteProgram(attempt.replanned.program);
  if (!bytes.ok()) return bytes.error();
  attempt.bytes = std::move(bytes).value();
  const auto back = ReadProgram(attempt.bytes);
  const std::string lost = back.ok() ? ProgramDifference(back.value(), attempt.replanned.program)
                                     : std::string("the new file cannot be read");
  if (!lost.empty()) {
    attempt.certificate.failure = lost;
    return attempt;
  }
  attempt.certificate = certify::Certify(
      {&parts.source(), parts.data_file(), parts.manifest.get()},
      {&attempt.replanned.program, parts.data_file(), parts.manifest.get()},
      {.old_report = &report,
       .all_first = AllFirst(request, parts),
       .calls = request.calls,
       .seed = request.seed,
       .jobs = std::max(1U, std::thread::hardware_concurrency()),
       .now_at = attempt.replanned.now_at,
       .nameless = spread ? spread->nameless : std::vector<std::vector<int32_t>>{}});
  return attempt;
}

// The bank that a new finding is about: that of its method, or of another method, whose writes may
// be the reason; any, if there is no such one. Nothing: no bank is left to keep. An error may be
// one of reading alone: two values that come to one place can look like names of each other.
std::optional<planner::BankOf> BankToKeep(const Attempt& attempt) {
  const auto& added = attempt.certificate.added;
  if (!added) return std::nullopt;
  const planner::ReplannedBank* best = nullptr;
  int best_fit = -1;
  for (const planner::ReplannedBank& bank : attempt.replanned.banks) {
    if (bank.after == bank.before) continue;
    const int fit = (bank.method == added->method ? 2 : 0) + (bank.bank == added->bank ? 1 : 0);
    if (fit > best_fit) best = &bank;
    best_fit = std::max(best_fit, fit);
  }
  if (best == nullptr) return std::nullopt;
  return planner::BankOf{best->method, best->bank};
}

ExitCode WriteAttempt(const ReplanRequest& request, const ProgramParts& parts,
                      const Attempt& attempt) {
  const ReplanFiles files = {request.file, request.output};
  const std::string json = CertificateJson(files, attempt.replanned, attempt.certificate);
  return WriteReplanned(request, parts, attempt.bytes,
                        ReplanText(files, attempt.replanned, attempt.certificate), json);
}

// Bytes that nothing uses, which a repair takes back if buffers may move.
bool HasWaste(const Report& report) {
  return std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.rule == rule::kPhantomSlot || finding.rule == rule::kPlanWaste;
  });
}

// With buffers moved, if that can be shown right and makes no bank larger. Nothing: they have to
// stay.
std::optional<ExitCode> ReplanWithMovedState(const ReplanRequest& request,
                                             const ProgramParts& parts, const Report& report) {
  const auto attempt = Try(request, parts, report, request.options, true, request.options.in_place);
  if (!attempt.ok() || !attempt.value().certificate.holds()) return std::nullopt;
  return WriteAttempt(request, parts, attempt.value());
}

// A bank of which the new plan would bring a finding keeps its plan, and stores stay where they
// were if no plan with early ones can be shown right.
ExitCode Replan(const ReplanRequest& request, const ProgramParts& parts, const Report& report) {
  if (request.move_state || (request.repair && HasWaste(report))) {
    if (const auto ended = ReplanWithMovedState(request, parts, report)) return *ended;
  }
  planner::ReplanOptions options = request.options;
  bool early_stores = options.in_place;
  for (;;) {
    const auto attempt = Try(request, parts, report, options, false, early_stores);
    if (!attempt.ok()) {
      Complain(fmt::format("{}: {}", QuotePath(request.file), attempt.error()));
      return ExitCode::kUnsafe;
    }
    if (const auto keep = BankToKeep(attempt.value())) {
      options.keep.push_back(*keep);
      continue;
    }
    const auto& [replanned, bytes, certificate] = attempt.value();
    if (!certificate.holds() && !replanned.now_at.empty()) {
      early_stores = false;
      options.keep = request.options.keep;
      continue;
    }
    if (certificate.open) {
      Complain(fmt::format("{}: nothing is written: {}", QuotePath(request.file),
                           Quote(certificate.failure, kLongestLine)));
      return ExitCode::kUndecided;
    }
    if (certificate.holds()) return WriteAttempt(request, parts, attempt.value());
    const ReplanFiles files = {request.file, request.output};
    return KeepFailure(request, parts, certificate.failure, bytes,
                       CertificateJson(files, replanned, certificate));
  }
}

}  // namespace

ExitCode RunReplan(const ReplanRequest& request) {
  if (request.html == kStandardOutput) {
    Complain("standard output is for the report or the program: name a file with --html");
    return ExitCode::kUsage;
  }
  if (!std::has_single_bit(static_cast<uint64_t>(request.options.alignment))) {
    Complain(fmt::format("alignment {} is not a power of two", request.options.alignment));
    return ExitCode::kUsage;
  }
  const auto parts = LoadParts({request.file, request.data, request.manifest});
  if (!parts.ok()) {
    Complain(parts.error().why);
    return parts.error().code;
  }
  const Manifest* manifest = parts.value().manifest.get();
  const Report report =
      Check(parts.value().source(),
            {.manifest = manifest, .all_first = AllFirst(request, parts.value())});
  const auto stated = manifest == nullptr ? std::nullopt : manifest->policy;
  const auto policy = request.policy ? request.policy : stated;
  if (request.repair && WantsRepair(report, policy)) {
    if (const auto ended = RunRepair(request, parts.value(), report, policy)) return *ended;
  }
  const Verdict verdict = BestOf(report.verdicts, policy);
  if (verdict != Verdict::kSafe) return RefuseVerdict(request, report, verdict);
  return Replan(request, parts.value(), report);
}

}  // namespace pteproof
