// Operands for an operator, drawn until the reference takes them: what the schema names, with
// types, sizes and numbers that fit together.
#ifndef PTEPROOF_FUZZ_CALLS_OPERANDS_H_
#define PTEPROOF_FUZZ_CALLS_OPERANDS_H_

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "fuzz/mutate/random.h"
#include "reference/argument.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {

// A result's memory in a file: the upper bounds of its sizes.
struct ResultForm {
  ScalarType dtype = ScalarType::kFloat32;
  Sizes sizes;
  bool varies = false;  // this call's result is smaller
};

struct Operands {
  std::vector<Argument> args;       // the schema's arguments without `out`, in order
  std::deque<TensorValue> tensors;  // that they point to
  std::vector<ResultForm> results;  // of what the call writes, a list one by one
};

// `known`: tensors that there are already, some of which become operands. Nothing: no draw of many
// was taken. The draws are the random numbers' alone.
[[nodiscard]] std::optional<Operands> DrawOperands(const OpSchema& schema,
                                                   std::span<const TensorValue* const> known,
                                                   Random& random);

// Operators that a run has a kernel for, by name. The list is made once.
[[nodiscard]] const std::vector<const OpSchema*>& OperatorsWithKernels();

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_OPERANDS_H_
