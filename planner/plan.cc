// Idea. The Module becomes functional, each method becomes code, the state of all methods is laid
// out together, and then each method is planned on its own. Two things feed back: initial values
// may need a method of their own, which is added before the layout, and a store may turn out to
// write nothing.
//
//   Module -> functional -> code of each method -> layout of state -> each method -> Program
//                                ^                                         |
//                                +------- without the hollow store --------+
//
// Invariant: each round removes at least one store, so the rounds end. The result depends on Module
// and options alone. Cost: linearly many passes for each round; nearly always there is one.
#include "planner/plan.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>

#include "planner/code/linearise.h"
#include "planner/plan_method.h"
#include "planner/planted.h"
#include "planner/state/layout.h"
#include "planner/state/module_init.h"
#include "planner/state/stored_data.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/validate.h"

namespace pteproof::planner {
namespace {

using graph::Module;

std::string FaultOf(const PlanOptions& options) {
  if (options.alignment < 1 || !std::has_single_bit(static_cast<uint64_t>(options.alignment))) {
    return "the alignment " + std::to_string(options.alignment) + " is not a power of two";
  }
  if (options.alignment < 16 && Planted(Defect::kSmallAlignmentRefused)) {
    return "the alignment is below 16";
  }
  if (options.module_init && options.initial == InitialState::kFile) {
    return "initial values cannot be both set by et_module_init and stored in the file: choose one "
           "of the two";
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

std::string FaultOf(const PlanOptions::Overlay& overlay, const Module& module,
                    const PlanOptions& options) {
  const auto method = std::ranges::find(module.methods, overlay.method, &graph::Method::name);
  if (method == module.methods.end()) return "the method does not exist";
  const auto has = [](const auto& list, int32_t at) {
    return at >= 0 && static_cast<size_t>(at) < list.size();
  };
  if (!has(method->body.results, overlay.output) || !has(method->inputs, overlay.input)) {
    return "the method has no output " + std::to_string(overlay.output) + " or no input " +
           std::to_string(overlay.input) + ": positions count from 0";
  }
  const bool tensors =
      TensorTypeOf(*method, method->body.results[static_cast<size_t>(overlay.output)]) != nullptr &&
      TensorTypeOf(*method, method->inputs[static_cast<size_t>(overlay.input)].value) != nullptr;
  if (!tensors) return "only a tensor can have the memory of another";
  if (options.plan_inputs == options.plan_outputs) return "";
  return "an output can only lie in the memory of an input if both are planned or neither is";
}

// The Python Runtime, which shares all banks, binds an unplanned output to memory of its own after
// it has bound the inputs. A mutated input is an output too, and would lose its value.
std::optional<PlanError> LostInput(const Module& functional, const PlanOptions& options) {
  if (options.plan_inputs || options.policy != Policy::kShareAll) return std::nullopt;
  const auto method = std::ranges::find_if(
      functional.methods, [](const graph::Method& m) { return !m.input_stores.empty(); });
  if (method == functional.methods.end()) return std::nullopt;
  const auto input = static_cast<size_t>(method->input_stores.front().input);
  return PlanError{method->name, "input %" + method->inputs[input].name +
                                     " is mutated, hence an output too. A loader that shares all "
                                     "banks replaces the memory of an unplanned input by that of "
                                     "the output: plan the inputs, or choose another policy"};
}

// The Module without mutation; or why there is none.
Result<Module, PlanError> Functional(const Module& module) {
  const auto problems = graph::Validate(module);
  if (!problems.empty()) return PlanError{problems.front().method, problems.front().explanation};
  auto functional = graph::Functionalize(module);
  if (!functional.ok()) return PlanError{"", functional.error()};
  return std::move(functional).value();
}

void WarnOfHints(const Module& module, const PlanOptions& options, Planned& planned) {
  if (options.bounds != Bounds::kHint) return;
  for (const graph::Method& method : module.methods) {
    for (const graph::DimSymbol& dim : method.dims) {
      const int64_t planned_for = dim.hint.value_or(dim.hi);
      if (planned_for >= dim.hi) continue;
      planned.warnings.push_back("method '" + method.name + "' is planned for " + dim.name + " = " +
                                 std::to_string(planned_for) + ". The Module admits values up to " +
                                 std::to_string(dim.hi) + ": the runtime refuses those above " +
                                 std::to_string(planned_for));
    }
  }
}

// ExecuTorch refuses another number than the file has, which a Module does not say.
void WarnOfNumbers(const Module& module, Planned& planned) {
  for (const graph::Method& method : module.methods) {
    for (const graph::Input& input : method.inputs) {
      if (TensorTypeOf(method, input.value) != nullptr) continue;
      planned.warnings.push_back("method '" + method.name + "': input %" + input.name +
                                 " is a number, and ExecuTorch accepts only the number in the "
                                 "file, which is 0: make the input a tensor");
    }
  }
}

// What a plan needs, besides the code of each method.
struct Setting {
  std::unique_ptr<const Module> extended;  // where the plan adds a method
  const Module* module;                    // that, or the one that is planned
  std::vector<Code> codes;
  StateLayout state;
  std::vector<bool> set_by_method;  // by buffer
};

// Points to the Module where it adds nothing.
Result<Setting, PlanError> Set(const Module& module, std::vector<Code> codes,
                               const PlanOptions& options) {
  Setting setting = {nullptr, &module, std::move(codes), {}, {}};
  auto state = LayOutState(module, setting.codes, options);
  if (!state.ok()) return PlanError{"", state.error()};
  setting.set_by_method = SetByMethod(module, options, state.value());
  const auto& set = setting.set_by_method;
  if (options.module_init || std::ranges::find(set, true) != set.end()) {
    const auto taken = std::ranges::find(module.methods, kModuleInit, &graph::Method::name);
    if (taken != module.methods.end()) {
      return PlanError{kModuleInit,
                       "the Module already has a method of this name: rename that method, or store "
                       "initial values in the file"};
    }
    auto extended = std::make_unique<Module>(module);
    AddModuleInit(set, *extended);
    for (Code& code : setting.codes) {
      code.entry.resize(extended->buffers.size(), -1);
      code.exit.resize(extended->buffers.size(), -1);
    }
    setting.codes.push_back(Linearise(*extended, extended->methods.size() - 1));
    state = LayOutState(*extended, setting.codes, options);
    if (!state.ok()) {
      return PlanError{kModuleInit, state.error() + ", or let the file hold initial values"};
    }
    setting.module = extended.get();
    setting.extended = std::move(extended);
  }
  setting.state = std::move(state).value();
  return setting;
}

}  // namespace

Result<Planned, PlanError> Plan(const Module& source, const PlanOptions& options) {
  if (std::string fault = FaultOf(options); !fault.empty()) return PlanError{"", fault};
  if (source.methods.empty()) return PlanError{"", "the Module has no method"};
  auto functional = Functional(source);
  if (!functional.ok()) return functional.error();
  if (auto lost = LostInput(functional.value(), options)) return *std::move(lost);
  for (const PlanOptions::Overlay& overlay : options.overlays) {
    std::string fault = FaultOf(overlay, functional.value(), options);
    if (!fault.empty()) return PlanError{overlay.method, std::move(fault)};
  }
  std::vector<Code> codes;
  for (size_t m = 0; m < functional.value().methods.size(); ++m) {
    codes.push_back(Linearise(functional.value(), m));
  }
  // A store that turns out to be hollow makes others' plans other ones. Each round takes one away.
  for (;;) {
    auto setting = Set(functional.value(), codes, options);
    if (!setting.ok()) return setting.error();
    auto& [extended, shown, all, state, set] = setting.value();
    const Module& module = *shown;
    if (std::string fault = FaultOfData(module, all, state); !fault.empty()) {
      return PlanError{"", std::move(fault)};
    }
    Planned planned;
    WarnOfHints(module, options, planned);
    WarnOfNumbers(module, planned);
    const std::vector<BufferInFile> buffers =
        StoreData(module, all, state, set, options.plan_buffers, planned);
    bool hollow = false;
    for (size_t m = 0; m < all.size() && !hollow; ++m) {
      MarkConstants(state.state[m], all[m]);
      MethodOutcome outcome =
          PlanMethod({module, m, options, state, buffers, std::move(all[m])}, planned);
      if (!outcome.fault.empty()) return PlanError{module.methods[m].name, outcome.fault};
      for (const int32_t buffer : outcome.hollow) RemoveStore(codes[m], buffer);
      hollow = !outcome.hollow.empty();
    }
    if (!hollow) return planned;
  }
}

}  // namespace pteproof::planner
