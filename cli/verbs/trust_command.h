// The verb `trust`: what a manifest decides of its program, and its entry in pteproof.toml.
#ifndef PTEPROOF_CLI_VERBS_TRUST_COMMAND_H_
#define PTEPROOF_CLI_VERBS_TRUST_COMMAND_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/io/exit_code.h"
#include "pteproof/finding.h"

namespace pteproof {

struct TrustRequest {
  std::string file;                    // a program
  std::string manifest;                // empty: the one that is found beside it
  std::string config;                  // empty: the nearest pteproof.toml, or a new one
  std::optional<Policy> policy = {};   // of the entry
  std::vector<std::string> data = {};  // .ptd files
  std::vector<std::string> operators = {};
  bool dry_run = false;  // nothing is written
  bool json = false;
};

// kSafe: written, whatever the verdicts are; kUsage: no manifest, a wrong one, or a config that
// cannot be changed; kMalformed, kUnreadable as elsewhere.
[[nodiscard]] ExitCode RunTrust(const TrustRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_TRUST_COMMAND_H_
