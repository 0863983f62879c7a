// Idea. CheckInPlace answers for the annotations. Two questions are asked besides, of one node
// each.
//
//   %2 = aten::mm.out(%0, %1) in_place(0)   mm reads all of %0 to make each row: refused
//   %3 = aten::add_.Tensor(%0, %1, 1)       who else reads %0, or a view of it, and in which order?
//
// Cost: O(nodes + operands), and for each node that writes its operand those that it needs and
// those that need it.
#include "reference/graph/lint.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "reference/graph/foreign_bytes.h"
#include "reference/graph/method_uses.h"
#include "reference/graph/names.h"
#include "reference/graph/node_order.h"
#include "reference/kept_operand.h"
#include "reference/op_schema.h"

namespace pteproof::graph {
namespace {

using UseKind = ValueUse::Kind;

bool CanWorkIn(const Node& node, size_t operand) {
  if (node.schema == nullptr) return true;
  const ArgSchema* arg = OperandSchema(*node.schema, operand);
  if (arg != nullptr && (arg->elementwise || arg->access == Access::kNone)) return true;
  return KeptOperand(node.op) == operand;
}

// The rows [first, end) of one dimension that a slice or a selection takes.
struct Rows {
  size_t dim = 0;
  int64_t first = 0;
  int64_t end = 0;
};

std::optional<int64_t> Constant(const Operand& operand) {
  const auto* number = std::get_if<SizeExpr>(&operand.held);
  return number == nullptr ? std::nullopt : number->Constant();
}

// Nothing: it takes other elements, or where they lie is known in a run only.
std::optional<Rows> RowsOf(const Node& node, const TensorType& of) {
  const bool selects = node.op == "aten::select_copy.int_out";
  if (!selects && node.op != "aten::slice_copy.Tensor_out") return std::nullopt;
  const auto dim = Constant(node.operands[1]);
  const auto first = Constant(node.operands[2]);
  if (!dim || !first) return std::nullopt;
  const auto rank = static_cast<int64_t>(of.rank());
  const auto at = static_cast<size_t>(*dim < 0 ? *dim + rank : *dim);
  const auto size = at < of.rank() ? of.sizes[at].Constant() : std::nullopt;
  if (!size) return std::nullopt;
  const auto from_end = [&](int64_t i) {
    return std::clamp<int64_t>(i < 0 ? i + *size : i, 0, *size);
  };
  if (selects) return Rows{at, from_end(*first), from_end(*first) + 1};
  const auto end = Constant(node.operands[3]);
  if (!end) return std::nullopt;
  return Rows{at, from_end(*first), from_end(*end)};
}

class MethodLint {
 public:
  MethodLint(const Module& module, const Method& method, InPlaceOrder order)
      : method_(method),
        order_(order),
        uses_(UsesOf(method)),
        texts_{ValueNames(method)},
        needs_(uses_),
        findings_(CheckInPlace(module, method, order)),
        after_(method.values.size()),
        runs_later_(uses_.nodes.size(), -1) {
    for (size_t n = 0; n < uses_.nodes.size(); ++n) {
      for (const ValueId v : uses_.nodes[n]->after) {
        after_[Index(v)].push_back(static_cast<int32_t>(n));
      }
    }
  }

  std::vector<InPlaceFinding> Run() && {
    for (size_t n = 0; n < uses_.nodes.size(); ++n) {
      node_ = static_cast<int32_t>(n);
      const Node& node = *uses_.nodes[n];
      if (node.view || node.kind != NodeKind::kCall || node.results.empty()) continue;
      if (node.in_place) AskOperator(node);
      if (Mutates(node) && order_ != InPlaceOrder::kListed) AskReaders(node);
    }
    const auto made_at = [&](const InPlaceFinding& f) {
      return uses_.makers[Index(f.result)].index;
    };
    std::ranges::stable_sort(findings_, {}, made_at);
    return std::move(findings_);
  }

 private:
  static size_t Index(int32_t index) { return static_cast<size_t>(index); }
  std::string Name(ValueId value) const { return texts_.Name(value); }

  void AskOperator(const Node& node) {
    const auto at = static_cast<size_t>(*node.in_place);
    const auto operand = AliasedOperand(node);
    if (!operand || CanWorkIn(node, at)) return;
    findings_.push_back({rule::kInPlaceAlias,
                         method_.name,
                         node.results.front(),
                         *operand,
                         {},
                         texts_.Title(node) + " is computed in the bytes of " + Name(*operand) +
                             ".\nThe operator reads elements of " + Name(*operand) +
                             " to make other elements of the result.\n" +
                             "It would read elements that it has already overwritten.",
                         "Leave out in_place(" + std::to_string(at) + ")."});
  }

  // Of a node that writes its operand: the first other reader that may come on the wrong side.
  void AskReaders(const Node& node) {
    const auto written = AliasedOperand(node);
    if (!written) return;
    if (order_ == InPlaceOrder::kAny) MarkLater();
    for (const ValueId name : NamesOf(*written, node.results.front())) {
      if (AreApart(*written, name)) continue;
      for (const ValueUse use : uses_.uses[Index(name)]) {
        if (use.kind != UseKind::kNode || use.index == node_ || IsBound(use.index)) continue;
        return Tell(node, *written, name, use.index);
      }
    }
  }

