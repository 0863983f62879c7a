#include "fuzz/mutate/wire/grow_vector.h"

#include <algorithm>
#include <iterator>

#include "fuzz/mutate/wire/number.h"
#include "fuzz/mutate/wire/places.h"
#include "runtime/file_kind.h"

namespace pteproof::fuzz::wire {
namespace {

using Places = std::vector<Place>;

constexpr uint64_t kStep = 16;  // what is inserted is a multiple: alignment stays what it was
constexpr uint64_t kLengthWidth = 4;

// Elements of vectors: each stands in the list right after its length.
Places Vectors(const Places& places, Bytes file) {
  Places vectors;
  for (size_t i = 1; i < places.size(); ++i) {
    const Place& length = places[i - 1];
    const Place& elements = places[i];
    if (length.kind != PlaceKind::kLength || elements.at != length.at + kLengthWidth) continue;
    if (ReadNumber(file, length.at, kLengthWidth) == elements.count) vectors.push_back(elements);
  }
  return vectors;
}

// What is inserted in the file, and where.
struct Gap {
  uint64_t at = 0;
  uint64_t bytes = 0;
};

// Corrects what leads across the gap; places are those of `before`, where it was not there. A place
// may be listed twice.
void CorrectOffsets(Buffer& file, Bytes before, const Places& places, const Gap& gap) {
  const auto moved = [&gap](uint64_t at) { return at < gap.at ? at : at + gap.bytes; };
  for (const Place& place : places) {
    if (place.kind != PlaceKind::kOffset && place.kind != PlaceKind::kBack) continue;
    for (uint64_t i = 0; i < place.count; ++i) {
      const uint64_t at = place.at + 4 * i;
      const uint64_t number = ReadNumber(before, at, 4);
      const auto back = static_cast<int32_t>(number);
      const uint64_t to = place.kind == PlaceKind::kOffset
                              ? at + number
                              : at - static_cast<uint64_t>(int64_t{back});
      const uint64_t distance =
          place.kind == PlaceKind::kOffset ? moved(to) - moved(at) : moved(at) - moved(to);
      WriteNumber(file, moved(at), 4, distance);
    }
  }
}

// The lengths in the extended header, if there is one.
void CorrectHeader(Buffer& file, const Gap& gap) {
  constexpr uint64_t kMagicAt = 8;
  constexpr uint64_t kMagic = 0x30306865;  // "eh00"
  constexpr uint64_t kTablesSizeAt = 16;
  constexpr uint64_t kSegmentBaseAt = 24;
  constexpr uint64_t kHeaderEnd = 32;
  if (file.size() < kHeaderEnd || ReadNumber(file, kMagicAt, 4) != kMagic) return;
  for (const uint64_t at : {kTablesSizeAt, kSegmentBaseAt}) {
    const uint64_t before = ReadNumber(file, at, 8);
    if (before >= gap.at) WriteNumber(file, at, 8, before + gap.bytes);
  }
}

// What to put behind the elements of a vector.
enum class Fill : uint8_t { kCopies, kCopiesOfOne, kNumbersOfPlaces };

// A number for element `i` of a vector that had the elements of `old`.
uint64_t NewElement(const Buffer& file, const Place& old, uint64_t i, Fill fill, uint64_t one,
                    Random& random) {
  const uint64_t at =
      old.at + old.width * (fill == Fill::kCopiesOfOne ? one : random.Below(old.count));
  const uint64_t number = ReadNumber(file, at, old.width);
  if (old.kind == PlaceKind::kOffset) return number - (old.at + old.width * i - at);
  return fill == Fill::kNumbersOfPlaces ? i : number;
}

uint64_t DrawGrowth(uint64_t count, uint64_t most, Random& random) {
  switch (random.Below(4)) {
    case 0:
      return std::min(1 + random.Below(4), most);
    case 1:
      return std::min(count << random.Below(5), most);
    default:
      return 1 + random.Below(most);
  }
}

// Vectors of tables as often as all others, of which there are many more.
Place DrawVector(const Places& vectors, Random& random) {
  Places tables;
  std::ranges::copy_if(vectors, std::back_inserter(tables),
                       [](const Place& p) { return p.kind == PlaceKind::kOffset; });
  return random.Of(tables.empty() || random.OneIn(2) ? vectors : tables);
}

// A vector, and an element of it.
struct Element {
  Place vector;
  uint64_t number = 0;
};

// The element of a vector of tables by which what lies at `at` is reached, through tables that lead
// there one by one: those that begin shortly before what leads on.
std::optional<Element> TableAround(const Places& places, const Places& vectors, Bytes file,
                                   uint64_t at) {
  constexpr int kMostTables = 4;
  constexpr uint64_t kLargestTable = 64;
  for (int depth = 0; depth < kMostTables; ++depth) {
    std::optional<Element> next;
    uint64_t nearest = 0;
    for (const Place& place : places) {
      if (place.kind != PlaceKind::kOffset) continue;
      for (uint64_t i = 0; i < place.count; ++i) {
        const uint64_t from = place.at + 4 * i;
        const uint64_t to = from + ReadNumber(file, from, 4);
        if (to > at || at - to > kLargestTable || to <= nearest) continue;
        nearest = to;
        next = {place, i};
      }
    }
    if (!next) return std::nullopt;
    const bool listed = std::ranges::find(vectors, next->vector.at, &Place::at) != vectors.end();
    if (listed) return next;
    at = next->vector.at + 4 * next->number;
  }
  return std::nullopt;
}

// `element`: of which more are put behind the others, as `fill` says.
Buffer Grow(Bytes input, const Places& places, const Element& element, Fill fill, Random& random,
            uint64_t most) {
  const Place& vector = element.vector;
  // The room is filled whole but for a byte, the zero after a string.
  const uint64_t room = most / kStep * kStep;
  const uint64_t grown = DrawGrowth(vector.count, (room - 1) / vector.width, random);
  const Gap gap = {.at = vector.at + vector.width * vector.count,
                   .bytes = (grown * vector.width + kStep) / kStep * kStep};

  Buffer file(input.begin(), input.end());
  file.insert(file.begin() + static_cast<ptrdiff_t>(gap.at), gap.bytes, std::byte{0});
  CorrectOffsets(file, input, places, gap);
  CorrectHeader(file, gap);
  WriteNumber(file, vector.at - kLengthWidth, kLengthWidth, vector.count + grown);
  for (uint64_t i = vector.count; i < vector.count + grown; ++i) {
    const uint64_t number = NewElement(file, vector, i, fill, element.number, random);
    WriteNumber(file, vector.at + vector.width * i, vector.width, number);
  }
  return file;
}

// The vector that is grown goes to `grown`: nothing in front of its elements moves.
std::optional<Buffer> GrowOne(Bytes input, Random& random, uint64_t most, Place& grown) {
  const Places places = PlacesIn(input);
  const Places vectors = Vectors(places, input);
  if (vectors.empty() || most < kStep) return std::nullopt;
  grown = DrawVector(vectors, random);
  const auto fill = static_cast<Fill>(random.Below(3));
  return Grow(input, places, {grown, random.Below(grown.count)}, fill, random, most);
}

// More references to the table that a vector lies in.
std::optional<Buffer> GrowAround(Bytes input, const Place& vector, Random& random, uint64_t most) {
  const Places places = PlacesIn(input);
  const auto around =
      TableAround(places, Vectors(places, input), input, vector.at - kLengthWidth);
  if (!around || most < kStep) return std::nullopt;
  return Grow(input, places, *around, Fill::kCopiesOfOne, random, most);
}

}  // namespace

std::optional<Buffer> GrowVector(Bytes input, Random& random, size_t max_size) {
  if (Sniff(input) != FileKind::kProgram || max_size <= input.size()) return std::nullopt;
  const uint64_t room = max_size - input.size();
  Place grown;
  if (random.OneIn(2)) return GrowOne(input, random, room, grown);
  // What is long and what shares it.
  const auto first = GrowOne(input, random, room / 2, grown);
  if (!first) return std::nullopt;
  const uint64_t left = max_size - first->size();
  auto shared = GrowAround(*first, grown, random, left);
  return shared ? shared : GrowOne(*first, random, left, grown);
}

}  // namespace pteproof::fuzz::wire
