// Operands and results of a call, as both sides of a comparison have them: a file's values, and a
// Module's.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_FORMS_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_FORMS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "properties/compare/terms/term_table.h"
#include "pteproof/datum.h"
#include "pteproof/scalar_type.h"

namespace pteproof::compare {

// A number: known, or computed by a call.
struct SymbolicNumber {
  enum class Kind : uint8_t { kInt, kBool, kReal, kTerm };
  Kind kind = Kind::kInt;
  uint64_t bits = 0;  // of the number, or a TermId

  [[nodiscard]] bool is_known() const { return kind != Kind::kTerm; }
  bool operator==(const SymbolicNumber&) const = default;
};

[[nodiscard]] SymbolicNumber IntNumber(int64_t value);
[[nodiscard]] SymbolicNumber BoolNumber(bool value);
[[nodiscard]] SymbolicNumber RealNumber(double value);
[[nodiscard]] int64_t IntOf(const SymbolicNumber& number);  // of a known one
[[nodiscard]] double RealOf(const SymbolicNumber& number);  // of a known one

// The type of a tensor, its present sizes, and the order of its elements in memory.
struct TensorShape {
  ScalarType dtype = ScalarType::kFloat32;
  Sizes sizes;
  std::vector<int32_t> order = {};  // dims, outermost first; empty: row by row
  // The sizes are upper bounds, and the true ones depend on data or on inputs' sizes that are left
  // open. The content is all of one term then, which tells the true sizes.
  bool varies = false;

  [[nodiscard]] uint64_t nbytes() const;
  bool operator==(const TensorShape&) const = default;
};

struct SymbolicTensor {
  TensorShape shape;
  ContentId content = kNoBytes;  // in memory order
};

using SymbolicArgument =
    std::variant<std::monostate, SymbolicNumber, std::string_view, SymbolicTensor,
                 std::vector<SymbolicNumber>, std::vector<std::optional<SymbolicTensor>>>;

// Bytes from one element to the next, per dim.
[[nodiscard]] std::vector<int64_t> StridesOf(const TensorShape& shape);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_FORMS_H_
