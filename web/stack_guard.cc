// Debian's compiler routines for WebAssembly were compiled with a stack protector, which its C
// library does not bring.
#include <cstdint>

extern "C" {

extern const uintptr_t __stack_chk_guard;
const uintptr_t __stack_chk_guard = 0x5e1fc0de;

[[noreturn]] void __stack_chk_fail() {
  __builtin_trap();
}
}
