#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "reference/op_dim_orders.h"
#include "reference/op_schema.h"
#include "tests/planted/defects/pick.h"

namespace pteproof {
namespace {

// The tensor arguments of a call of which the kernel takes one order only. Lists are left out.
std::vector<int32_t> Ordered(const Method& method, const Instruction& at) {
  const Operator& op = method.operators[static_cast<size_t>(at.target)];
  const OpDimOrders* takes = op.schema == nullptr ? nullptr : FindDimOrders(op.name);
  if (takes == nullptr) return {};
  std::vector<int32_t> values;
  const auto args = method.Ints(at.args);
  for (size_t a = 0; a < op.schema->args.size(); ++a) {
    const std::string_view name = op.schema->args[a].name;
    if (!ListsArgument(takes->alike, name) && !ListsArgument(takes->plain, name)) continue;
    if (method.TensorOf(args[a]) != nullptr) values.push_back(args[a]);
  }
  return values;
}

bool HasRows(const TensorAt& at) {
  return HasBytes(at) && at.get().sizes.count > 1;
}

// A tensor of a call has its dimensions the other way round.
bool DimOrderReversed(const Plan& plan) {
  std::vector<TensorAt> tensors;
  for (Method& method : plan.program.methods) {
    for (const Instruction& at : method.instructions) {
      if (at.kind != InstructionKind::kKernelCall) continue;
      for (const int32_t v : Ordered(method, at)) {
        if (HasRows({&method, v})) tensors.push_back({&method, v});
      }
    }
  }
  const auto tensor = PickOf(tensors, plan);
  if (!tensor) return false;
  std::vector<int32_t>& ints = tensor->method->ints;
  const Range own = tensor->get().dim_order;
  tensor->get().dim_order = {static_cast<uint32_t>(ints.size()), own.count};
  for (uint32_t d = own.count; d-- > 0;) ints.push_back(ints[own.first + d]);
  return true;
}

const RegisterDefect kDimOrderReversed({.name = "dim-order-reversed",
                                        .invariant = "I5",
                                        .damage = DimOrderReversed});

}  // namespace
}  // namespace pteproof
