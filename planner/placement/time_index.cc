// Idea. The spans of all lives are sorted by their lower ends. Spans that share a point with [lo,
// hi) are those of the prefix with lower < hi whose upper end exceeds lo. A binary tree over blocks
// of spans holds the largest upper end below each node, so that whole subtrees without one are
// skipped.
//
//   sorted by lower end:   s0   s1   s2   s3 | s4   s5   s6  ...
//                          '----- prefix: lower < hi ------'
//   tree:                  max upper of s0..s3 <= lo: skipped
//
// Invariant: upper_ of a span is below every point until its item is added, and each node of last_
// is the largest upper_ below it. Cost: O(n log n) to build, O(log n) to add a span, O(log n +
// found) for a question if few lives are long.
#include "planner/placement/time_index.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "planner/planted.h"

namespace pteproof::placement {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::min();

}  // namespace

bool Overlap(std::span<const Span> a, std::span<const Span> b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].lower < b[j].upper && b[j].lower < a[i].upper) return true;
    if (a[i].upper < b[j].upper) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

std::vector<Span> UnionOf(std::span<const Span> a, std::span<const Span> b) {
  std::vector<Span> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  std::vector<Span> merged;
  for (const Span& span : all) {
    if (!merged.empty() && span.lower <= merged.back().upper) {
      merged.back().upper = std::max(merged.back().upper, span.upper);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

std::vector<Span> HullOf(std::span<const Span> live) {
  if (live.empty()) return {};
  return {{live.front().lower, live.back().upper}};
}

TimeIndex::TimeIndex(std::span<const std::vector<Span>> lives)
    : lives_(lives.begin(), lives.end()), at_(lives.size()), seen_(lives.size()) {
  std::vector<std::pair<Span, int32_t>> spans;
  for (size_t i = 0; i < lives.size(); ++i) {
    for (const Span& span : lives[i]) spans.emplace_back(span, static_cast<int32_t>(i));
  }
  std::ranges::sort(spans);
  lower_.reserve(spans.size());
  item_.reserve(spans.size());
  for (const auto& [span, item] : spans) {
    at_[static_cast<size_t>(item)].push_back(item_.size());
    lower_.push_back(span.lower);
    item_.push_back(item);
  }
  upper_.assign(spans.size(), kNever);
  while (leaves_ * kBlock < spans.size()) leaves_ *= 2;
  last_.assign(2 * leaves_, kNever);
}

void TimeIndex::Add(int32_t item) {
  const auto i = static_cast<size_t>(item);
  for (size_t s = 0; s < at_[i].size(); ++s) {
    const size_t at = at_[i][s];
    upper_[at] = lives_[i][s].upper;
    for (size_t node = leaves_ + at / kBlock; node > 0; node /= 2) {
      if (last_[node] >= upper_[at]) break;
      last_[node] = upper_[at];
    }
  }
}

void TimeIndex::Conflicts(int32_t item, std::vector<int32_t>& out) {
  out.clear();
  seen_[static_cast<size_t>(item)] = ++question_;
  for (const Span& span : lives_[static_cast<size_t>(item)]) {
    if (planner::Planted(planner::Defect::kHoleForgotten) && !out.empty()) break;
    const auto end = std::ranges::lower_bound(lower_, span.upper) - lower_.begin();
    FindBefore(static_cast<size_t>(end), span.lower, out);
  }
}

// Spans before index `end` that reach beyond point `after`: down the tree, left before right.
void TimeIndex::FindBefore(size_t end, int64_t after, std::vector<int32_t>& out) {
  if (end == 0) return;
  const size_t last_leaf = leaves_ + (end - 1) / kBlock;
  size_t node = 1;
  while (true) {
    if (last_[node] > after && node < leaves_) {
      node *= 2;
      continue;
    }
    if (last_[node] > after) ScanBlock(node - leaves_, end, after, out);
    while (node % 2 == 1 && node > 1) node /= 2;
    if (node <= 1) return;
    ++node;
    size_t first_leaf = node;
    while (first_leaf < leaves_) first_leaf *= 2;
    if (first_leaf > last_leaf) return;
  }
}

void TimeIndex::ScanBlock(size_t block, size_t end, int64_t after, std::vector<int32_t>& out) {
  const size_t limit = std::min(end, (block + 1) * kBlock);
  for (size_t at = block * kBlock; at < limit; ++at) {
    if (upper_[at] <= after) continue;
    uint32_t& seen = seen_[static_cast<size_t>(item_[at])];
    if (seen == question_) continue;
    seen = question_;
    out.push_back(item_[at]);
  }
}

std::vector<int64_t> TimeIndex::CountAll() const {
  std::vector<int64_t> uppers;
  uppers.reserve(lower_.size());
  for (const auto& live : lives_) {
    for (const Span& span : live) uppers.push_back(span.upper);
  }
  std::ranges::sort(uppers);
  std::vector<int64_t> counts(lives_.size());
  for (size_t i = 0; i < lives_.size(); ++i) {
    for (const Span& span : lives_[i]) {
      counts[i] += std::ranges::lower_bound(lower_, span.upper) - lower_.begin();
      counts[i] -= std::ranges::upper_bound(uppers, span.lower) - uppers.begin();
    }
  }
  return counts;
}

}  // namespace pteproof::placement
