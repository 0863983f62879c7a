// The operators of the runtime that a program is made for.
#ifndef PTEPROOF_CLI_LOAD_RUNTIME_OPERATORS_H_
#define PTEPROOF_CLI_LOAD_RUNTIME_OPERATORS_H_

#include <string>
#include <string_view>
#include <vector>

#include "cli/load/load_manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

inline constexpr std::string_view kWheelRuntime = "wheel";

// `wheel`: those of ExecuTorch's wheel. Else a file with one full name a line; empty lines and
// those from # on do not count. Empty: none. Operators that the table does not know come without a
// schema.
[[nodiscard]] Result<std::vector<Operator>, ManifestFailure> RuntimeOperators(
    const std::string& runtime);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_RUNTIME_OPERATORS_H_
