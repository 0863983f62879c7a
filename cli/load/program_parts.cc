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

Result<ProgramParts, PartsFailure> LoadParts(const std::string& file, const std::string& data) {
  auto program = LoadProgram(file);
  if (!program) return FailureOf(file, program.error());
  ProgramParts parts{std::move(program).value(), nullptr, nullptr};
  if (const std::string beside = ManifestBeside(file); !beside.empty()) {
    auto manifest = LoadManifest(beside, parts.source());
    if (!manifest) return PartsFailure{ExitCode::kUsage, manifest.error().error};
    parts.manifest = std::make_unique<const Manifest>(std::move(manifest).value());
  }
  if (data.empty()) return parts;
  auto weights = LoadData(data);
  if (!weights) return FailureOf(data, weights.error());
  parts.data = std::make_unique<const LoadedData>(std::move(weights).value());
  return parts;
}

}  // namespace pteproof
