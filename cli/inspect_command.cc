#include "cli/inspect_command.h"

#include <fmt/format.h>

#include "cli/load_program.h"
#include "cli/output.h"
#include "cli/program_text.h"
#include "cli/quote.h"
#include "cli/render_text.h"

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

ExitCode UnknownMethod(const Program& program, const std::string& method) {
  std::string known;
  for (const Method& each : program.methods) known += " " + Quote(each.name);
  Complain(fmt::format("there is no method '{}'; the file has{}", Quote(method), known));
  return ExitCode::kUsage;
}

}  // namespace

ExitCode RunInspect(const std::string& file, const std::string& method) {
  const auto loaded = LoadProgram(file);
  if (!loaded) return Explain(file, loaded.error());
  const Program& program = loaded.value().program;
  if (method.empty()) {
    WriteOutput(fmt::format("{}\n{}", Quote(file, kLongestLine), ProgramSummary(program)));
  }
  bool found = method.empty();
  for (const Method& each : program.methods) {
    if (!method.empty() && each.name != method) continue;
    found = true;
    WriteOutput("\n" + MethodText(each));
  }
  return found ? ExitCode::kSafe : UnknownMethod(program, method);
}

}  // namespace pteproof
