// Questions for a solver: linear or polynomial integer statements about symbols, as plain data.
// Independent of programs and of any solver.
#ifndef PTEPROOF_PROPERTIES_PROOFS_TERMS_QUESTION_H_
#define PTEPROOF_PROPERTIES_PROOFS_TERMS_QUESTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/size_expr.h"

namespace pteproof::proofs {

// An integer that is not known: a dim, or a size that stands for an expression over dims.
struct Symbol {
  std::string name;
  int64_t lo = 0;
  std::optional<int64_t> hi;           // nothing: unbounded
  std::optional<SizeExpr> definition;  // over symbols with smaller ids; with one, `hi` is a lemma:
                                       // it is shown before it is used
};

enum class Relation : uint8_t { kLess, kLessEqual, kEqual };

// Over symbol ids: indices in Symbols.
struct Comparison {
  SizeExpr left;
  Relation relation = Relation::kLessEqual;
  SizeExpr right;

  bool operator==(const Comparison&) const = default;
};

using Symbols = std::vector<Symbol>;

// At least one of them holds; an empty one never does.
using Clause = std::vector<Comparison>;

enum class Answer : uint8_t { kProved, kRefuted, kUnknown };

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_TERMS_QUESTION_H_
