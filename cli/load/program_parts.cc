#include "cli/load/program_parts.h"

#include <fmt/format.h>

#include <utility>

#include "cli/io/quote.h"
#include "cli/load/load_manifest.h"

namespace pteproof {
namespace {

PartsFailure FailureOf(const std::string& file, const LoadFailure& failure) {
  if (failure.outcome == Outcome::kUnreadable) {
    return {ExitCode::kUnreadable,
            fmt::format("{} cannot be read: {}", Quote(file), failure.error)};
  }
  return {ExitCode::kMalformed,
          fmt::format("{} is malformed; 'pteproof check' says where", Quote(file))};
}

}  // namespace

Result<ProgramParts, PartsFailure> LoadParts(const std::string& file, const std::string& data,
                                             const ManifestChoice& choice) {
  auto program = LoadProgram(file);
  if (!program) return FailureOf(file, program.error());
  ProgramParts parts{std::move(program).value(), nullptr, nullptr, ManifestFor(file, choice)};
  if (const std::string& path = parts.manifest_source.path; !path.empty()) {
    auto manifest = LoadManifest(path, parts.source());
    if (!manifest) {
      const bool unreadable = manifest.error().outcome == Outcome::kUnreadable;
      return PartsFailure{unreadable ? ExitCode::kUnreadable : ExitCode::kUsage,
                          manifest.error().error};
    }
    parts.manifest = std::make_unique<const Manifest>(std::move(manifest).value());
  }
  if (data.empty()) return parts;
  auto weights = LoadData(data);
  if (!weights) return FailureOf(data, weights.error());
  parts.data = std::make_unique<const LoadedData>(std::move(weights).value());
  return parts;
}

}  // namespace pteproof
