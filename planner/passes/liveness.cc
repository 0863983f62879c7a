// Idea. Each value is walked backward on its own, from each use to the writes that reach it. Step i
// reads at point 2i and writes at point 2i + 1; a value is live from its write to its last read.
//
//   0: v = f()        |write 1
//   1: jumpfalse p -> 3                    v is read by step 3 and is not written between: it lives
//   2: v' = g()       |                    over both paths, through block {2} too
//   3: h(v)           |read 6   ->   live [1, 7), or [1, 8) if an operand lives through the write
//
// The walk is that of backward_walk.h. Cost: O(accesses x log + spans) for straight code, and one
// further step for each block that a value lives through.
#include "planner/passes/liveness.h"

#include <algorithm>
#include <utility>

#include "planner/passes/backward_walk.h"
#include "planner/planted.h"

namespace pteproof::planner {
namespace {

std::vector<Jump> JumpsOf(const Code& code) {
  std::vector<Jump> jumps;
  for (size_t s = 0; s < code.steps.size(); ++s) {
    const Step& step = code.steps[s];
    const bool always = step.kind == StepKind::kJump;
    if (!always && step.kind != StepKind::kJumpFalse) continue;
    jumps.push_back({.at = static_cast<int32_t>(s), .target = step.target, .always = always});
  }
  return jumps;
}

std::vector<int32_t> Merged(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  std::vector<int32_t> both;
  std::ranges::merge(a, b, std::back_inserter(both));
  return both;
}

// A defect: a constant may be overwritten once it is wanted no more.
bool IsTakenForOurs(const Code& code, ValueId entry) {
  const Origin origin = code.values[static_cast<size_t>(entry)].origin;
  return origin == Origin::kConstant && Planted(Defect::kConstantWritable);
}

// Defects: some readers are forgotten.
std::span<const int32_t> ReadsThatCount(const Accesses& accesses, size_t value, OperandEnd end) {
  const std::span<const int32_t> reads = accesses.reads[value];
  const bool handed_over = accesses.writes[value].size() > 1;
  if (handed_over && Planted(Defect::kRegionResultEndsInRegion)) return {};
  const bool one = end == OperandEnd::kRead && Planted(Defect::kFirstReaderOnly);
  return one ? reads.first(std::min<size_t>(reads.size(), 1)) : reads;
}

// A defect: lives that end where a loop jumps back.
bool EndsInRound(const CodeValue& value) {
  return Planted(value.carried ? Defect::kCarriedEndsInRound : Defect::kCapturedEndsInRound);
}

}  // namespace

std::vector<ValueId> WantedAtExit(const Code& code) {
  std::vector<ValueId> wanted = code.outputs;
  for (size_t b = 0; b < code.entry.size(); ++b) {
    if (code.exit[b] >= 0) wanted.push_back(code.exit[b]);
    if (code.exit[b] >= 0 || code.entry[b] < 0 || IsTakenForOurs(code, code.entry[b])) continue;
    wanted.push_back(code.entry[b]);
  }
  for (size_t v = 0; v < code.values.size(); ++v) {
    if (!code.values[v].keep || Planted(Defect::kInputWritable)) continue;
    wanted.push_back(static_cast<ValueId>(v));
  }
  return wanted;
}

std::vector<LiveSet> LivenessOf(const Code& code, const Accesses& accesses, OperandEnd end) {
  const auto count = static_cast<int32_t>(code.steps.size());
  const std::vector<Block> blocks = BlocksOf(count, JumpsOf(code));
  std::vector<bool> wanted(code.values.size());
  for (const ValueId v : WantedAtExit(code)) wanted[static_cast<size_t>(v)] = true;
  if (Planted(Defect::kOutputEndsAtLastRead)) {
    for (const ValueId v : code.outputs) wanted[static_cast<size_t>(v)] = false;
  }
  std::vector<bool> filled(code.values.size());
  for (const ValueId v : code.inputs) {
    filled[static_cast<size_t>(v)] = !Planted(Defect::kInputUnborn);
  }
  std::vector<LiveSet> live(code.values.size());
  for (size_t v = 0; v < code.values.size(); ++v) {
    if (TensorTypeOf(code, static_cast<ValueId>(v)) == nullptr) continue;
    const std::vector<int32_t> kills = Merged(accesses.writes[v], accesses.begins[v]);
    BackwardWalk walk(blocks, kills, !EndsInRound(code.values[v]));
    for (const int32_t s : ReadsThatCount(accesses, v, end)) {
      const bool read = end == OperandEnd::kRead || Planted(Defect::kOperandEndsAtRead);
      const int64_t upper = 2 * int64_t{s} + (read ? 1 : 2);
      walk.Use(s, Planted(Defect::kLifeEndsEarly) ? upper - 2 : upper);
    }
    for (const int32_t s : accesses.updates[v]) walk.Add({2 * int64_t{s}, 2 * int64_t{s} + 2});
    for (const int32_t s : accesses.writes[v]) walk.Add({2 * int64_t{s} + 1, 2 * int64_t{s} + 2});
    if (wanted[v]) walk.Use(count, 2 * int64_t{count} + 1);
    if (filled[v]) walk.Add({-1, 0});
    live[v] = walk.Take();
  }
  return live;
}

}  // namespace pteproof::planner
