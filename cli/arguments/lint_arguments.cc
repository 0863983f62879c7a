#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/lint_command.h"

namespace pteproof {

Verb AddLint(CLI::App& app) {
  CLI::App& lint = *app.add_subcommand("lint", "Say whether a Module's updates in place are right");
  const auto request = std::make_shared<LintRequest>();
  lint.add_option("MODULE", request->files, "Modules (.module), or - for standard input")
      ->required()
      ->type_name("FILE");
  AddChoice(lint, "--order", request->order,
            Choices<graph::InPlaceOrder>{{"listed", graph::InPlaceOrder::kListed},
                                         {"strict", graph::InPlaceOrder::kStrict},
                                         {"any", graph::InPlaceOrder::kAny}},
            "The order of nodes: as they are listed (default), any order with one reader alone, or "
            "any order that data and after() allow");
  AddJson(lint, request->json, "One JSON object per Module, each on a line");
  lint.footer(
      "Exit codes: 0 right, 1 something is wrong, 2 not a Module, 64 usage, 66 a file that\n"
      "cannot be read.\n"
      "Example: pteproof lint --order any corpus/modules/kv_update.module");
  return {&lint, [request] { return RunLint(*request); }};
}

}  // namespace pteproof
