// The choice of a placement algorithm, for the verbs that place storages.
#ifndef PTEPROOF_CLI_ARGUMENTS_PLACEMENT_CHOICES_H_
#define PTEPROOF_CLI_ARGUMENTS_PLACEMENT_CHOICES_H_

#include <CLI/CLI.hpp>
#include <string>

#include "cli/arguments/common_arguments.h"
#include "planner/placement/algorithms.h"

namespace pteproof {

// `--algorithm`.
inline CLI::Option* AddAlgorithm(CLI::App& verb, placement::Algorithm& algorithm) {
  Choices<placement::Algorithm> choices;
  for (const auto each : placement::kAlgorithms) choices.emplace_back(NameOf(each), each);
  return AddChoice(verb, "--algorithm", algorithm, choices,
                   "The algorithm that places storages (default: best)");
}

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_PLACEMENT_CHOICES_H_
