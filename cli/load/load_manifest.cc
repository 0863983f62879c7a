#include "cli/load/load_manifest.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "cli/io/hosted.h"
#include "cli/io/load_file.h"
#include "cli/io/quote.h"
#include "cli/load/known_file.h"
#include "properties/manifest/fit.h"
#include "runtime/file_kind.h"
#include "runtime/read_bundle.h"
#include "runtime/sha256.h"

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

ManifestFailure NotTheTrustedOne(const ManifestSource& source, const std::string& sha256,
                                 std::string_view program) {
  return Wrong(
      source.path,
      fmt::format("is not the one that is trusted: {} has sha256 {}, and the file has {}. "
                  "If the file is right: {}; or leave it out with --no-manifest",
                  source.entry->place, source.entry->sha256, sha256, TrustCommand(program)),
      {});
}

}  // namespace

ExitCode ExitCodeOf(const ManifestFailure& failure) {
  FileReport report;
  report.outcome = failure.outcome;
  return ExitCodeOf(report);
}

bool IsOfProgram(const Manifest& manifest, Bytes file) {
  const std::string& stated = manifest.program_sha256;
  if (stated.empty() || stated == Sha256Hex(file)) return true;
  if (Sniff(file) != FileKind::kBundle) return false;
  const auto bundle = ReadBundle(file);
  return bundle.ok() && stated == Sha256Hex(bundle.value().program);
}

ManifestFailure OfAnotherProgram(const std::string& path, const Manifest& manifest,
                                 const NamedProgram& file) {
  return Wrong(path,
               fmt::format("is that of another program: its program_sha256 is {}, and the SHA-256 "
                           "of {} is {}. Export both together, or leave the manifest out with "
                           "--no-manifest",
                           manifest.program_sha256, QuotePath(file.name), Sha256Hex(file.bytes)),
               {});
}

Result<Manifest, ManifestFailure> LoadManifest(const ManifestSource& source, const Program& program,
                                               const NamedProgram& file) {
  const std::string& path = source.path;
  const auto bytes = LoadFile(path);
  if (!bytes) {
    return ManifestFailure{Outcome::kUnreadable, fmt::format("the manifest {} cannot be read: {}",
                                                             path, bytes.error().why)};
  }
  const Bytes& read = *bytes.value();
  if (source.entry && Sha256Hex(read) != source.entry->sha256) {
    return NotTheTrustedOne(source, Sha256Hex(read), file.name);
  }
  const auto* text = reinterpret_cast<const char*>(read.data());
  auto manifest = ParseManifest(std::string_view(text, read.size()));
  if (!manifest) {
    const auto known = KnownFileOf(read);
    if (!known || known->kind == KnownKind::kManifest) {
      return Wrong(path, "is wrong", manifest.error());
    }
    return Wrong(path, "is wrong: " + ExplanationOf(*known), manifest.error());
  }
  const bool compared = !source.any_program && !file.bytes.empty();
  if (compared && !IsOfProgram(manifest.value(), file.bytes)) {
    return OfAnotherProgram(path, manifest.value(), file);
  }
  const std::vector<ManifestError> misfits = CheckFit(manifest.value(), program);
  if (!misfits.empty()) return Wrong(path, "does not fit the program", misfits);
  return std::move(manifest).value();
}

}  // namespace pteproof
