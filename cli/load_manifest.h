// From a path to a manifest.
#ifndef PTEPROOF_CLI_LOAD_MANIFEST_H_
#define PTEPROOF_CLI_LOAD_MANIFEST_H_

#include <string>

#include "base/result.h"
#include "cli/file_report.h"
#include "properties/manifest.h"

namespace pteproof {

struct ManifestFailure {
  Outcome outcome = Outcome::kWrongManifest;
  std::string error;
};

// NAME.manifest.json beside a program file; empty where there is none.
[[nodiscard]] std::string ManifestBeside(const std::string& file);

[[nodiscard]] Result<Manifest, ManifestFailure> LoadManifest(const std::string& path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_MANIFEST_H_
