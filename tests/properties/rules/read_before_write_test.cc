#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/elided_names.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Reads 'level', whose registered value may be in the file (data 1).
Method ReadLevel(bool stored, uint32_t bank = 2) {
  MethodBuilder b("read");
  const int32_t level = b.Planned(bank, 0, {8}, "level");
  if (stored) b.TensorAt(level).data_index = 1;
  const int32_t out = b.Planned(1, 64, {8});
  b.Call("aten::relu.out", {level, out, out});
  b.Output(out);
  return b.Build();
}

Method WriteLevel(bool stored, uint32_t bank = 2) {
  MethodBuilder b("write");
  const int32_t level = b.Planned(bank, 0, {8}, "level");
  if (stored) b.TensorAt(level).data_index = 1;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(level, x);
  return b.Build();
}

Program Both(bool reader_stores, bool writer_stores, uint32_t bank = 2) {
  Program program = ProgramOf({WriteLevel(writer_stores, bank), ReadLevel(reader_stores, bank)});
  program.initial_values.emplace_back();
  return program;
}

constexpr std::string_view kRegistered =
    R"({"pteproof": 1, "buffers": {"level": {"initial": "stored"}}})";

TEST(ReadBeforeWrite, TellsOfARegisteredValueThatTheFileDoesNotHold) {
  const Report report = CheckWith(Both(false, false), kRegistered);
  EXPECT_THAT(LinesOf(report, rule::kReadBeforeWrite),
              ElementsAre("error read-before-write read#0 v0 bank 2 [0,32)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kReadBeforeWrite), HasSubstr("'level'"));
}

TEST(ReadBeforeWrite, IsSilentWhereTheFileHoldsTheValue) {
  EXPECT_THAT(LinesOf(CheckWith(Both(true, true), kRegistered), rule::kReadBeforeWrite), IsEmpty());
}

TEST(ReadBeforeWrite, NeedsTheManifest) {
  EXPECT_THAT(LinesOf(Check(Both(false, false)), rule::kReadBeforeWrite), IsEmpty());
}

TEST(ReadBeforeWrite, IsSilentForABufferThatStartsAtZeroOrAnywhere) {
  for (const std::string_view initial : {"zero", "any"}) {
    const std::string manifest =
        R"({"pteproof": 1, "buffers": {"level": {"initial": ")" + std::string(initial) + R"("}}})";
    EXPECT_THAT(LinesOf(CheckWith(Both(false, false), manifest), rule::kReadBeforeWrite),
                IsEmpty());
  }
}

// Another method's load fills the common bank, but only if that method is loaded before.
TEST(ReadBeforeWrite, CountsAnotherMethodsInitialValueOnlyWhereAllAreLoadedFirst) {
  const Program program = Both(false, true);
  EXPECT_THAT(LinesOf(CheckWith(program, kRegistered), rule::kReadBeforeWrite),
              ElementsAre("error read-before-write read#0 v0 bank 2 [0,32)"));
  constexpr std::string_view kAllFirst =
      R"({"pteproof": 1, "load": "all-first", "buffers": {"level": {"initial": "stored"}}})";
  EXPECT_THAT(LinesOf(CheckWith(program, kAllFirst), rule::kReadBeforeWrite),
              ElementsAre("error read-before-write read#0 v0 bank 2 [0,32) under private"));
  EXPECT_THAT(
      LinesOf(CheckWith(Both(false, true, 3), kAllFirst), rule::kReadBeforeWrite),
      ElementsAre("error read-before-write read#0 v0 bank 3 [0,32) under private share-1-2"));
  // Loading all of them fills nothing where none has the value.
  EXPECT_THAT(LinesOf(CheckWith(Both(false, false), kAllFirst), rule::kReadBeforeWrite),
              ElementsAre("error read-before-write read#0 v0 bank 2 [0,32)"));
}

TEST(ReadBeforeWrite, IsSilentForABufferThatIsOverwrittenFirst) {
  MethodBuilder b("write");
  const int32_t level = b.Planned(2, 0, {8}, "level");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(level, x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(level, x, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(CheckWith(ProgramOf({b.Build()}), kRegistered), rule::kReadBeforeWrite),
              IsEmpty());
}

// A value that one branch makes, or both.
Method Branches(bool both) {
  MethodBuilder b;
  const int32_t flag = b.Planned(1, 0, {1}, {}, ScalarType::kBool);
  const int32_t a = b.Planned(1, 16, {8});
  b.Input(flag);
  b.Input(a);
  const int32_t never = b.Bool(false);
  const int32_t made = b.Planned(1, 64, {8});
  b.JumpFalse(flag, 3);
  b.Add(a, a, made);
  const int32_t skip = b.JumpFalse(never, 4);
  if (both) {
    b.Mul(a, a, made);
  } else {
    const int32_t else_made = b.Planned(1, 96, {8});
    b.Mul(a, a, else_made);
  }
  b.SetTarget(skip, b.Next());
  const int32_t out = b.Planned(1, 128, {8});
  b.Add(made, a, out);
  b.Output(out);
  return b.Build();
}

TEST(ReadBeforeWrite, LeavesAPathWithoutAMakerUndecided) {
  const Report report = Check(ProgramOf({Branches(false)}));
  EXPECT_THAT(LinesOf(report, rule::kReadBeforeWrite),
              ElementsAre("note read-before-write forward#4 v3 bank 1 [64,96) undecided"));
  EXPECT_EQ(VerdictRow(report), "undecided undecided undecided");
}

TEST(ReadBeforeWrite, IsSilentWhereEveryPathMakesTheValue) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({Branches(true)}))), IsEmpty());
}

TEST(ReadBeforeWrite, TellsOfAViewOfAReturnedNameWhoseBytesHoldADeadValue) {
  for (const bool is_concatenation : {false, true}) {
    const Report report = Check(ProgramOf({ViewOfAReturnedName(is_concatenation).method}));
    EXPECT_EQ(LinesOf(report, rule::kReadBeforeWrite).size(), 1U);
    EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  }
}

}  // namespace
}  // namespace pteproof
