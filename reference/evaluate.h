// Evaluates one operator call: checks the operands against the schema, asks the type rule for the
// results' sizes, and has the meaning fill them in. Nothing about graphs, buffers or files.
#ifndef PTEPROOF_REFERENCE_EVALUATE_H_
#define PTEPROOF_REFERENCE_EVALUATE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pteproof/result.h"
#include "reference/op_meaning.h"
#include "reference/op_schema.h"

namespace pteproof {

struct Evaluated {
  std::vector<TensorValue> results;    // what the call writes, in the order of the type rule
  std::optional<ScalarResult> scalar;  // of an operator that returns a number
};

struct EvaluateError {
  bool unknown = false;  // no meaning is registered for the operator
  std::string explanation;
};

// Results larger than this many elements (1 GB of float64) are refused: no device model needs them,
// and a small file could ask for any size.
inline constexpr int64_t kMaxResultElements = int64_t{1} << 27;

// Sizes are numbers of 32 bits in a program; no product of two leaves 64.
inline constexpr int64_t kMaxSize = std::numeric_limits<int32_t>::max();

// The types of a call's results before a run. Arguments as in CallOf.
[[nodiscard]] Result<std::vector<TensorType>, EvaluateError> ResultTypes(
    const OpSchema& schema, std::span<const TypeArgument> args);

// The same in a run: all sizes are numbers.
[[nodiscard]] Result<std::vector<TensorType>, EvaluateError> ResultTypes(
    const OpSchema& schema, std::span<const Argument> args);

// The sizes, when they are numbers that a result may have: none negative or beyond
// kMaxSize, and no more than kMaxResultElements elements.
[[nodiscard]] std::optional<Sizes> ConcreteSizes(std::span<const SizeExpr> sizes,
                                                 std::span<const int64_t> dims = {});

// What the thread's work has no room for is thrown (base/work.h). `dtypes`: element types of the
// results, where the caller knows better than the type rule (the out
// tensors of a program); empty: the rule's.
[[nodiscard]] Result<Evaluated, EvaluateError> Evaluate(const OpSchema& schema,
                                                        std::span<const Argument> args,
                                                        std::span<const ScalarType> dtypes = {});

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_EVALUATE_H_
