// Arguments of the verb `prove`.
#ifndef PTEPROOF_CLI_VERBS_PROVE_ARGUMENTS_H_
#define PTEPROOF_CLI_VERBS_PROVE_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "cli/verbs/prove_command.h"

namespace pteproof {

struct ProveOptionsText {
  ProveRequest request;
  std::string policy;
  std::string load;
  std::string order = "file";
  std::string solver = "z3";
  double timeout = 10;  // seconds
};

// The text must outlive the parse.
[[nodiscard]] CLI::App* AddProve(CLI::App& app, ProveOptionsText& text);

[[nodiscard]] ProveRequest ToRequest(ProveOptionsText text);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_PROVE_ARGUMENTS_H_
