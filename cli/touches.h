// Which instructions name a value. No analysis: aliases, jumps and lifetimes are not considered.
#ifndef PTEPROOF_CLI_TOUCHES_H_
#define PTEPROOF_CLI_TOUCHES_H_

#include <cstdint>
#include <vector>

#include "runtime/program.h"

namespace pteproof {

struct Touch {
  int32_t first = -1;  // instruction; -1: none
  int32_t last = -1;
};

// By value: the first and the last instruction that name it, itself or in a list.
[[nodiscard]] std::vector<Touch> TouchesOf(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_TOUCHES_H_
