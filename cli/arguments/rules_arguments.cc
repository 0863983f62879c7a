#include <memory>
#include <string>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/rules_command.h"

namespace pteproof {

Verb AddRules(CLI::App& app) {
  CLI::App& rules =
      *app.add_subcommand("rules", "Explain the rules, and how to fix their findings");
  const auto request = std::make_shared<RulesRequest>();
  rules.add_option("RULE", request->rule, "Everything about this one")->type_name("RULE");
  AddJson(rules, request->json, "One JSON object per rule, each on a line");
  rules.footer(
      "Exit codes: 0 printed, 64 the rule does not exist.\n"
      "Example: pteproof rules state-split");
  return {&rules, [request] { return RunRules(*request); }};
}

}  // namespace pteproof
