// Options of the verb `mutants`, which the executable pteproof-mutants takes, too.
#ifndef PTEPROOF_CLI_ARGUMENTS_MUTANTS_OPTIONS_H_
#define PTEPROOF_CLI_ARGUMENTS_MUTANTS_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace pteproof {

struct MutantsRequest {
  std::string only;    // this defect alone; empty: all
  uint64_t cases = 0;  // that a way is given at most
  uint64_t seeds = 0;  // sequences of cases
  uint64_t clean = 0;  // sound plans to count false alarms in
  uint64_t agree = 0;  // damaged plans to judge by all checkers, instead
  uint64_t seed = 0;
  bool no_proof = false;
  std::string keep;      // a folder for those on which the ways disagree; empty: none
  bool explain = false;  // print the first case that shows the defect, instead
  unsigned jobs = 1;
};

void AddMutantsOptions(CLI::App& mutants, MutantsRequest& request);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_ARGUMENTS_MUTANTS_OPTIONS_H_
