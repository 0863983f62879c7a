#include "cli/verbs/inspect_command.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/load/data_files.h"
#include "cli/load/load_program.h"
#include "cli/render/lifetimes_text.h"
#include "cli/render/program_json.h"
#include "cli/render/program_text.h"
#include "cli/render/render_text.h"
#include "cli/render/unknown_method.h"
#include "pteproof/rules.h"
#include "runtime/bind_external.h"

namespace pteproof {
namespace {

ExitCode Explain(const FileReport& report) {
  WriteOutput(RenderText(report, {PaintForStandardOutput()}));
  return ExitCodeOf(report);
}

std::vector<std::string> NamesOf(const Program& program) {
  std::vector<std::string> names;
  for (const Method& each : program.methods) names.push_back(each.name);
  return names;
}

// Of the methods asked for, in the file's order.
std::vector<const Method*> MethodsOf(const Program& program, const std::string& method) {
  std::vector<const Method*> methods;
  for (const Method& each : program.methods) {
    if (method.empty() || each.name == method) methods.push_back(&each);
  }
  return methods;
}

ExitCode WriteLifetimes(const std::vector<const Method*>& methods, uint32_t bank) {
  std::string text = LifetimesHeader();
  for (const Method* method : methods) {
    const auto rows = LifetimesText(*method, bank);
    if (!rows) {
      Complain(fmt::format("method '{}': its control flow is beyond the limit on work",
                           Quote(method->name)));
      return ExitCode::kUndecided;
    }
    text += *rows;
  }
  WriteOutput(text);
  return ExitCode::kSafe;
}

// Why the data files cannot be used, or are not those of the program.
std::optional<FileReport> DataMisfit(const InspectRequest& request, const Program& program) {
  if (request.data.empty()) return std::nullopt;
  const DataFiles data = LoadDataFiles(request.data);
  if (!data.failures.empty()) {
    return ReportOf(data.failures.front().file, data.failures.front().failure);
  }
  std::vector<Finding> findings = BindExternal(program, data.files);
  if (findings.empty()) return std::nullopt;
  return ReportOf(request.file, {Outcome::kMalformed, "", Explained(std::move(findings))});
}

}  // namespace

ExitCode RunInspect(const InspectRequest& request) {
  const auto loaded = LoadProgram(request.file);
  if (!loaded) return Explain(ReportOf(request.file, loaded.error()));
  const Program& program = loaded.value().program;
  if (const auto misfit = DataMisfit(request, program)) return Explain(*misfit);
  const std::vector<const Method*> methods = MethodsOf(program, request.method);
  if (methods.empty() && !request.method.empty()) {
    return UnknownMethod(request.method, NamesOf(program));
  }
  if (request.lifetimes) return WriteLifetimes(methods, request.bank);
  if (request.json) {
    WriteOutput(ProgramJson(request.file, methods));
    return ExitCode::kSafe;
  }
  if (request.method.empty()) {
    WriteOutput(
        fmt::format("{}\n{}", QuotePath(request.file, kLongestLine), ProgramSummary(program)));
  }
  for (const Method* each : methods) WriteOutput("\n" + MethodText(*each));
  return ExitCode::kSafe;
}

}  // namespace pteproof
