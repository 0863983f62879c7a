// What operators mean: the types of their results, the results themselves, and how close another
// implementation must come. One row per operator, registered by name; signatures are in
// op_schema.h.
#ifndef PTEPROOF_REFERENCE_OP_MEANING_H_
#define PTEPROOF_REFERENCE_OP_MEANING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/result.h"
#include "reference/argument.h"
#include "reference/op_schema.h"

namespace pteproof {

// An operator with its operands: the schema's arguments without `out`, in order, each of the
// kind that the schema gives it. `Arg` is Argument (a run) or TypeArgument (before one).
template <class Arg>
struct CallOf {
  const OpSchema* schema = nullptr;
  std::span<const Arg> args;
};
using Call = CallOf<Argument>;
using TypeCall = CallOf<TypeArgument>;

using Types = Result<std::vector<TensorType>, std::string>;

// The types of what the call writes, in the order of the schema's written arguments, a list one by
// one; or why there are none. Where a size depends on data it is the upper bound. On constant sizes
// it gives the sizes of the run.
using TypeRule = Types (*)(const TypeCall& call);

// Fills in the results, which have the sizes of the type rule, zero bytes, and the element types
// that the caller asked for (the rule's, or those of a program's out tensors). A result whose size
// depends on data is cut here. Returns why the operands are wrong; empty: they are right.
using Meaning = std::string (*)(const Call& call, std::span<TensorValue> results);

// Operators that return a number: its value, and before a run the number as an expression over the
// dims, where it is one.
using ScalarMeaning = Result<ScalarResult, std::string> (*)(const Call& call);
using ScalarRule = std::optional<SizeExpr> (*)(const TypeCall& call);

// How close another implementation must come. A bound per element type is in
// docs/reference/operators.md.
enum class Closeness : uint8_t {
  kExact,    // bit for bit, but for the sign of zero and NaN payloads
  kRounded,  // within the element type's bound: the operator rounds, in an order that is free
  kShape,    // sizes and element types only: random or uninitialised contents
};

struct OpMeaning {
  std::string_view name;  // full name
  TypeRule types = nullptr;
  Meaning run = nullptr;
  ScalarMeaning scalar = nullptr;  // then `types` and `run` are null
  ScalarRule scalar_rule = nullptr;
  Closeness closeness = Closeness::kExact;
  std::string_view reason = {};  // why not exact
};

// An in-place operator means what its functional form means, stored in the first operand.
struct InPlaceForm {
  std::string_view name;        // "aten::add_.Tensor"
  std::string_view functional;  // "aten::add.out": takes the same operands
};

// The meaning of the operator of that full name, or null. In-place forms are found as their
// functional form. O(1).
[[nodiscard]] const OpMeaning* FindMeaning(std::string_view full_name);
// The same for an entry of the operator table, without a look at its name.
[[nodiscard]] const OpMeaning* FindMeaning(const OpSchema& schema);

// The rows by family.
[[nodiscard]] std::span<const OpMeaning> UnaryMeanings();
[[nodiscard]] std::span<const OpMeaning> ActivationMeanings();
[[nodiscard]] std::span<const OpMeaning> BinaryMeanings();
[[nodiscard]] std::span<const OpMeaning> DivisionMeanings();
[[nodiscard]] std::span<const OpMeaning> ComparisonMeanings();
[[nodiscard]] std::span<const OpMeaning> BitwiseMeanings();
[[nodiscard]] std::span<const OpMeaning> ChoiceMeanings();
[[nodiscard]] std::span<const OpMeaning> CreateMeanings();
[[nodiscard]] std::span<const OpMeaning> ViewMeanings();
[[nodiscard]] std::span<const OpMeaning> MoveMeanings();
[[nodiscard]] std::span<const OpMeaning> TileMeanings();
[[nodiscard]] std::span<const OpMeaning> SliceMeanings();
[[nodiscard]] std::span<const OpMeaning> JoinMeanings();
[[nodiscard]] std::span<const OpMeaning> PadMeanings();
[[nodiscard]] std::span<const OpMeaning> IndexMeanings();
[[nodiscard]] std::span<const OpMeaning> GatherMeanings();
[[nodiscard]] std::span<const OpMeaning> MaskMeanings();
[[nodiscard]] std::span<const OpMeaning> ReduceMeanings();
[[nodiscard]] std::span<const OpMeaning> OrderMeanings();
[[nodiscard]] std::span<const OpMeaning> ProductMeanings();
[[nodiscard]] std::span<const OpMeaning> DistanceMeanings();
[[nodiscard]] std::span<const OpMeaning> ConvolutionMeanings();
[[nodiscard]] std::span<const OpMeaning> PoolMeanings();
[[nodiscard]] std::span<const OpMeaning> EmbeddingMeanings();
[[nodiscard]] std::span<const OpMeaning> NormMeanings();
[[nodiscard]] std::span<const OpMeaning> SoftmaxMeanings();
[[nodiscard]] std::span<const OpMeaning> ResampleMeanings();
[[nodiscard]] std::span<const OpMeaning> GridSampleMeanings();
[[nodiscard]] std::span<const OpMeaning> FourierMeanings();
[[nodiscard]] std::span<const OpMeaning> PrimMeanings();
[[nodiscard]] std::span<const OpMeaning> PrimTensorMeanings();
[[nodiscard]] std::span<const OpMeaning> QuantizedMeanings();
[[nodiscard]] std::span<const OpMeaning> QuantizedRangeMeanings();
[[nodiscard]] std::span<const OpMeaning> QuantizedProductMeanings();
[[nodiscard]] std::span<const OpMeaning> AttentionMeanings();
[[nodiscard]] std::span<const OpMeaning> LanguageMeanings();
[[nodiscard]] std::span<const OpMeaning> ExpertMeanings();
[[nodiscard]] std::span<const InPlaceForm> InPlaceForms();

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_MEANING_H_
