#include "properties/checks/flow_graph.h"

#include <algorithm>

namespace pteproof::checks {
namespace {

struct Branches {
  bool falls_through = true;
  bool jumps = false;
};

Branches BranchesOf(const Method& method, const Effects& effects, const Instruction& instruction) {
  if (instruction.kind != InstructionKind::kJumpFalse) return {};
  const auto condition = static_cast<size_t>(instruction.target);
  const Value& value = method.values[condition];
  if (value.kind == ValueKind::kBool && !effects.scalar_written[condition]) {
    const bool taken = value.integer == 0;
    return {.falls_through = !taken, .jumps = taken};
  }
  return {.falls_through = true, .jumps = true};
}

std::vector<bool> BlockStarts(const Method& method) {
  std::vector<bool> starts(method.instructions.size() + 1);
  starts[0] = true;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    if (method.instructions[i].kind != InstructionKind::kJumpFalse) continue;
    starts[static_cast<size_t>(method.instructions[i].other)] = true;
    starts[i + 1] = true;
  }
  return starts;
}

void CutBlocks(const Method& method, FlowGraph& graph) {
  const auto count = static_cast<int32_t>(method.instructions.size());
  graph.block_of.resize(method.instructions.size());
  const std::vector<bool> starts = BlockStarts(method);
  for (int32_t i = 0; i < count; ++i) {
    if (starts[static_cast<size_t>(i)]) {
      graph.blocks.emplace_back();
      graph.blocks.back().begin = i;
    }
    graph.blocks.back().end = i + 1;
    graph.block_of[static_cast<size_t>(i)] = static_cast<int32_t>(graph.blocks.size()) - 1;
  }
  if (graph.blocks.empty()) graph.blocks.emplace_back();
}

void Connect(FlowGraph& graph, size_t from, int32_t instruction) {
  if (static_cast<size_t>(instruction) >= graph.block_of.size()) {
    graph.blocks[from].exits = true;
    return;
  }
  const int32_t to = graph.block_of[static_cast<size_t>(instruction)];
  auto& successors = graph.blocks[from].successors;
  if (std::ranges::find(successors, to) != successors.end()) return;
  successors.push_back(to);
  graph.blocks[static_cast<size_t>(to)].predecessors.push_back(static_cast<int32_t>(from));
}

void MarkReachable(FlowGraph& graph) {
  std::vector<int32_t> pending = {0};
  graph.blocks[0].reachable = true;
  while (!pending.empty()) {
    const int32_t b = pending.back();
    pending.pop_back();
    for (const int32_t next : graph.blocks[static_cast<size_t>(b)].successors) {
      if (graph.blocks[static_cast<size_t>(next)].reachable) continue;
      graph.blocks[static_cast<size_t>(next)].reachable = true;
      pending.push_back(next);
    }
  }
}

}  // namespace

FlowGraph FlowGraphOf(const Method& method, const Effects& effects) {
  FlowGraph graph;
  CutBlocks(method, graph);
  for (size_t b = 0; b < graph.blocks.size(); ++b) {
    if (method.instructions.empty()) {
      graph.blocks[b].exits = true;
      break;
    }
    const int32_t last = graph.blocks[b].end - 1;
    const Instruction& instruction = method.instructions[static_cast<size_t>(last)];
    const Branches branches = BranchesOf(method, effects, instruction);
    if (branches.falls_through) Connect(graph, b, last + 1);
    if (branches.jumps) Connect(graph, b, instruction.other);
  }
  MarkReachable(graph);
  return graph;
}

}  // namespace pteproof::checks
