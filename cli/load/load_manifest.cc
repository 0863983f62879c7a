#include "cli/load/load_manifest.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "cli/io/hosted.h"
#include "cli/io/load_file.h"
#include "cli/load/known_file.h"
#include "properties/manifest/fit.h"

namespace pteproof {
namespace {

ManifestFailure Wrong(const std::string& path, std::string_view how,
                      const std::vector<ManifestError>& errors) {
  if (Hosted* host = HostOfThread()) host->wrong_manifest = true;
  std::string text = fmt::format("the manifest {} {}", path, how);
  for (const ManifestError& error : errors)
    text += fmt::format("\n  {}: {}", error.where, error.what);
  return {Outcome::kWrongManifest, std::move(text)};
}

}  // namespace

ExitCode ExitCodeOf(const ManifestFailure& failure) {
  FileReport report;
  report.outcome = failure.outcome;
  return ExitCodeOf(report);
}

Result<Manifest, ManifestFailure> LoadManifest(const std::string& path, const Program& program) {
  const auto bytes = LoadFile(path);
  if (!bytes) {
    return ManifestFailure{Outcome::kUnreadable, fmt::format("the manifest {} cannot be read: {}",
                                                             path, bytes.error().why)};
  }
  const Bytes& read = *bytes.value();
  const auto* text = reinterpret_cast<const char*>(read.data());
  auto manifest = ParseManifest(std::string_view(text, read.size()));
  if (!manifest) {
    const auto known = KnownFileOf(read);
    if (!known || known->kind == KnownKind::kManifest) {
      return Wrong(path, "is wrong", manifest.error());
    }
    return Wrong(path, "is wrong: " + ExplanationOf(*known), manifest.error());
  }
  const std::vector<ManifestError> misfits = CheckFit(manifest.value(), program);
  if (!misfits.empty()) return Wrong(path, "does not fit the program", misfits);
  return std::move(manifest).value();
}

}  // namespace pteproof
