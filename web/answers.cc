#include "web/answers.h"

#include <utility>

#include "checker/twin/twin.h"
#include "cli/forms/markdown.h"
#include "cli/load/data_files.h"
#include "cli/load/judge.h"
#include "cli/load/parts_memory.h"
#include "cli/map/page_data.h"
#include "cli/map/svg_findings.h"
#include "cli/render/finding_text.h"
#include "cli/render/memory_report.h"
#include "cli/render/program_json.h"
#include "cli/render/render_json.h"
#include "cli/render/render_text.h"
#include "properties/compare/sections.h"
#include "runtime/sha256.h"

namespace pteproof::web {
namespace {

using Json = nlohmann::ordered_json;

Json Parsed(const std::string& text) {
  return Json::parse(text, nullptr, false);
}

ManifestChoice ManifestOf(const Question& question) {
  ManifestChoice choice;
  choice.named = question.manifest;
  return choice;
}

JudgeOptions OptionsOf(const Question& question, const DataFiles& data) {
  JudgeOptions options;
  options.policy = question.policy;
  options.manifest = ManifestOf(question);
  options.optimum = OptimumSearch::kQuick;
  options.data = data.files;
  options.runtime = RuntimeOfLoader("");
  GiveData(data.files, *options.runtime);
  return options;
}

// Of data files that cannot be used that is told instead.
FileReport Judged(const Question& question, const DataFiles& data, const JudgeOptions& options) {
  if (data.failures.empty()) return Judge({question.program, ""}, options);
  return ReportOf(data.failures.front().file, data.failures.front().failure);
}

// What a link calls a file by: no more of it is read than the check reads.
Json IdentityOf(const std::string& program) {
  const auto file = LoadFile(program);
  if (!file) return nullptr;
  const Bytes bytes = *file.value();
  const auto tables = static_cast<size_t>(compare::TablesOf(bytes));
  return {{"sha256", Sha256Hex(bytes.first(tables))}, {"size", bytes.size()}};
}

// The text of the certificate, with its exit code; empty if there is none.
std::string CertificateOf(const Question& question, const DataFiles& data, ExitCode& code) {
  if (!question.certificate.empty()) {
    const auto given = LoadFile(question.certificate);
    if (!given) return "";
    const auto* text = reinterpret_cast<const char*>(given.value()->data());
    return {text, given.value()->size()};
  }
  JudgeOptions options = OptionsOf(question, data);
  options.certificate = true;
  for (const LoadedData& file : data.loaded) options.data_sha256.push_back(Sha256Hex(*file.bytes));
  const FileReport report = Judged(question, data, options);
  code = ExitCodeOf(report);
  return report.certificate;
}

Json Failure(ExitCode code, const std::string& why) {
  return {{"exit", static_cast<int>(code)}, {"error", why}};
}

}  // namespace

Json CheckAnswer(const Question& question) {
  const DataFiles data = LoadDataFiles(question.data);
  JudgeOptions options = OptionsOf(question, data);
  options.picture = true;
  const FileReport report = Judged(question, data, options);
  TextOptions all;
  all.all = true;
  Json answer = {{"exit", static_cast<int>(ExitCodeOf(report))},
                 {"json", RenderJson(report)},
                 {"text", RenderText(report, all)},
                 {"markdown", RenderMarkdown(std::span(&report, 1), {}, true)},
                 {"headlines", Json::array()},
                 {"notes", Json::array()}};
  for (const Finding& finding : report.report.findings) {
    answer["headlines"].push_back(Headline(finding, " \u00b7 "));
    answer["notes"].push_back(TextOf(SourceOf(finding, report.source), true) + WithFix(finding));
  }
  answer["identity"] = IdentityOf(question.program);
  answer["picture"] = report.picture ? PictureJson(report, *report.picture) : Json(nullptr);
  return answer;
}

Json MemoryAnswer(const Question& question) {
  const auto parts = LoadParts({question.program, question.data, ManifestOf(question)});
  if (!parts) return Failure(parts.error().code, parts.error().why);
  std::vector<memory::LoaderKind> loaders;
  for (const Policy policy : kAllPolicies) {
    if (question.policy.value_or(policy) == policy) loaders.push_back(memory::LoaderOf(policy));
  }
  auto counted = MemoryOfParts(question.program, parts.value(), {}, loaders);
  if (!counted) return Failure(counted.error().code, counted.error().why);
  Json answer = Parsed(DeviceMemoryJson({question.program, std::move(counted).value()}));
  answer["rows"] = MemoryCountWords();
  return answer;
}

Json ListingAnswer(const Question& question) {
  const auto loaded = LoadProgram(question.program);
  if (!loaded) return Failure(ExitCodeOf(loaded.error()), TextOf(question.program, loaded.error()));
  std::vector<const Method*> methods;
  for (const Method& method : loaded.value().program.methods) methods.push_back(&method);
  return Parsed(ProgramJson(question.program, methods));
}

Json CertificateAnswer(const Question& question) {
  const DataFiles data = LoadDataFiles(question.data);
  ExitCode code = ExitCode::kUnreadable;
  const std::string certificate = CertificateOf(question, data, code);
  if (certificate.empty()) {
    return Failure(code, "A verdict that is not settled has no certificate.");
  }
  const auto program = LoadFile(question.program);
  std::vector<pteproof_twin::File> files;
  for (const LoadedData& file : data.loaded) files.push_back(*file.bytes);
  const pteproof_twin::Answer answer = pteproof_twin::Judge(
      *program.value(), certificate, pteproof_twin::ReviewedOperators(), files);
  return {{"exit", static_cast<int>(answer.exit)},
          {"certificate", certificate},
          {"given", !question.certificate.empty()},
          {"lines", LinesOf(answer)}};
}

}  // namespace pteproof::web
