// From the command's flags to the standard in use. A config is taken from where the command is
// called, never from beside a checked file: whoever sends a file does not choose what it is held
// to.
#ifndef PTEPROOF_CLI_STANDARD_LOAD_STANDARD_H_
#define PTEPROOF_CLI_STANDARD_LOAD_STANDARD_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/exit_code.h"
#include "cli/standard/standard.h"
#include "pteproof/result.h"

namespace pteproof {

inline constexpr std::string_view kConfigName = "pteproof.toml";

// What the command line says. A flag overrides the config's key of the same name.
struct StandardChoice {
  std::string config;  // empty: the nearest pteproof.toml
  bool no_config = false;
  std::optional<std::vector<std::string>> select;
  std::optional<std::vector<std::string>> ignore;
  std::optional<std::vector<std::string>> fail_on;  // of kFailOnWords, or "none"
  std::vector<std::string> max_bytes;
  std::vector<std::string> max_waste;
  std::string baseline;
  std::string write_baseline;
};

struct StandardFailure {
  ExitCode code = ExitCode::kUsage;
  std::string why;
};

// pteproof.toml in the folder or the nearest one above it, up to a repository's root (a folder with
// .git) or `home`; empty if there is none.
[[nodiscard]] std::string FindConfig(const std::string& folder, const std::string& home);

// The config that is in use as a reader finds it; empty: none.
[[nodiscard]] std::string ConfigOf(const StandardChoice& choice);

// Nothing if neither a config nor a flag asks for one.
[[nodiscard]] Result<std::optional<Standard>, StandardFailure> LoadStandard(
    const StandardChoice& choice);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_STANDARD_LOAD_STANDARD_H_
