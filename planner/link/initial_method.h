// et_module_init on decoded programs: the method as it is read, and as it is written.
#ifndef PTEPROOF_PLANNER_LINK_INITIAL_METHOD_H_
#define PTEPROOF_PLANNER_LINK_INITIAL_METHOD_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/link/held_buffers.h"
#include "pteproof/program.h"

namespace pteproof::planner {

// The values that it gives to buffers, by name; zeros are empty. Nothing: the method is not named
// et_module_init, or does more than to set buffers to constants and zeros.
[[nodiscard]] std::optional<std::map<std::string, Bytes>> InitialValuesOf(const Program& program,
                                                                          const Method& method);

// A buffer to be set, at its place.
struct SetBuffer {
  std::string name;
  BufferForm form;
  BankBytes bytes;
};

// The method that sets them, in that order. Constants that it needs are added to the program.
[[nodiscard]] Method InitialMethod(const std::vector<SetBuffer>& buffers, uint64_t bank_size,
                                   Program& program);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_LINK_INITIAL_METHOD_H_
