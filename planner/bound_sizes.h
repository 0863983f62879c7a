// Ranges to upper bounds: what a bank must hold of each tensor.
#ifndef PTEPROOF_PLANNER_BOUND_SIZES_H_
#define PTEPROOF_PLANNER_BOUND_SIZES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "planner/code/code.h"
#include "planner/options.h"
#include "pteproof/result.h"
#include "reference/graph/module.h"
#include "reference/tensor_value.h"

namespace pteproof::planner {

// By ValueId of a code; nothing for numbers.
struct BoundSizes {
  std::vector<Sizes> sizes;
  std::vector<int64_t> nbytes;
};

// `method` is the one that the code was made of. An error names the dim whose range is too large
// for any bank.
[[nodiscard]] Result<BoundSizes, std::string> BoundSizesOf(const Code& code,
                                                           const graph::Method& method,
                                                           Bounds bounds);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_BOUND_SIZES_H_
