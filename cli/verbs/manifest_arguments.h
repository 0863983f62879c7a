// The flags that say which manifest counts: the same of every verb that looks for one.
#ifndef PTEPROOF_CLI_VERBS_MANIFEST_ARGUMENTS_H_
#define PTEPROOF_CLI_VERBS_MANIFEST_ARGUMENTS_H_

#include <CLI/CLI.hpp>

#include "cli/load/trust.h"

namespace pteproof {

// Adds --manifest, --no-manifest and --trust-manifests. The choice must outlive the parse.
void AddManifestFlags(CLI::App* verb, ManifestChoice& choice);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_MANIFEST_ARGUMENTS_H_
