#include "properties/manifest/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace pteproof {
namespace {

using testing::HasSubstr;

// The tree with every pair of parentheses.
std::string WrittenCalls(const CallPattern& pattern) {
  using Kind = CallPattern::Kind;
  if (pattern.kind == Kind::kCall) return pattern.method;
  std::string text = "(";
  for (size_t p = 0; p < pattern.parts.size(); ++p) {
    if (p > 0) text += pattern.kind == Kind::kChoice ? "|" : " ";
    text += WrittenCalls(pattern.parts[p]);
  }
  text += ")";
  if (pattern.kind == Kind::kStar) text += "*";
  if (pattern.kind == Kind::kPlus) text += "+";
  if (pattern.kind == Kind::kOptional) text += "?";
  return text;
}

std::string ParsedCalls(std::string_view text) {
  const auto pattern = ParseCalls(text);
  return pattern.ok() ? WrittenCalls(pattern.value())
                      : std::to_string(pattern.error().at) + ": " + pattern.error().what;
}

TEST(ParseCalls, BindsRepetitionsBeforeSequencesAndTheseBeforeChoices) {
  EXPECT_EQ(ParsedCalls("a"), "a");
  EXPECT_EQ(ParsedCalls("a b c"), "(a b c)");
  EXPECT_EQ(ParsedCalls("a|b c|d"), "(a|(b c)|d)");
  EXPECT_EQ(ParsedCalls("a b* (c|d)+ e?"), "(a (b)* ((c|d))+ (e)?)");
  EXPECT_EQ(ParsedCalls("et_module_init (encoder decoder*)*"),
            "(et_module_init ((encoder (decoder)*))*)");
}

TEST(ParseCalls, TakesBlanksAnywhereAndNamesOfAnyOtherCharacters) {
  EXPECT_EQ(ParsedCalls("  a\t*\n( b )  ? "), "((a)* (b)?)");
  EXPECT_EQ(ParsedCalls("get.bos-id/2 \xc3\xa9"), "(get.bos-id/2 \xc3\xa9)");
}

TEST(ParseCalls, MakesOneRepetitionOfSeveral) {
  EXPECT_EQ(ParsedCalls("a**"), "(a)*");
  EXPECT_EQ(ParsedCalls("a++"), "(a)+");
  EXPECT_EQ(ParsedCalls("a??"), "(a)?");
  EXPECT_EQ(ParsedCalls("a+?"), "(a)*");
  EXPECT_EQ(ParsedCalls("(a?)+"), "(a)*");
}

TEST(ParseCalls, TellsWhereAnExpressionIsWrong) {
  EXPECT_EQ(ParsedCalls(""), "0: a method's name or '(' must stand here");
  EXPECT_EQ(ParsedCalls("a | "), "4: a method's name or '(' must stand here");
  EXPECT_EQ(ParsedCalls("a | | b"), "4: a method's name or '(' must stand here");
  EXPECT_EQ(ParsedCalls("a ()"), "3: a method's name or '(' must stand here");
  EXPECT_EQ(ParsedCalls("* a"), "0: '*' must follow a method's name or ')'");
  EXPECT_EQ(ParsedCalls("a (+b)"), "3: '+' must follow a method's name or ')'");
  EXPECT_EQ(ParsedCalls("a (b (c)"), "2: the ')' of this '(' is missing");
  EXPECT_EQ(ParsedCalls("a) b"), "1: a ')' without its '(': remove it");
}

TEST(ParseCalls, LimitsNamesAndDepth) {
  std::string names;
  for (size_t n = 0; n < kMostCallNames; ++n) names += "a ";
  EXPECT_TRUE(ParseCalls(names).ok());
  EXPECT_THAT(ParsedCalls(names + "a"), HasSubstr("more than 256 names"));
  const auto nested = [](size_t depth) {
    return std::string(depth, '(') + "a" + std::string(depth, ')');
  };
  EXPECT_EQ(ParsedCalls(nested(kDeepestCalls)), "a");
  EXPECT_THAT(ParsedCalls(nested(kDeepestCalls + 1)), HasSubstr("more than 64 parentheses"));
  EXPECT_THAT(ParsedCalls(std::string(100'000, '(')), HasSubstr("more than 64 parentheses"));
}

TEST(CallsOf, NamesEachCallWithItsPlace) {
  const auto pattern = ParseCalls("a (bb | a)*");
  ASSERT_TRUE(pattern.ok());
  const auto calls = CallsOf(pattern.value());
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[1]->method, "bb");
  EXPECT_EQ(calls[1]->at, 3U);
  EXPECT_EQ(calls[2]->at, 8U);
}

}  // namespace
}  // namespace pteproof
