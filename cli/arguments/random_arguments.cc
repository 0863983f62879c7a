#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/random_command.h"

namespace pteproof {

Verb AddRandom(CLI::App& app) {
  CLI::App& random = *app.add_subcommand("random", "Print a random Module, as the tests draw them");
  const auto request = std::make_shared<RandomRequest>();
  AddSeed(random, request->seed, "Equal seeds print equal Modules");
  CLI::Option* statistics = random.add_flag("--statistics", request->statistics,
                                            "Count the features of the Modules of many seeds");
  random
      .add_option("--cases", request->cases,
                  "The number of seeds to count, from --seed on (default: 1000)")
      ->check(WholeNumber(1, 1'000'000'000))
      ->type_name("NUMBER")
      ->needs(statistics);
  AddJson(random, request->json, "The counts as JSON lines")->needs(statistics);
  random.footer(
      "Exit codes: 0 done, 1 the counts have drifted from the default distribution, 64 usage.\n"
      "Example: pteproof dev random --seed 7\n"
      "Example: pteproof dev random --statistics --cases 10000");
  return {&random, [request] { return RunRandom(*request); }};
}

}  // namespace pteproof
