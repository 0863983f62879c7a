#include "cli/verbs/inspect_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/file_name.h"
#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/load/data_files.h"
#include "cli/load/load_program.h"
#include "cli/render/lifetimes_text.h"
#include "cli/render/program_json.h"
#include "cli/render/program_text.h"
#include "cli/render/render_text.h"
#include "cli/render/unknown_method.h"
#include "meaning/print.h"
#include "meaning/program_meaning.h"
#include "pteproof/rules.h"
#include "runtime/bind_external.h"
#include "runtime/pteasm/file_refs.h"
#include "runtime/pteasm/print.h"

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

// Only the method that is asked for, if one is.
Program Selected(const Program& program, const std::string& method) {
  Program selected = program;
  if (method.empty()) return selected;
  std::erase_if(selected.methods, [&](const Method& each) { return each.name != method; });
  return selected;
}

// Large contents are those of the file, or of the files that its text refers to.
std::string AssemblyOf(const InspectRequest& request, const LoadedProgram& loaded) {
  if (loaded.text != nullptr) {
    std::map<std::pair<const std::byte*, size_t>, text::DataRef> known;
    for (const auto& [bytes, ref] : loaded.text->references) {
      known.emplace(std::pair(bytes.data(), bytes.size()), ref);
    }
    const auto refer = [&](Bytes bytes) -> std::optional<text::DataRef> {
      const auto found = known.find({bytes.data(), bytes.size()});
      if (found == known.end()) return std::nullopt;
      return found->second;
    };
    return pteasm::Print(Selected(loaded.text->program, request.method), refer);
  }
  const Program program = Selected(loaded.program, request.method);
  if (request.file == kStandardInput) return pteasm::Print(program);
  return pteasm::Print(
      program, pteasm::FileRefs(FileName(FilePath(request.file).filename()), *loaded.bytes));
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
  if (request.meaning) {
    WriteOutput(meaning::Print(meaning::MeaningOf(program, nullptr), request.method));
    return ExitCode::kSafe;
  }
  if (request.form == InspectForm::kPteasm) {
    WriteOutput(AssemblyOf(request, loaded.value()));
    return ExitCode::kSafe;
  }
  if (request.form == InspectForm::kJson) {
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
