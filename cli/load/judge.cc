#include "cli/load/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/unwind.h"
#include "cli/io/load_file.h"
#include "cli/load/data_files.h"
#include "cli/load/fingerprint.h"
#include "cli/load/load_manifest.h"
#include "cli/load/load_operators.h"
#include "cli/load/load_program.h"
#include "properties/certificate/certificate.h"
#include "properties/finding_order.h"
#include "properties/picture/picture_of.h"
#include "properties/suppress.h"
#include "properties/two_readings.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "pteproof/rules.h"
#include "runtime/bind_external.h"
#include "runtime/old_forms.h"
#include "runtime/sha256.h"

namespace pteproof {
namespace {

FileReport Failed(FileReport report, Outcome outcome, std::string error) {
  report.outcome = outcome;
  report.error = std::move(error);
  return report;
}

FileReport Malformed(FileReport report, std::vector<Finding> findings) {
  report.outcome = Outcome::kMalformed;
  report.report.findings = std::move(findings);
  return report;
}

void AddPicture(const Program& program, const Manifest* manifest, const JudgeOptions& options,
                FileReport& report) {
  if (!options.picture) return;
  report.picture = picture::PictureOf(program, report.report,
                                      {manifest, report.policy.value_or(Policy::kShare12)});
}

// The check, and what the runtime says of the load. Findings stay in their order.
Report CheckWithLoads(const Program& program, const CheckOptions& check,
                      const JudgeOptions& options, FileReport& report) {
  Report checked = Check(program, check);
  if (!options.runtime) return checked;
  Loads loads = LoadsOf(program, *options.runtime);
  report.loader = options.runtime->loader;
  report.loads = loads.answer;
  if (options.table != nullptr) {
    std::vector<Finding> refusals = RefusalsBy(*options.table, program);
    if (!refusals.empty()) report.loads = false;
    std::ranges::move(refusals, std::back_inserter(loads.findings));
  }
  std::ranges::move(loads.findings, std::back_inserter(checked.findings));
  std::ranges::stable_sort(checked.findings, ComesBefore);
  return checked;
}

// Of the manifest whose words a certificate leans on; empty if it cannot be read any more.
std::string HashOf(const ManifestSource& source, const JudgeOptions& options) {
  if (!options.certificate || !source.trusted) return "";
  const auto bytes = LoadFile(source.path);
  return bytes ? Sha256Hex(*bytes.value()) : "";
}

void AddCertificate(const Program& program, Bytes bytes, const Manifest* manifest, bool all_first,
                    std::string manifest_sha256, const JudgeOptions& options, FileReport& report) {
  const bool is_open = OverallOf(report.report.verdicts, report.policy) == Overall::kUndecided;
  if (!options.certificate || bytes.empty() || is_open || !certificate::IsCovered(program)) return;
  report.certificate =
      certificate::CertificateOf({program, bytes, manifest, all_first, report.policy, report.report,
                                  std::move(manifest_sha256), options.data_sha256});
}

FileReport JudgeUnderPolicy(const Program& program, Bytes bytes, FileReport report,
                            const JudgeOptions& options) {
  report.policy = options.policy;
  const ManifestSource source = ManifestFor(report.file, options.manifest);
  report.manifest = source.path;
  const CheckOptions alone = {nullptr, options.all_first.value_or(false), options.use};
  if (report.manifest.empty()) {
    report.report = CheckWithLoads(program, alone, options, report);
    AddPicture(program, nullptr, options, report);
    AddCertificate(program, bytes, nullptr, alone.all_first, "", options, report);
    return report;
  }
  auto loaded = LoadManifest(source, program, {report.file, bytes});
  if (!loaded) return Failed(std::move(report), loaded.error().outcome, loaded.error().error);
  Manifest& manifest = loaded.value();
  if (!report.policy) report.policy = manifest.policy;
  if (options.all_first) manifest.all_first = options.all_first;
  Program bound = program;
  if (auto wrong = BindStatedOperators(report.manifest, manifest, bound))
    return Failed(std::move(report), wrong->outcome, wrong->error);
  report.report = CheckWithLoads(
      bound, {&manifest, manifest.all_first.value_or(false), options.use}, options, report);
  Suppress(manifest.suppress, report.report.findings);
  if (!source.trusted) {
    Distrust(
        SaysOfProgram(manifest) ? CheckWithLoads(program, alone, options, report) : report.report,
        options.policy, report);
    Suppress(manifest.suppress, report.report.findings);
  }
  AddPicture(bound, &manifest, options, report);
  AddCertificate(bound, bytes, source.trusted ? &manifest : nullptr,
                 manifest.all_first.value_or(false), HashOf(source, options), options, report);
  return report;
}

// The options with what the bytes alone say of the load.
JudgeOptions WithForms(JudgeOptions options, Bytes bytes) {
  if (options.runtime) options.runtime->forms = OldFormsOf(bytes);
  return options;
}

// What holds under the policy, with the file's own memory ids.
FileReport OfTable(FileReport report, const UnderTable& under) {
  Report& checked = report.report;
  std::vector<Finding> kept;
  std::vector<bool> file_alone;
  for (size_t f = 0; f < checked.findings.size(); ++f) {
    if (!checked.findings[f].policies.Has(under.policy)) continue;
    if (!report.file_alone.empty()) file_alone.push_back(report.file_alone[f]);
    kept.push_back(InOwnBanks(std::move(checked.findings[f]), under));
  }
  checked.findings = std::move(kept);
  report.file_alone = std::move(file_alone);
  checked.verdicts.fill(checked.verdicts[static_cast<size_t>(under.policy)]);
  checked.banks = InOwnBanks(std::move(checked.banks), under);
  report.policy.reset();
  report.by_table = true;
  return report;
}

// Under a table: as under the policy that does the same. A picture has policies, and is left out.
FileReport JudgeProgram(const Program& program, Bytes bytes, FileReport report,
                        const JudgeOptions& options) {
  if (options.table == nullptr) return JudgeUnderPolicy(program, bytes, std::move(report), options);
  const auto under = Under(*options.table, program);
  if (!under)
    return Failed(std::move(report), Outcome::kWrongManifest, NoPolicyFor(*options.table));
  JudgeOptions there = options;
  there.policy = under->policy;
  there.picture = false;
  there.table = &under->table;
  report = JudgeUnderPolicy(under->program, bytes, std::move(report), there);
  return report.outcome == Outcome::kJudged ? OfTable(std::move(report), *under) : report;
}

void AddSources(Bytes program, FileReport& report) {
  if (report.report.findings.empty() && !report.picture) return;
  report.source = ReadSourceLines(report.file, program);
}

// A quick search tells of plans that some loader runs right: in another, values that share bytes by
// mistake are one storage, and its end says nothing of a mended plan.
void AddOptima(const Program& program, const JudgeOptions& options, FileReport& report) {
  const auto& banks = report.report.banks;
  const bool is_sound = std::ranges::any_of(
      report.report.verdicts, [](Verdict verdict) { return verdict != Verdict::kUnsafe; });
  if (options.optimum == OptimumSearch::kFull) {
    report.optima = OptimaOf(program, banks, is_sound, options.optimum_seconds);
  } else if (options.optimum == OptimumSearch::kQuick && is_sound) {
    report.optima = QuickOptimaOf(program, banks);
  }
}

void AddMemory(const Program& program, Bytes bytes, const JudgeOptions& options,
               FileReport& report) {
  if (report.outcome != Outcome::kJudged) return;
  std::vector<memory::LoaderKind> loaders;
  if (options.table != nullptr) loaders.push_back(memory::LoaderOf(*options.table));
  for (const Policy policy : kAllPolicies) {
    if (options.table != nullptr || (report.policy && *report.policy != policy)) continue;
    loaders.push_back(report.loader.empty() ? memory::LoaderOf(policy)
                                            : memory::LoaderNamed(report.loader, policy));
  }
  report.memory = memory::MemoryOf({&program, bytes, options.data}, {}, loaders);
}

void AddFingerprints(const Program& program, FileReport& report) {
  if (report.outcome != Outcome::kJudged) return;
  for (const Finding& finding : report.report.findings) {
    report.fingerprints.push_back(FingerprintOf(finding, program));
  }
}

JudgeOptions OptionsFor(const FoundFile& file, JudgeOptions options) {
  if (options.policy) return options;
  const ManifestSource source = ManifestFor(file.path, options.manifest);
  if (source.entry) options.policy = source.entry->policy;
  if (!options.policy) options.policy = file.policy;
  return options;
}

FileReport JudgeOrThrow(const FoundFile& file, const JudgeOptions& options) {
  FileReport report;
  report.file = file.path;
  if (!file.error.empty()) return Failed(std::move(report), Outcome::kUnreadable, file.error);
  auto loaded = LoadProgram(file.path);
  if (!loaded) return ReportOf(file.path, loaded.error());
  const Program& program = loaded.value().program;
  if (auto wrong = BindOperatorFiles(options.manifest.operators, loaded.value().program))
    return Failed(std::move(report), wrong->outcome, wrong->error);
  if (!options.data.empty()) {
    std::vector<Finding> findings = BindExternal(program, options.data);
    if (!findings.empty()) return Malformed(std::move(report), Explained(std::move(findings)));
  }
  const Bytes bytes = *loaded.value().bytes;
  report =
      JudgeProgram(program, bytes, std::move(report), WithForms(OptionsFor(file, options), bytes));
  AddFingerprints(program, report);
  if (!options.manifest.none) AddSources(*loaded.value().bytes, report);
  AddOptima(program, options, report);
  AddMemory(program, bytes, options, report);
  return report;
}

}  // namespace

FileReport JudgeLoaded(const Program& program, Bytes bytes, const std::string& file,
                       const JudgeOptions& options) {
  FileReport report;
  report.file = file;
  report = JudgeProgram(program, bytes, std::move(report), options);
  if (!options.manifest.none && !bytes.empty()) AddSources(bytes, report);
  return report;
}

FileReport Judge(const FoundFile& file, const JudgeOptions& options) {
  FileReport failed;
  failed.file = file.path;
  const auto judge = [&] { return JudgeOrThrow(file, options); };
  const auto without_memory = [&](const std::bad_alloc&) {
    return Failed(std::move(failed), Outcome::kInternal, "out of memory");
  };
  return Catching<std::exception>(
      [&] { return Catching<std::bad_alloc>(judge, without_memory); },
      [&](const std::exception& e) {
        return Failed(std::move(failed), Outcome::kInternal,
                      fmt::format("a bug in pteproof, please report it: {}", e.what()));
      });
}

}  // namespace pteproof
