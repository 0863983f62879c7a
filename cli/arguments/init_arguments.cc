#include <memory>

#include "cli/arguments/verbs.h"
#include "cli/verbs/init_command.h"

namespace pteproof {

Verb AddInit(CLI::App& app) {
  CLI::App& init =
      *app.add_subcommand("init", "Write pteproof.toml and a workflow for CI, if neither exists");
  const auto request = std::make_shared<InitRequest>();
  init.add_option("FOLDER", request->folder,
                  "The repository's root, whose programs are looked for (default: the working "
                  "directory)")
      ->type_name("");
  init.footer(
      "Exit codes: 0 written, 64 usage, or a file is there already and nothing is written; 66 a\n"
      "file that cannot be written.\n"
      "Example: pteproof init");
  return {&init, [request] { return RunInit(*request); }};
}

}  // namespace pteproof
