// From files and manifests to the signatures of operators that the table does not know.
#ifndef PTEPROOF_CLI_LOAD_LOAD_OPERATORS_H_
#define PTEPROOF_CLI_LOAD_LOAD_OPERATORS_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/load/load_manifest.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

// Gives the program's operators the signatures in these files. An error names file, line and
// column, or the call that does not fit its signature.
[[nodiscard]] std::optional<ManifestFailure> BindOperatorFiles(
    const std::vector<std::string>& files, Program& program);

// The same of a manifest's signatures. `path` is the manifest's.
[[nodiscard]] std::optional<ManifestFailure> BindStatedOperators(const std::string& path,
                                                                 const Manifest& manifest,
                                                                 Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_LOAD_OPERATORS_H_
