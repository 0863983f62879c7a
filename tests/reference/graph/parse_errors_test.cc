// What is no Module is refused, with the line and column of the first error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "reference/graph/limits.h"
#include "reference/graph/parse.h"

namespace pteproof::graph {
namespace {

using testing::HasSubstr;

// "LINE:COLUMN: MESSAGE", or "good".
std::string Outcome(std::string_view text) {
  const auto module = Parse(text);
  if (module.ok()) return "good";
  const ParseError& error = module.error();
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

// The statements are line 3.
std::string InMethod(const std::string& statements) {
  return "buffer @b: float32[4]\nmethod m(%x: float32[4], %k: int, %p: bool) {\n" + statements +
         "\nreturn }";
}

std::string OutcomeInMethod(const std::string& statements) {
  return Outcome(InMethod(statements));
}

std::string OutcomeOfOperand(const std::string& literal) {
  return Outcome("method m(%x: float32[n]) dims(n in 1..8) {\na::b(" + literal + ")\nreturn }");
}

TEST(ParseErrors, CountsColumnsInCharacters) {
  EXPECT_EQ(OutcomeOfOperand("\"\xC3\xA4\xE2\x82\xAC\", ?"), "2:12: unexpected character");
}

TEST(ParseErrors, SaysWhichCharactersMakeNoToken) {
  EXPECT_EQ(Outcome("a::"), "1:1: a name must follow '::'");
  EXPECT_EQ(OutcomeOfOperand("0x"), "2:6: hexadecimal digits must follow '0x'");
  EXPECT_EQ(OutcomeOfOperand("1e+"), "2:6: digits must follow the exponent's 'e'");
  EXPECT_EQ(OutcomeOfOperand("12k"), "2:6: a letter follows the number");
  EXPECT_EQ(OutcomeOfOperand("\"a\n\""), "2:6: the text has no closing '\"' on its line");
  EXPECT_EQ(OutcomeOfOperand("\"a\\\n\""), "2:6: the text has no closing '\"' on its line");
  EXPECT_EQ(OutcomeOfOperand("%"), "2:6: a name or a number must follow '%'");
  EXPECT_EQ(Outcome("buffer @.a"), "1:8: a name must follow '@'");
  EXPECT_EQ(Outcome("buffer @a: float32[1] !"), "1:23: unexpected character");
  EXPECT_EQ(Outcome(std::string_view("\0", 1)), "1:1: unexpected character");
}

TEST(ParseErrors, SaysWhereTheModulesPartsBegin) {
  EXPECT_EQ(Outcome("bufer @a: float32[1]"), "1:1: expected 'buffer' or 'method', found 'bufer'");
  EXPECT_EQ(Outcome("method m() { return }\nbuffer @a: float32[1]"),
            "2:1: a buffer must be declared before the first method");
  EXPECT_EQ(Outcome("buffer a"), "1:8: expected a buffer ('@...'), found 'a'");
  EXPECT_EQ(Outcome("buffer @a float32"), "1:11: expected ':', found 'float32'");
  EXPECT_EQ(Outcome("buffer @a: float32[1]\nbuffer @a: float32[1]"), "2:8: @a is defined twice");
  EXPECT_EQ(Outcome("method 3"), "1:8: expected a name, found '3'");
  EXPECT_EQ(Outcome("method m {"), "1:10: expected '(', found '{'");
  EXPECT_EQ(Outcome("method m(%x: float32[(1]"), "1:25: expected ')', found the end of the text");
  EXPECT_EQ(Outcome("method m() return"), "1:12: expected '{', found 'return'");
  static const char kNothing = 0;
  EXPECT_EQ(Outcome(std::string_view(&kNothing, kLongestText + 1)),
            "1:1: the text is longer than 1073741824 bytes");
}

TEST(ParseErrors, SaysWhatIsWrongWithTypes) {
  EXPECT_EQ(Outcome("buffer @a: 3"), "1:12: expected a type, found '3'");
  EXPECT_EQ(Outcome("buffer @a: float[1]"),
            "1:12: expected an element type such as float32, found 'float'");
  EXPECT_EQ(Outcome("buffer @a: int"),
            "1:12: expected an element type such as float32, found 'int'");
  EXPECT_EQ(Outcome("buffer @a: float32 shared"), "1:20: expected '[', found 'shared'");
  EXPECT_EQ(Outcome("buffer @a: float32[1 2]"), "1:22: expected ',' or ']', found '2'");
  EXPECT_EQ(Outcome("buffer @a: float32[n]"), "1:20: 'n' is not a dim of this method");
  EXPECT_EQ(Outcome("buffer @a: float32[,]"), "1:20: expected a size, found ','");
  EXPECT_EQ(Outcome("buffer @a: float32[9223372036854775808]"),
            "1:20: a number of this size exceeds 64 bits");
}

TEST(ParseErrors, PointsAtTheValueOrDimWhoseSizeIsWrong) {
  EXPECT_EQ(OutcomeInMethod("%1: float32[-3] = my::op(%x)"), "3:1: %1: the size -3 is negative");
  EXPECT_EQ(Outcome("method m(%x: float32[n])\n  dims(n in 8..1) { return }"),
            "2:8: dim n: the range is empty or negative");
}

TEST(ParseErrors, PointsAtTheSecondDelegateThatWritesABuffer) {
  EXPECT_EQ(OutcomeInMethod("delegate \"A\"() uses(@b writes)\n delegate \"B\"() uses(@b writes)"),
            "4:2: two delegates write @b");
}

TEST(ParseErrors, SaysWhatIsWrongWithContents) {
  EXPECT_EQ(Outcome("buffer @a: float32[2] = [1.0]"),
            "1:25: there are 1 values, and the type needs 2");
  EXPECT_EQ(Outcome("buffer @a: float32[-1] = []"),
            "1:26: an initial value needs sizes that are numbers");
  EXPECT_EQ(Outcome("buffer @a: float32[4294967296, 4294967296] = []"),
            "1:46: an initial value needs sizes that are numbers");
  EXPECT_EQ(Outcome("buffer @a: float32[1] = [1]"),
            "1:26: expected a float, with a dot or an exponent, found '1'");
  EXPECT_EQ(Outcome("buffer @a: int8[1] = [1.0]"), "1:23: expected an integer, found '1.0'");
  EXPECT_EQ(Outcome("buffer @a: bool[1] = [1]"), "1:23: expected true or false, found '1'");
  EXPECT_EQ(Outcome("buffer @a: complex64[1] = [1.0]"),
            "1:28: expected bits ('0x...'), found '1.0'");
  EXPECT_EQ(Outcome("buffer @a: int8[1] = [128]"), "1:23: the number is outside the range of int8");
  EXPECT_EQ(Outcome("buffer @a: uint8[1] = [-1]"),
            "1:24: the number is outside the range of uint8");
  EXPECT_EQ(Outcome("buffer @a: uint64[1] = [18446744073709551616]"),
            "1:25: the number is outside the range of uint64");
  EXPECT_EQ(Outcome("buffer @a: float16[1] = [70000.0]"),
            "1:26: the number is outside the range of float16");
  EXPECT_EQ(Outcome("buffer @a: float32[1] = [1e39]"),
            "1:26: the number is outside the range of float32");
  EXPECT_EQ(Outcome("buffer @a: uint8[1] = [0x100]"),
            "1:24: the number is outside the range of uint8");
}

TEST(ParseErrors, SaysWhatIsWrongWithDims) {
  const auto outcome = [](const std::string& dims) {
    return Outcome("method m() dims(" + dims + ") { return }");
  };
  EXPECT_EQ(outcome("3"), "1:17: expected the name of a dim, found '3'");
  EXPECT_EQ(outcome("n 3"), "1:19: expected 'in', found '3'");
  EXPECT_EQ(outcome("n in -1..2"), "1:22: expected the least value, found '-'");
  EXPECT_EQ(outcome("n in 1, 2"), "1:23: expected '..', found ','");
  EXPECT_EQ(outcome("n in 1.."), "1:25: expected the most value, found ')'");
  EXPECT_EQ(outcome("n in 1..9223372036854775808"),
            "1:25: the most value is at most 9223372036854775807");
  EXPECT_EQ(outcome("n in 1..2 hint x"), "1:32: expected the hint, found 'x'");
  EXPECT_EQ(outcome("n in 1..2, n in 1..2"), "1:28: dim 'n' is defined twice");
  std::string many = "d0 in 1..2";
  for (int d = 1; d <= kMostDims; ++d) many += ",\nd" + std::to_string(d) + " in 1..2";
  EXPECT_EQ(outcome(many), "65:1: there are more than 64 dims");
}

TEST(ParseErrors, SaysWhatIsWrongWithInputs) {
  EXPECT_EQ(Outcome("method m(x: int) { return }"), "1:10: expected an input ('%...'), found 'x'");
  EXPECT_EQ(Outcome("method m(%0: int) { return }"), "1:10: an input has a name, not a number");
  EXPECT_EQ(Outcome("method m(%x int) { return }"), "1:13: expected ':', found 'int'");
  EXPECT_EQ(Outcome("method m(%x: int, %x: int) { return }"), "1:19: %x is defined twice");
  EXPECT_EQ(Outcome("method m(%x: int %y: int) { return }"),
            "1:18: expected ',' or ')', found '%y'");
}

TEST(ParseErrors, SaysWhatIsWrongWithEntriesAndStores) {
  EXPECT_EQ(OutcomeInMethod("%e = entry b"), "3:12: expected a buffer ('@...'), found 'b'");
  EXPECT_EQ(OutcomeInMethod("%e = entry @c"), "3:12: unknown buffer '@c'");
  EXPECT_EQ(OutcomeInMethod("%e = aten::neg.out(%x)"),
            "3:1: the result needs a type: '%name: TYPE ='");
  EXPECT_EQ(OutcomeInMethod("%y: float32[4] = aten::neg.out(%x) %e = entry @b"),
            "3:36: an entry must be declared before the first node");
  EXPECT_EQ(OutcomeInMethod("%x = entry @b"), "3:1: %x is defined twice");
  const std::string method = "buffer @b: float32[4]\nmethod m(%x: float32[4]) {\n%e = entry @b ";
  EXPECT_EQ(Outcome(method + "return keep }"), "3:22: expected 'store' or '}', found 'keep'");
  EXPECT_EQ(Outcome(method + "return store b"), "3:28: expected a buffer or an input, found 'b'");
  EXPECT_EQ(Outcome(method + "return store %e = %x }"), "3:28: '%e' is not an input");
  EXPECT_EQ(Outcome(method + "return store @b %x }"), "3:31: expected '=', found '%x'");
  EXPECT_EQ(Outcome(method + "return store @b = 3 }"),
            "3:33: expected a value ('%...'), found '3'");
  EXPECT_EQ(Outcome(method + "return %x, 3 }"), "3:26: expected a value ('%...'), found '3'");
}

TEST(ParseErrors, SaysWhatIsWrongWithNodes) {
  EXPECT_EQ(OutcomeInMethod("%y, %z: int = a::b()"), "3:3: expected ':', found ','");
  EXPECT_EQ(OutcomeInMethod("%y: int, %z = a::b()"),
            "3:13: expected ':' and the type of the result, found '='");
  EXPECT_EQ(OutcomeInMethod("%y: int a::b()"), "3:9: expected '=', found 'a::b'");
  EXPECT_EQ(OutcomeInMethod("%y: int, 3 = a::b()"), "3:10: expected a value ('%...'), found '3'");
  EXPECT_EQ(OutcomeInMethod("%y: int = neg(%x)"),
            "3:11: expected an operator, delegate, cond, while, map or scan, found 'neg'");
  EXPECT_EQ(OutcomeInMethod("%y: int = view cond()"), "3:16: expected an operator, found 'cond'");
  EXPECT_EQ(OutcomeInMethod("delegate D()"),
            "3:10: expected the delegate's id in quotes, found 'D'");
  EXPECT_EQ(OutcomeInMethod("while mapped 1"), "3:7: expected 'carried', found 'mapped'");
  EXPECT_EQ(OutcomeInMethod("map mapped x"), "3:12: expected a number of operands, found 'x'");
  EXPECT_EQ(OutcomeInMethod("map mapped 2147483648"),
            "3:12: a number of operands is at most 2147483647");
  EXPECT_EQ(OutcomeInMethod("a::b %x"), "3:6: expected '(', found '%x'");
  EXPECT_EQ(OutcomeInMethod("%x: int = a::b()"), "3:1: %x is defined twice");
  EXPECT_EQ(OutcomeInMethod("%y: int = a::b(%y)"), "3:16: '%y' is not defined");
  EXPECT_EQ(OutcomeInMethod("a::b() in_place(%x)"),
            "3:17: expected the number of an operand, found '%x'");
  EXPECT_EQ(OutcomeInMethod("a::b() after(%x) after(%x)"), "3:18: 'after' is given twice");
  EXPECT_EQ(OutcomeInMethod("a::b() pool(sram)"),
            "3:13: expected the pool's name in quotes, found 'sram'");
  EXPECT_EQ(OutcomeInMethod("delegate \"D\"() uses(b)"),
            "3:21: expected a buffer ('@...'), found 'b'");
  EXPECT_EQ(OutcomeInMethod("delegate \"D\"() uses(@b reads)"),
            "3:24: expected ',' or ')', found 'reads'");
}

TEST(ParseErrors, SaysWhatIsWrongWithOperands) {
  EXPECT_EQ(OutcomeOfOperand("@b"), "2:6: expected an operand, found '@b'");
  EXPECT_EQ(OutcomeOfOperand("1 2"), "2:8: expected ',' or ')', found '2'");
  EXPECT_EQ(OutcomeOfOperand("k"), "2:6: 'k' is not a dim of this method");
  EXPECT_EQ(OutcomeOfOperand("-nan"), "2:7: 'nan' is not a dim of this method");
  EXPECT_EQ(OutcomeOfOperand("1e400"), "2:6: the number is outside the range of float64");
  EXPECT_EQ(OutcomeOfOperand("\"\\q\""),
            "2:6: the text has an escape other than \\n \\t \\\" \\\\ \\x7f");
  EXPECT_EQ(OutcomeOfOperand("\"\\x7\""),
            "2:6: the text has an escape other than \\n \\t \\\" \\\\ \\x7f");
  EXPECT_EQ(OutcomeOfOperand("[[[[[[[[[]]]]]]]]]"), "2:14: lists are nested deeper than 8");
  EXPECT_EQ(OutcomeOfOperand("[[[[[[[[]]]]]]]]"), "good");
}

TEST(ParseErrors, SaysWhatIsWrongWithSizes) {
  EXPECT_EQ(OutcomeOfOperand("n +"), "2:9: expected a size, found ')'");
  EXPECT_EQ(OutcomeOfOperand("min n"), "2:10: expected '(', found 'n'");
  EXPECT_EQ(OutcomeOfOperand("min(n)"), "2:11: expected ',', found ')'");
  EXPECT_EQ(OutcomeOfOperand("4294967296*4294967296"),
            "2:16: a number of this size exceeds 64 bits");
  EXPECT_EQ(OutcomeOfOperand("n + 9223372036854775807"),
            "2:8: a number of this size exceeds 64 bits");
  EXPECT_EQ(OutcomeOfOperand("99999999999999999999"), "2:6: a number of this size exceeds 64 bits");
  std::string deep = "n";
  for (int d = 0; d < kDeepestSize; ++d) deep = "mod(5, " + deep + ")";
  EXPECT_EQ(OutcomeOfOperand(deep), "good");
  EXPECT_THAT(OutcomeOfOperand("mod(5, " + deep + ")"),
              HasSubstr(": a size is nested deeper than 16"));
}

TEST(ParseErrors, RefusesASizeThatMultipliesOutToAMonster) {
  // Each factor is the sum that its function simplifies to.
  std::string size = "min(n + 1, n + 2)";
  for (int f = 0; f < 12; ++f) size += "*min(n + 1, n + 2)";
  EXPECT_THAT(OutcomeOfOperand(size), HasSubstr("this size is too long: its polynomial"));
  EXPECT_EQ(OutcomeOfOperand("min(n + 1, n + 2)*min(n + 1, n + 2)"), "good");
}

TEST(ParseErrors, SaysWhatIsWrongWithRegions) {
  EXPECT_EQ(OutcomeInMethod("%y: float32[4] = cond(%p, %x)\nreturn %y"),
            "4:1: expected '{', found 'return'");
  EXPECT_EQ(OutcomeInMethod("cond(%p) {\n() { return }\n}"), "5:1: expected '(', found '}'");
  EXPECT_EQ(OutcomeInMethod("cond(%p) {\n(x: int) { return }"),
            "4:2: expected a parameter ('%...'), found 'x'");
  EXPECT_EQ(OutcomeInMethod("cond(%p) {\n(%u: int, %u: int) { return }"),
            "4:11: %u is defined twice");
  EXPECT_EQ(OutcomeInMethod("cond(%p) {\n() { return %x }"),
            "4:13: '%x' belongs to another region; pass it as an operand");
  EXPECT_EQ(OutcomeInMethod("cond(%p) {\n() { return store"), "4:13: expected '}', found 'store'");
  EXPECT_EQ(OutcomeInMethod("cond(%p) { () { return } () { return } }"), "good");
}

TEST(ParseErrors, RefusesRegionsNestedTooDeep) {
  const auto nested = [](int depth) {
    std::string text;
    for (int d = 0; d < depth; ++d) text += "cond(%p) { (%p: bool) {";
    return "method m(%p: bool) { " + text;
  };
  EXPECT_THAT(Outcome(nested(kDeepestRegion + 1)), HasSubstr("regions are nested deeper than 32"));
  EXPECT_THAT(Outcome(nested(kDeepestRegion)), HasSubstr("the end of the text"));
}

TEST(ParseErrors, SurvivesMillionsOfOpenBrackets) {
  for (const char* bracket : {"(", "[", "{", "min(", "a::b(["}) {
    std::string text = "method m() { a::b(";
    for (int i = 0; i < 1'000'000; ++i) text += bracket;
    EXPECT_NE(Outcome(text), "good");
  }
}

TEST(ParseErrors, ReportsWhatValidationFindsWithTheLineOfTheNode) {
  EXPECT_EQ(OutcomeInMethod("%y: float32[4] = aten::neg.out(%x)\n %z: int8[4] = aten::exp.out(%y)"),
            "4:2: %z = aten::exp.out: result 0 is float32[4], declared as int8[4]");
  EXPECT_EQ(OutcomeInMethod("cond(%p, %x) {\n(%u: float32[4]) { aten::exp.out() return }\n"
                            "(%u: float32[4]) { return } }"),
            "4:20: aten::exp.out: operand 'self' is missing");
  EXPECT_EQ(Outcome("buffer @b: float32[1]\n buffer @c: float32[-1]"),
            "2:2: buffer @c: the sizes must be numbers whose product fits in 63 bits");
  EXPECT_EQ(Outcome("method m(%x: int,\n%y: int in_place) { return }"),
            "2:1: input %y: only a tensor can be overwritten in place");
  EXPECT_EQ(Outcome("buffer @b: float32[1] method m() { %a = entry @b\n%c = entry @b return }"),
            "2:1: entry @b: the buffer has a second entry");
  EXPECT_EQ(Outcome("buffer @b: float32[1] method m(%x: int) { return\n store @b = %x }"),
            "2:2: store @b: the value is int, not float32[1]");
  EXPECT_EQ(Outcome("method m(%x: int) { return\n store %x = %x }"),
            "2:2: store %x: only a tensor can be stored");
  EXPECT_EQ(Outcome("method m() { return }\nmethod m() { return }"),
            "2:1: two methods have this name");
}

TEST(ParseErrors, EndsForEveryPrefixAndEveryChangedByte) {
  const std::string text = InMethod(
      "%0: float32[4] = cond(%p, %x) { (%a: float32[4]) { return %a } (%b: float32[4]) {\n"
      "%1: float32[4] = aten::add.out(%b, %b, -1.5e3) after(%b) pool(\"s\") return %1 } }");
  ASSERT_EQ(Outcome(text), "good");
  for (size_t i = 0; i < text.size(); ++i) {
    EXPECT_NE(Outcome(text.substr(0, i)), "");
    for (const char c : std::string_view("%@(){}[],:=\"\\\0.9ax-", 19)) {
      std::string changed = text;
      changed[i] = c;
      EXPECT_NE(Outcome(changed), "");
    }
  }
}

}  // namespace
}  // namespace pteproof::graph
