// The name that was probably meant by a misspelt one.
#ifndef PTEPROOF_BASE_NEAREST_H_
#define PTEPROOF_BASE_NEAREST_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof {

// Levenshtein's distance: insertions, deletions and replacements that turn a into b. Time |a| x
// |b|.
[[nodiscard]] inline size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

// The first of the nearest names; empty if all are too far from `typed` to be meant by it: more
// than a third of its characters would have to change, and more than two.
[[nodiscard]] inline std::string_view NearestName(std::string_view typed,
                                                  std::span<const std::string> names) {
  constexpr size_t kLongestUsefulName = 64;
  if (typed.size() > kLongestUsefulName) return {};
  std::string_view nearest;
  constexpr size_t kSlips = 2;  // two letters that changed places
  size_t fewest = std::min(std::max(kSlips, typed.size() / 3) + 1, typed.size());
  for (const std::string& name : names) {
    const size_t edits = EditDistance(typed, name);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = name;
  }
  return nearest;
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_NEAREST_H_
