// Why a program cannot be loaded, or a call not be made.
#ifndef PTEPROOF_RUNTIME_EXECUTE_FAULT_H_
#define PTEPROOF_RUNTIME_EXECUTE_FAULT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace pteproof {

struct RunFault {
  enum class Kind : uint8_t {
    kUnknown,   // an operator without a kernel, a delegate that nobody registered
    kRefused,   // the program, or the call, cannot be run like this
    kUnplaced,  // a tensor that is used has no memory, of the program's or the caller's
    kFuel,      // it ran into the limit on instructions
    kMemory,    // there is not enough
  };
  Kind kind = Kind::kRefused;
  std::string method;
  int32_t instruction = -1;  // -1: none, at load or when inputs are set
  std::string op;            // kUnknown: its full name
  std::string explanation;
};

// The fault of a call that found too little memory. It allocates nothing that it cannot do without:
// where there is no room for the method's name, it has none.
[[nodiscard]] RunFault OutOfMemory(std::string_view method) noexcept;

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_FAULT_H_
