#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "reference/op_schema.h"
#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

bool IsReturned(const Method& method, int32_t value) {
  return std::ranges::count(method.outputs, value) > 0;
}

// The values that an instruction updates in place.
std::vector<int32_t> UpdatedBy(const Method& method, const Instruction& at) {
  std::vector<int32_t> updated;
  if (at.kind != InstructionKind::kKernelCall) return updated;
  const Operator& op = method.operators[static_cast<size_t>(at.target)];
  if (op.schema == nullptr || IsCopy(op)) return updated;
  const auto args = method.Ints(at.args);
  for (size_t a = 0; a < op.schema->args.size(); ++a) {
    const ArgSchema& schema = op.schema->args[a];
    if (!schema.out && schema.access == Access::kUpdate) updated.push_back(args[a]);
  }
  return updated;
}

// An output of an updated value's type, which is another value. Positions of outputs.
std::vector<size_t> LikeOutputs(const Method& method, int32_t updated) {
  const Tensor& type = *method.TensorOf(updated);
  std::vector<size_t> like;
  for (size_t k = 0; k < method.outputs.size(); ++k) {
    const int32_t v = method.outputs[k];
    const Tensor* tensor = method.TensorOf(v);
    const bool fits = tensor != nullptr && v != updated && !IsInput(method, v) &&
                      tensor->dtype == type.dtype &&
                      std::ranges::equal(method.Ints(tensor->sizes), method.Ints(type.sizes));
    if (fits) like.push_back(k);
  }
  return like;
}

// The value before an update in place and the one after it are one output's storage: another output
// of the type is the updated value.
bool OutputsMerged(const Plan& plan) {
  std::vector<std::pair<TensorAt, size_t>> outputs;
  for (Method& method : plan.program.methods) {
    for (const Instruction& at : method.instructions) {
      for (const int32_t v : UpdatedBy(method, at)) {
        if (!HasBytes({&method, v}) || !IsReturned(method, v) || IsInput(method, v)) continue;
        for (const size_t k : LikeOutputs(method, v)) outputs.push_back({{&method, v}, k});
      }
    }
  }
  const auto output = PickOf(outputs, plan);
  if (!output) return false;
  output->first.method->outputs[output->second] = output->first.value;
  return true;
}

const RegisterDefect kOutputsMerged(
    {.name = "outputs-merged", .entry = 71, .invariant = "I20", .damage = OutputsMerged});

}  // namespace
}  // namespace pteproof
