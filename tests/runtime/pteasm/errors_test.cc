// Texts that are no programs: where, which rule, and what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/runtime/pteasm/assembled.h"

namespace pteproof::pteasm {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Of a method whose line 3 that is.
std::string OfLine(std::string_view line) {
  return ErrorOf(MethodOf("%x: float32[2]", std::string(line) + "\nreturn"));
}

struct Row {
  std::string_view line;
  std::string_view error;  // its beginning
};

void ExpectErrors(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_THAT(OfLine(row.line), StartsWith(std::string(row.error)));
}

TEST(ProgramTextErrors, AreOfWords) {
  EXPECT_EQ(ErrorOf("method f() { return }"), "1:1: file-text: expected 'program', found 'method'");
  EXPECT_EQ(ErrorOf("program\nmethods"),
            "2:1: file-text: expected 'named', 'contents' or 'method', found 'methods'");
  EXPECT_EQ(ErrorOf("program\nmethod f() {\n  return %x\n"),
            "4:1: file-text: expected ',' or '}', found the end of the text");
  EXPECT_EQ(ErrorOf("program\nmethod f() { return }\nnamed \"a\" = \"\""),
            "3:1: file-text: named data and contents must be said before the first method");
  ExpectErrors({
      {"?", "3:1: file-text: unexpected character"},
      {"goto 3", "3:1: file-text: expected a value, an instruction, a label, or 'return'"},
      {"%y", "4:1: file-text: expected ':' and a type, or '=' and an instruction"},
      {"%y: float31[2]", "3:5: file-text: expected a type: an element type such as float32"},
      {"%y: float32[2] @a:0", "3:16: file-text: a placement is '@BANK:OFFSET'"},
      {"%y: float32[2] bounded bounded", "3:24: file-text: this is said twice of one tensor"},
      {"%y: [%x]", "3:5: file-text: the list does not show what it holds"},
      {"%y = nothing", "3:6: file-text: expected an operator, 'move', or a tensor's contents"},
      {"%y: int 9223372036854775808", "3:9: file-text: integers have 64 bits"},
      {"%y: float32[2] @1:18446744073709551616", "3:19: file-text: an offset is at most 1844674"},
      {"%y: double 0x12345678901234567", "3:12: file-text: a double has 64 bits"},
      {"delegate \"a\" = hex \"123\"", "3:20: file-text: bytes have two digits each"},
  });
}

TEST(ProgramTextErrors, AreOfNames) {
  ExpectErrors({
      {"%y: int\n%y: int", "4:1: file-text: %y has its type already, from line 3. Say it once"},
      {"%y = move %x", "3:1: file-text: %y has no type. Say it where the value is made"},
      {"%7: int", "3:1: file-text: %7 is beyond the last value: there are 2"},
      {"%1: int %01: int", "3:9: file-text: %01 has the number of %1"},
      {"jump_false true, away", "3:18: file-text: the label 'away' does not exist in this method"},
      {"a: a:", "3:4: file-text: the label 'a' is in this method already"},
  });
}

TEST(ProgramTextErrors, AreOfContents) {
  ExpectErrors({
      {"%y: float32[2] = [1.0]", "3:18: file-text: there are 1 values, and the type needs 2"},
      {"%y: float32[2] = [1, 2]", "3:19: file-text: expected a float, with a dot"},
      {"%y: int8[1] = [200]", "3:16: file-text: the number is outside the range of int8"},
      {"%y: int = zeros", "3:11: file-text: %y is not a tensor so far"},
      {"%y: float32[2] external \"w\" = zeros", "3:31: file-text: %y is external"},
      {"%y: float32[2] = zeros\n%y = zeros", "4:6: file-text: %y has its contents already"},
      {"%y: float32[2] = data \"f\"[0, 7]", "3:18: file-text: the data have 7 bytes, and the type"},
      {"%y: float32[65536, 65536] = zeros", "3:29: file-text: 17179869184 bytes: 'zeros' and"},
  });
  EXPECT_THAT(OfLine("%y: float32[2] = @w"), StartsWith("3:18: file-text: there are no contents"));
  EXPECT_THAT(ErrorOf("program\ncontents @w = \"\" contents @w = \"\""),
              StartsWith("2:27: file-text: there are contents of this name already"));
  EXPECT_THAT(ErrorOf("program contents @w = \"123\"\nmethod f() { %y: int8[4] = @w return }"),
              StartsWith("2:28: file-text: these contents have 3 bytes, and the type needs 4"));
  EXPECT_THAT(ErrorOf("program\nnamed \"a\" = zeros(9999999999999)"),
              StartsWith("2:13: file-text: 9999999999999 bytes"));
}

TEST(ProgramTextErrors, AreOfCalls) {
  ExpectErrors({
      {"%y: float32[2] @1:0 = aten::add.out(%x)",
       "3:23: file-arguments: aten::add.out takes 3 operands and 1 result, and here are 1 operand "
       "and 1 result. 'call' before the operator takes all arguments as the file has them"},
      {"aten::add.out(%x, %x, 1)", "3:1: file-arguments: aten::add.out takes 3 operands and 1"},
      {"my::op(%x)", "3:1: file-arguments: my::op takes one result"},
      {"%x = call my::op(%x)", "3:6: file-text: 'call' takes all arguments in its parentheses"},
      {"%x, %x = move %x", "3:10: file-text: a move has one result"},
      {"call 2(%x)", "3:6: file-instruction: the method has 0 operators so far"},
  });
}

// What the reader of files says, with the place in the text.
TEST(ProgramTextErrors, AreThoseOfFiles) {
  ExpectErrors({
      {"%y: float32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "3:5: file-tensor-shape: the tensor has"},
      {"%y: float32[2147483647, 2147483647, 2147483647]", "3:5: file-tensor-shape: the number of"},
      {"%y: float32[2, 3] order [0, 0]", "3:5: file-dim-order: the order does not name each"},
      {"%y: float32[2] @0:0", "3:1: file-tensor-memory: Value 1 is a tensor that is planned into"},
      {"delegate 3(%x)", "3:1: file-instruction: The call names delegate 3."},
      {"call aten::add.out(%x)", "3:1: file-arguments:"},
      {"jump_false 3, a a:", "3:1: file-jump: The condition of the jump is value 1"},
      {"%x = move 3", "3:11: file-text: expected a value ('%...')"},
      {"%y: int %x = move %y", "3:14: file-move: Value 1 (Int) is moved to value 0 (Tensor)."},
      {"free %x", "3:1: file-free: Value 0 is freed, but it is an input"},
      {"%l: tensors[%y] %y: float32[2]", "3:1: file-list-item:"},
      {"%y: float32[2] @2000:0", "2:1: file-bank-size: the method has more than 1024 banks"},
  });
  EXPECT_THAT(ErrorOf("program"), StartsWith("1:1: file-plan: The program has no method."));
  EXPECT_THAT(ErrorOf("program method f() {return}\nmethod f() {return}"),
              StartsWith("2:8: file-method-name: another method has this name"));
  EXPECT_THAT(ErrorOf("program method f()\nbank 1 on(0, 0) {return}"),
              StartsWith("2:8: file-device: banks are on the CPU"));
}

TEST(ProgramTextErrors, SayTheNamesOfValues) {
  EXPECT_THAT(OfLine("%cache: float32[2] @0:0"), HasSubstr("\nValue 1 is %cache here."));
}

TEST(ProgramTextErrors, AreAllThatTheReaderFinds) {
  const auto made =
      Assemble(MethodOf("", "%a: int8[1] @0:0\n%b: int8[1] @0:0\nreturn"), text::NoData);
  ASSERT_FALSE(made.ok());
  ASSERT_EQ(made.error().size(), 2U);
  EXPECT_EQ(made.error()[1].line, 4);
}

TEST(ProgramTextErrors, SayWhyDataAreNotThere) {
  const auto made = Assemble(MethodOf("", "%a: int8[1] = data \"f\"[0, 1]\nreturn"), text::NoData);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error()[0].message, HasSubstr("comes without files"));
}

}  // namespace
}  // namespace pteproof::pteasm
