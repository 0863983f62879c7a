#include "properties/checks/byte_map.h"

#include <algorithm>

#include "properties/vocabulary.h"

namespace pteproof::checks {

ByteMap::Bank& ByteMap::BankOf(uint32_t bank) {
  if (bank >= banks_.size()) banks_.resize(bank + 1);
  return banks_[bank];
}

void ByteMap::Split(Segments& segments, uint64_t at) {
  auto after = segments.lower_bound(at);
  if (after == segments.begin()) return;
  auto holder = std::prev(after);
  if (holder->second.hi <= at) return;
  Segment upper = holder->second;
  holder->second.hi = at;
  segments.emplace_hint(after, at, std::move(upper));
}

ByteMap::Segments::const_iterator ByteMap::FirstMeeting(const Segments& segments, uint64_t lo) {
  auto it = segments.upper_bound(lo);
  if (it != segments.begin() && std::prev(it)->second.hi > lo) --it;
  return it;
}

void ByteMap::Insert(int32_t name, const Place& place) {
  if (place.empty()) return;
  auto& [segments, live] = BankOf(place.bank);
  Split(segments, place.lo);
  Split(segments, place.hi);
  uint64_t at = place.lo;
  auto it = segments.lower_bound(place.lo);
  while (at < place.hi) {
    ++work_;
    if (it == segments.end() || it->first > at) {
      const uint64_t gap_end = it == segments.end() ? place.hi : std::min(it->first, place.hi);
      it = segments.emplace_hint(it, at, Segment{gap_end, name, {}});
      live += gap_end - at;
    } else {
      it->second.more.push_back(name);
    }
    at = it->second.hi;
    ++it;
  }
}

void ByteMap::Remove(int32_t name, const Place& place) {
  if (place.empty()) return;
  auto& [segments, live] = BankOf(place.bank);
  auto it = segments.lower_bound(place.lo);
  while (it != segments.end() && it->first < place.hi) {
    ++work_;
    Segment& segment = it->second;
    if (segment.first == name) {
      segment.first = segment.more.empty() ? -1 : segment.more.back();
      if (!segment.more.empty()) segment.more.pop_back();
    } else if (auto found = std::ranges::find(segment.more, name); found != segment.more.end()) {
      *found = segment.more.back();
      segment.more.pop_back();
    }
    if (segment.first == -1) {
      live -= segment.hi - it->first;
      it = segments.erase(it);
    } else {
      ++it;
    }
  }
}

void ByteMap::Meet(const Place& place, std::vector<int32_t>& met) const {
  if (place.empty() || place.bank >= banks_.size()) return;
  const Segments& segments = banks_[place.bank].segments;
  for (auto it = FirstMeeting(segments, place.lo); it != segments.end() && it->first < place.hi;
       ++it) {
    work_ += 1 + it->second.more.size();
    met.push_back(it->second.first);
    met.insert(met.end(), it->second.more.begin(), it->second.more.end());
  }
}

uint64_t ByteMap::LiveBytesIn(const Place& place) const {
  if (place.empty() || place.bank >= banks_.size()) return 0;
  const Segments& segments = banks_[place.bank].segments;
  uint64_t live = 0;
  for (auto it = FirstMeeting(segments, place.lo); it != segments.end() && it->first < place.hi;
       ++it) {
    ++work_;
    live += std::min(it->second.hi, place.hi) - std::max(it->first, place.lo);
  }
  return live;
}

}  // namespace pteproof::checks
