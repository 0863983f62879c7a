// From a path to a Module, from its text.
#ifndef PTEPROOF_CLI_LOAD_LOAD_MODULE_H_
#define PTEPROOF_CLI_LOAD_LOAD_MODULE_H_

#include <string>

#include "cli/io/exit_code.h"
#include "pteproof/result.h"
#include "reference/graph/module.h"
#include "reference/graph/parse.h"

namespace pteproof {

// Why there is no Module, and what the command then ends with.
struct NoModule {
  ExitCode code = ExitCode::kUnreadable;
  std::string why;  // names the file, and the place in it
};

[[nodiscard]] Result<graph::Module, NoModule> LoadModule(const std::string& file);

// Of a text that could not be parsed: FILE:LINE:COLUMN and why, or what the file is instead.
[[nodiscard]] NoModule NotAModule(const std::string& file, std::string_view text,
                                  const graph::ParseError& error);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_LOAD_MODULE_H_
