// The files that a text refers to: in its folder, or below it.
#ifndef PTEPROOF_CLI_LOAD_FILES_BESIDE_H_
#define PTEPROOF_CLI_LOAD_FILES_BESIDE_H_

#include <string>
#include <string_view>

#include "cli/load/module_data.h"
#include "pteproof/result.h"

namespace pteproof {

// The file `name` of the text in the file `text`, which `what` names in messages ("Module"). Of a
// text in the caller's memory it is one that lies there under the text's name, '#' and its own.
[[nodiscard]] Result<ModuleFile, std::string> OpenBeside(const std::string& text,
                                                         const std::string& name,
                                                         std::string_view what);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_FILES_BESIDE_H_
