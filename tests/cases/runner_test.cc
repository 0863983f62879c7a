// The runner of cases notices what is wrong with a file, and says where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/cases/judge_case.h"
#include "tests/support/files.h"

namespace pteproof::cases {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kHead = R"(# A sum over a value that is read later.
revision over at=16
revision beside at=48

program
method forward(%x: float32[4] @1:0) {
  %a: float32[4] @1:16 = aten::mul.out(%x, %x)
  %b: float32[4] @1:$at = aten::mul.out(%x, %x)
  %c: float32[4] @1:32 = aten::mul.out(%a, %b)
  return %c
}

)";

constexpr std::string_view kExpected = R"(expect over: unsafe
error plan-overlap forward#1 %a %b bank 1 [16,32)
  says "Instruction 2"
expect beside: safe
)";

std::string FileOf(std::string_view head, std::string_view expected) {
  return std::string(head) + std::string(expected);
}

// The file with one text in the place of another, which must be there.
std::string With(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  if (at != text.npos) text.replace(at, from.size(), to);
  return text;
}

const std::string& Good() {
  static const std::string good = FileOf(kHead, kExpected);
  return good;
}

std::vector<std::string> Failures(std::string_view text, size_t revision = 0) {
  return FailuresOf(text, revision, "a.case");
}

TEST(CasesRunner, PassesWhatComesOutAsExpected) {
  EXPECT_THAT(Failures(Good(), 0), IsEmpty());
  EXPECT_THAT(Failures(Good(), 1), IsEmpty());
}

TEST(CasesRunner, PassesTheExampleOfItsPage) {
  std::string page = ReadText(std::string(PTEPROOF_SOURCE_DIR) + "/tests/cases/README.md");
  page.erase(0, page.find("```\n") + 4);
  page.erase(page.find("```\n"));
  EXPECT_THAT(Failures(page, 0), IsEmpty());
  EXPECT_THAT(Failures(page, 1), IsEmpty());
}

TEST(CasesRunner, TellsOfAWrongVerdict) {
  EXPECT_THAT(Failures(With(Good(), ": safe", ": safe safe unsafe"), 1),
              ElementsAre("a.case:16:1: the verdict is safe, expected: safe safe unsafe"));
}

TEST(CasesRunner, TellsOfAFindingThatIsMissing) {
  const std::string text = With(Good(), ": safe", ": safe\nerror plan-overlap forward#2 %a %b");
  EXPECT_THAT(Failures(text, 1),
              ElementsAre("a.case:17:1: not found: error plan-overlap forward#2 %a %b"));
}

TEST(CasesRunner, TellsOfAFindingThatIsNotExpected) {
  const std::string text = With(
      Good(), "error plan-overlap forward#1 %a %b bank 1 [16,32)\n  says \"Instruction 2\"\n", "");
  EXPECT_THAT(Failures(text),
              ElementsAre("a.case:13:1: not expected: error plan-overlap forward#1 %a %b bank 1 "
                          "[16,32)"));
}

TEST(CasesRunner, TellsOfATextThatNoFindingSays) {
  EXPECT_THAT(Failures(With(Good(), "Instruction 2", "Instruction 3")),
              ElementsAre(HasSubstr("a.case:15:1: not said by error plan-overlap forward#1")));
}

TEST(CasesRunner, ReadsNamesInTextsAsTheNumbersThatFindingsSay) {
  const std::string text = With(Good(), "says \"Instruction 2\"", "says \"reads %a\"");
  EXPECT_THAT(Failures(text), IsEmpty());
  EXPECT_THAT(Failures(With(text, "reads %a", "reads %c")), testing::SizeIs(1));
}

TEST(CasesRunner, LetsPointsStandForAnyCharacters) {
  EXPECT_THAT(Failures(With(Good(), "forward#1 %a %b bank 1 [16,32)", "...[16,...")), IsEmpty());
  EXPECT_FALSE(Matches("a...c", "abd"));
  EXPECT_TRUE(Matches("a...c", "abcc"));
}

TEST(CasesRunner, TellsOfARevisionThatIsNotKnown) {
  EXPECT_THAT(Failures(With(Good(), "expect beside", "expect besides")),
              ElementsAre("a.case:16:8: 'besides' is not a revision of this file."));
  EXPECT_THAT(Failures(With(Good(), "  %a:", "[under] %a:")),
              ElementsAre("a.case:7:2: 'under' is not a revision of this file."));
  EXPECT_THAT(Failures(With(Good(), "expect beside: safe\n", ""), 1),
              ElementsAre(HasSubstr("No verdict is expected of it.")));
}

