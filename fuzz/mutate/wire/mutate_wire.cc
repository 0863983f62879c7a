#include "fuzz/mutate/wire/mutate_wire.h"

#include <array>

#include "fuzz/mutate/wire/number.h"
#include "fuzz/mutate/wire/places.h"
#include "runtime/file_kind.h"
#include "runtime/read_bundle.h"

namespace pteproof::fuzz::wire {
namespace {

using Room = std::span<std::byte>;
using Places = std::vector<Place>;

// How often each kind is drawn, of 100.
constexpr std::array<size_t, kPlaceKinds> kShares = {57, 6, 10, 14, 1, 6, 6};

PlaceKind DrawKind(Random& random) {
  size_t drawn = random.Below(100);
  for (int kind = 0; kind < kPlaceKinds; ++kind) {
    const size_t share = kShares[static_cast<size_t>(kind)];
    if (drawn < share) return static_cast<PlaceKind>(kind);
    drawn -= share;
  }
  return PlaceKind::kNumber;
}

// Any place of the kind; null where there is none.
const Place* DrawPlace(const Places& places, PlaceKind kind, Random& random) {
  const Place* drawn = nullptr;
  size_t seen = 0;
  for (const Place& place : places) {
    if (place.kind == kind && random.OneIn(++seen)) drawn = &place;
  }
  return drawn;
}

// Where one of its numbers is.
uint64_t DrawElement(const Place& place, Random& random) {
  return place.at + place.width * random.Below(place.count);
}

uint64_t NeighboursNumber(const Places& places, Bytes file, Random& random) {
  const Place& place = random.Of(places);
  return ReadNumber(file, DrawElement(place, random), place.width);
}

uint64_t TellingNumber(const Places& places, Bytes file, uint64_t now, size_t width,
                       Random& random) {
  const uint64_t sign = uint64_t{1} << (8 * width - 1);
  switch (random.Below(8)) {
    case 0:
      return random.Below(4);
    case 1:
      return now + 1;
    case 2:
      return now - 1;
    case 3:
      return random.Of(std::array<uint64_t, 4>{uint64_t{0} - 1, sign, sign - 1, file.size()});
    case 4:
      return uint64_t{1} << random.Below(8 * width);
    case 5:
      return random.Next();
    default:
      return NeighboursNumber(places, file, random);
  }
}

// Leads to where another offset of the same target leads; flatbuffers only lead forwards.
uint64_t OtherOffset(const Places& places, Bytes file, const Place& place, uint64_t at,
                     uint64_t now, Random& random) {
  constexpr int kTries = 4;
  for (int i = 0; i < kTries; ++i) {
    const Place* other = DrawPlace(places, PlaceKind::kOffset, random);
    if (other->target != place.target) continue;
    const uint64_t from = DrawElement(*other, random);
    const uint64_t to = from + ReadNumber(file, from, 4);
    if (to > at && to - at != now) return to - at;
  }
  return TellingNumber(places, file, now, 4, random);
}

// Absent, or where another field is.
uint64_t OtherSlot(Bytes file, const Place& place, Random& random) {
  if (random.OneIn(2)) return 0;
  return ReadNumber(file, DrawElement(place, random), place.width) + random.Below(2);
}

// Some of the numbers of a vector, all to the same: what several sizes or indices take together.
bool ChangeSeveral(Room room, const Places& places, const Place& place, Random& random) {
  const uint64_t now = ReadNumber(room, DrawElement(place, random), place.width);
  const uint64_t number = TellingNumber(places, room, now, place.width, random);
  bool changed = false;
  for (uint64_t i = 0; i < place.count; ++i) {
    if (random.OneIn(3)) continue;
    const uint64_t at = place.at + place.width * i;
    const uint64_t before = ReadNumber(room, at, place.width);
    WriteNumber(room, at, place.width, number);
    changed = changed || ReadNumber(room, at, place.width) != before;
  }
  return changed;
}

bool ChangeNumber(Room room, const Places& places, Random& random) {
  const Place* place = DrawPlace(places, DrawKind(random), random);
  if (place == nullptr) return false;
  if (place->kind == PlaceKind::kNumber && place->count > 1 && random.OneIn(4)) {
    return ChangeSeveral(room, places, *place, random);
  }
  const uint64_t at = DrawElement(*place, random);
  const uint64_t now = ReadNumber(room, at, place->width);
  uint64_t number = 0;
  switch (place->kind) {
    case PlaceKind::kTag:
      number = random.Below(14);
      break;
    case PlaceKind::kOffset:
      number = OtherOffset(places, room, *place, at, now, random);
      break;
    case PlaceKind::kSlot:
      number = OtherSlot(room, *place, random);
      break;
    default:
      number = TellingNumber(places, room, now, place->width, random);
  }
  WriteNumber(room, at, place->width, number);
  return ReadNumber(room, at, place->width) != now;
}

// Where the file to change is: the program of a bundle half of the time.
Room PartToChange(Buffer& file, Random& random) {
  const Room whole(file);
  if (Sniff(file) != FileKind::kBundle || random.OneIn(2)) return whole;
  const auto bundle = ReadBundle(file);
  if (!bundle.ok()) return whole;
  const Bytes program = bundle.value().program;
  return whole.subspan(static_cast<size_t>(program.data() - file.data()), program.size());
}

}  // namespace

std::optional<Buffer> Mutate(Bytes input, Random& random) {
  Buffer file(input.begin(), input.end());
  const Room room = PartToChange(file, random);
  const Places places = PlacesIn(room);
  if (places.empty()) return std::nullopt;
  const size_t count = random.OneIn(4) ? 2 + random.Below(3) : 1;
  constexpr size_t kTriesEach = 4;
  size_t changed = 0;
  for (size_t i = 0; i < kTriesEach * count && changed < count; ++i) {
    if (ChangeNumber(room, places, random)) ++changed;
  }
  if (changed == 0) return std::nullopt;
  return file;
}

}  // namespace pteproof::fuzz::wire
