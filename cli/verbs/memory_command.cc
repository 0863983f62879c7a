#include "cli/verbs/memory_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"
#include "cli/load/file_walk.h"
#include "cli/load/input_sizes.h"
#include "cli/load/parts_memory.h"
#include "cli/load/program_parts.h"
#include "cli/load/source_lines.h"
#include "cli/render/memory_report.h"
#include "cli/render/peak_tree.h"
#include "cli/render/peaks_in.h"
#include "cli/render/unknown_method.h"
#include "cli/standard/loader_file.h"

namespace pteproof {
namespace {

using memory::LoaderKind;

std::optional<std::string> UsageErrorOf(const MemoryRequest& request, size_t files) {
  const auto inputs = std::ranges::count(request.files, kStandardInput) +
                      std::ranges::count(request.data, kStandardInput) +
                      (request.manifest.named == kStandardInput ? 1 : 0);
  if (inputs > 1) return "standard input ('-') can be read only once";
  if (!request.manifest.named.empty() && files > 1) {
    return "--manifest describes one program: name one file";
  }
  return std::nullopt;
}

// The loaders to tell of: the one that is chosen, else all.
std::vector<LoaderKind> LoadersFor(const MemoryRequest& request, const ProgramParts& parts,
                                   const std::optional<LoaderTable>& table) {
  std::optional<Policy> policy = request.policy;
  if (!policy && parts.manifest != nullptr && parts.manifest_source.trusted) {
    policy = parts.manifest->policy;
  }
  std::vector<LoaderKind> loaders;
  if (table) {
    loaders.push_back(memory::LoaderOf(*table));
  } else if (!request.loader.empty()) {
    loaders.push_back(memory::LoaderNamed(request.loader, *policy));
  } else if (policy) {
    loaders.push_back(memory::LoaderOf(*policy));
  } else {
    for (const Policy each : kAllPolicies) loaders.push_back(memory::LoaderOf(each));
  }
  for (LoaderKind& loader : loaders) loader.access = request.access.value_or(loader.access);
  return loaders;
}

std::vector<std::string> MethodNamesOf(const Program& program) {
  std::vector<std::string> names;
  for (const Method& method : program.methods) names.push_back(method.name);
  return names;
}

bool IsAsked(const MemoryRequest& request, const std::string& method) {
  return request.methods.empty() ||
         std::ranges::find(request.methods, method) != request.methods.end();
}

std::vector<MethodBounds> BoundsOf(const MemoryRequest& request, const ProgramParts& parts,
                                   const SourceLines& lines, const std::vector<AskedSizes>& asked) {
  std::vector<MethodBounds> all;
  const Program& program = parts.source();
  for (size_t m = 0; m < program.methods.size(); ++m) {
    const Method& method = program.methods[m];
    MethodBounds bounds = {method.name, BoundedInputsOf(method, lines), asked[m].inputs, {}};
    if (bounds.inputs.empty() || !IsAsked(request, method.name)) continue;
    if (!bounds.asked.empty()) {
      bounds.there =
          memory::NeedAtSizes({&program, parts.data_file(), parts.manifest.get()}, m, bounds.asked);
    }
    all.push_back(std::move(bounds));
  }
  return all;
}

void AddTrees(const MemoryRequest& request, const ProgramParts& parts, const SourceLines& lines,
              MemoryReport& report) {
  const auto is_other = [&](const auto& each) { return !IsAsked(request, each.method); };
  report.peaks = PeaksIn(parts, lines, request.top);
  report.constants = ConstantsIn(parts.source(), lines, request.top);
  std::erase_if(report.peaks, is_other);
  std::erase_if(report.constants, is_other);
}

ExitCode TellMemory(const MemoryRequest& request, const std::string& file,
                    const std::optional<LoaderTable>& table) {
  const auto loaded = LoadParts({file, request.data, request.manifest});
  if (!loaded) {
    Complain(loaded.error().why);
    return loaded.error().code;
  }
  const ProgramParts& parts = loaded.value();
  const std::vector<std::string> names = MethodNamesOf(parts.source());
  for (const std::string& method : request.methods) {
    if (std::ranges::find(names, method) == names.end()) return UnknownMethod(method, names);
  }
  auto counted = MemoryOfParts(file, parts, request.methods, LoadersFor(request, parts, table));
  if (!counted) {
    Complain(counted.error().why);
    return counted.error().code;
  }
  const SourceLines lines =
      request.manifest.none ? SourceLines() : ReadSourceLines(file, *parts.program.bytes);
  const auto asked = AskedSizesOf(parts.source(), lines, request.methods, request.at);
  if (!asked) {
    Complain(Quote(asked.error(), kLongestLine));
    return ExitCode::kUsage;
  }
  MemoryReport report = {file, std::move(counted).value(),
                         BoundsOf(request, parts, lines, asked.value())};
  if (request.top > 0) AddTrees(request, parts, lines, report);
  WriteReport(
      request.json, [&] { return DeviceMemoryJson(report); },
      [&] { return DeviceMemoryText(report); });
  return ExitCode::kSafe;
}

}  // namespace

ExitCode RunMemory(const MemoryRequest& request) {
  const std::vector<FoundFile> files = FindFiles(request.files);
  if (const auto error = UsageErrorOf(request, files.size())) {
    Complain(*error);
    return ExitCode::kUsage;
  }
  std::optional<LoaderTable> table;
  if (!request.loader_file.empty()) {
    auto read = LoadLoaderFile(request.loader_file);
    if (!read) {
      Complain(read.error().error);
      return ExitCodeOf(read.error());
    }
    table = std::move(read).value();
  }
  ExitCode worst = ExitCode::kSafe;
  for (const FoundFile& file : files) {
    if (file.error.empty()) {
      worst = Worse(worst, TellMemory(request, file.path, table));
      continue;
    }
    Complain(fmt::format("{}: {}", QuotePath(file.path, kLongestLine), file.error));
    worst = Worse(worst, ExitCode::kUnreadable);
  }
  return worst;
}

}  // namespace pteproof
