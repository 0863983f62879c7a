#include "fuzz/calls/twist_parts.h"

#include <algorithm>
#include <cstdint>

#include "reference/op_schema.h"

namespace pteproof::fuzz {
namespace {

std::vector<int32_t> TensorsWhere(const Draft& draft, const DraftStep& call, bool written) {
  std::vector<int32_t> tensors;
  for (size_t a = 0; a < call.op->args.size() && a < call.args.size(); ++a) {
    const ArgSchema& arg = call.op->args[a];
    const bool is_written = arg.out || (arg.access != Access::kRead && arg.access != Access::kNone);
    if (is_written != written) continue;
    const DraftValue& value = draft.values[static_cast<size_t>(call.args[a])];
    if (value.kind == ValueKind::kTensor) {
      tensors.push_back(call.args[a]);
    } else if (IsTensorLike(value.kind)) {
      std::ranges::copy_if(value.items, std::back_inserter(tensors),
                           [](int32_t item) { return item >= 0; });
    }
  }
  return tensors;
}

}  // namespace

std::vector<size_t> CallsOf(const Draft& draft) {
  std::vector<size_t> calls;
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    const DraftStep& step = draft.steps[i];
    if (step.kind == InstructionKind::kKernelCall && step.op != nullptr) calls.push_back(i);
  }
  return calls;
}

std::vector<int32_t> OperandTensors(const Draft& draft, const DraftStep& call) {
  return TensorsWhere(draft, call, false);
}

std::vector<int32_t> WrittenTensors(const Draft& draft, const DraftStep& call) {
  return TensorsWhere(draft, call, true);
}

std::vector<int32_t> ValuesOf(const Draft& draft, ValueKind kind) {
  std::vector<int32_t> values;
  for (size_t v = 0; v < draft.values.size(); ++v) {
    if (draft.values[v].kind == kind) values.push_back(static_cast<int32_t>(v));
  }
  return values;
}

void ReplaceInCall(Draft& draft, DraftStep& call, int32_t old_value, int32_t new_value) {
  std::ranges::replace(call.args, old_value, new_value);
  for (const int32_t v : call.args) std::ranges::replace(draft.At(v).items, old_value, new_value);
}

// done becomes what next was, and next becomes true: it jumps back once.
void RunTwice(Draft& draft, size_t from) {
  const int32_t done = draft.Add(BoolValue(false));
  const int32_t next = draft.Add(BoolValue(false));
  const int32_t yes = draft.Add(BoolValue(true));
  draft.steps.push_back(StepOf(InstructionKind::kMove, next, done));
  draft.steps.push_back(StepOf(InstructionKind::kMove, yes, next));
  draft.steps.push_back(StepOf(InstructionKind::kJumpFalse, done, static_cast<int32_t>(from)));
}

void Grow(int32_t& size, size_t by) {
  const auto more = static_cast<int32_t>(by);
  size = std::min(size, INT32_MAX - more) + more;
}

void MakePlanned(DraftTensor& tensor) {
  if (tensor.planned()) return;
  tensor.is_input = tensor.home == Home::kCaller && tensor.is_input;
  tensor.home = tensor.home == Home::kConstant ? Home::kState : Home::kBank;
}

}  // namespace pteproof::fuzz
