// What is said of stores that the program lacks: what is missing, where it went, what that does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;

// Reads 'level' (v0), and stores its input to 'other' (v1).
MethodBuilder ReadsLevel() {
  MethodBuilder b("step");
  const int32_t level = b.Planned(2, 0, {8}, "level");
  const int32_t other = b.Planned(2, 32, {8}, "other");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(level, other, sum);
  b.Copy(other, sum);
  b.Output(sum);
  return b;
}

TEST(LostStoreExplanations, TellOfABufferThatNobodyEverGivesAValue) {
  EXPECT_EQ(
      ExplanationOf(Check(ProgramOf({ReadsLevel().Build()})), rule::kWriteBackMissing),
      "Buffer v0 'level' bank 2 [0,32) is read, but no method stores to it and the file holds "
      "no initial value.\n"
      "A store of the model was dropped at export, most likely in 'step'.\n"
      "Every call reads the bytes that the bank started with.");
}

TEST(LostStoreExplanations, TellOfABufferBesideIt) {
  MethodBuilder b = ReadsLevel();
  b.Planned(2, 64, {8}, "idle");
  const Report report = Check(ProgramOf({b.Build()}));
  ASSERT_EQ(LinesOf(report, rule::kWriteBackMissing).size(), 2U);
  const Finding& beside = report.findings[1];
  EXPECT_EQ(beside.explanation,
            "Nothing in the program touches buffer v6 'idle' bank 2 [64,96), and the file holds no "
            "initial value.\n"
            "The buffer is planned since the model stores to it. The store was dropped, like the "
            "one of 'level'.\n"
            "Later calls read the old value.");
  EXPECT_EQ(beside.fix, "Let the model store a clone.");
}

TEST(LostStoreExplanations, TellOfAStoreThatTheModelMakes) {
  constexpr std::string_view kTail =
      "No instruction makes that store: it was dropped at export.\n"
      "Later calls read the old value.";
  const Program program = ProgramOf({ReadsLevel().Build()});
  const Report read = CheckWith(program, R"({"pteproof": 1, "methods": {"step": {
      "reads": ["level", "other"], "mutates": ["level", "other"]}}})");
  EXPECT_EQ(ExplanationOf(read, rule::kWriteBackMissing),
            "The model's 'step' stores to buffer 'level' (v0 bank 2 [0,32)); the program's does "
            "not.\n" +
                std::string(kTail));
  EXPECT_EQ(read.findings[0].severity, Severity::kError);
  EXPECT_FALSE(read.findings[0].undecided);
}

TEST(LostStoreExplanations, TellOfABufferThatTheProgramDoesNotHave) {
  const Program program = ProgramOf({ReadsLevel().Build()});
  const auto report_where = [&](std::string_view reads) {
    return CheckWith(program, R"({"pteproof": 1, "methods": {"step": {"reads": [)" +
                                  std::string(reads) + R"(], "mutates": ["other", "gone"]}}})");
  };
  const Report read = report_where(R"("gone")");
  EXPECT_EQ(ExplanationOf(read, rule::kWriteBackMissing),
            "The model's 'step' stores to buffer 'gone'; the program's does not.\n"
            "The program's 'step' has no such buffer.\n"
            "Later calls read the old value.");
  EXPECT_THAT(LinesOf(read, rule::kWriteBackMissing),
              testing::Contains("error write-back-missing step"));
  EXPECT_EQ(FixOf(read, rule::kWriteBackMissing),
            "Let the model store a clone. Register a parameter that calls update as a buffer.");
  const Report unread = report_where("");
  const auto gone = std::ranges::find_if(unread.findings, [](const Finding& finding) {
    return finding.rule == rule::kWriteBackMissing && finding.values.empty();
  });
  ASSERT_NE(gone, unread.findings.end());
  EXPECT_EQ(gone->explanation,
            "The model's 'step' stores to buffer 'gone'; the program's does not.\n"
            "The program's 'step' has no such buffer.\n"
            "No method reads the buffer, so no output shows it.");
  EXPECT_THAT(LinesOf(unread, rule::kWriteBackMissing),
              testing::Contains("warning write-back-missing step"));
}

