// `--loader-file`: a loader's table, as TOML. docs/reference/loaders.md has the grammar.
#ifndef PTEPROOF_CLI_STANDARD_LOADER_FILE_H_
#define PTEPROOF_CLI_STANDARD_LOADER_FILE_H_

#include <string>

#include "cli/load/load_manifest.h"
#include "properties/loader_table.h"
#include "pteproof/result.h"

namespace pteproof {

// An error names the file, the line and the key.
[[nodiscard]] Result<LoaderTable, ManifestFailure> LoadLoaderFile(const std::string& path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_LOADER_FILE_H_
