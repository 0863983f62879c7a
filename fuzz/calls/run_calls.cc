#include "fuzz/calls/run_calls.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "base/checked_math.h"
#include "fuzz/bounds.h"
#include "fuzz/calls/own_calls.h"
#include "fuzz/calls/rough_caller.h"
#include "fuzz/calls/same_refusals.h"
#include "fuzz/runnable.h"
#include "properties/oracles/planned_run.h"
#include "properties/oracles/replay.h"
#include "pteproof/read.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {
namespace {

using Inputs = std::vector<Datum>;

// What hardly any call of a reference is content with.
constexpr RunLimits kLittle = {.memory = 512, .work = 48};

// What is wrong with the inputs: 1 to 4 with each tensor, 5 to 8 with the list of them; 0: nothing.
uint8_t ChangeOf(const CallsPlan& plan) {
  constexpr std::array<uint8_t, 16> kChanges = {0, 1, 2, 3, 4, 5, 6, 7, 8, 3, 3, 5, 6, 7, 8, 8};
  return plan.input_change < kChanges.size() ? kChanges[plan.input_change] : 0;
}

// From the second run on one of the sizes is smaller, wherever it occurs and may vary.
void Shrink(const CallsPlan& plan, int run, const DraftTensor& tensor, Sizes& sizes) {
  if (run == 0 || !tensor.bounded) return;
  const int64_t size = 1 + plan.shrink % 8;
  const int64_t smaller = std::max<int64_t>(size - run - plan.shrink / 128, 0);
  std::ranges::replace(sizes, size, smaller);
}

Datum TensorInput(const CallsPlan& plan, int run, const DraftTensor& tensor) {
  const bool fits =
      tensor.bounded && std::ranges::equal(tensor.given, tensor.sizes, std::ranges::less_equal());
  const std::vector<int32_t>& given = fits ? tensor.given : tensor.sizes;
  Sizes sizes(given.begin(), given.end());
  Shrink(plan, run, tensor, sizes);
  ScalarType dtype = tensor.dtype;
  // Rarely the caller gives something else than the method takes.
  switch (ChangeOf(plan)) {
    case 1:
      sizes.insert(sizes.begin(), 1);
      break;
    case 2:
      if (!sizes.empty()) sizes.pop_back();
      break;
    case 3:
      dtype = ScalarType::kInt8;
      break;
    case 4:
      if (!sizes.empty()) sizes[0] += 1;
      break;
    default:
      break;
  }
  TensorValue value = Zeros(dtype, std::move(sizes));
  std::copy_n(tensor.data.begin(), std::min(tensor.data.size(), value.bytes.size()),
              value.bytes.begin());
  return value;
}

// Rarely there are more inputs or fewer, or one is of another kind.
void ChangeList(const CallsPlan& plan, Inputs& inputs) {
  const size_t at = plan.shrink % std::max<size_t>(inputs.size(), 1);
  switch (ChangeOf(plan)) {
    case 5:
      if (!inputs.empty()) inputs.pop_back();
      break;
    case 6:
      inputs.emplace_back(Zeros(ScalarType::kFloat32, {1}));
      break;
    case 7:
      if (!inputs.empty()) inputs[at] = Zeros(ScalarType::kFloat32, {1});
      break;
    case 8:
      if (!inputs.empty()) inputs[at] = int64_t{1};
      break;
    default:
      break;
  }
}

Inputs InputsOf(const CallsPlan& plan, const WrittenDraft& written, int run) {
  Inputs inputs;
  for (const int32_t v : written.input_values) {
    const DraftValue& value = plan.draft.values[static_cast<size_t>(v)];
    switch (value.kind) {
      case ValueKind::kTensor:
        inputs.push_back(TensorInput(plan, run, value.tensor));
        break;
      case ValueKind::kInt:
        inputs.emplace_back(CheckedAdd<int64_t>(value.integer, run).value_or(0));
        break;
      case ValueKind::kBool:
        inputs.emplace_back(value.integer != 0);
        break;
      case ValueKind::kDouble:
        inputs.emplace_back(value.real);
        break;
      case ValueKind::kString:
        inputs.emplace_back(value.text);
        break;
      default:
        inputs.emplace_back();
    }
  }
  ChangeList(plan, inputs);
  return inputs;
}

// Of a first run that ended with that fault, or well.
std::vector<CallFate> FatesOf(const Draft& draft, const std::optional<RunFault>& fault) {
  std::vector<CallFate> fates;
  const auto count = static_cast<int32_t>(draft.steps.size());
  const int32_t at = !fault ? count : fault->instruction;
  for (int32_t i = 0; i < count; ++i) {
    const DraftStep& step = draft.steps[static_cast<size_t>(i)];
    if (step.kind != InstructionKind::kKernelCall || step.op == nullptr) continue;
    CallFate fate = {step.op->name, i < at ? Fate::kReached : Fate::kNotCome, ""};
    if (i == at || (at < 0 && i == 0)) {
      fate.fate = Fate::kRefused;
      fate.why = fault->explanation;
    }
    fates.push_back(std::move(fate));
  }
  return fates;
}

void RequireOutputsWithinPlan(const Program& program, PlannedRun& run) {
  const auto loaded = run.instance().MethodAt(0);
  if (!loaded.ok()) return;
  for (size_t n = 0; n < program.methods[0].outputs.size(); ++n) {
    RequireWithinPlan(loaded.value()->Output(n));
  }
}

std::vector<Sizes> SizesOf(std::span<const Datum> outputs) {
  std::vector<Sizes> sizes;
  for (const Datum& output : outputs) {
    const auto* tensor = std::get_if<TensorValue>(&output);
    sizes.push_back(tensor == nullptr ? Sizes() : tensor->sizes);
  }
  return sizes;
}

// All runs as planned. What became of the first one.
PlannedEnd RunPlanned(const CallsPlan& plan, const Program& program, std::span<const Inputs> inputs,
                      Semantics semantics) {
  const bool mixes = semantics == Semantics::kHash;
  auto run = PlannedRun::Load(program, {.policy = plan.policy,
                                        .semantics = semantics,
                                        .writable_constants = mixes,
                                        .lends_outputs = mixes,
                                        .fuel = kFuel,
                                        .limits = kFuzzLimits});
  PlannedEnd first;
  if (!run.ok()) {
    RequireEarlyRefusal(run.error());
    first.fault = run.error();
    return first;
  }
  for (size_t r = 0; r < inputs.size(); ++r) {
    const WorkBound bound;
    const auto outputs = run.value().Call(0, inputs[r]);
    bound.Require("planned run");
    if (outputs.ok()) {
      RequireOutputsWithinPlan(program, run.value());
      if (r == 0) first.sizes = SizesOf(outputs.value());
      continue;
    }
    RequireEarlyRefusal(outputs.error());
    if (r == 0) first.fault = outputs.error();
  }
  return first;
}

// All runs in the reference. What became of the first one.
ReferenceEnd RunReference(const CallsPlan& plan, const Program& program,
                          std::span<const Inputs> inputs, Semantics semantics,
                          const RunLimits& limits = kFuzzLimits) {
  Replay replay(program,
                {.policy = plan.policy, .semantics = semantics, .fuel = kFuel, .limits = limits});
  ReferenceEnd first;
  for (size_t r = 0; r < inputs.size(); ++r) {
    const WorkBound bound;
    const auto outputs = replay.Call(0, inputs[r]);
    bound.Require("reference");
    if (r == 0 && !outputs.ok()) first.error = outputs.error();
    if (r == 0 && outputs.ok()) first.sizes = SizesOf(outputs.value());
  }
  return first;
}

}  // namespace

