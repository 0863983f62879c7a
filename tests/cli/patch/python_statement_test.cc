// The end of a statement of Python, with brackets, strings and comments.
#include "cli/patch/python_statement.h"

#include <gtest/gtest.h>

#include <string>

namespace pteproof {
namespace {

std::string CodeOf(const std::string& text) {
  const auto statement = ReadStatement(text);
  return statement ? text.substr(0, statement->end) : "none";
}

TEST(PythonStatement, EndsWithItsLine) {
  EXPECT_EQ(CodeOf("y = f(x)\nz = 3\n"), "y = f(x)");
  EXPECT_EQ(CodeOf("  return x"), "  return x");
  EXPECT_EQ(CodeOf("y = 1  # the ( end\nz\n"), "y = 1");
  EXPECT_EQ(CodeOf("y = 1  \r\nz\n"), "y = 1");
}

TEST(PythonStatement, GoesOnWhileABracketIsOpen) {
  const std::string text = "y = f(\n    x,  # one )\n    [1, 2],\n)\nz = 3\n";
  EXPECT_EQ(CodeOf(text), "y = f(\n    x,  # one )\n    [1, 2],\n)");
  EXPECT_EQ(ReadStatement(text)->last_line, 3U);
  EXPECT_EQ(CodeOf("y = 1 + \\\n  2\nz\n"), "y = 1 + \\\n  2");
}

TEST(PythonStatement, LooksIntoNoString) {
  EXPECT_EQ(CodeOf("y = f(')', \"(\\\")\")\nz\n"), "y = f(')', \"(\\\")\")");
  EXPECT_EQ(CodeOf("y = '''a\n(b'''\nz\n"), "y = '''a\n(b'''");
  EXPECT_EQ(CodeOf("y = rb'\\''\nz\n"), "y = rb'\\''");
}

TEST(PythonStatement, GivesItsBracketsInTheOrderInWhichTheyClose) {
  const auto statement = ReadStatement("f(a[0], (b))");
  ASSERT_TRUE(statement);
  ASSERT_EQ(statement->brackets.size(), 3U);
  EXPECT_EQ(statement->brackets[0].open, 3U);
  EXPECT_EQ(statement->brackets[1].open, 8U);
  EXPECT_EQ(statement->brackets[2].open, 1U);
  EXPECT_EQ(statement->brackets[2].close, 11U);
}

TEST(PythonStatement, IsNotToldOfBrokenText) {
  for (const std::string text : {"y = f(x\n", "y = x)\n", "y = (x]\n", "y = 'x\n", "a = 1; b = 2\n",
                                 "", "# only\n", "y = '''x\n", "y = \\"}) {
    EXPECT_FALSE(ReadStatement(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace pteproof
