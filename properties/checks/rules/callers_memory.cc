#include "properties/checks/rules/callers_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "base/rule_names.h"
#include "properties/checks/rules/wording.h"

namespace pteproof::checks {
namespace {

// Memory of the caller that moves give a second name.
struct MovedMemory {
  int32_t first_move = -1;  // the first instruction that does so; -1: none
  std::vector<bool> named;  // per value: it may lie in such memory
};

// Buffers without a place too.
bool IsBrought(const MethodFlow& flow, int32_t v) {
  const Role role = flow.roles.of[static_cast<size_t>(v)];
  const bool by_caller = role == Role::kCaller || role == Role::kInput || role == Role::kState;
  return by_caller && flow.PlaceOf(v).empty();
}

MovedMemory MovedMemoryOf(const MethodFlow& flow) {
  MovedMemory moved;
  std::map<int32_t, std::vector<int32_t>> moves_of;  // per source: what it is moved to
  std::vector<int32_t> open;
  for (const Transfer& t : flow.aliases.transfers) {
    if (!t.dynamic) continue;
    for (const int32_t source : flow.aliases.SourcesOf(t)) {
      moves_of[source].push_back(t.to);
      if (!IsBrought(flow, source)) continue;
      if (moved.first_move < 0) moved.first_move = t.instruction;
      open.push_back(source);
    }
  }
  moved.named.resize(flow.method.values.size());
  while (!open.empty()) {
    const int32_t v = open.back();
    open.pop_back();
    if (moved.named[static_cast<size_t>(v)]) continue;
    moved.named[static_cast<size_t>(v)] = true;
    if (const auto to = moves_of.find(v); to != moves_of.end()) {
      open.insert(open.end(), to->second.begin(), to->second.end());
    }
  }
  return moved;
}

bool HasLoop(const Method& method) {
  int32_t i = -1;
  return std::ranges::any_of(method.instructions, [&](const Instruction& at) {
    ++i;
    return at.kind == InstructionKind::kJumpFalse && at.other <= i;
  });
}

}  // namespace

std::vector<Finding> CheckCallersMemory(const MethodFlow& flow) {
  const MovedMemory moved = MovedMemoryOf(flow);
  if (moved.first_move < 0) return {};
  const bool has_loop = HasLoop(flow.method);
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    const auto block = static_cast<size_t>(flow.graph.block_of[static_cast<size_t>(i)]);
    if (!flow.graph.blocks[block].reachable) continue;
    for (const Write& w : flow.effects.WritesOf(static_cast<size_t>(i))) {
      if (!moved.named[static_cast<size_t>(w.value)]) continue;
      if (moved.first_move >= i && !has_loop) continue;
      Finding finding =
          FindingAt(rule::kNotProvable, Severity::kNote, flow.method, i, {w.value}, {});
      finding.undecided = true;
      finding.explanation = fmt::format(
          "{} writes {}.\n"
          "That value may be memory of the caller to which {} has given a second name.\n"
          "Such memory has no placement, so the plan does not show which values the write "
          "destroys.",
          Capital(InstructionWords(flow.method, i)), ValueWords(flow.method, w.value),
          InstructionWords(flow.method, moved.first_move));
      finding.fix =
          "Plan the inputs and outputs of the method, or copy them instead of moving them.";
      return {std::move(finding)};
    }
  }
  return {};
}

}  // namespace pteproof::checks
