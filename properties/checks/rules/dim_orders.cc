// Idea: a kernel reads its operands by their dim orders, and most kernels take only tensors of one
// order, the default or channels-last (reference/op_dim_orders.h). Of each call the tensors are
// collected with the word on their argument:
//
//   aten::add.out(self [0,1,2,3], other [0,2,3,1], out [0,1,2,3])    all alike: refused
//
// A value that a move has renamed is left out: at run time it has the order of its source.
//
// Invariant: a call gives at most one finding.
#include "properties/checks/rules/dim_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/rule_names.h"
#include "properties/checks/rules/wording.h"
#include "reference/op_dim_orders.h"

namespace pteproof::checks {
namespace {

struct Ordered {
  int32_t value = 0;
  std::span<const int32_t> order;
};

class DimOrderCheck {
 public:
  explicit DimOrderCheck(const MethodFlow& flow) : flow_(flow), method_(flow.method) {
    for (const Instruction& at : method_.instructions) {
      if (at.kind == InstructionKind::kMove) moved_.push_back(at.other);
    }
    std::ranges::sort(moved_);
    for (const Operator& op : method_.operators) rows_.push_back(FindDimOrders(op.name));
  }

  std::vector<Finding> Run() && {
    const bool all_plain = std::ranges::all_of(method_.tensors, [&](const Tensor& t) {
      return IsDefaultOrder(method_.Ints(t.dim_order));
    });
    if (all_plain) return {};
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      const Instruction& at = method_.instructions[static_cast<size_t>(i)];
      const auto block = static_cast<size_t>(flow_.graph.block_of[static_cast<size_t>(i)]);
      if (at.kind == InstructionKind::kKernelCall && flow_.graph.blocks[block].reachable) {
        Call(at, i);
      }
    }
    return std::move(findings_);
  }

 private:
  void Call(const Instruction& at, int32_t i) {
    const OpSchema* schema = method_.operators[static_cast<size_t>(at.target)].schema;
    if (schema == nullptr || schema->is_view) return;
    const OpDimOrders* row = rows_[static_cast<size_t>(at.target)];
    std::vector<Ordered> alike;
    std::vector<Ordered> plain;
    std::vector<Ordered> others;
    const auto args = method_.Ints(at.args);
    for (size_t a = 0; a < schema->args.size(); ++a) {
      const std::string_view name = schema->args[a].name;
      auto& list = row != nullptr && ListsArgument(row->alike, name)   ? alike
                   : row != nullptr && ListsArgument(row->plain, name) ? plain
                                                                       : others;
      Add(args[a], list);
    }
    const auto is_default = [](const Ordered& t) { return IsDefaultOrder(t.order); };
    const auto odd = std::ranges::find_if_not(plain, is_default);
    if (odd != plain.end()) return Refused(i, *odd, std::nullopt);
    if (const auto pair = Apart(alike)) return Refused(i, pair->first, pair->second);
    const bool known = row != nullptr && !(row->alike.empty() && row->plain.empty());
    if (!known && !IsOrderOperator(*schema)) Unknown(i, others);
  }

  // Their business is the order of their result.
  static bool IsOrderOperator(const OpSchema& schema) {
    return schema.name.starts_with("dim_order_ops::");
  }

  void Add(int32_t v, std::vector<Ordered>& list) const {
    if (v < 0) return;
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (const Tensor* tensor = method_.TensorOf(v)) {
      const auto order = method_.Ints(tensor->dim_order);
      if (!std::ranges::binary_search(moved_, v)) list.push_back({v, order});
    } else if (IsTensorLike(value.kind)) {
      for (const int32_t item : method_.Ints(value.items)) Add(item, list);
    }
  }

  // Two of them that show that the tensors are neither all default nor all channels-last.
  static std::optional<std::pair<Ordered, Ordered>> Apart(const std::vector<Ordered>& tensors) {
    const auto is_default = [](const Ordered& t) { return IsDefaultOrder(t.order); };
    const auto is_last = [](const Ordered& t) { return IsChannelsLast(t.order); };
    const auto odd = std::ranges::find_if_not(tensors, is_default);
    const auto other = std::ranges::find_if_not(tensors, is_last);
    if (odd == tensors.end() || other == tensors.end()) return std::nullopt;
    return std::pair(*odd, *other);
  }

  Finding At(int32_t i, Severity severity, int32_t v) const {
    return FindingAt(rule::kDimOrderMismatch, severity, method_, i, {v}, flow_.PlaceOf(v));
  }
  std::string Words(const Ordered& t) const {
    return fmt::format("{} with the dim order [{}]", ValueWords(method_, t.value),
                       fmt::join(t.order, ", "));
  }

  void Refused(int32_t i, const Ordered& odd, const std::optional<Ordered>& other) {
    Finding finding = At(i, Severity::kError, odd.value);
    const bool alone = !other.has_value() || other->value == odd.value;
    if (!alone) finding.values.push_back(other->value);
    finding.explanation = fmt::format(
        "{} gets {}{}.\n{}\nThe call ends with an error at run time.",
        Capital(InstructionWords(method_, i)), Words(odd), alone ? "" : " beside " + Words(*other),
        other.has_value()
            ? "ExecuTorch's kernel takes these tensors only if all are in the default "
              "order, or all are channels-last."
            : "ExecuTorch's kernel takes this tensor only in the default order.");
    finding.fix =
        "Convert the tensors to one memory format in the model, or export without dim "
        "order operators.";
    findings_.push_back(std::move(finding));
  }

  // Tensors of one rank in unlike orders.
  void Unknown(int32_t i, const std::vector<Ordered>& tensors) {
    if (noted_) return;
    for (const Ordered& t : tensors) {
      const auto other = std::ranges::find_if(tensors, [&](const Ordered& u) {
        return u.order.size() == t.order.size() && !std::ranges::equal(u.order, t.order);
      });
      if (other == tensors.end()) continue;
      noted_ = true;
      Finding finding = At(i, Severity::kNote, t.value);
      finding.values.push_back(other->value);
      finding.explanation = fmt::format(
          "{} gets {} beside {}.\nIt is not known how ExecuTorch's kernel treats unlike orders.\n"
          "It may refuse the call, or put elements in wrong places.",
          Capital(InstructionWords(method_, i)), Words(t), Words(*other));
      finding.fix = "Compare a run with the model.";
      findings_.push_back(std::move(finding));
      return;
    }
  }

  const MethodFlow flow_;
  const Method& method_;
  std::vector<int32_t> moved_;            // ascending
  std::vector<const OpDimOrders*> rows_;  // per operator; null: nothing is recorded
  bool noted_ = false;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> CheckDimOrders(const MethodFlow& flow) {
  return DimOrderCheck(flow).Run();
}

}  // namespace pteproof::checks
