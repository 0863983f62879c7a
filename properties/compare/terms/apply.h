// What a call computes, as terms: the one way in which both sides of a comparison make terms out of
// calls. An operator's name is that of its functional form, so that `add.out` and `add_.Tensor` of
// equal operands are one term.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_APPLY_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_APPLY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "properties/compare/terms/forms.h"
#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof::compare {

struct Applied {
  std::vector<ContentId> contents = {};       // per result
  std::optional<SymbolicNumber> number = {};  // of an operator that returns one
  std::optional<TermId> call = {};            // the term; none: bytes were moved, or known
};

// A call of an operator that the table knows. `args` are the schema's arguments without outs.
// `effect` is the term of all calls so far whose number and order count; calls of random operators
// are such calls.
[[nodiscard]] Applied Apply(TermTable& table, const OpSchema& schema,
                            std::span<const SymbolicArgument> args,
                            std::span<const TensorShape> results, TermId& effect);

// A call that nobody can look into. `code` tells what is called.
[[nodiscard]] Applied ApplyOpaque(TermTable& table, std::span<const uint64_t> code,
                                  std::span<const SymbolicArgument> args,
                                  std::span<const TensorShape> results, TermId& effect);

// Whether two calls with equal operands may give different results.
[[nodiscard]] bool IsRandom(const OpSchema& schema);

// The words of an opaque call's code: an operator's name; a delegate's id, specs, and what it
// computes inside, or its bytes.
[[nodiscard]] std::vector<uint64_t> CodeOf(TermTable& table, std::string_view name);
[[nodiscard]] std::vector<uint64_t> CodeOf(TermTable& table, const Delegate& delegate);

// By delegate of a method. Delegates with equal blobs that may keep a state have each its own: the
// second one that is called, by the listing, has another code than the first.
[[nodiscard]] std::vector<std::vector<uint64_t>> CodesOfDelegates(TermTable& table,
                                                                  const Method& method);

// The name that stands in a call's term.
[[nodiscard]] std::string_view NameOfCall(const TermTable& table, TermId call);

// Operands of a call's term that are contents, in order.
[[nodiscard]] std::vector<ContentId> OperandsOf(const TermTable& table, TermId call);

// Operands of a call's term that are numbers and not known: their terms.
[[nodiscard]] std::vector<TermId> NumbersOf(const TermTable& table, TermId call);

// The same term but for the contents of its operands and the calls before it: equal words are equal
// operators, attributes and types.
[[nodiscard]] std::vector<uint64_t> FormOf(const TermTable& table, TermId call);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_APPLY_H_
