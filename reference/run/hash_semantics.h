// A meaning for every operator: its results are made of a digest of its operands' bytes, so that
// any byte read wrong shows in the outputs, and no zero, clamp or rounding hides it. Plan errors do
// not depend on what operators compute.
#ifndef PTEPROOF_REFERENCE_RUN_HASH_SEMANTICS_H_
#define PTEPROOF_REFERENCE_RUN_HASH_SEMANTICS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/argument.h"
#include "reference/op_schema.h"

namespace pteproof {

// Mixes two numbers; every bit of either spreads over the result.
[[nodiscard]] uint64_t Mix(uint64_t a, uint64_t b);
[[nodiscard]] uint64_t DigestOf(std::span<const std::byte> bytes);
[[nodiscard]] uint64_t DigestOf(std::string_view text);
// Type, sizes and bytes.
[[nodiscard]] uint64_t DigestOf(const TensorValue& tensor);

// Fills `results` (of the right sizes and types) for a call of `name`. An operand that the schema
// calls elementwise reaches element i of a result by its own element i (broadcast) alone; all
// others reach every element, by their digest and the element's index; one whose bytes are not read
// by its sizes only. `schema` may be null: then nothing is elementwise.
void HashCall(std::string_view name, const OpSchema* schema, std::span<const Argument> args,
              std::span<TensorValue> results);

// The same for a call of a known operator. A mutating one mixes as its functional form does, in the
// element type of that form's result, and is converted to what is stored.
void HashKnownCall(const OpSchema& schema, std::span<const Argument> args,
                   std::span<TensorValue> results);

// Digest of a call's operator and operands, for results that are numbers.
[[nodiscard]] uint64_t DigestOfCall(std::string_view name, std::span<const Argument> args);

// Fills a tensor from a digest, each element by its index.
void FillFrom(uint64_t digest, TensorValue& tensor);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_RUN_HASH_SEMANTICS_H_
