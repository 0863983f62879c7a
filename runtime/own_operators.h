// Signatures that a user gives of operators which the table does not know, and the programs that
// are read with them. A bound operator has a schema like one of the table, so every checker and
// every run obeys the signature.
#ifndef PTEPROOF_RUNTIME_OWN_OPERATORS_H_
#define PTEPROOF_RUNTIME_OWN_OPERATORS_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof {

struct OwnOperatorError {
  size_t line = 0;  // from 1; of a single signature 1
  size_t column = 0;
  std::string what;
};

// Schemas point into `texts` and `args`, which grow without moving what they hold.
struct OwnOperators {
  std::deque<std::string> texts;
  std::deque<std::vector<ArgSchema>> args;
  std::deque<OpSchema> schemas;

  [[nodiscard]] const OpSchema* Find(std::string_view full_name) const;
};

// Adds one signature in PyTorch's notation (op_signature.h). An error if it is not one, contradicts
// an earlier one of that name, or contradicts the table. One that says what is known already adds
// nothing.
[[nodiscard]] std::optional<OwnOperatorError> AddOperator(std::string_view signature,
                                                          OwnOperators& own);

// Adds the signatures of a text (operator_list.h). All errors, in order.
[[nodiscard]] std::vector<OwnOperatorError> AddOperators(std::string_view text, OwnOperators& own);

// Gives the program's unknown operators their signatures. A call that does not fit its signature is
// a finding of the rule file-arguments, and such a program must not be used. The program shares the
// signatures.
[[nodiscard]] std::vector<Finding> BindOperators(std::shared_ptr<const OwnOperators> own,
                                                 Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_OWN_OPERATORS_H_
