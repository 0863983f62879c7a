#include "cli/io/quote.h"

#include <gtest/gtest.h>

#include <string>

namespace pteproof {
namespace {

TEST(Quote, LeavesPlainNamesAlone) {
  EXPECT_EQ(Quote("layers.0.cache.k"), "layers.0.cache.k");
  EXPECT_EQ(Quote(""), "");
}

TEST(Quote, LeavesWritingOfOtherLanguagesAlone) {
  EXPECT_EQ(Quote("größe"), "größe");
  EXPECT_EQ(Quote("缓存"), "缓存");
  EXPECT_EQ(Quote("\xF0\x9F\x99\x82"), "\xF0\x9F\x99\x82");
}

TEST(Quote, EscapesControlCharacters) {
  EXPECT_EQ(Quote("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(Quote("a\nb\tc\rd"), "a\\nb\\tc\\x0dd");
  EXPECT_EQ(Quote(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(Quote("\x7f"), "\\x7f");
}

TEST(Quote, EscapesControlCharactersOfTheSecondBlock) {
  EXPECT_EQ(Quote("\xC2\x9B"), "\\x9b");  // a one-character control sequence introducer
}

TEST(Quote, EscapesWhatTurnsTheWritingDirection) {
  EXPECT_EQ(Quote("a\u202Eb"), "a\\u202eb");
}

TEST(Quote, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(Quote("a\xFF"), "a\\xff");
  EXPECT_EQ(Quote("\xC3"), "\\xc3");           // cut
  EXPECT_EQ(Quote("\xC0\xAF"), "\\xc0\\xaf");  // overlong
  EXPECT_EQ(Quote("\xE0\x80\xAF"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(Quote("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // half of a pair
}

TEST(Quote, DoublesBackslashesSoThatNothingCanBeFaked) {
  EXPECT_EQ(Quote("\\x1b"), "\\\\x1b");
}

TEST(Quote, CutsWhatIsTooLong) {
  EXPECT_EQ(Quote("abcdef", 4), "abcd...");
  EXPECT_EQ(Quote("abcd", 4), "abcd");
  EXPECT_EQ(Quote("abc\x01", 4), "abc...");  // no half escape
  EXPECT_LT(Quote(std::string(1000000, 'x')).size(), 200U);
}

TEST(Harmless, EscapesAsQuoteDoesButForBackslashesAndLineEnds) {
  EXPECT_EQ(Harmless("a\x1b[31mb\n\xFF\t"), "a\\x1b[31mb\n\\xff\\t");
  EXPECT_EQ(Harmless(Quote("a\x1b\\")), Quote("a\x1b\\"));
  EXPECT_EQ(Harmless(std::string(1000, 'x')).size(), 1000U);
}

TEST(QuoteLines, IndentsEachLineAndEndsIt) {
  EXPECT_EQ(QuoteLines("one\ntwo", "  "), "  one\n  two\n");
  EXPECT_EQ(QuoteLines("one\n", "  "), "  one\n");
  EXPECT_EQ(QuoteLines("", "  "), "");
}

TEST(QuoteLines, EscapesWithinLines) {
  EXPECT_EQ(QuoteLines("a\x1b\nb", ""), "a\\x1b\nb\n");
}

}  // namespace
}  // namespace pteproof
