#include "cli/verbs/repair_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/io/stage_line.h"
#include "cli/load/file_report.h"
#include "cli/render/compare_text.h"
#include "cli/render/repair_report.h"
#include "cli/render/replan_report.h"
#include "cli/verbs/replan_output.h"
#include "planner/repair/repair.h"
#include "properties/certify/certify.h"
#include "properties/certify/restate.h"
#include "properties/certify/shown_replan.h"
#include "properties/checks/overlap.h"
#include "pteproof/write.h"
#include "runtime/same_program.h"

namespace pteproof {
namespace {

// The policies with that verdict.
PolicySet PoliciesWith(const Verdicts& verdicts, Verdict verdict) {
  PolicySet policies = PolicySet::None();
  for (const Policy policy : kAllPolicies) {
    if (verdicts[static_cast<size_t>(policy)] == verdict) policies.Add(policy);
  }
  return policies;
}

// What a repair of a program leaves that depends on its loader.
std::string WithPolicies(std::string why, const Verdicts& verdicts) {
  const PolicySet safe = PoliciesWith(verdicts, Verdict::kSafe);
  if (safe == PolicySet::None()) return why;
  return fmt::format("{}; it stays unsafe under {}, and safe under {} (--policy)", why,
                     PolicyWords(PoliciesWith(verdicts, Verdict::kUnsafe)), PolicyWords(safe));
}

// The file means something else than the plan does, and no plan helps.
ExitCode Refuse(const ReplanRequest& request, const std::string& why,
                const std::vector<Finding>& left) {
  std::string text =
      fmt::format("{}: nothing is written: {}", QuotePath(request.file), Quote(why, kLongestLine));
  for (Finding finding : left) {
    finding.fix = std::string(checks::FixBesidesRepair(finding.fix));
    text += FindingLines(finding);
  }
  Complain(text);
  return left.empty() ? ExitCode::kUndecided : ExitCode::kUnsafe;
}

std::vector<Finding> ErrorsIn(const Report& report) {
  std::vector<Finding> errors;
  std::ranges::copy_if(report.findings, std::back_inserter(errors),
                       [](const Finding& finding) { return finding.severity == Severity::kError; });
  return errors;
}

std::optional<Manifest> ManifestWithNewNumbers(const ProgramParts& parts,
                                               const planner::Repaired& repaired) {
  if (parts.manifest == nullptr) return std::nullopt;
  return planner::WithNewNumbers(*parts.manifest, repaired.replanned.program, repaired);
}

certify::Certificate CertificateOf(const ReplanRequest& request, const ProgramParts& parts,
                                   const Report& report, const Program& meant,
                                   const planner::Repaired& repaired,
                                   std::span<const std::byte> bytes) {
  const Program& program = repaired.replanned.program;
  const auto back = ReadProgram(bytes);
  certify::Certificate certificate;
  certificate.failure =
      back.ok() ? ProgramDifference(back.value(), program) : "the new file cannot be read";
  if (!certificate.failure.empty()) return certificate;
  std::optional<Manifest> manifest = ManifestWithNewNumbers(parts, repaired);
  if (manifest) manifest = certify::WithSharing(*std::move(manifest));
  return certify::Certify({&meant, parts.data_file(), parts.manifest.get()},
                          {&program, parts.data_file(), manifest ? &*manifest : nullptr},
                          {.old_report = &report,
                           .repair = true,
                           .all_first = AllFirst(request, parts),
                           .calls = compare::CallCount::Of(request.calls, 1000),
                           .seed = request.seed,
                           .jobs = std::max(1U, std::thread::hardware_concurrency())});
}

// What planning the repaired program again has come to.
struct SecondPlan {
  std::optional<certify::ShownReplan> shown;  // right
  std::string why_not;                        // although it was asked for
};

// A stop ends this alone: the repair is finished.
SecondPlan PlanAgain(const ReplanRequest& request, const ProgramParts& parts,
                     const Program& repaired, const Manifest* manifest) {
  if (!request.options.in_place && !request.reorder) return {};
  try {
    certify::ShownReplan again = certify::ReplanShown(
        {&repaired, parts.data_file(), manifest},
        {.plan = request.options,
         .move_state = request.move_state,
         .reorder = request.reorder,
         .certify = {.all_first = AllFirst(request, parts),
                     .calls = compare::CallCount::Of(request.calls, 1000),
                     .seed = request.seed,
                     .jobs = std::max(1U, std::thread::hardware_concurrency())}});
    const std::string& why_not =
        again.unwritable.empty() ? again.certificate.failure : again.unwritable;
    if (!why_not.empty()) return {std::nullopt, why_not};
    return {std::move(again), ""};
  } catch (const Stopped&) {
    return {std::nullopt, "stopped before a second plan was shown right"};
  }
}

struct FinishedRepair {
  const RepairFiles& files;
  const planner::Repaired& repaired;
  const certify::Certificate& certificate;
  NewProgram made;
};

// With the second plan, or with the reason why there is none. All that it tells is compared with
// the old file, as the repaired program is nowhere to be seen.
ExitCode WriteRepaired(const ReplanRequest& request, const ProgramParts& parts,
                       const Program& meant, const FinishedRepair& repair, SecondPlan again) {
  const auto& [files, repaired, certificate, made] = repair;
  std::string text = RepairText(files, repaired, certificate);
  if (!again.shown) {
    nlohmann::ordered_json why_not;
    if (!again.why_not.empty()) {
      text += fmt::format("not planned again, this is the repair alone: {}\n",
                          Quote(again.why_not, kLongestLine));
      why_not = {{"holds", false}, {"failure", again.why_not}};
    }
    const ExitCode written = WriteReplanned(request, parts, made, text,
                                            RepairJson(files, repaired, certificate, why_not));
    return Worse(written, ExitCodeOf(OverallOf(certificate.new_check, files.names.policy)));
  }
  certify::ShownReplan& shown = *again.shown;
  planner::SetSizesBefore(meant, shown.replanned);
  const Manifest* stated = shown.manifest ? &*shown.manifest : made.manifest;
  const ExitCode written = WriteReplanned(
      request, parts, {shown.bytes, stated},
      text + "planned again, compared with " +
          ReplanText(files.names, shown.replanned, shown.certificate),
      RepairJson(files, repaired, certificate,
                 CertificateObject(files.names, shown.replanned, shown.certificate)));
  return Worse(written, ExitCodeOf(OverallOf(shown.certificate.new_check, files.names.policy)));
}

}  // namespace

bool WantsRepair(const Report& report, std::optional<Policy> policy) {
  if (policy) return report.verdicts[static_cast<size_t>(*policy)] == Verdict::kUnsafe;
  return std::ranges::find(report.verdicts, Verdict::kUnsafe) != report.verdicts.end();
}

ExitCode RunRepair(const ReplanRequest& request, const ProgramParts& parts, const Report& report,
                   std::optional<Policy> policy) {
  const bool any_sharing = !policy || *policy == Policy::kShare12;
  const certify::Restated meant =
      certify::Restate(parts.source(), parts.manifest.get(), any_sharing);
  planner::ReplanOptions options = request.options;
  options.manifest = parts.manifest.get();
  options.in_place = options.in_place && !options.bank_sizes.empty();  // else once it is repaired
  // Buffers make room in banks of a given size, and in one that they have come to.
  const bool move_state =
      request.move_state || !options.bank_sizes.empty() || !meant.changes.empty();
  const planner::Repaired repaired =
      planner::Repair(meant.program, options, options.operators, move_state);
  const auto refuse = [&](const std::string& why, const std::vector<Finding>& left) {
    return Refuse(request, policy ? why : WithPolicies(why, report.verdicts), left);
  };
  if (!repaired.failure.empty()) return refuse(repaired.failure, ErrorsIn(report));
  const auto cut_short = planner::OutputCutShort(
      repaired.replanned.program, planner::WebsOf(repaired.replanned.program, nullptr),
      options.outputs);
  if (cut_short) return refuse(*cut_short + " (--outputs)", {});
  const auto bytes = WriteProgram(repaired.replanned.program);
  if (!bytes.ok()) return refuse(bytes.error(), ErrorsIn(report));
  std::optional<StageLine> line("checking");
  const certify::Certificate certificate =
      CertificateOf(request, parts, report, meant.program, repaired, bytes.value());
  line.reset();
  const RepairFiles files = {{request.file, request.output, &parts.source(), policy},
                             meant.changes};
  const std::string json = RepairJson(files, repaired, certificate);
  if (certificate.open) return refuse(certificate.failure, certificate.left);
  if (!certificate.holds()) {
    return KeepFailure(request, parts, certificate.failure, bytes.value(), json);
  }
  if (policy && !certificate.policies.Has(*policy)) {
    return Refuse(request, fmt::format("no plan mends it under {}", Name(*policy)),
                  certificate.left);
  }
  const auto manifest = ManifestWithNewNumbers(parts, repaired);
  const NewProgram mended = {bytes.value(), manifest ? &*manifest : nullptr};
  return WriteRepaired(request, parts, meant.program, {files, repaired, certificate, mended},
                       PlanAgain(request, parts, repaired.replanned.program, mended.manifest));
}

}  // namespace pteproof
