// A call on tensors in unlike dim orders is one that the kernel takes. Orders are numbers of the
// file, so that an obligation counts the tensors that stand in the way.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string_view>

#include "base/rule_names.h"
#include "properties/proofs/rules/rules.h"
#include "reference/op_dim_orders.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

using DimOrder = std::span<const int32_t>;

// Of the tensors that must be alike: those that are not in the default order, and those that are
// not channels-last. All are alike if one of the counts is 0.
struct OrderCounts {
  int64_t not_default = 0;
  int64_t not_last = 0;
  int64_t not_plain = 0;   // of those that must be in the default order
  int64_t not_either = 0;  // of those that must be in one of the two

  [[nodiscard]] int64_t InTheWay() const {
    return std::min(not_default, not_last) + not_plain + not_either;
  }
};

// A move gives a value the order of its source, which the file does not tell for each path.
std::set<int32_t> MoveTargets(const Method& method) {
  std::set<int32_t> targets;
  for (const Instruction& at : method.instructions) {
    if (at.kind == InstructionKind::kMove) targets.insert(at.other);
  }
  return targets;
}

void ForEachOrder(const Method& method, int32_t v, const std::set<int32_t>& left_out,
                  const std::function<void(DimOrder)>& use) {
  if (v < 0 || left_out.contains(v)) return;
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) {
    use(method.Ints(method.tensors[value.tensor].dim_order));
  } else if (IsTensorLike(value.kind)) {
    for (const int32_t item : method.Ints(value.items)) ForEachOrder(method, item, left_out, use);
  }
}

OrderCounts CountsOf(const Method& method, const Instruction& call, const OpSchema& schema,
                     const OpDimOrders& takes, const std::set<int32_t>& left_out) {
  OrderCounts counts;
  const auto args = method.Ints(call.args);
  for (size_t a = 0; a < schema.args.size(); ++a) {
    const bool alike = ListsArgument(takes.alike, schema.args[a].name);
    const bool plain = ListsArgument(takes.plain, schema.args[a].name);
    const bool either = ListsArgument(takes.either, schema.args[a].name);
    if (!alike && !plain && !either) continue;
    ForEachOrder(method, args[a], left_out, [&](DimOrder order) {
      const int64_t other = IsDefaultOrder(order) ? 0 : 1;
      if (plain) counts.not_plain += other;
      if (either) counts.not_either += IsChannelsLast(order) ? 0 : other;
      if (!alike) return;
      counts.not_default += other;
      counts.not_last += IsChannelsLast(order) ? 0 : 1;
    });
  }
  return counts;
}

// Of an operator that is told the order of its result: the dimensions that the file has elsewhere.
int64_t UnlikeTheAsked(const Method& method, const Instruction& call, const OpSchema& schema,
                       const std::set<int32_t>& left_out) {
  const auto args = method.Ints(call.args);
  const Value* asked = nullptr;
  const Tensor* made = nullptr;
  for (size_t a = 0; a < schema.args.size(); ++a) {
    if (args[a] < 0 || left_out.contains(args[a])) continue;
    const Value& value = method.values[static_cast<size_t>(args[a])];
    const std::string_view name = schema.args[a].name;
    if (name == "dim_order" && value.kind == ValueKind::kIntList) asked = &value;
    if (name == "out" && value.kind == ValueKind::kTensor) made = &method.tensors[value.tensor];
  }
  if (asked == nullptr || made == nullptr) return 0;
  const auto dims = method.Ints(asked->items);
  const auto order = method.Ints(made->dim_order);
  if (dims.size() != order.size()) return 1;
  int64_t unlike = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    unlike += method.values[static_cast<size_t>(dims[d])].integer == order[d] ? 0 : 1;
  }
  return unlike;
}

bool IsToldAnOrder(const Operator& op) {
  return op.schema != nullptr && (op.name == "dim_order_ops::_clone_dim_order.out" ||
                                  op.name == "dim_order_ops::_to_dim_order_copy.out");
}

// A method without other orders than the default has nothing to prove but what it asks for.
bool HasOtherOrders(const Method& method) {
  return !std::ranges::all_of(method.tensors, [&](const Tensor& tensor) {
    return IsDefaultOrder(method.Ints(tensor.dim_order));
  });
}

}  // namespace

void ObligeDimOrders(Obliger& obliger, int32_t method) {
  const MethodFacts& facts = obliger.facts().FactsAt(method);
  const Method& at = *facts.method;
  const bool has_others = HasOtherOrders(at);
  if (!has_others && std::ranges::none_of(at.operators, IsToldAnOrder)) return;
  const std::set<int32_t> moved = MoveTargets(at);
  for (int32_t i = 0; i < facts.instruction_count(); ++i) {
    const Instruction& call = at.instructions[static_cast<size_t>(i)];
    if (call.kind != InstructionKind::kKernelCall || !facts.paths.IsReached(i)) continue;
    const Operator& op = at.operators[static_cast<size_t>(call.target)];
    const OpDimOrders* takes = op.schema == nullptr ? nullptr : FindDimOrders(op.name);
    if (takes == nullptr) continue;
    const int64_t in_the_way = IsToldAnOrder(op)
                                   ? UnlikeTheAsked(at, call, *op.schema, moved)
                                   : CountsOf(at, call, *op.schema, *takes, moved).InTheWay();
    if (!has_others && in_the_way == 0) continue;
    Obligation o = AboutMethod(at, rule::kDimOrderMismatch, i, {});
    o.goal = None(in_the_way);
    o.refuted = fmt::format("{} gets tensors in dim orders that the kernel refuses.",
                            Capital(InstructionText(at, i)));
    obliger.Add(std::move(o));
  }
}

}  // namespace pteproof::proofs
