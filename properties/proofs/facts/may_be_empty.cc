#include "properties/proofs/facts/may_be_empty.h"

#include <set>
#include <vector>

#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

// Empty where none of them only fills a part.
std::set<int32_t> MakersOf(const MethodFacts& facts, int32_t value) {
  std::set<int32_t> makers;
  bool fills = false;
  for (int32_t i = 0; i < facts.instruction_count(); ++i) {
    for (const WriteEvent& w : facts.listing.WritesAt(i)) {
      if (w.value != value) continue;
      makers.insert(i);
      fills = fills || w.access == Access::kFill;
    }
  }
  for (const Take& take : facts.listing.takes) {
    if (take.to == value) makers.insert(take.at.instruction);
  }
  return fills ? makers : std::set<int32_t>{};
}

bool Makes(const std::set<int32_t>& makers, int32_t from, int32_t to) {
  const auto first = makers.lower_bound(from);
  return first != makers.end() && *first < to;
}

// Per run: whether it may be entered before anything is made.
std::vector<bool> EnteredEmpty(const Paths& paths, const std::set<int32_t>& makers) {
  std::vector<bool> empty(paths.runs.size());
  empty[0] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t r = 0; r < empty.size(); ++r) {
      const Run& run = paths.runs[r];
      if (!empty[r] || Makes(makers, run.begin, run.end)) continue;
      for (const int32_t next : run.next) {
        grows = grows || !empty[static_cast<size_t>(next)];
        empty[static_cast<size_t>(next)] = true;
      }
    }
  }
  return empty;
}

}  // namespace

bool MayBeEmpty(const MethodFacts& facts, int32_t value, int32_t reader) {
  const std::set<int32_t> makers = MakersOf(facts, value);
  if (makers.empty()) return false;
  const std::vector<bool> empty = EnteredEmpty(facts.paths, makers);
  if (reader < facts.instruction_count()) {
    const int32_t r = facts.paths.RunAt(reader);
    return empty[static_cast<size_t>(r)] && !Makes(makers, facts.paths[r].begin, reader);
  }
  for (size_t r = 0; r < empty.size(); ++r) {
    const Run& run = facts.paths.runs[r];
    if (empty[r] && run.leaves && !Makes(makers, run.begin, run.end)) return true;
  }
  return false;
}

}  // namespace pteproof::proofs
