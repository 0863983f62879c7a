#include "cli/load/program_parts.h"

#include <set>
#include <string_view>
#include <utility>

#include "cli/load/load_manifest.h"
#include "cli/load/load_operators.h"

namespace pteproof {
namespace {

PartsFailure FailureOf(const std::string& file, const LoadFailure& failure) {
  return {ExitCodeOf(failure), TextOf(file, failure)};
}

// All entries of all files.
DataFile Together(const std::vector<LoadedData>& files) {
  DataFile together;
  std::set<std::string_view> known;
  for (const LoadedData& each : files) {
    for (const DataEntry& entry : each.file.entries) {
      if (known.insert(entry.key).second) together.entries.push_back(entry);
    }
  }
  SortKeys(together);
  return together;
}

}  // namespace

Result<ProgramParts, PartsFailure> LoadParts(const PartsRequest& request) {
  auto program = LoadProgram(request.file);
  if (!program) return FailureOf(request.file, program.error());
  ProgramParts parts;
  parts.program = std::move(program).value();
  if (auto wrong = BindOperatorFiles(request.manifest.operators, parts.program.program))
    return PartsFailure{ExitCodeOf(*wrong), wrong->error};
  parts.manifest_source = ManifestFor(request.file, request.manifest);
  if (const std::string& path = parts.manifest_source.path; !path.empty()) {
    const NamedProgram file = {request.file, *parts.program.bytes};
    auto manifest = LoadManifest(parts.manifest_source, parts.source(), file);
    if (!manifest) {
      return PartsFailure{ExitCodeOf(manifest.error()), manifest.error().error};
    }
    // Of a manifest that is not trusted a run takes no signatures: they could only better it.
    const bool bind = parts.manifest_source.trusted;
    const auto wrong =
        bind ? BindStatedOperators(path, manifest.value(), parts.program.program) : std::nullopt;
    if (wrong) return PartsFailure{ExitCodeOf(*wrong), wrong->error};
    parts.manifest = std::make_unique<const Manifest>(std::move(manifest).value());
  }
  for (const std::string& file : request.data) {
    auto weights = LoadData(file);
    if (!weights) return FailureOf(file, weights.error());
    parts.data.push_back(std::move(weights).value());
  }
  if (!parts.data.empty()) parts.weights = std::make_unique<const DataFile>(Together(parts.data));
  return parts;
}

}  // namespace pteproof
