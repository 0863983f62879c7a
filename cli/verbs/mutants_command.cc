#include "cli/verbs/mutants_command.h"

#include "cli/io/output.h"
#include "runtime/os/os.h"

namespace pteproof {

ExitCode RunMutants(const std::vector<std::string>& arguments) {
  if (HostOfThread() != nullptr) {
    Complain("mutants: another program takes the command's place; start the command for it.");
    return ExitCode::kUsage;
  }
  const std::string other = os::BecomeNeighbour("pteproof-mutants", arguments);
  Complain("mutants: " + other +
           " is not there. It is part of a Release build of the source tree only: run "
           "scripts/mutants there, which builds it and passes these arguments on.");
  return ExitCode::kUsage;
}

}  // namespace pteproof
