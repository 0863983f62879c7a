#include "cli/map/xml.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/cli/map/well_formed.h"

namespace pteproof {
namespace {

TEST(Xml, EscapesWhatMeansSomethingThere) {
  EXPECT_EQ(Xml("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
}

TEST(Xml, ShowsWhatNoDocumentMayHold) {
  EXPECT_EQ(Xml(std::string_view("\0\x01\x1b", 3)), "\\x00\\x01\\x1b");
  EXPECT_EQ(Xml("\xff"), "\\xff");
  EXPECT_EQ(Xml("\xEF\xBF\xBE"), "\\ufffe");
  EXPECT_EQ(Xml("\xEF\xBF\xBF"), "\\uffff");
}

TEST(Xml, StaysWellFormedWhateverTheBytes) {
  std::string all;
  for (int c = 0; c < 256; ++c) {
    all += static_cast<char>(c);
    const std::string text(3, static_cast<char>(c));
    EXPECT_EQ(XmlProblem("<a b=\"" + Xml(text) + "\">" + XmlLines(text) + "</a>"), "") << c;
  }
  EXPECT_EQ(XmlProblem("<a>" + Xml(all, 10000) + "</a>"), "");
}

TEST(Xml, CutsLongNamesBeforeTheyAreEscaped) {
  EXPECT_EQ(Xml("<<<<<<", 3), "&lt;&lt;&lt;...");
}

TEST(Fitted, CutsAtTheColumnsThereAre) {
  EXPECT_EQ(Fitted("abcdef", 6), "abcdef");
  EXPECT_EQ(Fitted("abcdef", 5), "abcd\u2026");
  EXPECT_EQ(Fitted("abcdef", 2), "");
}

TEST(Fitted, CountsWideCharactersTwice) {
  EXPECT_EQ(TextColumns("\u4e2d\u6587"), 4U);
  EXPECT_EQ(TextColumns("a\u2026"), 2U);
  EXPECT_EQ(Fitted("\u4e2d\u6587\u5b57", 5), "\u4e2d\u6587\u2026");
}

}  // namespace
}  // namespace pteproof
