#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "base/finding_names.h"
#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Stores x to 'a' and 'b' in bank 2 at the given offsets.
Method Down(uint64_t a, uint64_t b_offset) {
  MethodBuilder b("down");
  const int32_t first = b.Planned(2, a, {4}, "a");
  const int32_t second = b.Planned(2, b_offset, {8}, "b");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {8});
  b.Input(x);
  b.Input(y);
  b.Copy(first, x);
  b.Copy(second, y);
  return b.Build();
}

// Reads both, in the other order of value numbers.
Method Up(uint64_t a, uint64_t b_offset) {
  MethodBuilder b("up");
  const int32_t second = b.Planned(2, b_offset, {8}, "b");
  const int32_t first = b.Planned(2, a, {4}, "a");
  const int32_t p = b.Planned(1, 0, {4});
  b.Add(first, first, p);
  const int32_t q = b.Planned(1, 16, {8});
  b.Add(second, second, q);
  b.Output(p);
  b.Output(q);
  return b.Build();
}

// One pass object per method.
TEST(SharedLayout, RejectsABufferAtTwoOffsets) {
  const Report report = Check(ProgramOf({Down(0, 16), Up(32, 0)}));
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout),
              testing::UnorderedElementsAre(
                  "error shared-layout up v1 bank 2 [32,48) under share-1-2 share-all",
                  "error shared-layout up v0 bank 2 [0,32) under share-1-2 share-all"));
  EXPECT_THAT(VerdictRow(report), testing::EndsWith("unsafe unsafe"));
  const std::string explanation = ExplanationOf(report, rule::kSharedLayout);
  EXPECT_THAT(explanation, HasSubstr("'a'"));
  EXPECT_THAT(explanation, HasSubstr("'down'"));
  EXPECT_THAT(explanation, HasSubstr("'up'"));
}

TEST(SharedLayout, IsSilentWhereAllMethodsAgree) {
  const Report report = Check(ProgramOf({Down(32, 0), Up(32, 0)}));
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout), IsEmpty());
  EXPECT_EQ(VerdictRow(report), "unsafe safe safe");  // bank 2 is private there: state-split
}

// Stores x to 'a' in bank 2. Reads a buffer beside it, and stores to that one too if it has a name
// of its own.
Method StoresAndReads(std::string_view read_name) {
  MethodBuilder b("twice");
  const int32_t stored = b.Planned(2, 0, {4}, "a");
  const int32_t read = b.Planned(2, 16, {4}, read_name);
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  const int32_t p = b.Planned(1, 16, {4});
  b.Add(read, x, p);
  b.Copy(stored, x);
  if (read_name != "a") b.Copy(read, x);
  b.Output(p);
  return b.Build();
}

TEST(SharedLayout, RejectsTwoPlacesInOneMethodUnderEveryPolicy) {
  const Program program = ProgramOf({StoresAndReads("a")});
  EXPECT_THAT(LinesOf(Check(program), rule::kSharedLayout),
              ElementsAre("error shared-layout twice v1 bank 2 [16,32)"));
  EXPECT_THAT(proofs::Prove(program, {}).verdicts, testing::Each(Verdict::kUnsafe));
}

TEST(SharedLayout, IsSilentOnTwoNamesInOneMethod) {
  const Program program = ProgramOf({StoresAndReads("b")});
  EXPECT_EQ(VerdictRow(Check(program)), "safe safe safe");
  EXPECT_THAT(proofs::Prove(program, {}).verdicts, testing::Each(Verdict::kSafe));
}

// A table that misses a method leaves its buffer in a bank of its own.
TEST(SharedLayout, RejectsABufferInTwoBanks) {
  MethodBuilder b("up");
  const int32_t first = b.Planned(1, 32, {4}, "a");
  const int32_t p = b.Planned(1, 0, {4});
  b.Add(first, first, p);
  b.Output(p);
  const Report report = Check(ProgramOf({Down(0, 16), b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout),
              ElementsAre("error shared-layout up v0 bank 1 [32,48) under share-1-2 share-all"));
}

// Reads or stores 'a' as bank 2 [0, 4 * elements).
Method Narrow(const std::string& name, int32_t elements, ScalarType type, uint32_t bank = 2) {
  MethodBuilder b(name);
  const int32_t a = b.Planned(bank, 0, {elements}, "a", type);
  const int32_t x = b.Planned(1, 0, {elements}, {}, type);
  b.Input(x);
  const int32_t sum = b.Planned(1, 256, {elements}, {}, type);
  b.Add(a, x, sum);
  b.Copy(a, sum);
  return b.Build();
}

TEST(SharedLayout, RejectsABufferOfTwoSizes) {
  const Report report = Check(ProgramOf(
      {Narrow("narrow", 4, ScalarType::kFloat32), Narrow("wide", 16, ScalarType::kFloat32)}));
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout),
              ElementsAre("error shared-layout wide v0 bank 2 [0,64) under share-1-2 share-all"));
}

TEST(SharedLayout, RejectsABufferOfTwoTypes) {
  const Report report = Check(ProgramOf(
      {Narrow("floats", 8, ScalarType::kFloat32), Narrow("ints", 8, ScalarType::kInt32)}));
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout), testing::SizeIs(1));
}

