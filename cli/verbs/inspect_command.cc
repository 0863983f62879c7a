#include "cli/verbs/inspect_command.h"

#include <fmt/format.h>

#include <vector>

#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/load/load_program.h"
#include "cli/render/lifetimes_text.h"
#include "cli/render/program_text.h"
#include "cli/render/render_text.h"
#include "cli/render/unknown_method.h"

namespace pteproof {
namespace {

ExitCode Explain(const std::string& file, const LoadFailure& failure) {
  FileReport report;
  report.file = file;
  report.outcome = failure.outcome;
  report.error = failure.error;
  report.report.findings = failure.findings;
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

}  // namespace

ExitCode RunInspect(const InspectRequest& request) {
  const auto loaded = LoadProgram(request.file);
  if (!loaded) return Explain(request.file, loaded.error());
  const Program& program = loaded.value().program;
  const std::vector<const Method*> methods = MethodsOf(program, request.method);
  if (methods.empty() && !request.method.empty()) {
    return UnknownMethod(request.method, NamesOf(program));
  }
  if (request.lifetimes) return WriteLifetimes(methods, request.bank);
  if (request.method.empty()) {
    WriteOutput(fmt::format("{}\n{}", Quote(request.file, kLongestLine), ProgramSummary(program)));
  }
  for (const Method* each : methods) WriteOutput("\n" + MethodText(*each));
  return ExitCode::kSafe;
}

}  // namespace pteproof
