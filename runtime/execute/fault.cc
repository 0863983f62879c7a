#include "runtime/execute/fault.h"

#include "base/within_memory.h"

namespace pteproof {

RunFault OutOfMemory(std::string_view method) noexcept {
  RunFault fault;
  fault.kind = RunFault::Kind::kMemory;
  fault.explanation = "out of memory";  // so short that a string holds it in itself
  fault.method = WithinMemory([&] { return std::string(method); }, [] { return std::string(); });
  return fault;
}

}  // namespace pteproof
