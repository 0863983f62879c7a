#include "cli/verbs/run_arguments.h"

#include <utility>

#include "base/finding_names.h"
#include "cli/verbs/manifest_arguments.h"

namespace pteproof {

EvalRequest ToRequest(RunOptionsText text) {
  EngineOptions engine;
  engine.policy = PolicyNamed(text.policy);
  if (text.initial == "each-load") engine.apply = ApplyState::kEachLoad;
  if (text.fill == "poison") engine.fill = StateFill::kPoison;
  if (text.mode == "private-storage") engine.mode = RunMode::kPrivateStorage;
  if (text.mode == "tagged") engine.mode = RunMode::kTagged;
  text.request.engine = engine;
  return std::move(text.request);
}

CLI::App* AddRun(CLI::App& app, RunOptionsText& text) {
  CLI::App* run = app.add_subcommand("run", "Run a program as it is planned, in its banks");
  run->add_option("FILE", text.request.file, "A program (.pte, .bpte)")->required();
  run->add_option("--calls", text.request.calls,
                  "Recorded calls and their outputs (default: calls.json beside the file, else\n"
                  "random inputs)");
  run->add_option("--seed", text.request.seed, "Of random inputs (default: 0)");
  run->add_option("--data", text.request.data, "Weights outside the program (.ptd)");
  run->add_option("--compare", text.request.compare,
                  "What outputs must agree with (default: truth)")
      ->check(CLI::IsMember({"truth", "executorch", "eager"}));
  run->add_option("--semantics", text.request.semantics,
                  "What operators do: what they mean (real), or mix their operands (hash;\n"
                  "default: as the calls were recorded)")
      ->check(CLI::IsMember({"real", "hash"}));
  run->add_option("--policy", text.policy,
                  "Which banks methods share (default: as the calls were recorded)")
      ->check(CLI::IsMember({"private", "share-1-2", "share-all"}));
  run->add_option("--mode", text.mode,
                  "In the banks (planned), with a storage of its own for every value, or with\n"
                  "every byte of the banks tagged with the write that it comes from")
      ->check(CLI::IsMember({"planned", "private-storage", "tagged"}));
  run->add_option("--initial", text.initial,
                  "Stored state is applied once, or at each method's load as ExecuTorch does")
      ->check(CLI::IsMember({"once", "each-load"}));
  run->add_option("--state-fill", text.fill, "What state without a stored value holds")
      ->check(CLI::IsMember({"zero", "poison"}));
  AddManifestFlags(run, text.request.manifest);
  run->add_flag("-q,--quiet", text.request.quiet, "Only the calls that do not agree");
  run->footer(
      "Exit codes: 0 all calls agree, 1 one differs or cannot be made, 3 one was not made for a\n"
      "reason that need not be the program's: an unknown operator, or made-up inputs.\n"
      "Example: pteproof run model.pte --calls calls.json --compare executorch");
  return run;
}

DiffRequest ToRequest(DiffOptionsText text) {
  text.request.policy = PolicyNamed(text.policy);
  return std::move(text.request);
}

CLI::App* AddDiff(CLI::App& app, DiffOptionsText& text) {
  CLI::App* diff = app.add_subcommand("diff", "Make random calls as planned, and without a plan");
  diff->add_option("FILE", text.request.file, "A program (.pte, .bpte), or - for standard input")
      ->required();
  diff->add_option("--policy", text.policy,
                   "How the file is loaded (default: the manifest's, else all three)")
      ->check(CLI::IsMember({"private", "share-1-2", "share-all"}));
  AddManifestFlags(diff, text.request.manifest);
  diff->add_option("--data", text.request.data, "Weights outside the program (.ptd)");
  diff->add_option("--seed", text.request.seed, "Equal seeds make equal calls (default: 0)");
  diff->add_option("--sequences", text.request.sequences,
                   "How often to start anew, each time with up to 8 calls (default: 20)")
      ->check(CLI::Range(1, 1'000'000));
  diff->footer(
      "Exit codes: 0 all compared calls agree, 1 one differs, or a tensor has no memory, 3 no "
      "call\n"
      "of some method could be compared.\n"
      "Example: pteproof diff model.pte --policy share-all");
  return diff;
}

CLI::App* AddTest(CLI::App& app, TestRequest& request) {
  CLI::App* test = app.add_subcommand("test", "Plan and run random Modules, and compare");
  auto* cases = test->add_option("--cases", request.cases, "How many");
  test->add_option("--time", request.seconds, "Seconds (default: 10, where --cases says nothing)")
      ->check(CLI::PositiveNumber)
      ->excludes(cases);
  test->add_option("--seed", request.seed, "Of the first case (default: 0)");
  test->add_option("-o,--output", request.output,
                   "Folder for a case that fails; one that is there is tried first");
  test->add_option("--replay", request.replay, "Only try the failing case in this folder again")
      ->excludes(cases);
  test->add_flag("--statistics", request.statistics, "What the cases contained");
  test->footer(
      "Exit codes: 0 none failed, 1 one did: it is shrunk and printed, with what matters in it,\n"
      "and what may be anything.\n"
      "Example: pteproof test --time 60");
  return test;
}

}  // namespace pteproof
