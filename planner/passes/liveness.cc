// Idea. Each value is walked backward on its own, from each use to the writes that reach it. Step i
// reads at point 2i and writes at point 2i + 1; a value is live from its write to its last read.
//
//   0: v = f()        |write 1
//   1: jumpfalse p -> 3                    v is read by step 3 and is not written between: it lives
//   2: v' = g()       |                    over both paths, through block {2} too
//   3: h(v)           |read 6   ->   live [1, 7), or [1, 8) if an operand lives through the write
//
// Code is cut into blocks at jumps and their targets. Within a block the walk looks up the last
// write before the use; if there is none, it goes on into all predecessors, each of them once.
//
// Invariant: a block is in `seen_` if and only if the value is live at its end, and its span is
// recorded or still to be visited. Cost: O(accesses x log + spans) for straight code, and one
// further step for each block that a value lives through. A dense bit matrix would cost values x
// blocks instead.
#include "planner/passes/liveness.h"

#include <algorithm>
#include <utility>

#include "planner/planted.h"

namespace pteproof::planner {
namespace {

// Steps that run one after the other.
struct Block {
  int32_t first = 0;
  int32_t last = 0;                        // included
  std::vector<int32_t> predecessors = {};  // blocks
};

bool Jumps(const Step& step) {
  return step.kind == StepKind::kJump || step.kind == StepKind::kJumpFalse;
}

// Ascending; the last one is empty and stands for the exit.
std::vector<Block> BlocksOf(const Code& code) {
  const auto count = static_cast<int32_t>(code.steps.size());
  std::vector<bool> begins(static_cast<size_t>(count) + 1);
  begins.front() = begins.back() = true;
  for (int32_t s = 0; s < count; ++s) {
    const Step& step = code.steps[static_cast<size_t>(s)];
    if (!Jumps(step)) continue;
    begins[static_cast<size_t>(s) + 1] = begins[static_cast<size_t>(step.target)] = true;
  }
  std::vector<Block> blocks;
  std::vector<int32_t> block_at;
  for (int32_t s = 0; s <= count; ++s) {
    if (begins[static_cast<size_t>(s)]) blocks.push_back({.first = s, .last = s});
    blocks.back().last = s;
    block_at.push_back(static_cast<int32_t>(blocks.size()) - 1);
  }
  for (int32_t b = 0; b + 1 < static_cast<int32_t>(blocks.size()); ++b) {
    const Step& last = code.steps[static_cast<size_t>(blocks[static_cast<size_t>(b)].last)];
    const bool back = last.target >= 0 && last.target <= blocks[static_cast<size_t>(b)].first;
    if (Jumps(last) && (back || !Planted(Defect::kBranchesNotJoined))) {
      const auto to = static_cast<size_t>(block_at[static_cast<size_t>(last.target)]);
      blocks[to].predecessors.push_back(b);
    }
    if (last.kind != StepKind::kJump) blocks[static_cast<size_t>(b) + 1].predecessors.push_back(b);
  }
  return blocks;
}

int32_t BlockOf(const std::vector<Block>& blocks, int32_t step) {
  const auto after = std::ranges::upper_bound(blocks, step, {}, &Block::first);
  return static_cast<int32_t>(after - blocks.begin()) - 1;
}

// One value, walked backward from each use to the writes before it.
class Walk {
 public:
  Walk(const std::vector<Block>& blocks, const std::vector<int32_t>& kills, bool rounds = true)
      : blocks_(blocks), kills_(kills), rounds_(rounds) {}

  // Wanted from before `point`, which lies in or at the end of step `step`.
  void Use(int32_t step, int64_t upper) {
    Within(BlockOf(blocks_, step), step, upper);
    while (!to_do_.empty()) {
      const int32_t block = to_do_.back();
      to_do_.pop_back();
      const int32_t last = blocks_[static_cast<size_t>(block)].last;
      Within(block, last + 1, 2 * (int64_t{last} + 1));
    }
  }
  void Add(Span span) { spans_.push_back(span); }
  [[nodiscard]] LiveSet Take() { return Normal(std::move(spans_)); }

 private:
  // Wanted in a block up to `upper`, and from the last kill before `step` on.
  void Within(int32_t block, int32_t step, int64_t upper) {
    const int32_t first = blocks_[static_cast<size_t>(block)].first;
    const auto after = std::ranges::lower_bound(kills_, step);
    if (after != kills_.begin() && *std::prev(after) >= first) {
      spans_.push_back({2 * int64_t{*std::prev(after)} + 1, upper});
      return;
    }
    spans_.push_back({block == 0 ? -1 : 2 * int64_t{first}, upper});
    if (seen_.empty()) seen_.resize(blocks_.size());
    for (const int32_t before : blocks_[static_cast<size_t>(block)].predecessors) {
      if (seen_[static_cast<size_t>(before)] || (before >= block && !rounds_)) continue;
      seen_[static_cast<size_t>(before)] = true;
      to_do_.push_back(before);
    }
  }

  const std::vector<Block>& blocks_;
  const std::vector<int32_t>& kills_;
  bool rounds_;             // whether jumps back count
  std::vector<bool> seen_;  // blocks through whose end it lives
  std::vector<int32_t> to_do_;
  LiveSet spans_;
};

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
  const std::vector<Block> blocks = BlocksOf(code);
  const auto count = static_cast<int32_t>(code.steps.size());
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
    Walk walk(blocks, kills, !EndsInRound(code.values[v]));
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
