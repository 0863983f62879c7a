// The fault for want of memory.
#ifndef PTEPROOF_RUNTIME_EXECUTE_FAULT_H_
#define PTEPROOF_RUNTIME_EXECUTE_FAULT_H_

#include <string_view>

#include "pteproof/run.h"

namespace pteproof {

// The fault of a call that found too little memory. It allocates nothing that it cannot do without:
// if there is no room for the name of the method, the fault has none.
[[nodiscard]] RunFault OutOfMemory(std::string_view method) noexcept;

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_FAULT_H_
