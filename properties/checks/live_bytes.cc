#include "properties/checks/live_bytes.h"

#include <algorithm>

#include "properties/vocabulary.h"

namespace pteproof::checks {

void LiveBytes::Insert(int32_t name, std::span<const Place> places) {
  if (places.size() == 1) {
    map_.Insert(name, places.front());
    Note(places.front().bank, 0);
    return;
  }
  Spare spare;
  uint64_t largest = 0;
  for (const Place& place : places) {
    if (spare.bank == 0) spare.bank = place.bank;
    const uint64_t before = map_.LiveBytes(place.bank);
    map_.Insert(name, place);
    if (place.bank != spare.bank) {
      Note(place.bank, 0);
      continue;
    }
    const uint64_t added = map_.LiveBytes(place.bank) - before;
    spare.bytes += std::min(largest, added);
    largest = std::max(largest, added);
  }
  if (spare.bank == 0) return;
  spare_of_[name] = spare;
  spare_[spare.bank] += spare.bytes;
  Note(spare.bank, 0);
}

void LiveBytes::Remove(int32_t name, std::span<const Place> places) {
  for (const Place& place : places) map_.Remove(name, place);
  if (places.size() < 2) return;
  Spare& spare = spare_of_[name];
  spare_[spare.bank] -= spare.bytes;
  spare.bytes = 0;
}

void LiveBytes::Clear(uint32_t bank) {
  map_.Clear(bank);
  if (bank < spare_.size()) spare_[bank] = 0;
}

void LiveBytes::CountBesides(std::span<const Place> places) {
  uint64_t besides = 0;
  uint64_t at = 0;
  for (size_t p = 0; p < places.size(); ++p) {
    Place place = places[p];
    place.lo = std::max(place.lo, at);
    if (place.lo < place.hi) {
      besides += place.hi - place.lo - map_.LiveBytesIn(place);
      at = place.hi;
    }
    if (p + 1 < places.size() && places[p + 1].bank == place.bank) continue;
    Note(place.bank, besides);
    besides = at = 0;
  }
}

void LiveBytes::Note(uint32_t bank, uint64_t besides) {
  const uint64_t bytes = map_.LiveBytes(bank) + besides;
  if (bytes > spare_[bank]) most_[bank] = std::max(most_[bank], bytes - spare_[bank]);
}

}  // namespace pteproof::checks