TEST(LostStoreExplanations, TellOfAStoreOntoItself) {
  MethodBuilder b("step");
  const int32_t level = b.Planned(2, 0, {8}, "level");
  const int32_t out = b.Planned(1, 0, {8});
  b.Add(level, level, out);
  b.Copy(level, level);
  b.Output(out);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing),
              ElementsAre("note write-back-missing step#1 v0 bank 2 [0,32) undecided"));
  EXPECT_EQ(
      ExplanationOf(report, rule::kWriteBackMissing),
      "Buffer v0 'level' bank 2 [0,32) is read, but no method stores to it and the file holds "
      "no initial value.\n"
      "Instruction 1 (aten::copy_) stores the buffer onto itself.\n"
      "If the model does not do so, later calls read the old value.");
  EXPECT_EQ(FixOf(report, rule::kWriteBackMissing),
            "State in a manifest whether the model stores to the buffer (`mutates`).");
}

TEST(LostStoreExplanations, TellOfABufferThatADelegateIsGiven) {
  MethodBuilder b("step");
  const int32_t level = b.Planned(2, 0, {8}, "level");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Add(level, x, x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Delegate({level, x, out});
  b.Output(out);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing), testing::IsEmpty());
  EXPECT_THAT(LinesOf(report, rule::kNotProvable),
              testing::Contains("note not-provable step v0 bank 2 [0,32)"));
  EXPECT_THAT(
      ExplanationOf(report, rule::kNotProvable),
      "Buffer v0 'level' bank 2 [0,32) is given to a delegate, and no instruction stores to "
      "it.\n"
      "The file does not say whether the delegate stores to it.\n"
      "If the model stores to the buffer and the delegate does not, later calls read the old "
      "value.");
  EXPECT_EQ(
      FixOf(report, rule::kNotProvable),
      "Say in the manifest which arguments each delegate call updates (delegates[].updates).");
}

// Two states without names, one of which is stored to.
Report Nameless(std::string_view stated) {
  MethodBuilder b("step");
  const int32_t first = b.Planned(2, 0, {8});
  const int32_t second = b.Planned(2, 32, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(first, second, out);
  b.Copy(first, x);
  b.Output(out);
  return CheckWith(ProgramOf({b.Build()}),
                   R"({"pteproof": 1, "methods": {"step": )" + std::string(stated) + "}}");
}

TEST(LostStoreExplanations, CountStoresWhereNothingNamesTheBuffers) {
  EXPECT_EQ(ExplanationOf(Nameless(R"({"reads": ["a", "b", "c"], "mutates": ["a", "b", "c"]})"),
                          rule::kWriteBackMissing),
            "The model's 'step' stores to 3 buffers; the program's misses 2 of them.\n"
            "Its buffers have no names, so the file does not tell which.\n"
            "Later calls read the old value.");
  const Report unread = Nameless(R"({"reads": ["a"], "mutates": ["a", "b", "c"]})");
  EXPECT_EQ(ExplanationOf(unread, rule::kWriteBackMissing),
            "The model's 'step' stores to 3 buffers; the program's misses 2 of them.\n"
            "Its buffers have no names, so the file does not tell which.\n"
            "No method reads as many of them, so outputs need not show the loss.");
  EXPECT_THAT(LinesOf(unread, rule::kWriteBackMissing),
              ElementsAre("warning write-back-missing step"));
}

// Its input takes, in the very first instruction, what may be the buffer's.
MethodBuilder StoresToItsInput() {
  MethodBuilder b("step");
  b.Planned(2, 0, {8}, "level");
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t y = b.Planned(1, 32, {8});
  b.Input(x);
  b.Input(y);
  b.Copy(x, y);
  return b;
}

TEST(LostStoreExplanations, TellOfABufferThatNothingTouches) {
  MethodBuilder b = StoresToItsInput();
  b.Output(2);
  EXPECT_EQ(ExplanationOf(Check(ProgramOf({b.Build()})), rule::kWriteBackMissing),
            "Nothing in 'step' touches buffer v0 'level' bank 2 [0,32).\n"
            "Instruction 0 (aten::copy_) of 'step' stores to v1 bank 1 [0,32) instead.\n"
            "Later calls read the old value.");
  EXPECT_EQ(FixOf(Check(ProgramOf({b.Build()})), rule::kWriteBackMissing),
            "Rename the argument if it has the buffer's name; else let the model store to the "
            "buffer.");
}

TEST(LostStoreExplanations, TellWhereAStoreWentThoughADelegateIsGivenTheBuffer) {
  MethodBuilder b = StoresToItsInput();
  const int32_t out = b.Planned(1, 64, {8});
  b.Delegate({0, 2, out});
  b.Output(out);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kWriteBackMissing),
              ElementsAre("error write-back-missing step#0 v0 bank 2 [0,32)"));
  EXPECT_THAT(ExplanationOf(report, rule::kWriteBackMissing),
              testing::HasSubstr("\nInstruction 0 (aten::copy_) of 'step' stores to v1 "));
}

}  // namespace
}  // namespace pteproof
