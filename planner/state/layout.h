// Where buffers live: the same place in every method that shares one, and bytes that no other
// method writes for those that are private, as far as the loader policy allows it.
#ifndef PTEPROOF_PLANNER_STATE_LAYOUT_H_
#define PTEPROOF_PLANNER_STATE_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/code/code.h"
#include "planner/options.h"
#include "planner/state/place_state.h"
#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof::planner {

using StatePlace = BufferRoom<int64_t>;

struct StateLayout {
  std::vector<bool> shared;  // by buffer: methods see each other's stores
  // By method and buffer: the method has to do with it, and some method that it shares it with, or
  // itself, stores to it. Other buffers are constants of the method.
  std::vector<std::vector<bool>> state;
  // By method and buffer, of state.
  std::vector<std::vector<std::optional<StatePlace>>> places;
  std::vector<int64_t> shared_size;   // by method: bytes of kSharedBank
  std::vector<int64_t> private_size;  // by method: bytes of kPrivateBank
};

// How many methods have to do with the buffer's state.
[[nodiscard]] size_t UserCount(const StateLayout& layout, size_t buffer);

// `codes` are those of the methods. Shared buffers lie in kSharedBank by name, whether this method
// uses them or not: so methods may come, go and change without moving them. Private ones lie in
// kPrivateBank; where the policy, or a buffer's name, lets methods meet there, no two methods' lie
// over each other. An error says which buffer cannot be had as it is asked for, and names the
// policy where that is why.
[[nodiscard]] Result<StateLayout, std::string> LayOutState(const graph::Module& module,
                                                           std::span<const Code> codes,
                                                           const PlanOptions& options);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_STATE_LAYOUT_H_
