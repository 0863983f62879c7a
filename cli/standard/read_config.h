// The text of pteproof.toml to a standard.
#ifndef PTEPROOF_CLI_STANDARD_READ_CONFIG_H_
#define PTEPROOF_CLI_STANDARD_READ_CONFIG_H_

#include <string>
#include <string_view>
#include <vector>

#include "cli/standard/standard.h"
#include "pteproof/manifest.h"
#include "pteproof/result.h"

namespace pteproof {

// `source` is the config's path as errors name it, and files that it names are relative to its
// folder. Unknown keys, wrong types and wrong words are errors; all of them are listed, each with
// the line and the place ("pteproof.toml:3: /suppress/0/rule").
[[nodiscard]] Result<Standard, std::vector<ManifestError>> ReadConfig(std::string_view text,
                                                                      const std::string& source);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_READ_CONFIG_H_
