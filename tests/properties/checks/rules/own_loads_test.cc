// Loading a method puts the initial value of one of its buffers over another: which two meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::IsEmpty;

struct Loadable {
  uint32_t bank = 2;
  uint64_t offset = 0;
  uint32_t data = 0;  // 0: loading leaves it alone
  bool read = false;  // else it is stored to
};

// Reads some buffers, then stores to the others. They are v1, v2 and so on, of 32 bytes each.
Report Loaded(const std::vector<Loadable>& buffers) {
  MethodBuilder b("step");
  const int32_t x = b.Planned(9, 0, {8});
  b.Input(x);
  std::vector<int32_t> values;
  for (const Loadable& buffer : buffers) {
    const std::string name = "s" + std::to_string(values.size());
    values.push_back(b.Planned(buffer.bank, buffer.offset, {8}, name));
    b.TensorAt(values.back()).data_index = buffer.data;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (buffers[i].read) b.Mul(values[i], x, x);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (!buffers[i].read) b.Copy(values[i], x);
  }
  static constexpr std::array<std::byte, 32> kZeros = {};
  static constexpr std::array<std::byte, 32> kOther = {std::byte{1}};
  Program program = ProgramOf({b.Build()});
  program.initial_values = {{}, kZeros, kOther};
  return Check(program);
}

// Only the findings of loading: they stand at no instruction.
std::vector<std::string> MeetingsIn(const std::vector<Loadable>& buffers) {
  std::vector<std::string> lines;
  for (const std::string& line : LinesOf(Loaded(buffers), rule::kStateClobbered)) {
    if (line.starts_with("error state-clobbered step v")) lines.push_back(line);
  }
  return lines;
}

TEST(OwnLoads, MeetInTheOrderOfTheirPlacesNotOfTheirNumbers) {
  EXPECT_THAT(
      MeetingsIn(
          {{.offset = 0, .read = true}, {.offset = 64, .read = true}, {.offset = 16, .data = 1}}),
      Contains("error state-clobbered step v3 v1 bank 2 [16,32)"));
}

TEST(OwnLoads, AreLookedForInEachBank) {
  EXPECT_THAT(MeetingsIn({{.bank = 1, .offset = 1024, .read = true},
                          {.bank = 2, .offset = 0, .read = true},
                          {.bank = 2, .offset = 16, .data = 1}}),
              Contains("error state-clobbered step v3 v2 bank 2 [16,32)"));
  EXPECT_THAT(MeetingsIn({{.bank = 1, .offset = 1024, .data = 1},
                          {.bank = 2, .offset = 0, .data = 1},
                          {.bank = 2, .offset = 16, .read = true}}),
              Contains("error state-clobbered step v2 v3 bank 2 [16,32)"));
  EXPECT_THAT(MeetingsIn({{.bank = 1, .offset = 0, .read = true}, {.bank = 2, .data = 1}}),
              IsEmpty());
}

TEST(OwnLoads, OfOnePlaceAndValueAreWantedWhereOneOfThemIs) {
  EXPECT_THAT(MeetingsIn({{.offset = 0, .data = 1},
                          {.offset = 0, .data = 1, .read = true},
                          {.offset = 16, .data = 2}}),
              Contains("error state-clobbered step v3 v1 bank 2 [16,32)"));
  EXPECT_THAT(MeetingsIn({{.offset = 0, .data = 1, .read = true},
                          {.offset = 0, .data = 1},
                          {.offset = 16, .data = 2}}),
              Contains("error state-clobbered step v3 v1 bank 2 [16,32)"));
}

TEST(OwnLoads, HarmNobodyWhoDoesNotReadAtEntry) {
  EXPECT_THAT(MeetingsIn({{.offset = 0}, {.offset = 16, .data = 1}}), IsEmpty());
  EXPECT_THAT(MeetingsIn({{.offset = 0, .data = 1}, {.offset = 16, .data = 2}}), IsEmpty());
  EXPECT_THAT(MeetingsIn({{.offset = 0, .read = true}, {.offset = 16, .read = true}}), IsEmpty());
}

TEST(OwnLoads, HarmNobodyBesideThem) {
  EXPECT_THAT(MeetingsIn({{.offset = 0, .data = 1}, {.offset = 32, .read = true}}), IsEmpty());
  EXPECT_THAT(MeetingsIn({{.offset = 0, .read = true}, {.offset = 32, .data = 1}}), IsEmpty());
}

TEST(OwnLoads, AreLookedForOverTheOneThatEndsLast) {
  EXPECT_THAT(
      MeetingsIn(
          {{.offset = 0, .read = true}, {.offset = 64, .read = true}, {.offset = 80, .data = 1}}),
      Contains("error state-clobbered step v3 v2 bank 2 [80,96)"));
  EXPECT_THAT(
      MeetingsIn(
          {{.offset = 0, .data = 1}, {.offset = 64, .data = 1}, {.offset = 80, .read = true}}),
      Contains("error state-clobbered step v2 v3 bank 2 [80,96)"));
}

TEST(OwnLoads, AreToldOverTheFirstOfTwoThatAreRead) {
  EXPECT_THAT(
      MeetingsIn(
          {{.offset = 0, .read = true}, {.offset = 0, .read = true}, {.offset = 16, .data = 1}}),
      Contains("error state-clobbered step v3 v1 bank 2 [16,32)"));
}

}  // namespace
}  // namespace pteproof
