#include <memory>
#include <string>
#include <vector>

#include "cli/arguments/mutants_options.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/mutants_command.h"

namespace pteproof {
namespace {

// The words that were parsed, for the other executable.
std::vector<std::string> WordsOf(const CLI::App& verb) {
  std::vector<std::string> words;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() == 0) continue;
    words.push_back(option->get_name());
    const bool is_switch = option->get_items_expected_max() == 0;
    if (!is_switch) words.push_back(option->results().back());
  }
  return words;
}

}  // namespace

Verb AddMutants(CLI::App& app) {
  CLI::App& mutants = *app.add_subcommand(
      "mutants", "Count the cases until each checker sees each planted defect (test builds)");
  const auto request = std::make_shared<MutantsRequest>();
  AddMutantsOptions(mutants, *request);
  mutants.footer(
      "It runs the executable pteproof-mutants, which lies beside pteproof in a Release build of\n"
      "the source tree and is not installed; scripts/mutants builds it and runs it.\n"
      "Exit codes: 0 every defect is seen, 1 one is not, or there are false alarms, 64 usage.\n"
      "Example: pteproof dev mutants --only stores-dead");
  return {&mutants, [request, &mutants] { return RunMutants(WordsOf(mutants)); }};
}

}  // namespace pteproof
