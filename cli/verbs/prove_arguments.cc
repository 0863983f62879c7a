#include "cli/verbs/prove_arguments.h"

#include <utility>

#include "base/finding_names.h"
#include "cli/verbs/manifest_arguments.h"

namespace pteproof {

CLI::App* AddProve(CLI::App& app, ProveOptionsText& text) {
  CLI::App* prove = app.add_subcommand("prove", "Prove that memory plans are safe, or refute it");
  auto* files = prove->add_option(
      "FILE", text.request.files,
      "Programs (.pte, .bpte), folders, or Modules (.module), which are planned first");
  auto* planner = prove->add_flag("--planner", text.request.planner,
                                  "Prove the planner's own code, for all sizes");
  planner->excludes(files);
  prove
      ->add_option("--storages", text.request.planner_bounds.storages,
                   "Up to how many (default: 3, seconds; 5: the better part of an hour)")
      ->check(CLI::Range(proofs::kFewestStorages, proofs::kMostStorages))
      ->needs(planner);
  prove->add_option("--policy", text.policy, "The loader in use: which banks methods share")
      ->check(CLI::IsMember({"private", "share-1-2", "share-all"}));
  prove->add_option("--load", text.load, "When methods are loaded (default: lazy)")
      ->check(CLI::IsMember({"lazy", "all-first"}));
  AddManifestFlags(prove, text.request.manifest);
  prove
      ->add_option("--order", text.order,
                   "Instructions run as they are listed (file), or in any order that respects the\n"
                   "flow of data (any): what a parallel executor needs")
      ->check(CLI::IsMember({"file", "any"}));
  prove->add_option("--solver", text.solver, "Who decides (default: z3; both: and they must agree)")
      ->check(CLI::IsMember({"z3", "cvc5", "both"}));
  prove->add_option("--timeout", text.timeout, "Seconds for one obligation (default: 10)")
      ->check(CLI::Range(0.001, 86'400.0));
  prove->add_option("--smt", text.request.smt,
                    "Folder to write every query to, as SMT-LIB 2, in one folder a file");
  prove->add_flag("--fast", text.request.how.fast,
                  "Do not ask the solver what numbers alone decide");
  auto* list = prove->add_flag("--list", text.request.list,
                               "Print what has to be shown, and decide nothing");
  prove
      ->add_flag("--why", text.request.why,
                 "Of each refutation the fewest facts of the file that are enough")
      ->excludes(list);
  prove->add_flag("--json", text.request.json, "One JSON object a line and file");
  prove->add_flag("-q,--quiet", text.request.quiet, "Only the verdict and the counts");
  prove->callback([files, planner] {
    if (files->count() == 0 && planner->count() == 0) {
      throw CLI::RequiredError("FILE, or --planner");
    }
  });
  prove->footer(
      "Exit codes: 0 proved, 1 refuted, 2 malformed, 3 unknown, left open by the file, or\n"
      "dependent on the loader, 64 usage, 66 a file that cannot be read.\n"
      "Example: pteproof prove model.pte --policy share-all");
  return prove;
}

ProveRequest ToRequest(ProveOptionsText text) {
  text.request.policy = PolicyNamed(text.policy);
  if (!text.load.empty()) text.request.all_first = text.load == "all-first";
  if (text.order == "any") text.request.order = proofs::Order::kAny;
  if (text.solver == "cvc5") text.request.how.solver = proofs::SolverChoice::kCvc5;
  if (text.solver == "both") text.request.how.solver = proofs::SolverChoice::kBoth;
  constexpr double kMillisecondsPerSecond = 1000;
  text.request.how.milliseconds = static_cast<uint32_t>(text.timeout * kMillisecondsPerSecond);
  return std::move(text.request);
}

}  // namespace pteproof
