// The operators of the runtime itself that compute with numbers: the kinds of number that
// ExecuTorch's kernels take, and those that they give. Recorded from ExecuTorch 1.5.1.
#ifndef PTEPROOF_PROPERTIES_RULES_NUMBER_OPS_H_
#define PTEPROOF_PROPERTIES_RULES_NUMBER_OPS_H_

#include <cstdint>
#include <string_view>

namespace pteproof::checks {

enum class Takes : uint8_t {
  kNumbers,  // integers and floats
  kAlike,    // the same, or two bools
  kIntegers,
  kFloat,
  kBool,
  kAny,
  kCondition,  // first a bool
};

enum class Gives : uint8_t {
  kAsOperands,  // an integer of integers, else a float
  kInteger,
  kFloat,
  kBool,
  kChosen,  // one of the last two operands
};

enum class Sum : uint8_t { kNone, kAdd, kSubtract, kMultiply, kMax, kMin, kNegate, kSame };

struct NumberOp {
  std::string_view name;
  Takes takes = Takes::kNumbers;
  Gives gives = Gives::kAsOperands;
  Sum sum = Sum::kNone;  // of integers, where ranges follow
  bool divides = false;  // the processor's division of two integers: it ends the process at 0
  bool aborts = false;   // operands of other kinds end the process
};

// The operator of that name; null: it is not one of these.
[[nodiscard]] const NumberOp* FindNumberOp(std::string_view name);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_NUMBER_OPS_H_
