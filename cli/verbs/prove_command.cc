#include "cli/verbs/prove_command.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include "base/file_name.h"
#include "cli/io/output.h"
#include "cli/io/progress.h"
#include "cli/io/quote.h"
#include "cli/load/certificate_file.h"
#include "cli/load/data_files.h"
#include "cli/load/file_walk.h"
#include "cli/load/judge.h"
#include "cli/load/lint_module.h"
#include "cli/load/load_manifest.h"
#include "cli/load/load_module.h"
#include "cli/load/load_operators.h"
#include "cli/load/load_program.h"
#include "cli/render/proof_report.h"
#include "cli/verbs/planner_proofs.h"
#include "cli/verbs/prove_twice.h"
#include "planner/plan.h"
#include "properties/explain/why_refuted.h"
#include "properties/loads.h"
#include "properties/manifest/of_plan.h"
#include "properties/proofs/sizes/value_sizes.h"
#include "properties/two_readings.h"
#include "pteproof/check.h"
#include "pteproof/rules.h"
#include "runtime/bind_external.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

// What is to be proved of one file.
struct Subject {
  std::string file;
  LoadedProgram loaded;                     // of a program
  Program alone;                            // of a program with a manifest: without its operators
  planner::Planned planned;                 // of a Module
  std::optional<proofs::ValueSizes> sizes;  // of a Module: over its dims
  ManifestSource source;
  std::unique_ptr<const Manifest> manifest;  // null: none

  [[nodiscard]] const Program& program() const { return sizes ? planned.program : loaded.program; }
};

struct NoSubject {
  ExitCode code = ExitCode::kUnreadable;
  std::string why;
};

NoSubject Refused(const std::string& file, const LoadFailure& failure) {
  return {ExitCodeOf(failure), TextOf(file, failure)};
}

// A Module says itself what a manifest and signatures say of a program. Empty: none is given.
std::string NotOfModule(const ProveRequest& request, const std::string& file) {
  const bool named = !request.manifest.named.empty();
  if (!named && request.manifest.operators.empty()) return "";
  return fmt::format(
      "{}: {} is for programs, and this is a Module. Leave it out, or plan the Module with "
      "`pteproof plan` and prove the program",
      QuotePath(file, kLongestLine), named ? "--manifest" : "--operators");
}

// A Module is planned as `plan` does by default, for the loader that is asked for.
Result<Subject, NoSubject> PlanSubject(const ProveRequest& request, const std::string& file) {
  if (std::string wrong = NotOfModule(request, file); !wrong.empty()) {
    return NoSubject{ExitCode::kUsage, std::move(wrong)};
  }
  const auto module = LoadModule(file);
  if (!module.ok()) return NoSubject{module.error().code, module.error().why};
  if (auto wrong = WrongInPlace(file, module.value())) {
    return NoSubject{wrong->code, std::move(wrong->why)};
  }
  planner::PlanOptions options;
  options.policy = request.policy.value_or(options.policy);
  auto planned = planner::Plan(module.value(), options);
  if (!planned.ok()) {
    return NoSubject{ExitCode::kUnsafe,
                     fmt::format("{}: there is no plan: {}", QuotePath(file, kLongestLine),
                                 Quote(planned.error().what, kLongestLine))};
  }
  Subject subject;
  subject.file = file;
  subject.planned = std::move(planned).value();
  subject.sizes = proofs::ValueSizesOf(subject.planned.program, module.value());
  auto manifest = ManifestOfPlan(module.value(), options, subject.planned.program);
  if (manifest.ok() && !request.manifest.none) {
    if (request.all_first) manifest.value().all_first = request.all_first;
    subject.source = {"of the Module", true};
    subject.manifest = std::make_unique<const Manifest>(std::move(manifest).value());
  }
  return subject;
}

