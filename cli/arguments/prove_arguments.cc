#include <cstdint>
#include <memory>
#include <optional>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/verbs.h"
#include "cli/io/time_limit.h"
#include "cli/verbs/prove_command.h"

namespace pteproof {
namespace {

struct ProveArguments {
  ProveRequest request;
  std::optional<double> timeout;  // seconds
  std::optional<double> time;     // likewise
};

void AddSolverChoices(CLI::App& prove, ProveArguments& arguments) {
  proofs::DecideOptions& how = arguments.request.how;
  AddChoice(prove, "--solver", how.solver,
            Choices<proofs::SolverChoice>{{"z3", proofs::SolverChoice::kZ3},
                                          {"cvc5", proofs::SolverChoice::kCvc5},
                                          {"both", proofs::SolverChoice::kBoth}},
            "The solver that decides (default: z3; both: they must agree)");
  AddTimeout(prove, arguments.timeout, "obligation (default: 10)")
      ->check(NumberFrom(0.001, 86'400));
  AddTime(prove, arguments.time, "then the exit code is 3");
  prove
      .add_option("--smt", arguments.request.smt,
                  "Write every query here, as SMT-LIB 2, with a folder for each file")
      ->type_name("FOLDER");
  prove.add_flag("--fast", how.fast, "Do not ask the solver about goals that constants decide");
}

void AddProofForms(CLI::App& prove, ProveRequest& request) {
  CLI::Option* list =
      prove.add_flag("--list", request.list, "Print the obligations, and decide nothing");
  prove
      .add_flag("--why", request.why,
                "For each refutation, the fewest facts of the file that are enough to show it")
      ->excludes(list);
  prove
      .add_option("--certificate", request.certificate,
                  "Also write what confirms the verdict here, as JSON; of several files a folder")
      ->type_name("FILE")
      ->excludes(list);
  AddJson(prove, request.json, "One JSON object per file, each on a line");
  AddQuiet(prove, request.quiet, "Only the verdict and the counts");
}

}  // namespace

Verb AddProve(CLI::App& app) {
  CLI::App& prove = *app.add_subcommand("prove", "Prove that memory plans are safe, or refute it");
  const auto arguments = std::make_shared<ProveArguments>();
  ProveRequest& request = arguments->request;
  CLI::Option* files =
      prove
          .add_option(
              "FILE", request.files,
              "Programs (.pte, .bpte, .pteasm), folders, or Modules (.module), which are planned "
              "first")
          ->type_name("FILE");
  CLI::Option* planner =
      prove.add_flag("--planner", request.planner, "Prove the planner's own code, for all sizes")
          ->excludes(files);
  prove
      .add_option("--storages", request.planner_bounds.storages,
                  "The most storages of --planner (default: 3, seconds; 5: most of an hour)")
      ->check(WholeNumber(proofs::kFewestStorages, proofs::kMostStorages))
      ->type_name("NUMBER")
      ->needs(planner);
  AddPolicy(prove, request.policy, "the manifest's, else all three are judged");
  AddLoad(prove, request.all_first);
  AddManifest(prove, request.manifest);
  AddData(prove, request.data);
  AddChoice(prove, "--order", request.order,
            Choices<proofs::Order>{{"listed", proofs::Order::kFile},
                                   {"any", proofs::Order::kAny},
                                   {"strict", proofs::Order::kStrict}},
            "The order of instructions: as they are listed (default), any order that respects the "
            "flow of data, as a parallel executor may choose, or any order with one reader alone "
            "of an operand that is overwritten");
  AddSolverChoices(prove, *arguments);
  AddProofForms(prove, request);
  prove.callback([files, planner] {
    if (files->count() == 0 && planner->count() == 0) {
      throw CLI::RequiredError("FILE, or --planner");
    }
  });
  prove.footer(
      "Exit codes: 0 proved, 1 refuted, 2 malformed, 3 unknown, left open by the file, or\n"
      "dependent on the loader, 64 usage, 66 a file that cannot be read.\n"
      "Example: pteproof prove model.pte --policy share-all");
  return {&prove, [arguments] {
            constexpr double kMillisecondsPerSecond = 1000;
            ProveRequest made = arguments->request;
            if (arguments->timeout) {
              made.how.milliseconds =
                  static_cast<uint32_t>(*arguments->timeout * kMillisecondsPerSecond);
            }
            return Within(arguments->time, "prove", [&] { return RunProve(made); });
          }};
}

}  // namespace pteproof
