#include <memory>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/diff_command.h"

namespace pteproof {

Verb AddDiff(CLI::App& app) {
  CLI::App& diff = *app.add_subcommand("diff", "Make random calls as planned, and without a plan");
  const auto request = std::make_shared<DiffRequest>();
  AddProgram(diff, request->file);
  AddPolicy(diff, request->policy, "the manifest's, else all three");
  AddManifest(diff, request->manifest);
  AddData(diff, request->data);
  AddSeed(diff, request->seed, "Equal seeds make equal calls");
  CLI::Option* sequences =
      diff.add_option("--sequences", request->sequences,
                      "The most fresh starts, each with up to 8 calls (default: 20)")
          ->check(WholeNumber(1, 1'000'000))
          ->type_name("NUMBER");
  AddTime(diff, request->seconds, "as many fresh starts as it allows")
      ->check(NumberAboveZero())
      ->excludes(sequences);
  AddJson(diff, request->json, "One JSON object per policy, each on a line");
  diff.footer(
      "Exit codes: 0 all compared calls agree, 1 one differs, 2 malformed, 3 nothing could be\n"
      "compared, 64 usage, 66 a file that cannot be read.\n"
      "Example: pteproof diff model.pte --policy share-all");
  return {&diff, [request] { return RunDiff(*request); }};
}

}  // namespace pteproof
