// Branches and loops as jumps; the table of forms is in linearise.h. The values that a branch or a
// loop hands over are written by a copy on each path:
//
//   while carried 1 (%i) {test} {body}       c = copy i
//                                      head: test on c -> p;  jumpfalse p -> end
//                                            body on c -> n;  c = copy n;  jump -> head
//                                       end: c is the result
//
// Invariant: at `head` each carried value holds the contents of this round; the copies at the end
// of a round are one parallel assignment. A value that each round hands on unchanged is not carried
// at all. Cost: O(nodes + results).
#include <algorithm>

#include "planner/code/lineariser.h"
#include "planner/planted.h"
#include "reference/graph/bounds.h"
#include "reference/op_schema.h"

namespace pteproof::planner {
namespace {

using graph::Node;
using graph::NodeKind;
using graph::NumberType;
using graph::Region;

ValueId ValueIn(const Operand& operand) {
  return std::get<Operand::Value>(operand.held).id;
}

}  // namespace

size_t Lineariser::Jump(StepKind kind, std::optional<ValueId> condition) {
  Step step = {.kind = kind};
  if (condition) step.operands.push_back({Operand::Value{*condition}});
  Add(std::move(step));
  return steps_->size() - 1;
}

void Lineariser::Land(size_t jump) {
  (*steps_)[jump].target = static_cast<int32_t>(steps_->size());
}

void Lineariser::JumpBack(StepKind kind, size_t target, std::optional<ValueId> condition) {
  (*steps_)[Jump(kind, condition)].target = static_cast<int32_t>(target);
}

void Lineariser::Pass(std::span<const ValueId> params, std::span<const Operand> operands) {
  for (size_t p = 0; p < params.size(); ++p) {
    here_[static_cast<size_t>(params[p])] = Here(ValueIn(operands[p]));
  }
}

// The value that a branch hands on as it was given; nothing: it computes this result.
std::optional<ValueId> Lineariser::HandedOn(const Node& cond, const Region& branch,
                                            size_t result) const {
  const auto param = std::ranges::find(branch.params, branch.results[result]);
  if (param == branch.params.end()) return std::nullopt;
  const auto operand = static_cast<size_t>(param - branch.params.begin()) + 1;
  return Here(ValueIn(cond.operands[operand]));
}

void Lineariser::Cond(const Node& node) {
  std::vector<bool> same;  // by result: both branches hand on one value
  for (size_t r = 0; r < node.results.size(); ++r) {
    const auto then = HandedOn(node, node.regions[0], r);
    const auto otherwise =
        Planted(Defect::kThenBranchHandsOn) ? then : HandedOn(node, node.regions[1], r);
    same.push_back(then && then == otherwise);
    if (same.back()) here_[static_cast<size_t>(node.results[r])] = *then;
  }
  const auto branch = [&](const Region& region) {
    Pass(region.params, std::span(node.operands).subspan(1));
    Nodes(region.nodes);
    for (size_t r = 0; r < node.results.size(); ++r) {
      if (!same[r]) Copy(node.results[r], Here(region.results[r]));
    }
  };
  const size_t to_else = Jump(StepKind::kJumpFalse, Here(ValueIn(node.operands.front())));
  branch(node.regions[0]);
  const size_t to_end = Jump(StepKind::kJump);
  Land(to_else);
  branch(node.regions[1]);
  Land(to_end);
}

// The loop's results are its carried values themselves. What each round hands on as it is is not
// carried at all.
void Lineariser::StartCarried(const Node& node) {
  const Region& body = node.regions.back();
  for (size_t c = 0; c < static_cast<size_t>(node.carried); ++c) {
    ValueId carried = node.results[c];
    if (body.results[c] == body.params[c]) {
      carried = Here(ValueIn(node.operands[c]));
      here_[static_cast<size_t>(node.results[c])] = carried;
      for (const Region& region : node.regions) {
        here_[static_cast<size_t>(region.params[c])] = carried;
      }
      continue;
    }
    code_.values[static_cast<size_t>(carried)].carried = true;
    Copy(carried, Here(ValueIn(node.operands[c])));
    for (const Region& region : node.regions)
      here_[static_cast<size_t>(region.params[c])] = carried;
  }
}

void Lineariser::EndRound(const Node& node, const Region& body) {
  std::vector<Assignment> assignments;
  for (size_t c = 0; c < static_cast<size_t>(node.carried); ++c) {
    if (body.results[c] == body.params[c]) continue;
    assignments.push_back({node.results[c], node.results[c], Here(body.results[c])});
  }
  if (Planted(Defect::kRoundsAsListed)) {
    for (const Assignment& each : assignments) Copy(each.to, each.from);
    return;
  }
  CopyAll(std::move(assignments));
}

void Lineariser::While(const Node& node) {
  const auto carried = static_cast<size_t>(node.carried);
  const Region& test = node.regions[0];
  const Region& body = node.regions[1];
  StartCarried(node);
  for (const Region& region : node.regions) {
    Pass(std::span(region.params).subspan(carried), std::span(node.operands).subspan(carried));
  }
  const size_t head = steps_->size();
  Nodes(test.nodes);
  const size_t out = Jump(StepKind::kJumpFalse, Here(test.results.front()));
  Nodes(body.nodes);
  EndRound(node, body);
  JumpBack(StepKind::kJump, head);
  Land(out);
}

void Lineariser::Rows(const Node& node) {
  const auto carried = static_cast<size_t>(node.carried);
  const auto mapped = static_cast<size_t>(node.mapped);
  const Region& body = node.regions.front();
  const std::span rows_of = std::span(node.operands).subspan(carried, mapped);
  const std::span stacked = std::span(node.results).subspan(carried);
  StartCarried(node);
  Pass(std::span(body.params).subspan(carried + mapped),
       std::span(node.operands).subspan(carried + mapped));
  const SizeExpr rows = TensorTypeOf(code_, Here(ValueIn(rows_of.front())))->sizes.front();
  const Operand count = SizeOperand(rows);
  const bool may_be_none = rows.Over(graph::RangesOf(method_)).lo <= 0;
  const ValueId row = New(NumberType::kInt);
  Add({.kind = StepKind::kMove, .operands = {graph::Number(0)}, .results = {row}});
  StartStacked(stacked, may_be_none);
  std::optional<size_t> none;
  if (may_be_none) {
    none = Jump(StepKind::kJumpFalse, AddPrim("executorch_prim::gt.Scalar",
                                              {count, graph::Number(0)}, NumberType::kBool));
  }
  const size_t head = steps_->size();
  for (size_t m = 0; m < mapped; ++m) {
    AddPrimTo(body.params[carried + m], "aten::select_copy.int_out",
              {graph::Of(Here(ValueIn(rows_of[m]))), graph::Number(0), graph::Of(row)});
  }
  Nodes(body.nodes);
  for (size_t s = 0; s < stacked.size(); ++s) {
    Add({.op = "executorch_prim::et_copy_index.tensor",
         .schema = FindOperator("executorch_prim::et_copy_index.tensor"),
         .operands = {graph::Of(stacked[s]), graph::Of(Here(body.results[carried + s])),
                      graph::Of(row)}});
  }
  EndRound(node, body);
  AddPrimTo(row, "executorch_prim::add.Scalar", {graph::Of(row), graph::Number(1)});
  const ValueId done =
      AddPrim("executorch_prim::eq.Scalar", {graph::Of(row), count}, NumberType::kBool);
  JumpBack(StepKind::kJumpFalse, head, done);
  if (none) Land(*none);
}

// et_copy_index sets the number of rows, and wants the other sizes to be right before. What it
// never runs for keeps the rows of an earlier call.
void Lineariser::StartStacked(std::span<const ValueId> stacked, bool may_be_none) {
  const size_t begin = steps_->size() - 1;
  for (const ValueId v : stacked) {
    code_.values[static_cast<size_t>(v)].stacked = true;
    const std::vector<SizeExpr> sizes = TensorTypeOf(code_, v)->sizes;
    const auto varies = [](const SizeExpr& size) { return !size.Constant(); };
    if (!may_be_none && std::none_of(sizes.begin() + 1, sizes.end(), varies)) {
      (*steps_)[begin].begins.push_back(v);
      continue;
    }
    graph::OperandList none;
    for (const SizeExpr& size : sizes) {
      none.push_back(none.empty() ? graph::Number(0) : SizeOperand(size));
    }
    AddPrimTo(v, "aten::zeros.out", {{std::move(none)}});
  }
}

}  // namespace pteproof::planner
