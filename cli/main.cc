// The command `pteproof`: options to requests, nothing else.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/finding_names.h"
#include "cli/io/exit_code.h"
#include "cli/io/output.h"
#include "cli/io/standard_streams.h"
#include "cli/verbs/check_command.h"
#include "cli/verbs/eval_command.h"
#include "cli/verbs/fmt_command.h"
#include "cli/verbs/inspect_command.h"
#include "cli/verbs/manifest_arguments.h"
#include "cli/verbs/map_command.h"
#include "cli/verbs/mutants_command.h"
#include "cli/verbs/place_command.h"
#include "cli/verbs/plan_command.h"
#include "cli/verbs/prove_arguments.h"
#include "cli/verbs/random_command.h"
#include "cli/verbs/rules_command.h"
#include "cli/verbs/run_arguments.h"
#include "planner/placement/algorithms.h"
#include "pteproof/version.h"

namespace pteproof {
namespace {

struct CheckOptionsText {
  CheckRequest request;
  bool json = false;
  bool sarif = false;
  std::string policy;
  std::string load;
};

CheckRequest ToRequest(CheckOptionsText text) {
  if (text.json) text.request.form = OutputForm::kJson;
  if (text.sarif) text.request.form = OutputForm::kSarif;
  text.request.policy = PolicyNamed(text.policy);
  if (!text.load.empty()) text.request.all_first = text.load == "all-first";
  return text.request;
}

void AddOutputOptions(CLI::App* check, CheckOptionsText& text) {
  auto* json = check->add_flag("--json", text.json, "One JSON object a line and file");
  auto* sarif = check->add_flag("--sarif", text.sarif, "SARIF 2.1.0, one run over all files");
  json->excludes(sarif);
  check->add_option("--html", text.request.html,
                    "Also write one page with verdicts, findings and maps of the plans here");
  check->add_flag("-q,--quiet", text.request.quiet, "Only the verdict line of each file");
  check->add_flag("--all", text.request.all, "Every finding, however many of one rule");
  check->add_option("-j,--jobs", text.request.jobs, "Files checked at once (default: all cores)")
      ->check(CLI::Range(1, 1024));
}

CLI::App* AddCheck(CLI::App& app, CheckOptionsText& text) {
  CLI::App* check = app.add_subcommand("check", "Say whether memory plans are safe");
  check
      ->add_option("FILE", text.request.files,
                   "Files (.pte, .bpte), folders, or - for standard input")
      ->required();
  check->add_option("--policy", text.policy, "The loader in use: which banks methods share")
      ->check(CLI::IsMember({"private", "share-1-2", "share-all"}));
  check
      ->add_option("--load", text.load,
                   "When methods are loaded (default: lazy, at their first call)")
      ->check(CLI::IsMember({"lazy", "all-first"}));
  AddManifestFlags(check, text.request.manifest);
  check
      ->add_option("--data", text.request.data,
                   "Weights outside the program (.ptd); may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  check->add_flag("--optimum", text.request.optimum,
                  "Search for the smallest that each bank could be, for up to 2 s each");
  AddOutputOptions(check, text);
  check->footer(
      "Exit codes: 0 safe, 1 unsafe, 2 malformed, 3 undecided or depends on the loader, 64 usage,\n"
      "66 a file that cannot be read, 70 internal. Of many files the worst counts.\n"
      "Example: pteproof check model.pte --policy share-all --data model.ptd");
  return check;
}

CLI::App* AddEval(CLI::App& app, EvalRequest& request) {
  CLI::App* eval = app.add_subcommand("eval", "Run a program in the reference interpreter");
  eval->add_option("FILE", request.file, "A program (.pte, .bpte) or a Module (.module)")
      ->required();
  eval->add_option("--calls", request.calls,
                   "Recorded calls and their outputs (default: calls.json beside the file)");
  eval->add_option("--compare", request.compare, "What outputs must agree with (default: truth)")
      ->check(CLI::IsMember({"truth", "executorch", "eager"}));
  eval->add_option("--semantics", request.semantics,
                   "What operators do: what they mean (real), or mix their operands (hash;\n"
                   "default: as the calls were recorded)")
      ->check(CLI::IsMember({"real", "hash"}));
  AddManifestFlags(eval, request.manifest);
  eval->add_flag("-q,--quiet", request.quiet, "Only the calls that do not agree");
  eval->footer(
      "Exit codes: 0 all calls agree, 1 one differs, 3 an operator is unknown to the reference.\n"
      "Example: pteproof eval model.pte --calls calls.json --compare eager");
  return eval;
}

CLI::App* AddInspect(CLI::App& app, InspectRequest& request) {
  CLI::App* inspect = app.add_subcommand("inspect", "Print a program as readable text");
  inspect->add_option("FILE", request.file, "A program (.pte, .bpte), or - for standard input")
      ->required();
  inspect->add_option("--method", request.method, "Only this method");
  auto* lifetimes = inspect->add_flag("--lifetimes", request.lifetimes,
                                      "The lifetimes of its storages, as 'place' reads them");
  inspect->add_option("--bank", request.bank, "Of these, only in this bank (memory id)")
      ->needs(lifetimes);
  inspect->footer(
      "Example: pteproof inspect model.pte --method forward\n"
      "Example: pteproof inspect --lifetimes model.pte | pteproof place -");
  return inspect;
}

CLI::App* AddMap(CLI::App& app, MapRequest& request) {
  CLI::App* map = app.add_subcommand("map", "Draw a memory plan: bytes against time");
  map->add_option("FILE", request.file, "A program (.pte, .bpte), or - for standard input")
      ->required();
  map->add_option("-o,--output", request.output, "Write it here (default: standard output)");
  map->add_option("--policy", request.policy,
                  "The loader in use: banks that methods share stand side by side, and only its\n"
                  "findings are marked (default: the manifest's)")
      ->check(CLI::IsMember({"private", "share-1-2", "share-all"}));
  map->add_option("--method", request.method, "Only this method");
  AddManifestFlags(map, request.manifest);
  map->add_flag("--text", request.text, "For a terminal, instead of SVG");
  map->footer(
      "Exit codes: 0 drawn, whatever the verdict; 2 malformed, 3 its control flow is beyond the\n"
      "limit on work, 64 usage, 66 a file that cannot be read or written.\n"
      "Example: pteproof map model.pte -o model.svg");
  return map;
}

CLI::App* AddPlace(CLI::App& app, PlaceRequest& request) {
  std::vector<std::string> algorithms;
  for (const auto each : placement::kAlgorithms) algorithms.emplace_back(placement::NameOf(each));
  CLI::App* place = app.add_subcommand("place", "Give storages their offsets, from lifetimes");
  place
      ->add_option("FILE", request.file,
                   "A table id,lower,upper,size[,alignment][,offset][,bank] (.csv), or - for\n"
                   "standard input")
      ->required();
  place->add_option("--algorithm", request.algorithm, "How to place them (default: best)")
      ->check(CLI::IsMember(algorithms));
  place->add_option("--capacity", request.capacity, "Bytes that every bank has at most")
      ->check(CLI::NonNegativeNumber);
  place->add_option("--alignment", request.alignment, "The least alignment of all (default: 1)");
  place
      ->add_option("--time", request.seconds,
                   "Seconds that best and exact may search (default: equal work on every machine)")
      ->check(CLI::NonNegativeNumber);
  place->add_option("-o,--output", request.output, "Write the table here");
  place->footer(
      "Exit codes: 0 done, 1 does not fit the capacity, 2 no such table, 66 a file that cannot be\n"
      "read or written.\n"
      "Example: pteproof place lifetimes.csv --algorithm best --alignment 16");
  return place;
}

CLI::App* AddFmt(CLI::App& app, FmtRequest& request) {
  CLI::App* format = app.add_subcommand("fmt", "Print the canonical text of a Module");
  format->add_option("FILE", request.file, "A Module (.module), or - for standard input")
      ->required();
  auto* check = format->add_flag("--check", request.check, "Only say whether it is canonical");
  format->add_flag("-w,--write", request.write, "Rewrite the file")->excludes(check);
  format->footer(
      "Exit codes: 0 done, 1 not canonical (--check), 2 no Module, 66 a file that cannot be read.\n"
      "Example: pteproof fmt --check corpus/modules/counter.module");
  return format;
}

struct PlanOptionsText {
  PlanRequest request;
  std::string algorithm = "best";
  std::string policy = "share-1-2";
  std::string bounds = "range";
  std::string initial = "auto";
  std::vector<std::string> shared;
  std::vector<std::string> off;  // passes
  bool unplanned_inputs = false;
  bool unplanned_outputs = false;
  bool unplanned_buffers = false;
};

bool* SwitchNamed(planner::PassSwitches& passes, std::string_view name) {
  if (name == "drop-dead") return &passes.drop_dead;
  if (name == "early-stores") return &passes.early_stores;
  if (name == "elide-views") return &passes.elide_views;
  if (name == "elide-copies") return &passes.elide_copies;
  if (name == "in-place") return &passes.in_place;
  return &passes.elide_concats;
}

PlanRequest ToRequest(PlanOptionsText text) {
  planner::PlanOptions& options = text.request.options;
  options.algorithm = *placement::AlgorithmNamed(text.algorithm);
  options.policy = *PolicyNamed(text.policy);
  if (text.bounds == "hint") options.bounds = planner::Bounds::kHint;
  if (text.initial == "file") options.initial = planner::InitialState::kFile;
  if (text.initial == "method") options.initial = planner::InitialState::kMethod;
  if (!text.shared.empty()) options.shared_buffers = text.shared;
  for (const std::string& pass : text.off) *SwitchNamed(options.passes, pass) = false;
  options.plan_inputs = !text.unplanned_inputs;
  options.plan_outputs = !text.unplanned_outputs;
  options.plan_buffers = !text.unplanned_buffers;
  return std::move(text.request);
}

void AddPlanChoices(CLI::App* plan, PlanOptionsText& text) {
  std::vector<std::string> algorithms;
  for (const auto each : placement::kAlgorithms) algorithms.emplace_back(placement::NameOf(each));
  plan->add_option("--algorithm", text.algorithm, "How to place storages (default: best)")
      ->check(CLI::IsMember(algorithms));
  plan->add_option("--policy", text.policy, "How the file will be loaded (default: share-1-2)")
      ->check(CLI::IsMember({"private", "share-1-2", "share-all"}));
  plan->add_option("--bank", text.request.banks,
                   "NAME:SIZE[:ALIGN] in order of preference; may be repeated")
      ->take_all();
  plan->add_option("--alignment", text.request.options.alignment,
                   "Of every offset, a power of two (default: 16)");
  plan->add_option("--bounds", text.bounds,
                   "What sizes that vary are planned for (default: range, the largest)")
      ->check(CLI::IsMember({"range", "hint"}));
  plan->add_option("--initial", text.initial,
                   "Who gives buffers their initial values (default: auto)")
      ->check(CLI::IsMember({"auto", "file", "method"}));
  plan->add_option("--share", text.shared,
                   "A buffer that methods share (default: those the Module says)")
      ->take_all();
  plan->add_option("--without", text.off, "A pass to leave out; may be repeated")
      ->take_all()
      ->check(CLI::IsMember({"drop-dead", "early-stores", "elide-views", "elide-copies", "in-place",
                             "elide-concats"}));
}

CLI::App* AddPlan(CLI::App& app, PlanOptionsText& text) {
  CLI::App* plan = app.add_subcommand("plan", "Plan a Module's memory and write the program");
  plan->add_option("MODULE", text.request.file, "A Module as text, or - for standard input")
      ->required();
  plan->add_option("-o,--output", text.request.output, "The .pte to write")->required();
  AddPlanChoices(plan, text);
  plan->add_flag("--module-init", text.request.options.module_init,
                 "Write et_module_init, which sets every shared buffer to its initial value");
  plan->add_flag("--unplanned-inputs", text.unplanned_inputs, "The caller sets inputs' memory");
  plan->add_flag("--unplanned-outputs", text.unplanned_outputs, "Likewise for outputs");
  plan->add_flag("--unplanned-buffers", text.unplanned_buffers, "Likewise for mutable buffers");
  plan->add_option("--overlay", text.request.overlays,
                   "METHOD:OUTPUT:INPUT: that output is found in that input's memory; may be "
                   "repeated")
      ->take_all();
  plan->add_flag("--manifest", text.request.manifest,
                 "Also write NAME.manifest.json beside NAME.pte, which `check` reads");
  plan->add_flag("--report", text.request.report, "Print how full each bank is");
  plan->footer(
      "Exit codes: 0 written, 1 there is no such plan, 2 no Module, 64 usage, 66 a file that\n"
      "cannot be read or written.\n"
      "Example: pteproof plan model.module -o model.pte --manifest --report");
  return plan;
}

CLI::App* AddRandom(CLI::App& app, RandomRequest& request) {
  CLI::App* random = app.add_subcommand("random", "Print a random Module, as the tests draw them");
  random->add_option("--seed", request.seed, "Equal seeds print equal Modules (default: 0)");
  auto* statistics = random->add_option("--statistics", request.cases,
                                        "Count what this many seeds from --seed on contain");
  random->add_flag("--json", request.json, "The counts as JSON lines")->needs(statistics);
  random->footer(
      "Exit codes: 0 done, 1 the counts have drifted from the default distribution.\n"
      "Example: pteproof random --seed 7\n"
      "Example: pteproof random --statistics 10000");
  return random;
}

CLI::App* AddRules(CLI::App& app, std::string& rule) {
  CLI::App* rules =
      app.add_subcommand("rules", "Say what the rules mean and how to fix what they find");
  rules->add_option("RULE", rule, "Everything about this one");
  rules->footer("Example: pteproof rules state-split");
  return rules;
}

CLI::App* AddMutants(CLI::App& app) {
  CLI::App* mutants = app.add_subcommand(
      "mutants", "Say what it takes each way to see each planted defect (test builds)");
  mutants->prefix_command();
  mutants->set_help_flag();  // the other executable's
  mutants->footer("Example: pteproof mutants --only stores-dead");
  return mutants;
}

// For each verb the first example of its own help.
std::string Examples(const CLI::App& app) {
  constexpr std::string_view kMark = "Example: ";
  std::string examples = "Examples:";
  for (const CLI::App* verb : app.get_subcommands({})) {
    const std::string footer = verb->get_footer();
    const size_t at = footer.find(kMark) + kMark.size();
    examples += "\n  " + footer.substr(at, footer.find('\n', at) - at);
  }
  return examples;
}

// CLI11's own exit codes mean nothing to our users.
int UsageExit(const CLI::App& app, const CLI::ParseError& error) {
  return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
}

int Run(int argc, char** argv) {
  CLI::App app("pteproof: is an ExecuTorch program's memory plan safe?");
  app.set_version_flag("--version", "pteproof " + std::string(Version()));
  app.require_subcommand(1);

  CheckOptionsText text;
  text.request.jobs = std::max(1U, std::thread::hardware_concurrency());
  const CLI::App* check = AddCheck(app, text);

  ProveOptionsText prove_text;
  const CLI::App* prove = AddProve(app, prove_text);

  InspectRequest inspect_request;
  const CLI::App* inspect = AddInspect(app, inspect_request);

  MapRequest map_request;
  const CLI::App* map = AddMap(app, map_request);

  PlaceRequest place_request;
  const CLI::App* place = AddPlace(app, place_request);

  PlanOptionsText plan_text;
  const CLI::App* plan = AddPlan(app, plan_text);

  RandomRequest random_request;
  const CLI::App* random = AddRandom(app, random_request);

  EvalRequest request;
  const CLI::App* eval = AddEval(app, request);

  RunOptionsText run_text;
  const CLI::App* run = AddRun(app, run_text);

  TestRequest test_request;
  const CLI::App* test = AddTest(app, test_request);

  DiffOptionsText diff_text;
  const CLI::App* diff = AddDiff(app, diff_text);

  FmtRequest format_request;
  const CLI::App* format = AddFmt(app, format_request);

  std::string rule;
  const CLI::App* rules = AddRules(app, rule);
  const CLI::App* mutants = AddMutants(app);
  app.footer(Examples(app));

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return UsageExit(app, error);
  }
  ExitCode code = ExitCode::kSafe;
  if (check->parsed()) code = RunCheck(ToRequest(text));
  if (prove->parsed()) code = RunProve(ToRequest(prove_text));
  if (inspect->parsed()) code = RunInspect(inspect_request);
  if (map->parsed()) code = RunMap(map_request);
  if (place->parsed()) code = RunPlace(place_request);
  if (plan->parsed()) code = RunPlan(ToRequest(plan_text));
  if (random->parsed()) code = RunRandom(random_request);
  if (eval->parsed()) code = RunEval(request);
  if (run->parsed()) code = RunEval(ToRequest(run_text));
  if (test->parsed()) code = RunTest(test_request);
  if (diff->parsed()) code = RunDiff(ToRequest(diff_text));
  if (format->parsed()) code = RunFmt(format_request);
  if (rules->parsed()) code = RunRules(rule);
  if (mutants->parsed()) code = RunMutants(mutants->remaining());
  if (!FlushOutput()) {
    Complain("the output cannot be written");
    code = ExitCode::kInternal;
  }
  return static_cast<int>(code);
}

}  // namespace
}  // namespace pteproof

int main(int argc, char** argv) {
  pteproof::HoldClosedStreams();
  try {
    return pteproof::Run(argc, argv);
  } catch (const std::bad_alloc&) {
    pteproof::Complain("out of memory");
  } catch (const std::exception& e) {
    pteproof::Complain(std::string("a mistake of pteproof itself, please report it: ") + e.what());
  }
  return static_cast<int>(pteproof::ExitCode::kInternal);
}
