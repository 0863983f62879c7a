// The in-place conditions before a Module is planned: a plan must not follow a wish that is wrong.
#ifndef PTEPROOF_CLI_LOAD_LINT_MODULE_H_
#define PTEPROOF_CLI_LOAD_LINT_MODULE_H_

#include <optional>
#include <string>
#include <vector>

#include "cli/load/load_module.h"
#include "reference/graph/module.h"

namespace pteproof {

// Why the Module is not to be planned: its first update in place that is wrong as the nodes are
// listed, and how many others there are. Nothing: all are right. What ends with it is kUnsafe.
[[nodiscard]] std::optional<NoModule> WrongInPlace(const std::string& file,
                                                   const graph::Module& module);

// Takes the wishes away that are wrong, and tells of each in a sentence. O(nodes + operands) for
// each round of them: without one wish another may be right.
[[nodiscard]] std::vector<std::string> DropWrongWishes(graph::Module& module);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_LINT_MODULE_H_
