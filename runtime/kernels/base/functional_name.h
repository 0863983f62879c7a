// The operator that computes what a mutating one writes.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_FUNCTIONAL_NAME_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_FUNCTIONAL_NAME_H_

#include "reference/op_schema.h"

namespace pteproof {

// By the way operators are named: "aten::add_.Tensor" stores what "aten::add.out" computes. The
// schema itself where it mutates nothing; null where none is known.
[[nodiscard]] const OpSchema* FunctionalSchema(const OpSchema& schema);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_FUNCTIONAL_NAME_H_
