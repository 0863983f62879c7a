#include <memory>
#include <string>
#include <vector>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/io/output.h"

namespace pteproof {

// It must be added last, as it knows the verbs that are there.
Verb AddHelp(CLI::App& app) {
  std::vector<std::string> names;
  CLI::App& help =
      *app.add_subcommand("help", "Print the arguments of the command, or of one verb");
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  const auto topic = std::make_shared<std::string>();
  help.add_option("VERB", *topic, "The verb to explain")->check(OneOf(names))->type_name("VERB");
  help.footer("Example: pteproof help check");
  return {&help, [topic, &app] {
            const CLI::App& explained = topic->empty() ? app : *app.get_subcommand(*topic);
            WriteOutput(explained.get_formatter()->make_help(
                &explained, topic->empty() ? "pteproof" : "pteproof " + *topic,
                CLI::AppFormatMode::Normal));
            return ExitCode::kSafe;
          }};
}

}  // namespace pteproof
