#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/test_command.h"

namespace pteproof {

Verb AddTest(CLI::App& app) {
  CLI::App& test = *app.add_subcommand("test", "Plan and run random Modules, and compare");
  const auto request = std::make_shared<TestRequest>();
  CLI::Option* cases = test.add_option("--cases", request->cases, "The number of random Modules")
                           ->check(WholeNumber(1))
                           ->type_name("NUMBER");
  AddTime(test, request->seconds, "as many Modules as it allows (default: 10)")
      ->check(NumberAboveZero())
      ->excludes(cases);
  AddSeed(test, request->seed, "Of the first case");
  test.add_option("--keep", request->keep,
                  "Keep failing cases in this folder; those that it already has are tried first")
      ->type_name("FOLDER");
  test.add_option("--replay", request->replay, "Only try the failing case in this folder again")
      ->type_name("FOLDER")
      ->excludes(cases);
  test.add_flag("--statistics", request->statistics, "Count the features of the cases");
  AddJson(test, request->json, "One JSON object for the run, one for a stored case");
  test.footer(
      "Exit codes: 0 none failed, 1 one did: it is shrunk and printed, with its\n"
      "essential parts; 64 usage, 66 a folder that cannot be read or written.\n"
      "Example: pteproof dev test --time 60");
  return {&test, [request] { return RunTest(*request); }};
}

}  // namespace pteproof
