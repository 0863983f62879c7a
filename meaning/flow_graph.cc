#include "meaning/flow_graph.h"

#include <algorithm>
#include <utility>

namespace pteproof::meaning {
namespace {

struct Branches {
  bool falls_through = true;
  bool jumps = false;
};

// Where a method's jumps may go.
class Jumps {
 public:
  Jumps(const Method& method, const Effects& effects) : method_(method), effects_(effects) {}

  [[nodiscard]] Branches Of(const Instruction& instruction) {
    if (instruction.kind != InstructionKind::kJumpFalse) return {};
    const Value& value = method_.values[static_cast<size_t>(instruction.target)];
    const bool constant =
        value.kind == ValueKind::kBool && !effects_.IsScalarWritten(instruction.target);
    // The caller may set an input.
    if (!constant || IsInput(instruction.target)) return {.falls_through = true, .jumps = true};
    const bool taken = value.integer == 0;
    return {.falls_through = !taken, .jumps = taken};
  }

 private:
  bool IsInput(int32_t value) {
    if (is_input_.empty()) {
      is_input_.resize(method_.values.size());
      for (const int32_t v : method_.inputs) is_input_[static_cast<size_t>(v)] = true;
    }
    return is_input_[static_cast<size_t>(value)];
  }

  const Method& method_;
  const Effects& effects_;
  std::vector<bool> is_input_;  // by value; empty: nobody asked yet
};

// Instructions that begin a block but for the first, ascending, some perhaps twice.
std::vector<int32_t> BlockStarts(const Method& method) {
  std::vector<int32_t> starts;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    if (method.instructions[i].kind != InstructionKind::kJumpFalse) continue;
    starts.push_back(method.instructions[i].other);
    starts.push_back(static_cast<int32_t>(i) + 1);
  }
  std::ranges::sort(starts);
  return starts;
}

void CutBlocks(const Method& method, FlowGraph& graph) {
  const auto count = static_cast<int32_t>(method.instructions.size());
  graph.block_of.resize(method.instructions.size());
  graph.blocks.emplace_back();
  const auto cut = [&](int32_t end) {
    Block& block = graph.blocks.back();
    block.end = end;
    std::fill(graph.block_of.begin() + block.begin, graph.block_of.begin() + end,
              static_cast<int32_t>(graph.blocks.size()) - 1);
  };
  for (const int32_t start : BlockStarts(method)) {
    if (start == graph.blocks.back().begin || start >= count) continue;
    cut(start);
    graph.blocks.emplace_back();
    graph.blocks.back().begin = start;
  }
  cut(count);
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
  graph.blocks[0].reachable = true;
  if (graph.straight()) return;
  std::vector<int32_t> pending = {0};
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
  Jumps jumps(method, effects);
  for (size_t b = 0; b < graph.blocks.size(); ++b) {
    if (method.instructions.empty()) {
      graph.blocks[b].exits = true;
      break;
    }
    const int32_t last = graph.blocks[b].end - 1;
    const Instruction& instruction = method.instructions[static_cast<size_t>(last)];
    const Branches branches = jumps.Of(instruction);
    if (branches.falls_through) Connect(graph, b, last + 1);
    if (branches.jumps) Connect(graph, b, instruction.other);
  }
  MarkReachable(graph);
  return graph;
}

std::vector<BlockUse> UsesIn(const FlowGraph& graph, std::span<const int32_t> instructions) {
  std::vector<BlockUse> uses;
  const auto count = static_cast<int32_t>(graph.block_of.size());
  for (const int32_t i : instructions) {
    if (i < count) {
      uses.push_back({graph.BlockOf(i), i});
      continue;
    }
    for (size_t b = 0; b < graph.blocks.size(); ++b) {
      const Block& block = graph.blocks[b];
      if (!block.exits || !block.reachable) continue;
      uses.push_back({static_cast<int32_t>(b), block.end < count ? block.end - 1 : count});
    }
  }
  std::ranges::stable_sort(uses, {}, [](const BlockUse& u) { return std::pair(u.block, u.use); });
  return uses;
}

std::vector<BlockUse> FirstUsesIn(const FlowGraph& graph, std::span<const int32_t> instructions) {
  std::vector<BlockUse> uses = UsesIn(graph, instructions);
  const auto again = std::ranges::unique(uses, {}, &BlockUse::block);
  uses.erase(again.begin(), again.end());
  return uses;
}

}  // namespace pteproof::meaning
