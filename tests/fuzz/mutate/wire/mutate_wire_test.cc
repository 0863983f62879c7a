#include "fuzz/mutate/wire/mutate_wire.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "fuzz/mutate/wire/number.h"
#include "fuzz/mutate/wire/places.h"
#include "runtime/read_data.h"
#include "tests/fuzz/mutate/inputs.h"
#include "tests/support/wire_program.h"

namespace pteproof {
namespace {

using fuzz::Buffer;
using fuzz::Random;
using WirePlace = fuzz::wire::Place;
using fuzz::wire::PlaceKind;
using fuzz::wire::PlacesIn;
using fuzz::wire::ReadNumber;

size_t BytesThatDiffer(const Buffer& a, const Buffer& b) {
  size_t count = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

// Whether some place of the kind holds `number`.
bool Holds(const Buffer& file, PlaceKind kind, size_t width, uint64_t number) {
  for (const WirePlace& place : PlacesIn(file)) {
    if (place.kind != kind || place.width != width) continue;
    for (uint64_t i = 0; i < place.count; ++i) {
      if (ReadNumber(file, place.at + i * width, width) == number) return true;
    }
  }
  return false;
}

TEST(WirePlaces, HoldWhatTheFileSays) {
  wire::File file = wire::AddFile();
  file.tensor(1).placement->offset = 0x1230;
  file.tensor(1).sizes = std::vector<int32_t>{77};
  file.tensor(1).type = 23;
  const Buffer bytes = wire::Build(file);
  EXPECT_TRUE(Holds(bytes, PlaceKind::kNumber, 4, 0x1230));
  EXPECT_TRUE(Holds(bytes, PlaceKind::kNumber, 4, 77));
  EXPECT_TRUE(Holds(bytes, PlaceKind::kNumber, 1, 23));
  EXPECT_TRUE(Holds(bytes, PlaceKind::kTag, 1, wire::kTensor));
  EXPECT_TRUE(Holds(bytes, PlaceKind::kLength, 4, file.method().values->size()));
  EXPECT_TRUE(Holds(bytes, PlaceKind::kHeader, 8, bytes.size() - 12));  // where the segments begin
}

TEST(WirePlaces, AreOfAllKindsInEveryKindOfFile) {
  for (const auto& [name, header] :
       {std::pair{"base.pte", true}, std::pair{"base.ptd", true}, std::pair{"base.bpte", true}}) {
    const auto inputs = CorpusInputs("crafted", name);
    ASSERT_EQ(inputs.size(), 1U);
    std::set<PlaceKind> kinds;
    for (const WirePlace& place : PlacesIn(inputs[0])) kinds.insert(place.kind);
    for (const PlaceKind kind : {PlaceKind::kNumber, PlaceKind::kLength, PlaceKind::kOffset,
                                 PlaceKind::kSlot, PlaceKind::kHeader}) {
      EXPECT_TRUE(kinds.contains(kind)) << name << " " << static_cast<int>(kind);
    }
  }
}

TEST(WirePlaces, KnowTheEarlyFormatOfData) {
  const auto early = CorpusInputs("crafted/legal", "data-early-layout.ptd");
  ASSERT_EQ(early.size(), 1U);
  const auto data = ReadDataFile(early[0]);
  ASSERT_TRUE(data.ok());
  ASSERT_FALSE(data.value().entries.empty());
  for (const DataEntry& entry : data.value().entries) {
    EXPECT_TRUE(Holds(early[0], PlaceKind::kLength, 4, entry.key.size()));
    for (const int32_t size : entry.layout->sizes) {
      EXPECT_TRUE(Holds(early[0], PlaceKind::kNumber, 4, static_cast<uint64_t>(size)));
    }
  }
}

TEST(WirePlaces, LieInTheFileWhereverItIsCut) {
  for (const Buffer& whole : SeedPrograms()) {
    for (size_t size = 8; size < whole.size(); size += 97) {
      const Buffer cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
      for (const WirePlace& place : PlacesIn(cut)) {
        EXPECT_LE(place.at + place.count * place.width, cut.size());
      }
    }
  }
}

TEST(MutateWire, ChangesFewBytesInPlace) {
  for (const Buffer& input : SeedPrograms()) {
    Random random(7);
    const auto output = fuzz::wire::Mutate(input, random);
    ASSERT_TRUE(output);
    EXPECT_EQ(output->size(), input.size());
    EXPECT_GT(BytesThatDiffer(*output, input), 0U);
    EXPECT_LE(BytesThatDiffer(*output, input), input.size() / 8);
  }
}

TEST(MutateWire, ChangesTheProgramInsideABundleToo) {
  const auto bundles = CorpusInputs("crafted", "base.bpte");
  ASSERT_EQ(bundles.size(), 1U);
  const auto programs = CorpusInputs("crafted", "base.pte");
  int outside = 0;
  int inside = 0;
  // The inner program begins with its own identifier behind the bundle's.
  const std::string_view text(reinterpret_cast<const char*>(bundles[0].data()), bundles[0].size());
  const size_t program = text.find("ET12");
  ASSERT_NE(program, text.npos);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const auto output = fuzz::wire::Mutate(bundles[0], random);
    ASSERT_TRUE(output);
    const Buffer head(output->begin(), output->begin() + static_cast<ptrdiff_t>(program));
    BytesThatDiffer(head, bundles[0]) > 0 ? ++outside : ++inside;
  }
  EXPECT_GE(inside, 40);
  EXPECT_GE(outside, 20);
}

TEST(MutateWire, GivesNothingForBytesWithoutAnIdentifier) {
  Random random(1);
  EXPECT_FALSE(fuzz::wire::Mutate(Buffer(200, std::byte{1}), random));
  EXPECT_FALSE(fuzz::wire::Mutate({}, random));
}

}  // namespace
}  // namespace pteproof
