// The number of bytes of each value of a program, as expressions over the dims of the Module that
// it was planned from: by the operators' shape rules, instruction by instruction. Independent of
// the planner's own sizes.
#ifndef PTEPROOF_PROPERTIES_PROOFS_SIZES_VALUE_SIZES_H_
#define PTEPROOF_PROPERTIES_PROOFS_SIZES_VALUE_SIZES_H_

#include <optional>
#include <vector>

#include "properties/proofs/terms/question.h"
#include "pteproof/program.h"
#include "reference/graph/module.h"

namespace pteproof::proofs {

struct ValueSizes {
  Symbols dims;  // of all methods: "decode.n"
  // Per method and value: bytes over the dims; nothing where the rules do not tell, or the value is
  // no tensor whose sizes vary.
  std::vector<std::vector<std::optional<SizeExpr>>> bytes;
};

// `program` is a plan of `module`: methods by name, inputs in order. O(instructions) but for loops,
// each of which is walked again until its carried sizes are known not to be.
[[nodiscard]] ValueSizes ValueSizesOf(const Program& program, const graph::Module& module);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_SIZES_VALUE_SIZES_H_
