// From a path to a manifest of a program.
#ifndef PTEPROOF_CLI_LOAD_LOAD_MANIFEST_H_
#define PTEPROOF_CLI_LOAD_LOAD_MANIFEST_H_

#include <string>

#include "cli/load/file_report.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

struct ManifestFailure {
  Outcome outcome = Outcome::kWrongManifest;
  std::string error;
};

[[nodiscard]] ExitCode ExitCodeOf(const ManifestFailure& failure);

// A manifest that does not fit the program is as wrong as one that does not parse.
[[nodiscard]] Result<Manifest, ManifestFailure> LoadManifest(const std::string& path,
                                                             const Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_LOAD_MANIFEST_H_
