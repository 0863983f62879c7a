#include "properties/proofs/facts/numbering.h"

#include <algorithm>
#include <utility>

namespace pteproof::proofs {
namespace {

bool IsCall(const Instruction& instruction) {
  return instruction.kind == InstructionKind::kKernelCall ||
         instruction.kind == InstructionKind::kDelegateCall;
}

// The file says that it is a buffer: it was numbered before the inputs.
bool LivesOn(const Tensor& tensor) {
  return tensor.external || tensor.data_index > 0 || tensor.name.count > 0;
}

struct Group {
  std::vector<int32_t> named;   // by branches and moves before it: no evidence
  std::vector<int32_t> values;  // that a call introduces
};

// Values in the order in which the listing introduces them: groups, each of which lies above all
// groups before it. Results of regions are numbered ahead of them and left out.
std::vector<Group> GroupsOf(const Method& method, const Listing& listing) {
  std::vector<Group> groups;
  for (const int32_t v : method.inputs) groups.push_back({{}, {v}});
  std::vector<int32_t> named;
  for (size_t i = 0; i < method.instructions.size(); ++i) {
    if (!IsCall(method.instructions[i])) {
      const bool names = method.instructions[i].kind != InstructionKind::kFree;
      if (names) named.push_back(method.instructions[i].target);
      continue;
    }
    groups.push_back({std::exchange(named, {}), {}});
    std::vector<int32_t>& group = groups.back().values;
    for (const WriteEvent& w : listing.WritesAt(static_cast<int32_t>(i))) {
      if (w.result && w.replaces() && !LivesOn(*method.TensorOf(w.value))) {
        group.push_back(w.value);
      }
    }
    for (const int32_t v : method.Ints(method.instructions[i].args)) {
      const bool set = listing.number_set[static_cast<size_t>(v)];
      if (method.TensorOf(v) == nullptr && !set) group.push_back(v);
    }
  }
  return groups;
}

}  // namespace

int InOrder(const Method& method, const Listing& listing) {
  std::vector<bool> seen(method.values.size());
  int32_t highest = -1;
  int in_order = 0;
  for (size_t i = 1; i < method.inputs.size(); ++i) {
    if (method.inputs[i] <= method.inputs[i - 1]) return -1;
  }
  for (const Group& group : GroupsOf(method, listing)) {
    int32_t top = highest;
    for (const int32_t v : group.named) seen[static_cast<size_t>(v)] = true;
    for (const int32_t v : group.values) {
      if (seen[static_cast<size_t>(v)]) continue;
      seen[static_cast<size_t>(v)] = true;
      if (v <= highest) return -1;
      top = std::max(top, v);
      ++in_order;
      // Numbers in a list come with it; later calls may be given them alone.
      if (method.values[static_cast<size_t>(v)].kind != ValueKind::kIntList) continue;
      for (const int32_t item : method.Ints(method.values[static_cast<size_t>(v)].items)) {
        seen[static_cast<size_t>(item)] = true;
        top = std::max(top, item);
      }
    }
    highest = top;
  }
  return in_order;
}

double ChanceOfOrder(int values) {
  double chance = 1;
  for (int i = 2; i <= std::min(values, 20); ++i) chance /= i;
  return chance;
}

Numbering NumberingOf(const Method& method, const Listing& listing, double chance) {
  Numbering numbering;
  const int here = InOrder(method, listing);
  const bool others_are = !listing.LeavesOpen() && chance <= kSmallChance;
  numbering.unbroken = here >= 0;
  numbering.ordered = here >= kEnoughInOrder || (here >= 0 && others_are);
  if (!numbering.ordered) return numbering;
  int32_t highest = -1;
  for (const Instruction& instruction : method.instructions) {
    if (instruction.kind == InstructionKind::kMove) {
      highest = std::max({highest, instruction.target, instruction.other});
    } else if (instruction.kind == InstructionKind::kJumpFalse) {
      highest = std::max(highest, instruction.target);
    }
    for (const int32_t v : method.Ints(instruction.args)) highest = std::max(highest, v);
    numbering.highest.push_back(highest);
  }
  return numbering;
}

}  // namespace pteproof::proofs