Result<Subject, NoSubject> LoadSubject(const ProveRequest& request, const std::string& file,
                                       std::span<const DataFile> data) {
  if (FilePath(file).extension() == ".module") return PlanSubject(request, file);
  Subject subject;
  subject.file = file;
  auto loaded = LoadProgram(file);
  if (!loaded.ok()) return Refused(file, loaded.error());
  subject.loaded = std::move(loaded).value();
  if (auto wrong = BindOperatorFiles(request.manifest.operators, subject.loaded.program))
    return NoSubject{ExitCodeOf(*wrong), wrong->error};
  if (!data.empty()) {
    std::vector<Finding> misfits = BindExternal(subject.program(), data);
    if (!misfits.empty()) {
      return Refused(file, {Outcome::kMalformed, "", Explained(std::move(misfits))});
    }
  }
  subject.source = ManifestFor(file, request.manifest);
  if (subject.source.path.empty()) return subject;
  auto manifest = LoadManifest(subject.source, subject.program(), {file, *subject.loaded.bytes});
  if (!manifest.ok()) return NoSubject{ExitCodeOf(manifest.error()), manifest.error().error};
  if (request.all_first) manifest.value().all_first = request.all_first;
  subject.alone = subject.loaded.program;
  const auto wrong =
      BindStatedOperators(subject.source.path, manifest.value(), subject.loaded.program);
  if (wrong) return NoSubject{ExitCodeOf(*wrong), wrong->error};
  subject.manifest = std::make_unique<const Manifest>(std::move(manifest).value());
  return subject;
}

std::string SolversOf(const proofs::DecideOptions& how) {
  return how.solver == proofs::SolverChoice::kZ3 ? proofs::Z3Version()
         : how.solver == proofs::SolverChoice::kCvc5
             ? "cvc5"
             : fmt::format("{} and cvc5", proofs::Z3Version());
}

// The check that confirms, and the reasons that were asked for, of what is refuted.
void Explain(const ProveRequest& request, const Program& program,
             const proofs::ObligeOptions& oblige, ProofReport& report) {
  const proofs::ProofCounts counts = proofs::Count(report.proof);
  if (counts.refuted + counts.undecided > 0) {
    report.check = Check(program, {.manifest = oblige.manifest, .all_first = oblige.all_first});
  }
  if (request.why) report.whys = explain::WhysOf(program, oblige, report.proof);
}

// Proves the file alone too, where the manifest is not trusted.
void JudgeAlone(const ProveRequest& request, const Subject& subject,
                const proofs::ObligeOptions& with, proofs::DecideOptions how, ProofReport& report) {
  if (subject.source.trusted || report.known == nullptr) return;
  proofs::ObligeOptions oblige = with;
  oblige.manifest = nullptr;
  oblige.all_first = request.all_first.value_or(false);
  if (how.smt_dir) {
    std::error_code ignored;  // its parent was just made
    fs::create_directories(*how.smt_dir /= "file-alone", ignored);
  }
  std::optional<proofs::Proof> alone;
  if (SaysOfProgram(*report.known)) alone = proofs::Prove(subject.alone, oblige, how);
  Distrust(std::move(alone), request.policy, report);
  if (report.alone) Explain(request, subject.alone, oblige, *report.alone);
}

// The verdict's certificate, as `check` writes it. A proof that finds less gives none.
ExitCode StoreCertificate(const ProveRequest& request, const ProofReport& report,
                          const DataFiles& data, CertificateStore& certificates) {
  if (!certificates.asked()) return ExitCode::kSafe;
  JudgeOptions options;
  options.policy = request.policy;
  options.all_first = request.all_first;
  options.manifest = request.manifest;
  options.data = data.files;
  for (const LoadedData& file : data.loaded) {
    options.data_sha256.push_back(Sha256Hex(*file.bytes));
  }
  options.certificate = true;
  FoundFile found;
  found.path = report.file;
  const FileReport judged = Judge(found, options);
  if (judged.outcome == Outcome::kOtherVerbs) {
    Complain(
        fmt::format("{}: no certificate, as there is no program file: `pteproof plan` writes "
                    "one of the Module, and `pteproof check --certificate` is for that",
                    QuotePath(report.file, kLongestLine)));
    return ExitCode::kUndecided;
  }
  const Overall checked = OverallOf(judged.report.verdicts, judged.policy);
  if (report.overall() != checked && checked != Overall::kUndecided) {
    Complain(fmt::format("{}: no certificate: `pteproof check` says {}, and the proof does not",
                         QuotePath(report.file, kLongestLine), Name(checked)));
    return ExitCode::kUndecided;
  }
  return certificates.Store(report.file, judged.certificate, judged.report);
}