  // All names of the bytes but the result.
  std::vector<ValueId> NamesOf(ValueId written, ValueId result) const {
    std::vector<ValueId> names = {PathTo(written).front()};
    for (size_t n = 0; n < names.size(); ++n) {
      for (const ValueUse use : uses_.uses[Index(names[n])]) {
        if (use.kind != UseKind::kNode) continue;
        const Node& node = *uses_.nodes[Index(use.index)];
        if (AliasedOperand(node) != names[n] || node.results.front() == result) continue;
        names.push_back(node.results.front());
      }
    }
    return names;
  }

  // From the base of all names to the value, each a name of the one before.
  std::vector<ValueId> PathTo(ValueId value) const {
    std::vector<ValueId> path = {value};
    for (;;) {
      const ValueMaker maker = uses_.makers[Index(path.back())];
      if (maker.kind != ValueMaker::Kind::kNode) break;
      const Node& node = *uses_.nodes[Index(maker.index)];
      const auto of = AliasedOperand(node);
      if (!of || node.results.front() != path.back()) break;
      path.push_back(*of);
    }
    std::ranges::reverse(path);
    return path;
  }

  // Whether two names of one base have no element in common: they come from different rows of it.
  bool AreApart(ValueId a, ValueId b) const {
    const std::vector<ValueId> to_a = PathTo(a);
    const std::vector<ValueId> to_b = PathTo(b);
    const auto [at_a, at_b] = std::ranges::mismatch(to_a, to_b);
    if (at_a == to_a.begin() || at_a == to_a.end() || at_b == to_b.end()) return false;
    const TensorType* base = TensorTypeOf(method_, *std::prev(at_a));
    const auto rows = [&](ValueId v) {
      const ValueMaker maker = uses_.makers[Index(v)];
      return base == nullptr ? std::nullopt : RowsOf(*uses_.nodes[Index(maker.index)], *base);
    };
    const auto of_a = rows(*at_a);
    const auto of_b = rows(*at_b);
    return of_a && of_b && of_a->dim == of_b->dim &&
           (of_a->end <= of_b->first || of_b->end <= of_a->first);
  }

  // Making a view reads nothing. What the node itself needs runs before it, what needs the node
  // runs after it.
  bool IsBound(int32_t reader) {
    if (uses_.nodes[Index(reader)]->view) return true;
    if (order_ == InPlaceOrder::kStrict) return false;
    return reader < node_ ? needs_.Needs(node_, reader) : runs_later_[Index(reader)] == node_;
  }

  // All nodes that need what the node makes, or come `after` it, at any remove.
  void MarkLater() {
    std::vector<int32_t> open = {node_};
    const auto mark = [&](int32_t later) {
      if (runs_later_[Index(later)] == node_) return;
      runs_later_[Index(later)] = node_;
      open.push_back(later);
    };
    while (!open.empty()) {
      const Node& node = *uses_.nodes[Index(open.back())];
      open.pop_back();
      for (const ValueId made : node.results) {
        for (const ValueUse use : uses_.uses[Index(made)]) {
          if (use.kind == UseKind::kNode) mark(use.index);
        }
        std::ranges::for_each(after_[Index(made)], mark);
      }
    }
  }

  void Tell(const Node& node, ValueId written, ValueId name, int32_t reader) {
    const Node& by = *uses_.nodes[Index(reader)];
    const bool before = reader < node_;
    InPlaceFinding finding = {rule::kInPlaceSingleUse, method_.name, node.results.front(), written};
    if (!by.results.empty()) finding.reader = by.results.front();
    const std::string sees = finding.reader ? Name(*finding.reader) : "That node";
    finding.explanation = texts_.Title(node) + " writes " + Name(written) + ".\n" +
                          texts_.Title(by) + " reads " + Name(name) + " too, and is listed " +
                          (before ? "before.\n" : "afterwards.\n");
    if (order_ == InPlaceOrder::kStrict) {
      finding.explanation += "The strict rule allows no other reader.";
      finding.fix = "Update a copy of " + Name(written) + ".";
    } else {
      finding.explanation += "No data flow orders them: in another order " + sees + " would see " +
                             (before ? "the new value." : "the old value.");
      const ValueId first = before ? finding.reader.value_or(-1) : node.results.front();
      finding.fix = first < 0 ? "Update a copy of " + Name(written) + "."
                              : "Add after(" + Name(first) + ") to " +
                                    (before ? Name(node.results.front()) : sees) + ".";
    }
    findings_.push_back(std::move(finding));
  }

  const Method& method_;
  InPlaceOrder order_;
  MethodUses uses_;
  NodeTexts texts_;
  NodeOrder needs_;
  std::vector<InPlaceFinding> findings_;
  std::vector<std::vector<int32_t>> after_;  // by value: nodes that come `after` it
  std::vector<int32_t> runs_later_;          // by node: the last one that it was found to need
  int32_t node_ = -1;                        // under examination
};

}  // namespace

std::vector<InPlaceFinding> Lint(const Module& module, InPlaceOrder order) {
  std::vector<InPlaceFinding> findings;
  for (const Method& method : module.methods) {
    std::ranges::move(MethodLint(module, method, order).Run(), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace pteproof::graph
