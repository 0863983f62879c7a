// Stands in where there is no wheel.
#include "bench/engines/engine.h"

namespace pteproof::bench {

LoadedEngine LoadExecutorch(const EngineJob&) {
  return std::string("this was built without ExecuTorch's wheel (scripts/setup --with-executorch)");
}

bool HasExecutorch() {
  return false;
}

}  // namespace pteproof::bench
