// Idea: from each instruction to the next one of the list by the fewest jumps: a search in breadth
// over blocks. Within a block the listing is the path.
//
// Invariant: `at` is the instruction that the jumps so far lead to.
//
// Cost: O(blocks) for each instruction of the list.
#include "properties/certificate/paths.h"

#include <algorithm>
#include <utility>

namespace pteproof::certificate {
namespace {

using meaning::Block;
using meaning::MethodMeaning;

// A way out of a block: to an instruction, by a jump that goes either way or not.
struct WayOut {
  int32_t to = 0;
  int32_t jump = -1;  // 1: taken, 0: not; -1: it goes one way only
};

class PathFinder {
 public:
  explicit PathFinder(const MethodMeaning& meant)
      : meant_(meant), count_(static_cast<int32_t>(meant.method->instructions.size())) {}

  // Appends the jumps from `at` to `to`, which comes later. False: no path leads there.
  [[nodiscard]] bool Go(int32_t at, int32_t to, std::vector<int32_t>& jumps) {
    if (at < to && to < count_ && BlockOf(at) == BlockOf(to)) return true;
    came_.assign(meant_.graph.blocks.size() + 1, {});
    std::vector<size_t> open = {BlockOf(at)};
    const size_t goal = to < count_ ? BlockOf(to) : meant_.graph.blocks.size();
    for (size_t next = 0; next < open.size(); ++next) {
      for (const WayOut& way : WaysOf(open[next])) {
        const size_t block = way.to < count_ ? BlockOf(way.to) : meant_.graph.blocks.size();
        if (came_[block].known) continue;
        came_[block] = {true, open[next], way.jump};
        if (block == goal) {
          TraceBack(goal, BlockOf(at), jumps);
          return true;
        }
        if (block < meant_.graph.blocks.size()) open.push_back(block);
      }
    }
    return false;
  }

 private:
  struct Came {
    bool known = false;
    size_t from = 0;
    int32_t jump = -1;
  };

  [[nodiscard]] size_t BlockOf(int32_t i) const {
    return static_cast<size_t>(meant_.graph.BlockOf(std::max(i, 0)));
  }

  [[nodiscard]] std::vector<WayOut> WaysOf(size_t block) const {
    const Block& at = meant_.graph.blocks[block];
    if (at.end == 0) return {{count_}};
    const Instruction& last = meant_.method->instructions[static_cast<size_t>(at.end - 1)];
    if (last.kind != InstructionKind::kJumpFalse) return {{at.end}};
    const Value& value = meant_.method->values[static_cast<size_t>(last.target)];
    const auto& inputs = meant_.method->inputs;
    const bool varies = value.kind != ValueKind::kBool ||
                        meant_.effects.IsScalarWritten(last.target) ||
                        std::ranges::find(inputs, last.target) != inputs.end();
    if (varies) return {{at.end, 0}, {last.other, 1}};
    return {{value.integer == 0 ? last.other : at.end}};
  }

  void TraceBack(size_t goal, size_t start, std::vector<int32_t>& jumps) const {
    std::vector<int32_t> back;
    size_t block = goal;
    do {
      if (came_[block].jump >= 0) back.push_back(came_[block].jump);
      block = came_[block].from;
    } while (block != start);
    jumps.insert(jumps.end(), back.rbegin(), back.rend());
  }

  const MethodMeaning& meant_;
  int32_t count_;
  std::vector<Came> came_;  // per block, and for the end
};

}  // namespace

std::optional<std::vector<int32_t>> PathThrough(const MethodMeaning& meant,
                                                const std::vector<int32_t>& through) {
  constexpr size_t kLongest = 1000;
  PathFinder finder(meant);
  std::vector<int32_t> jumps;
  int32_t at = -1;
  for (const int32_t next : through) {
    if (!finder.Go(at, next, jumps) || jumps.size() > kLongest) return std::nullopt;
    at = next;
  }
  return jumps;
}

}  // namespace pteproof::certificate
