#include "planner/plan.h"

#include <algorithm>
#include <bit>

#include "planner/code/linearise.h"
#include "planner/plan_method.h"
#include "planner/state/initial.h"
#include "planner/state/layout.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/validate.h"

namespace pteproof::planner {
namespace {

using graph::Module;

std::string FaultOf(const PlanOptions& options) {
  if (options.alignment < 1 || !std::has_single_bit(static_cast<uint64_t>(options.alignment))) {
    return "the alignment " + std::to_string(options.alignment) + " is no power of two";
  }
  for (const PlanOptions::Bank& bank : options.banks) {
    if (bank.memory_id < 1) return "memory ids count from 1";
    if (bank.memory_id == kSharedBank || bank.memory_id == kPrivateBank) {
      return "memory id " + std::to_string(bank.memory_id) + " holds state: bank '" +
             bank.bank.name + "' needs another one";
    }
  }
  return "";
}

// The Module without mutation; or why there is none.
Result<Module, PlanError> Functional(const Module& module) {
  const auto problems = graph::Validate(module);
  if (!problems.empty()) return PlanError{problems.front().method, problems.front().story};
  auto functional = graph::Functionalize(module);
  if (!functional.ok()) return PlanError{"", functional.error()};
  return std::move(functional).value();
}

std::vector<Code> LineariseAll(const Module& module) {
  std::vector<Code> codes;
  for (size_t m = 0; m < module.methods.size(); ++m) codes.push_back(Linearise(module, m));
  return codes;
}

void WarnOfHints(const Module& module, const PlanOptions& options, Planned& planned) {
  if (options.bounds != Bounds::kHint) return;
  for (const graph::Method& method : module.methods) {
    for (const graph::DimSymbol& dim : method.dims) {
      const int64_t planned_for = dim.hint.value_or(dim.hi);
      if (planned_for >= dim.hi) continue;
      planned.warnings.push_back("method '" + method.name + "' is planned for " + dim.name + " = " +
                                 std::to_string(planned_for) + ": calls with up to " +
                                 std::to_string(dim.hi) + " are admitted, and will be refused");
    }
  }
}

}  // namespace

Result<Planned, PlanError> Plan(const Module& source, const PlanOptions& options) {
  if (std::string fault = FaultOf(options); !fault.empty()) return PlanError{"", fault};
  auto functional = Functional(source);
  if (!functional.ok()) return functional.error();
  Module module = std::move(functional).value();
  std::vector<Code> codes = LineariseAll(module);
  auto state = LayOutState(module, codes, options);
  if (!state.ok()) return PlanError{"", state.error()};
  const std::vector<bool> set = SetByMethod(module, options, state.value());
  if (options.module_init || std::ranges::find(set, true) != set.end()) {
    if (std::ranges::find(module.methods, kModuleInit, &graph::Method::name) !=
        module.methods.end()) {
      return PlanError{kModuleInit, "the Module has a method of this name already"};
    }
    AddModuleInit(set, module);
    codes = LineariseAll(module);
    state = LayOutState(module, codes, options);
  }
  Planned planned;
  WarnOfHints(module, options, planned);
  const std::vector<BufferInFile> buffers = StoreData(module, codes, state.value(), set, planned);
  for (size_t m = 0; m < module.methods.size(); ++m) {
    MarkConstants(state.value().state[m], codes[m]);
    std::string fault =
        PlanMethod({module, m, options, state.value(), buffers, std::move(codes[m])}, planned);
    if (!fault.empty()) return PlanError{module.methods[m].name, std::move(fault)};
  }
  return planned;
}

}  // namespace pteproof::planner
