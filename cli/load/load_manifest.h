// From a path to a manifest of a program.
#ifndef PTEPROOF_CLI_LOAD_LOAD_MANIFEST_H_
#define PTEPROOF_CLI_LOAD_LOAD_MANIFEST_H_

#include <string>
#include <string_view>

#include "cli/load/file_report.h"
#include "cli/load/trust.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

struct ManifestFailure {
  Outcome outcome = Outcome::kWrongManifest;
  std::string error;
};

[[nodiscard]] ExitCode ExitCodeOf(const ManifestFailure& failure);

// The file that a program comes from. No bytes: it is not that of the manifest's program.
struct NamedProgram {
  std::string_view name;
  Bytes bytes;
};

// A manifest of another program, or one that is not the one that a config trusts, is as wrong as
// one that does not parse. A bundle's may be of the bundle, or of the program in it.
[[nodiscard]] Result<Manifest, ManifestFailure> LoadManifest(const ManifestSource& source,
                                                             const Program& program,
                                                             const NamedProgram& file);

// Whether it states no program file, or that one.
[[nodiscard]] bool IsOfProgram(const Manifest& manifest, Bytes file);
// Why it is wrong if it states another one.
[[nodiscard]] ManifestFailure OfAnotherProgram(const std::string& path, const Manifest& manifest,
                                               const NamedProgram& file);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_LOAD_MANIFEST_H_