TEST(CasesRunner, TellsOfALineThatItDoesNotKnow) {
  EXPECT_THAT(Failures(With(Good(), "revision over", "revisoin over")),
              ElementsAre(HasSubstr("a.case:2:1: 'revisoin' is not a line of a case's head.")));
  EXPECT_THAT(Failures(With(Good(), ": safe", ": sound")),
              ElementsAre(HasSubstr("a.case:16:16: A verdict is safe, undecided or unsafe")));
  EXPECT_THAT(Failures(With(Good(), "$at", "$to")),
              ElementsAre("a.case:8:21: $to has no value in this revision."));
  EXPECT_THAT(Failures("revision a\nexpect a: safe\n"),
              ElementsAre("a.case:1:1: There is no program."));
}

TEST(CasesRunner, TellsWhereTheProgramIsWrong) {
  EXPECT_THAT(Failures(With(Good(), "(%a, %b)", "(%a, %y)")),
              ElementsAre(HasSubstr("a.case:9:44: file-text: %y has no type.")));
}

TEST(CasesRunner, TellsWhereTheManifestIsWrong) {
  EXPECT_THAT(Failures(With(Good(), "program\n", "manifest\n{\"pteproof\": 1,\n 2}\n\nprogram\n")),
              ElementsAre(HasSubstr("a.case:7:2: ")));
  EXPECT_THAT(Failures(With(Good(), "program\n", "manifest\n\"polizy\": 1\n\nprogram\n")),
              ElementsAre(HasSubstr("a.case:6:1: /polizy: ")));
}

TEST(CasesRunner, HoldsExceptionsToTheirWord) {
  EXPECT_THAT(Failures(With(Good(), "revision over", "except runs\nrevision over")),
              ElementsAre("a.case:2:1: An exception needs its reason: '# why'."));
  EXPECT_THAT(Failures(With(Good(), "revision over", "except guess  # why\nrevision over")),
              ElementsAre(HasSubstr("a.case:2:8: After 'except' comes one of: prove, runs,")));
  EXPECT_THAT(Failures(With(Good(), "revision over", "except runs  # why\nrevision over")),
              ElementsAre("a.case: line 2: runs agrees, the exception is not needed"));
}

// The view is told by the order of values alone.
constexpr std::string_view kView = R"(
program
method forward(%x: float32[4] @1:0) {
  %a: float32[4] @1:16 = aten::mul.out(%x, %x)
  %view: float32[2, 2] @1:16
  %b: float32[4] @1:16 = aten::mul.out(%x, %x)
  %c: float32[2, 2] @1:32 = aten::mul.out(%view, %view)
  return %b, %c
}

expect: unsafe
error alias-lifetime ...
)";

TEST(CasesRunner, TellsOfAWayThatDoesNotAgree) {
  EXPECT_THAT(Failures(kView), ElementsAre(HasSubstr("a.case: renumbered does not agree: ")));
  EXPECT_THAT(Failures(FileOf("except renumbered  # the order of values tells it\n", kView)),
              IsEmpty());
  EXPECT_THAT(Failures(FileOf("except renumbered unsafe unsafe safe  # it tells\n", kView)),
              ElementsAre(HasSubstr("line 1: renumbered is ")));
}

TEST(CasesRunner, ReadsBackWhatUpdateWrites) {
  std::vector<CaseError> told;
  const auto fresh = Updated(kHead, told);
  ASSERT_TRUE(fresh.has_value());
  EXPECT_EQ(*fresh, With(Good(), "  says \"Instruction 2\"\n", ""));
  EXPECT_THAT(told, IsEmpty());
}

TEST(CasesRunner, KeepsTextsThatStillHold) {
  std::vector<CaseError> told;
  EXPECT_EQ(Updated(Good(), told).value_or(""), Good());
  EXPECT_EQ(Updated(With(Good(), "forward#1", "forward#2"), told).value_or(""), Good());
  EXPECT_THAT(told, IsEmpty());
  const std::string wrong = With(Good(), "Instruction 2\"\n", "Instruction 2\"\n  says \"no\"\n");
  EXPECT_EQ(Updated(wrong, told).value_or(""), Good());
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(TextOf(told[0], "a.case"), "a.case:16:1: removed, as no finding says it: no");
}

}  // namespace
}  // namespace pteproof::cases
