// How a kernel call is written: which of its arguments stand in the parentheses, and which are said
// by the results before the `=`. The printer and the parser agree on it here.
#ifndef PTEPROOF_RUNTIME_PTEASM_CALL_FORM_H_
#define PTEPROOF_RUNTIME_PTEASM_CALL_FORM_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof::pteasm {

// The operator's signature as the table has it, never as a user described it: the text must mean
// the same everywhere. Null: unknown.
[[nodiscard]] const OpSchema* SignatureOf(std::string_view op);

// How many of the last arguments are memory for results alone, so that results can stand for them.
// 0: the form with results does not exist for this operator.
[[nodiscard]] size_t ImpliedOuts(const OpSchema& schema);
// Whether that one argument is a list, which holds all results.
[[nodiscard]] bool HasOutList(const OpSchema& schema);

// A call taken apart.
struct CallParts {
  bool raw = false;               // `call f(...)`: all arguments, no results
  std::vector<int32_t> results;   // before the `=`
  std::vector<int32_t> operands;  // in the parentheses
  std::vector<int32_t> lists;     // that the results stand for: literals, the slot's last
};

// The shortest form that means this call, if only values of `literal` may be left unnamed.
[[nodiscard]] CallParts PartsOf(const Method& method, const Instruction& call,
                                const std::vector<bool>& literal);

}  // namespace pteproof::pteasm

#endif  // PTEPROOF_RUNTIME_PTEASM_CALL_FORM_H_
