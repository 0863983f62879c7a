// The documentation's table of operators: what the reference knows of each, and how many recorded
// cases it was compared with.
#ifndef PTEPROOF_TESTS_SUPPORT_OPERATOR_TABLE_H_
#define PTEPROOF_TESTS_SUPPORT_OPERATOR_TABLE_H_

#include <filesystem>
#include <string>

namespace pteproof {

// docs/reference/operators.md, whole. `recordings`: a folder with one folder per operator.
[[nodiscard]] std::string OperatorTable(const std::filesystem::path& recordings);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_OPERATOR_TABLE_H_
