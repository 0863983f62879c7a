// Numbers that were read from mixed bytes, where they index a tensor: any is as good as another, so
// they are taken modulo what there is.
#ifndef PTEPROOF_REFERENCE_RUN_INDEX_RANGE_H_
#define PTEPROOF_REFERENCE_RUN_INDEX_RANGE_H_

#include <span>

#include "reference/argument.h"
#include "reference/op_schema.h"

namespace pteproof {

// Changes the index of a select, and start and end of a slice that is scattered, where they are out
// of range; all other calls stay as they are.
void KeepIndicesInRange(const OpSchema& schema, std::span<Argument> args);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_RUN_INDEX_RANGE_H_
