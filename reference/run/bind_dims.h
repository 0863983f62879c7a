// The values of a method's dims in one call, read off its inputs.
#ifndef PTEPROOF_REFERENCE_RUN_BIND_DIMS_H_
#define PTEPROOF_REFERENCE_RUN_BIND_DIMS_H_

#include <span>
#include <string>
#include <vector>

#include "pteproof/result.h"
#include "reference/datum.h"
#include "reference/graph/module.h"

namespace pteproof {

// By dim. An input of another kind, type or size than the method takes, or a dim out of its range,
// is an error. A dim that no input's size is linear in is its smallest value.
[[nodiscard]] Result<std::vector<int64_t>, std::string> BindDims(const graph::Method& method,
                                                                 std::span<const Datum> inputs);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_RUN_BIND_DIMS_H_