CallsRun RunCalls(const CallsPlan& plan) {
  CallsRun result;
  const WrittenDraft written = WriteDraft(plan.draft);
  if (written.file.empty()) return result;
  auto program = ReadProgram(written.file);
  if (!program.ok()) return result;
  result.stage = Stage::kRead;
  if (!BindOwnCalls(program.value()) || !IsRunnable(program.value())) return result;
  std::vector<Inputs> inputs;
  for (int r = 0; r < plan.runs; ++r) inputs.push_back(InputsOf(plan, written, r));
  bool fits = true;
  for (const Semantics semantics : {Semantics::kReal, Semantics::kHash}) {
    const PlannedEnd planned = RunPlanned(plan, program.value(), inputs, semantics);
    const ReferenceEnd reference = RunReference(plan, program.value(), inputs, semantics);
    RequireSameSizes(plan.draft, written.output_values, fits, reference, planned);
    if (semantics == Semantics::kHash) continue;
    fits = !planned.fault;
    RequireSameRefusal(plan.draft, reference.error, planned.fault);
    result.fates = FatesOf(plan.draft, planned.fault);
  }
  if (plan.rough != 0) {
    CallRoughly(program.value(), inputs, plan.rough);
    RunReference(plan, program.value(), inputs, Semantics::kHash, kLittle);
  }
  const bool ran = std::ranges::any_of(
      result.fates, [](const CallFate& fate) { return fate.fate == Fate::kReached; });
  result.stage = ran ? Stage::kRan : Stage::kJudged;
  return result;
}

}  // namespace pteproof::fuzz
