// `compare --rename METHOD=NEW`: methods of the old program under the names that they have in the
// new one.
#ifndef PTEPROOF_CLI_VERBS_COMPARE_RENAME_H_
#define PTEPROOF_CLI_VERBS_COMPARE_RENAME_H_

#include <map>
#include <string>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof {

using MethodNames = std::map<std::string, std::string>;  // new names by old ones

// Of words METHOD=NEW. The error says which name neither program has, or which is given twice.
[[nodiscard]] Result<MethodNames, std::string> ReadMethodNames(
    const std::vector<std::string>& words, const std::vector<std::string>& old_methods,
    const std::vector<std::string>& new_methods);

void RenameMethods(const MethodNames& names, Program& program);
void RenameMethods(const MethodNames& names, graph::Module& module);
void RenameMethods(const MethodNames& names, Manifest& manifest);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_COMPARE_RENAME_H_
