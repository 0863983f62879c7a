#include "properties/oracles/tags/tag_runs.h"

#include <algorithm>
#include <iterator>

namespace pteproof {

TagRuns WholeOf(Tag tag, uint64_t nbytes) {
  if (nbytes == 0) return {};
  return {{tag, 0, nbytes}};
}

void Append(const TagRun& run, TagRuns& runs) {
  if (run.count == 0) return;
  const bool unwritten = run.tag == kNoTag;  // such bytes are all alike
  const bool goes_on = !runs.empty() && runs.back().tag == run.tag &&
                       (unwritten || runs.back().from + runs.back().count == run.from);
  if (goes_on) {
    runs.back().count += run.count;
  } else {
    runs.push_back({run.tag, unwritten ? 0 : run.from, run.count});
  }
}

uint64_t BytesOf(std::span<const TagRun> runs) {
  uint64_t bytes = 0;
  for (const TagRun& run : runs) bytes += run.count;
  return bytes;
}

TagRuns PartOf(std::span<const TagRun> runs, uint64_t first, uint64_t count) {
  TagRuns part;
  uint64_t at = 0;
  for (const TagRun& run : runs) {
    const uint64_t lo = std::max(at, first);
    const uint64_t hi = std::min(at + run.count, first + count);
    if (lo < hi) Append({run.tag, run.from + (lo - at), hi - lo}, part);
    at += run.count;
  }
  const uint64_t found = BytesOf(part);
  if (found < count) Append({kNoTag, 0, count - found}, part);
  return part;
}

std::optional<TagDifference> DifferenceOf(std::span<const TagRun> expected,
                                          std::span<const TagRun> got) {
  uint64_t at = 0;
  size_t e = 0;
  size_t g = 0;
  uint64_t into_expected = 0;  // bytes of the run that are compared already
  uint64_t into_got = 0;
  while (e < expected.size() && g < got.size()) {
    const TagRun& wanted = expected[e];
    const TagRun& found = got[g];
    const bool same = wanted.tag == found.tag && wanted.tag != kNoTag &&
                      wanted.from + into_expected == found.from + into_got;
    if (!same) return TagDifference{at, wanted, found};
    const uint64_t step = std::min(wanted.count - into_expected, found.count - into_got);
    at += step;
    into_expected += step;
    into_got += step;
    if (into_expected == wanted.count) ++e, into_expected = 0;
    if (into_got == found.count) ++g, into_got = 0;
  }
  return std::nullopt;
}

// No run goes over that byte's left edge afterwards.
void TaggedBank::Cut(uint64_t at) {
  auto next = runs_.lower_bound(at);
  if (next == runs_.begin()) return;
  auto& [first, run] = *std::prev(next);
  const uint64_t left = at - first;
  if (left >= run.count) return;
  runs_.emplace_hint(next, at, TagRun{run.tag, run.from + left, run.count - left});
  run.count = left;
}

void TaggedBank::Write(uint64_t first, std::span<const TagRun> runs) {
  const uint64_t end = first + BytesOf(runs);
  Cut(first);
  Cut(end);
  runs_.erase(runs_.lower_bound(first), runs_.lower_bound(end));
  for (const TagRun& run : runs) {
    if (run.tag != kNoTag) runs_.emplace(first, run);
    first += run.count;
  }
}

TagRuns TaggedBank::Read(uint64_t first, uint64_t count) const {
  TagRuns read;
  const uint64_t end = first + count;
  uint64_t at = first;
  auto it = runs_.upper_bound(first);
  if (it != runs_.begin()) --it;
  for (; it != runs_.end() && it->first < end; ++it) {
    const TagRun& run = it->second;
    const uint64_t lo = std::max(it->first, at);
    const uint64_t hi = std::min(it->first + run.count, end);
    if (lo >= hi) continue;
    if (lo > at) Append({kNoTag, 0, lo - at}, read);
    Append({run.tag, run.from + (lo - it->first), hi - lo}, read);
    at = hi;
  }
  if (at < end) Append({kNoTag, 0, end - at}, read);
  return read;
}

}  // namespace pteproof
