#include <utility>
#include <vector>

#include "reference/op_schema.h"
#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// The second result of an operator lies over its first.
bool ResultsMeet(const Plan& plan) {
  std::vector<std::pair<TensorAt, TensorAt>> pairs;
  for (const CallAt& call : CallsOf(plan.program, [](const Method&, const Operator& op, auto) {
         return op.schema != nullptr;
       })) {
    const Instruction& at = call.method->instructions[call.instruction];
    const OpSchema& schema = *call.method->operators[static_cast<size_t>(at.target)].schema;
    std::vector<TensorAt> results;
    for (size_t a = 0; a < schema.args.size() && a < at.args.count; ++a) {
      const int32_t v = call.arg(a);
      const bool is_result = schema.args[a].access == Access::kWrite && !schema.in_place;
      if (!is_result || call.method->TensorOf(v) == nullptr) continue;
      if (HasBytes({call.method, v})) results.push_back({call.method, v});
    }
    if (results.size() > 1) pairs.emplace_back(results[0], results[1]);
  }
  const auto pair = PickOf(pairs, plan);
  if (!pair) return false;
  const Tensor& first = pair->first.get();
  Tensor& second = pair->second.get();
  if (first.offset + second.nbytes > pair->first.method->bank_sizes[first.bank]) return false;
  second.bank = first.bank;
  second.offset = first.offset;
  return true;
}

const RegisterDefect kResultsMeet(
    {.name = "results-meet", .entry = 59, .invariant = "I1", .damage = ResultsMeet});

}  // namespace
}  // namespace pteproof
