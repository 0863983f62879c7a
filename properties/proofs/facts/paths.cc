#include "properties/proofs/facts/paths.h"

#include <algorithm>

namespace pteproof::proofs {
namespace {

struct Exits {
  bool on = true;      // to the next instruction
  bool jumps = false;  // to its target
};

// `varies`: per value, whether an instruction or the caller sets it.
Exits ExitsOf(const Method& method, const std::vector<bool>& varies,
              const Instruction& instruction) {
  if (instruction.kind != InstructionKind::kJumpFalse) return {};
  const auto target = static_cast<size_t>(instruction.target);
  const Value& condition = method.values[target];
  if (condition.kind != ValueKind::kBool || varies[target]) return {.on = true, .jumps = true};
  return {.on = condition.integer != 0, .jumps = condition.integer == 0};
}

Paths CutAtJumps(const Method& method) {
  const size_t count = method.instructions.size();
  std::vector<bool> starts(count + 1);
  starts[0] = true;
  for (size_t i = 0; i < count; ++i) {
    if (method.instructions[i].kind != InstructionKind::kJumpFalse) continue;
    starts[i + 1] = true;
    starts[static_cast<size_t>(method.instructions[i].other)] = true;
  }
  Paths paths;
  for (size_t i = 0; i < count; ++i) {
    if (starts[i]) paths.runs.push_back({.begin = static_cast<int32_t>(i)});
    paths.runs.back().end = static_cast<int32_t>(i) + 1;
    paths.run_of.push_back(static_cast<int32_t>(paths.runs.size()) - 1);
  }
  if (count == 0) paths.runs.push_back({.leaves = true});
  return paths;
}

void Lead(Paths& paths, size_t from, int32_t to_instruction) {
  if (static_cast<size_t>(to_instruction) >= paths.run_of.size()) {
    paths.runs[from].leaves = true;
    return;
  }
  const int32_t to = paths.run_of[static_cast<size_t>(to_instruction)];
  auto& next = paths.runs[from].next;
  if (std::ranges::find(next, to) != next.end()) return;
  next.push_back(to);
  paths.runs[static_cast<size_t>(to)].before.push_back(static_cast<int32_t>(from));
}

void MarkReached(Paths& paths) {
  std::vector<int32_t> open = {0};
  while (!open.empty()) {
    Run& run = paths.runs[static_cast<size_t>(open.back())];
    open.pop_back();
    if (run.reached) continue;
    run.reached = true;
    open.insert(open.end(), run.next.begin(), run.next.end());
  }
}

}  // namespace

Paths PathsOf(const Method& method, const Listing& listing) {
  Paths paths = CutAtJumps(method);
  std::vector<bool> varies = listing.number_set;
  for (const int32_t v : method.inputs) varies[static_cast<size_t>(v)] = true;
  for (size_t r = 0; r < paths.runs.size() && !method.instructions.empty(); ++r) {
    const int32_t last = paths.runs[r].end - 1;
    const Instruction& instruction = method.instructions[static_cast<size_t>(last)];
    const Exits exits = ExitsOf(method, varies, instruction);
    if (exits.on) Lead(paths, r, last + 1);
    if (exits.jumps) Lead(paths, r, instruction.other);
  }
  MarkReached(paths);
  return paths;
}

}  // namespace pteproof::proofs
