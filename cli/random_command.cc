#include "cli/random_command.h"

#include "cli/output.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "reference/graph/print.h"

namespace pteproof {

ExitCode RunRandom(uint64_t seed) {
  WriteOutput(graph::Print(generators::BuildModule(generators::DrawCase(seed))));
  return ExitCode::kSafe;
}

}  // namespace pteproof
