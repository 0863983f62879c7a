#include <memory>

#include "cli/arguments/verbs.h"
#include "cli/verbs/fmt_command.h"

namespace pteproof {

Verb AddFmt(CLI::App& app) {
  CLI::App& format = *app.add_subcommand("fmt", "Print the canonical text of a Module");
  const auto request = std::make_shared<FmtRequest>();
  format.add_option("FILE", request->file, "A Module (.module), or - for standard input")
      ->required()
      ->type_name("FILE");
  CLI::Option* check =
      format.add_flag("--check", request->check, "Only say whether the file is canonical");
  format.add_flag("-w,--write", request->write, "Rewrite the file")->excludes(check);
  format.footer(
      "Exit codes: 0 done, 1 not canonical (--check), 2 not a Module, 64 usage, 66 a file that\n"
      "cannot be read.\n"
      "Example: pteproof dev fmt --check corpus/modules/counter.module");
  return {&format, [request] { return RunFmt(*request); }};
}

}  // namespace pteproof
