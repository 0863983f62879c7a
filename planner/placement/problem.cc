// Idea. Between two consecutive ends of lives only the largest set of live items matters: sections
// are the sets of live items directly before an end that follows a begin.
//
//   A |-------|                    section 0: {A, B}    before A ends
//   B     |---------|              section 1: {B, C}    before B ends
//   C            |------|          C's end follows no begin: no section
//
// Two items share a time point if and only if they share a section. Parts are connected by time: an
// item that begins while another lives joins its part (a union-find over the same sweep).
//
// Invariant of the sweep: `live` holds the items whose span is open, in ascending order. Cost: O(s
// log s + sum of the sizes of the sections), which is also the size of the result.
#include "planner/placement/problem.h"

#include <algorithm>

#include "base/disjoint_sets.h"
#include "planner/placement/groups.h"

namespace pteproof::placement {
namespace {

struct SpanEvent {
  int64_t point = 0;
  bool begins = false;  // ends come first
  int32_t item = 0;

  auto operator<=>(const SpanEvent&) const = default;
};

std::vector<SpanEvent> SpanEventsOf(std::span<const Item<int64_t>> items) {
  std::vector<SpanEvent> events;
  for (int32_t i = 0; i < static_cast<int32_t>(items.size()); ++i) {
    if (!TakesRoom(items[static_cast<size_t>(i)])) continue;
    for (const Span& span : items[static_cast<size_t>(i)].live) {
      events.push_back({span.lower, true, i});
      events.push_back({span.upper, false, i});
    }
  }
  std::ranges::sort(events);
  return events;
}

// The live items of every stretch of time between a begin and the next end.
std::vector<std::vector<int32_t>> SectionsOf(std::span<const Item<int64_t>> items) {
  std::vector<std::vector<int32_t>> sections;
  std::vector<int32_t> live;  // ascending
  bool grew = false;
  for (const SpanEvent& event : SpanEventsOf(items)) {
    const auto at = std::ranges::lower_bound(live, event.item);
    if (event.begins) {
      live.insert(at, event.item);
      grew = true;
      continue;
    }
    if (grew) sections.push_back(live);
    grew = false;
    live.erase(at);
  }
  return sections;
}

std::vector<std::vector<int32_t>> Turned(const std::vector<std::vector<int32_t>>& lists,
                                         size_t count) {
  std::vector<std::vector<int32_t>> turned(count);
  for (size_t l = 0; l < lists.size(); ++l) {
    for (const int32_t i : lists[l])
      turned[static_cast<size_t>(i)].push_back(static_cast<int32_t>(l));
  }
  return turned;
}

std::vector<std::vector<int32_t>> ConflictsIn(
    const std::vector<std::vector<int32_t>>& sections,
    const std::vector<std::vector<int32_t>>& sections_of) {
  std::vector<std::vector<int32_t>> conflicts(sections_of.size());
  std::vector<size_t> seen(sections_of.size(), 0);
  for (size_t i = 0; i < sections_of.size(); ++i) {
    seen[i] = i + 1;
    for (const int32_t section : sections_of[i]) {
      for (const int32_t other : sections[static_cast<size_t>(section)]) {
        if (seen[static_cast<size_t>(other)] == i + 1) continue;
        seen[static_cast<size_t>(other)] = i + 1;
        conflicts[i].push_back(other);
      }
    }
    std::ranges::sort(conflicts[i]);
  }
  return conflicts;
}

}  // namespace

Lists::Lists(const std::vector<std::vector<int32_t>>& lists) {
  first_.reserve(lists.size() + 1);
  first_.push_back(0);
  for (const auto& list : lists) {
    all_.insert(all_.end(), list.begin(), list.end());
    first_.push_back(all_.size());
  }
}

Problem ProblemOf(std::vector<Item<int64_t>> items) {
  Problem problem;
  const auto sections = SectionsOf(items);
  const auto sections_of = Turned(sections, items.size());
  problem.section_count = static_cast<int32_t>(sections.size());
  problem.sections_of = Lists(sections_of);
  problem.items_of = Lists(sections);
  problem.conflicts = Lists(ConflictsIn(sections, sections_of));
  problem.alignment = items.front().alignment;
  for (const auto& item : items) problem.alignment = std::min(problem.alignment, item.alignment);
  problem.items = std::move(items);
  return problem;
}

std::vector<std::vector<int32_t>> PartsIn(std::span<const Item<int64_t>> items,
                                          std::span<const int32_t> order) {
  DisjointSets sets(items.size());
  int32_t live = 0;
  int32_t one = -1;  // of the part that is live
  for (const SpanEvent& event : SpanEventsOf(items)) {
    live += event.begins ? 1 : -1;
    if (!event.begins) continue;
    if (live > 1) sets.Join(one, event.item);
    one = event.item;
  }
  std::vector<int32_t> part_of(items.size(), -1);  // per root
  std::vector<std::vector<int32_t>> parts;
  for (const int32_t i : order) {
    if (!TakesRoom(items[static_cast<size_t>(i)])) continue;
    int32_t& part = part_of[static_cast<size_t>(sets.Of(i))];
    if (part < 0) {
      part = static_cast<int32_t>(parts.size());
      parts.emplace_back();
    }
    parts[static_cast<size_t>(part)].push_back(i);
  }
  return parts;
}

}  // namespace pteproof::placement