TEST(SharedLayout, DependsOnTheLoaderForHigherBanks) {
  const Report report = Check(ProgramOf(
      {Narrow("narrow", 4, ScalarType::kFloat32, 3), Narrow("wide", 16, ScalarType::kFloat32, 3)}));
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout),
              ElementsAre("error shared-layout wide v0 bank 3 [0,64) under share-all"));
}

// Two buffers of one method: 'a' [0, 4 * elements) and 'b' [16,32).
Method TwoBuffers(int32_t elements) {
  MethodBuilder b("wide");
  const int32_t first = b.Planned(2, 0, {elements}, "a");
  const int32_t second = b.Planned(2, 16, {4}, "b");
  const int32_t x = b.Planned(1, 0, {elements});
  const int32_t y = b.Planned(1, 256, {4});
  b.Input(x);
  b.Input(y);
  const int32_t p = b.Planned(1, 512, {elements});
  b.Add(first, x, p);
  const int32_t q = b.Planned(1, 768, {4});
  b.Add(second, y, q);
  b.Copy(first, p);
  b.Copy(second, q);
  return b.Build();
}

// A buffer that is larger here than where the layout was made reaches into the next.
TEST(SharedLayout, RejectsTwoBuffersInTheSameBytes) {
  const Report report = Check(ProgramOf({TwoBuffers(16)}));
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout),
              testing::Contains("error shared-layout wide#3 v0 v1 bank 2 [16,32)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
}

TEST(SharedLayout, IsSilentForBuffersSideBySide) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({TwoBuffers(4)}))), IsEmpty());
}

TEST(SharedLayout, IsSilentForBuffersThatTheManifestKeepsApart) {
  const Program program = ProgramOf(
      {Narrow("narrow", 4, ScalarType::kFloat32), Narrow("wide", 16, ScalarType::kFloat32)});
  const Report report =
      CheckWith(program, R"({"pteproof": 1, "buffers": {"a": {"shared": false}}})");
  EXPECT_THAT(LinesOf(report, rule::kSharedLayout), IsEmpty());
}

// The name stands at another tensor than the registered one.
TEST(SharedLayout, ComparesWithWhatTheManifestRegisters) {
  const Program program = ProgramOf({Narrow("step", 8, ScalarType::kFloat32)});
  const Report other = CheckWith(
      program, R"({"pteproof": 1, "buffers": {"a": {"dtype": "float32", "sizes": [4]}}})");
  EXPECT_THAT(LinesOf(other, rule::kSharedLayout),
              ElementsAre("error shared-layout step#0 v0 bank 2 [0,32)"));
  const Report same = CheckWith(
      program, R"({"pteproof": 1, "buffers": {"a": {"dtype": "float32", "sizes": [2, 4]}}})");
  EXPECT_THAT(TroubleOf(same), IsEmpty());
}

// Views of a named buffer carry its name too: they are no second place of it.
TEST(SharedLayout, IsSilentForAViewThatCarriesTheBuffersName) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, 0, {8}, "a");
  const int32_t x = b.Planned(1, 0, {2, 4});
  b.Input(x);
  const int32_t view = b.Planned(2, 0, {2, 4}, "a");
  const int32_t sum = b.Planned(1, 32, {2, 4});
  b.Add(view, x, sum);
  const int32_t flat = b.Planned(1, 32, {8});
  b.Copy(state, flat);
  b.Output(sum);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// Reads a buffer of that many elements, which begins with stored data of this number; 0: none.
Method Holds(std::string name, int32_t elements, uint64_t lo, uint32_t data) {
  MethodBuilder b(std::move(name));
  const int32_t state = b.Planned(2, lo, {elements}, "state");
  b.TensorAt(state).data_index = data;
  const int32_t out = b.Planned(1, 0, {elements});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  return b.Build();
}

std::string LoadedRow(const Method& one, const Method& other) {
  Program program = ProgramOf({one, other});
  const std::array<std::byte, 32> zeros = {};
  program.initial_values = {{}, zeros, zeros};
  const std::string row = VerdictRow(Check(program));
  const auto proved = proofs::Prove(program, {}).verdicts;
  EXPECT_EQ(row, fmt::format("{} {} {}", Name(proved[0]), Name(proved[1]), Name(proved[2])));
  return row;
}

// Nothing stores to it, but each load puts its own number of bytes there.
TEST(SharedLayout, TellsOfABufferThatIsLoadedInTwoSizes) {
  EXPECT_EQ(LoadedRow(Holds("one", 4, 0, 1), Holds("two", 8, 0, 0)), "safe unsafe unsafe");
  EXPECT_EQ(LoadedRow(Holds("one", 4, 0, 1), Holds("two", 8, 0, 2)), "safe unsafe unsafe");
}

TEST(SharedLayout, TellsOfAReaderThatLooksForTheLoadedValueElsewhere) {
  EXPECT_EQ(LoadedRow(Holds("one", 8, 0, 1), Holds("two", 8, 64, 0)), "safe unsafe unsafe");
}

TEST(SharedLayout, IsSilentIfEachMethodLoadsTheBufferToAPlaceOfItsOwn) {
  EXPECT_EQ(LoadedRow(Holds("one", 8, 0, 1), Holds("two", 8, 64, 1)), "safe safe safe");
  EXPECT_EQ(LoadedRow(Holds("one", 8, 0, 1), Holds("two", 8, 0, 1)), "safe safe safe");
}

}  // namespace
}  // namespace pteproof