ExitCode ProveOne(const ProveRequest& request, const Subject& subject, const DataFiles& data,
                  CertificateStore& certificates) {
  const Manifest* manifest = subject.manifest.get();
  proofs::ObligeOptions oblige;
  oblige.manifest = manifest;
  oblige.order = request.order;
  oblige.sizes = subject.sizes ? &*subject.sizes : nullptr;
  oblige.all_first =
      request.all_first.value_or(manifest != nullptr && manifest->all_first.value_or(false));
  if (request.list) {
    WriteOutput(RenderList(subject.file, proofs::ObligationsOf(subject.program(), oblige)));
    return ExitCode::kSafe;
  }
  proofs::DecideOptions how = request.how;
  // The others print, write or ask each obligation.
  oblige.counts_held = !request.json && !request.why && request.smt.empty() &&
                       how.solver == proofs::SolverChoice::kZ3;
  Progress progress(0, "obligations decided");
  how.progress = [&](size_t, size_t) { progress.Advance(); };
  if (!request.smt.empty()) {
    how.smt_dir = FilePath(request.smt) / FilePath(subject.file).stem();
    std::error_code error;
    fs::create_directories(*how.smt_dir, error);
    if (error) {
      Complain(fmt::format("{} cannot be made: {}; name another folder with --smt",
                           QuotePath(FileName(*how.smt_dir), kLongestLine), error.message()));
      return ExitCode::kUsage;
    }
  }
  if (const auto why = proofs::WhyNotUsable(how)) {
    Complain(*why + "; install cvc5, or leave --solver out: Z3 decides alone");
    return ExitCode::kUsage;
  }
  const auto started = std::chrono::steady_clock::now();
  ProofReport report;
  report.file = subject.file;
  report.manifest = subject.source.path;
  report.policy = request.policy;
  if (!report.policy && manifest != nullptr) report.policy = manifest->policy;
  report.known = manifest;
  report.proof = proofs::Prove(subject.program(), oblige, how);
  report.verdicts = report.proof.verdicts;
  Explain(request, subject.program(), oblige, report);
  JudgeAlone(request, subject, oblige, how, report);
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  report.solvers = SolversOf(how);
  progress.Clear();
  WriteReport(
      request.json, [&] { return RenderJson(report); },
      [&] { return RenderText(report, PaintForStandardOutput(), request.quiet); });
  return Worse(ExitCodeOf(report), StoreCertificate(request, report, data, certificates));
}

// The proof is of the plan, whatever a loader says of the program.
void TellDataNeeded(const Subject& subject) {
  const DataNeeded needed = DataNeededBy(subject.program());
  if (needed.text.empty()) return;
  Complain(fmt::format("{}: {} {}", QuotePath(subject.file, kLongestLine),
                       Quote(needed.text.substr(0, needed.text.find('\n')), kLongestLine),
                       needed.fix));
}

}  // namespace

ExitCode RunProve(const ProveRequest& request) {
  if (request.planner) return RunPlannerProofs(request.planner_bounds);
  ExitCode worst = ExitCode::kSafe;
  const auto files = FindFiles(request.files);
  if (!request.manifest.named.empty() && files.size() > 1) {
    Complain("--manifest describes one program: name one file, or say --trust-manifests");
    return ExitCode::kUsage;
  }
  const DataFiles data = LoadDataFiles(request.data);
  for (const auto& [file, failure] : data.failures) {
    Complain(TextOf(file, failure));
    worst = Worse(worst, ExitCodeOf(failure));
  }
  if (!data.failures.empty()) return worst;
  CertificateStore certificates(request.certificate, files.size() != 1);
  for (const FoundFile& file : files) {
    if (!file.error.empty()) {
      Complain(fmt::format("{}: {}", QuotePath(file.path, kLongestLine), file.error));
      worst = Worse(worst, ExitCode::kUnreadable);
      continue;
    }
    auto subject = LoadSubject(request, file.path, data.files);
    if (!subject.ok()) Complain(subject.error().why);
    if (subject.ok() && data.files.empty()) TellDataNeeded(subject.value());
    worst = Worse(worst, subject.ok() ? ProveOne(request, subject.value(), data, certificates)
                                      : subject.error().code);
  }
  return worst;
}

}  // namespace pteproof
