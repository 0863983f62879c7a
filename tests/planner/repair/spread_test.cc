// Every storage with bytes of its own, and every buffer with one place.
#include "planner/repair/spread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "planner/lift/webs.h"
#include "planner/repair/state_places.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::HasSubstr;

StatePlaces PlacesOf(const Program& program, const Manifest* manifest = nullptr) {
  const auto meaning = meaning::MeaningOf(program, manifest);
  std::vector<MeantMethod> methods;
  for (const auto& method : meaning.methods) methods.push_back(MeantMethodOf(method));
  return StatePlacesOf(program, methods, {});
}

Spread SpreadIn(const Program& program) {
  return SpreadOut(program, meaning::MeaningOf(program, nullptr));
}

// Adds `name`, a buffer at that place, to an input at 0 of bank 1.
MethodBuilder Reader(const std::string& method, uint64_t offset, const std::string& name,
                     uint32_t bank = 2) {
  MethodBuilder m(method);
  const int32_t state = m.Planned(bank, offset, {4}, name);
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, state, y);
  m.Output(y);
  return m;
}

TEST(StatePlacesTest, BuffersThatAreRightStay) {
  const StatePlaces state =
      PlacesOf(ProgramOf({Reader("one", 32, "a").Build(), Reader("two", 64, "b").Build(),
                          Reader("three", 32, "a").Build()}));
  EXPECT_EQ(state.places.at("a"), (BankBytes{2, 32, 48}));
  EXPECT_EQ(state.places.at("b"), (BankBytes{2, 64, 80}));
  EXPECT_EQ(state.ends.at(2), 80U);
}

TEST(StatePlacesTest, BuffersThatShareBytesAreLaidOutByName) {
  const StatePlaces state =
      PlacesOf(ProgramOf({Reader("one", 32, "b").Build(), Reader("two", 40, "a").Build()}));
  EXPECT_EQ(state.places.at("a"), (BankBytes{2, 0, 16}));
  EXPECT_EQ(state.places.at("b"), (BankBytes{2, 16, 32}));
}

TEST(StatePlacesTest, ABufferAtTwoPlacesGetsOne) {
  const StatePlaces state =
      PlacesOf(ProgramOf({Reader("one", 32, "a").Build(), Reader("two", 0, "a").Build()}));
  EXPECT_EQ(state.places.at("a"), (BankBytes{2, 0, 16}));
}

TEST(StatePlacesTest, ABufferInTwoBanksComesToTheLast) {
  const StatePlaces state =
      PlacesOf(ProgramOf({Reader("one", 32, "a", 1).Build(), Reader("two", 0, "a", 2).Build()}));
  EXPECT_EQ(state.places.at("a"), (BankBytes{2, 0, 16}));
}

// 'two' plans its input over the buffer of 'one'.
TEST(StatePlacesTest, BuffersThatAnotherMethodWritesOverMove) {
  const StatePlaces state =
      PlacesOf(ProgramOf({Reader("one", 32, "a", 1).Build(), Reader("two", 0, "b", 1).Build()}));
  EXPECT_EQ(state.places.at("a"), (BankBytes{1, 0, 16}));
  EXPECT_EQ(state.places.at("b"), (BankBytes{1, 16, 32}));
}

// The file alone does not tell that they are two.
TEST(StatePlacesTest, BuffersThatTheManifestNamesComeApart) {
  const Program program = ProgramOf({Reader("one", 0, "").Build(), Reader("two", 0, "").Build()});
  EXPECT_EQ(PlacesOf(program).places.size(), 1U);
  Manifest manifest;
  manifest.methods["one"].values = {{0, "a"}};
  manifest.methods["two"].values = {{0, "b"}};
  const StatePlaces state = PlacesOf(program, &manifest);
  EXPECT_EQ(state.places.at("a"), (BankBytes{2, 0, 16}));
  EXPECT_EQ(state.places.at("b"), (BankBytes{2, 16, 32}));
}

TEST(SpreadTest, ValuesThatLayOverEachOtherComeApart) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 0, {4});
  const int32_t y = m.Planned(1, 8, {4});
  m.Add(x, x, a);
  m.Add(a, x, y);
  m.Output(y);
  const Spread spread = SpreadIn(ProgramOf({m.Build()}));
  EXPECT_EQ(spread.failure, "");
  const Method& method = spread.program.methods[0];
  for (const int32_t v : {x, a, y}) {
    for (const int32_t w : {x, a, y}) {
      if (v != w) EXPECT_FALSE(Meet(BytesOf(method, v), BytesOf(method, w))) << v << " " << w;
    }
  }
  EXPECT_GE(method.bank_sizes[1], 48U);
}

TEST(SpreadTest, AViewGoesWithItsBase) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 0, {4});
  m.Add(x, x, a);
  const int32_t view = m.Planned(1, 0, {2, 2});
  const int32_t y = m.Planned(1, 16, {2, 2});
  m.Add(view, view, y);
  m.Output(y);
  const Method method = SpreadIn(ProgramOf({m.Build()})).program.methods[0];
  EXPECT_EQ(BytesOf(method, view), BytesOf(method, a));
  EXPECT_FALSE(Meet(BytesOf(method, x), BytesOf(method, a)));
}

TEST(SpreadTest, SaysWhichValueWouldHaveToLieAtTwoPlaces) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  const int32_t z = m.Planned(1, 16, {4});
  m.Input(x);
  m.Input(z);
  const int32_t whole = m.Planned(1, 0, {8});
  const int32_t again = m.Planned(1, 0, {8});
  const int32_t y = m.Planned(1, 32, {8});
  m.Add(whole, again, y);
  m.Output(y);
  EXPECT_EQ(SpreadIn(ProgramOf({m.Build()})).failure, "");
  // A buffer and an input are no concatenation that a plan could keep.
  MethodBuilder n;
  const int32_t state = n.Planned(1, 0, {4}, "state");
  const int32_t w = n.Planned(1, 16, {4});
  n.Input(w);
  const int32_t both = n.Planned(1, 0, {8});
  const int32_t r = n.Planned(1, 32, {8});
  n.Add(both, both, r);
  n.Copy(state, w);
  n.Output(r);
  EXPECT_THAT(SpreadIn(ProgramOf({n.Build()})).failure, HasSubstr("a buffer, and beyond"));
}

}  // namespace
}  // namespace pteproof::planner
