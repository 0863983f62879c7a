#include "planner/replan/fixed_bytes.h"

#include <algorithm>

namespace pteproof::planner {
namespace {

// Ascending and disjoint; ranges that touch become one.
std::vector<BankBytes> Merged(std::vector<BankBytes> ranges) {
  std::ranges::sort(ranges);
  std::vector<BankBytes> merged;
  for (const BankBytes& range : ranges) {
    if (range.lo >= range.hi) continue;
    const bool touches =
        !merged.empty() && merged.back().bank == range.bank && range.lo <= merged.back().hi;
    if (touches) {
      merged.back().hi = std::max(merged.back().hi, range.hi);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

// What is in the first and not in the second; both as Merged gives them.
std::vector<BankBytes> Without(std::span<const BankBytes> ranges, std::span<const BankBytes> cut) {
  std::vector<BankBytes> left;
  auto next = cut.begin();
  for (BankBytes range : ranges) {
    while (next != cut.end() &&
           (next->bank < range.bank || (next->bank == range.bank && next->hi <= range.lo))) {
      ++next;
    }
    for (auto at = next; at != cut.end() && Meet(*at, range); ++at) {
      if (range.lo < at->lo) left.push_back({range.bank, range.lo, at->lo});
      range.lo = std::min(at->hi, range.hi);
    }
    if (range.lo < range.hi) left.push_back(range);
  }
  return left;
}

// The state of all methods, or of all but one.
std::vector<BankBytes> StateOf(std::span<const MethodWebs> webs, size_t but_not) {
  std::vector<BankBytes> state;
  for (size_t m = 0; m < webs.size(); ++m) {
    if (m != but_not) state.insert(state.end(), webs[m].state.begin(), webs[m].state.end());
  }
  return Merged(std::move(state));
}

}  // namespace

FixedBytes FixedBytesOf(const Program& program, std::span<const MethodWebs> webs, size_t method) {
  const Method& own = program.methods[method];
  const MethodWebs& mine = webs[method];
  FixedBytes fixed;
  fixed.webs.resize(mine.web.size());
  const auto fix = [&](int32_t value) {
    const int32_t web = mine.web[static_cast<size_t>(value)];
    if (web >= 0) fixed.webs[static_cast<size_t>(web)] = true;
  };
  std::ranges::for_each(mine.stateful, fix);
  for (const BankBytes& state : StateOf(webs, webs.size())) {
    mine.at_exit.ForEach(state, [&](uint64_t, uint64_t, const ByteOwners::Owners& owners) {
      for (const int32_t owner : owners) {
        if (owner != kAtEntry) fix(owner);
      }
    });
  }
  std::vector<BankBytes> planned;
  for (size_t v = 0; v < mine.web.size(); ++v) {
    const auto value = static_cast<int32_t>(v);
    const Tensor* tensor = own.TensorOf(value);
    if (tensor == nullptr || !tensor->planned) continue;
    planned.push_back(BytesOf(own, value));
    const int32_t web = mine.web[v];
    if (web >= 0 && fixed.webs[static_cast<size_t>(web)]) {
      fixed.ranges.push_back(planned.back());
    }
  }
  const auto others = Without(StateOf(webs, method), Merged(std::move(planned)));
  fixed.ranges.insert(fixed.ranges.end(), others.begin(), others.end());
  fixed.ranges = Merged(std::move(fixed.ranges));
  return fixed;
}

}  // namespace pteproof::planner
