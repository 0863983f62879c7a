#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/common_arguments.h"
#include "cli/arguments/placement_choices.h"
#include "cli/arguments/verbs.h"
#include "cli/verbs/plan_command.h"

namespace pteproof {
namespace {

struct PlanArguments {
  PlanRequest request;
  std::optional<Policy> policy;
  std::optional<double> timeout;    // seconds
  std::vector<std::string> shared;  // buffers
  std::vector<std::string> off;     // passes
  std::vector<std::string> on;      // likewise
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
  if (name == "elide-slices") return &passes.elide_slices;
  return &passes.elide_concats;
}

PlanRequest RequestOf(const PlanArguments& arguments) {
  PlanRequest request = arguments.request;
  planner::PlanOptions& options = request.options;
  if (arguments.policy) options.policy = *arguments.policy;
  if (arguments.timeout) options.effort = {std::numeric_limits<int64_t>::max(), arguments.timeout};
  if (!arguments.shared.empty()) options.shared_buffers = arguments.shared;
  for (const std::string& pass : arguments.on) *SwitchNamed(options.passes, pass) = true;
  for (const std::string& pass : arguments.off) *SwitchNamed(options.passes, pass) = false;
  options.plan_inputs = !arguments.unplanned_inputs;
  options.plan_outputs = !arguments.unplanned_outputs;
  options.plan_buffers = !arguments.unplanned_buffers;
  return request;
}

void AddStateChoices(CLI::App& plan, PlanArguments& arguments) {
  planner::PlanOptions& options = arguments.request.options;
  AddChoice(plan, "--initial", options.initial,
            Choices<planner::InitialState>{{"auto", planner::InitialState::kAuto},
                                           {"file", planner::InitialState::kFile},
                                           {"method", planner::InitialState::kMethod}},
            "The place of buffers' initial values: the file, or a method that sets them "
            "(default: auto, a method for shared buffers)");
  plan.add_flag("--module-init", options.module_init,
                "Write et_module_init, which sets every shared buffer to its initial value");
  AddList(plan, "--share", arguments.shared,
          "A buffer that methods share; may be repeated (default: those the Module says)", "NAME");
  plan.add_flag("--unplanned-inputs", arguments.unplanned_inputs, "The caller sets inputs' memory");
  plan.add_flag("--unplanned-outputs", arguments.unplanned_outputs,
                "The caller sets outputs' memory");
  plan.add_flag("--unplanned-buffers", arguments.unplanned_buffers,
                "The caller sets mutable buffers' memory");
}

void AddLayoutChoices(CLI::App& plan, PlanArguments& arguments) {
  planner::PlanOptions& options = arguments.request.options;
  AddAlgorithm(plan, options.algorithm);
  AddTimeout(plan, arguments.timeout,
             "bank's search by best and exact (default: equal work on every machine)");
  AddPolicy(plan, arguments.policy, "share-1-2");
  AddList(plan, "--bank", arguments.request.banks,
          "A bank, in order of preference; may be repeated", "NAME:SIZE[:ALIGN]");
  AddAlignment(plan, options.alignment,
               "The least alignment of every offset, a power of two (default: 16)");
  AddChoice(plan, "--bounds", options.bounds,
            Choices<planner::Bounds>{{"range", planner::Bounds::kRange},
                                     {"hint", planner::Bounds::kHint}},
            "The planned sizes of dynamic shapes: the largest (default: range), or "
            "those of the example");
  AddChoice(plan, "--order", options.order,
            Choices<graph::InPlaceOrder>{{"listed", graph::InPlaceOrder::kListed},
                                         {"any", graph::InPlaceOrder::kAny},
                                         {"strict", graph::InPlaceOrder::kStrict}},
            "The orders in which the plan is right: as nodes are listed (default), any order that "
            "data allows, or that with results in place of operands with one reader alone");
  AddList(plan, "--overlay", arguments.request.overlays,
          "An output that takes the memory of an input; may be repeated", "METHOD:OUTPUT:INPUT");
  AddList(plan, "--without", arguments.off, "A pass to leave out; may be repeated", "WORD")
      ->check(OneOf({"drop-dead", "early-stores", "elide-views", "elide-copies", "in-place",
                     "elide-concats"}));
  AddList(plan, "--with", arguments.on, "A pass that is not on by default; may be repeated", "WORD")
      ->check(OneOf({"elide-slices"}));
}

}  // namespace

Verb AddPlan(CLI::App& app) {
  CLI::App& plan = *app.add_subcommand("plan", "Plan a Module's memory and write the program");
  const auto arguments = std::make_shared<PlanArguments>();
  PlanRequest& request = arguments->request;
  plan.add_option("MODULE", request.file, "A Module as text, or - for standard input")
      ->required()
      ->type_name("FILE");
  AddProgramOutput(plan, request.output, "Write the program (.pte) here; - is standard output")
      ->required();
  AddLayoutChoices(plan, *arguments);
  AddStateChoices(plan, *arguments);
  plan.add_flag(
      "--force-out-of-place", request.force_out_of_place,
      "Plan results that must not be made in place out of place, with a warning (default: an "
      "error, as 'lint' finds it)");
  plan.add_flag("--write-manifest", request.write_manifest,
                "Also write NAME.manifest.json beside NAME.pte");
  CLI::Option* report = plan.add_flag("--report", request.report, "Print how full each bank is");
  AddJson(plan, request.json, "The report as one JSON object per method and bank, each on a line")
      ->needs(report);
  plan.footer(
      "Exit codes: 0 written, 1 no plan is possible, 2 not a Module, 64 usage, 66 a file that\n"
      "cannot be read or written.\n"
      "Example: pteproof plan model.module -o model.pte --write-manifest --report");
  return {&plan, [arguments] { return RunPlan(RequestOf(*arguments)); }};
}

}  // namespace pteproof
