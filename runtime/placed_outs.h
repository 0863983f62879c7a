// Outs that the planner placed where their bytes already are: a slice within its base, a
// concatenation around its parts. A kernel leaves them alone, or copies bytes onto themselves.
// Geometry alone: it judges nothing.
#ifndef PTEPROOF_RUNTIME_PLACED_OUTS_H_
#define PTEPROOF_RUNTIME_PLACED_OUTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof {

enum class PlacedFit : uint8_t {
  kFits,      // the out lies where the call's result already is
  kVaries,    // sizes or numbers that vary, or dims in another order: the file does not tell
  kElsewhere  // the out lies elsewhere, so that its bytes are not the result's
};

struct PlacedOut {
  int32_t out = 0;
  std::vector<int32_t> operands;  // tensors, in order: one, or the parts of a concatenation
  PlacedFit fit = PlacedFit::kFits;
};

// The placed outs of a method's calls. O(arguments) each, but for the first.
class PlacedOuts {
 public:
  explicit PlacedOuts(const Method& method) : method_(method) {}  // which must outlive it

  // The outs of a call that share a set with operands (op_schema.h). If the signature has `dim`
  // with `start`, `end` and `step`, or with `index`, their values count.
  [[nodiscard]] std::vector<PlacedOut> LeftBy(const OpSchema& schema,
                                              std::span<const int32_t> args) const;
  // The out of a call that copies bytes onto themselves: a slice at its place in its base, a
  // concatenation around its parts, a view or a clone in the place of its operand. Nothing if it
  // lies elsewhere, or if sizes or numbers vary.
  [[nodiscard]] std::optional<PlacedOut> CopiedBy(const OpSchema& schema,
                                                  std::span<const int32_t> args) const;
  // That out, or those of a call that does nothing. Empty: the call may change bytes.
  [[nodiscard]] std::vector<PlacedOut> UnchangedBy(const OpSchema& schema,
                                                   std::span<const int32_t> args) const;

 private:
  [[nodiscard]] bool AreLiteral(std::span<const int32_t> args) const;

  const Method& method_;
  mutable std::vector<bool> literal_;  // per value: an integer that nothing sets; empty: not asked
};

// Whether calls of the operator do nothing: they have such outs, and write nothing.
[[nodiscard]] bool IsNoOperation(const OpSchema& schema);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_PLACED_OUTS_H_
