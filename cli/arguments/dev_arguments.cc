#include <memory>
#include <string>
#include <vector>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/help_format.h"
#include "cli/arguments/verbs.h"
#include "cli/io/output.h"

namespace pteproof {

// The words behind it are parsed without it (command_line.cc): here it stands alone.
Verb AddDev(CLI::App& app) {
  CLI::App& dev = *app.add_subcommand(
      "dev", "Verbs for developers of pteproof and of planners: random, test, fmt, mutants");
  const auto verb = std::make_shared<std::string>();
  dev.add_option("VERB", *verb, "The verb, with its own arguments behind it")
      ->check(OneOf({kDevVerbs.begin(), kDevVerbs.end()}))
      ->type_name("VERB");
  dev.footer(
      "Exit codes: those of the verb, 64 usage.\n"
      "Example: pteproof dev random --seed 7");
  return {&dev, [&app, verb] {
            if (!verb->empty()) {
              Complain("there are words between 'dev' and '" + *verb +
                       "': write the options after the verb");
              return ExitCode::kUsage;
            }
            for (const std::string_view name : kDevVerbs) {
              WriteOutput(VerbRow(*app.get_subcommand(std::string(name))));
            }
            return ExitCode::kSafe;
          }};
}

}  // namespace pteproof
