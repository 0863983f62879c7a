// Texts as people write them, and the programs that they mean.
#include "runtime/pteasm/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/runtime/pteasm/assembled.h"
#include "tests/runtime/writer/written.h"

namespace pteproof::pteasm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kCounter = R"(# A counter: each call adds x.
program

method step(%x: float32[2] @1:0) {
  %count: float32[2] @2:0 "count" = zeros
  %sum: float32[2] @1:16 = aten::add.out(%count, %x, 1)
  %count = aten::copy_(%count, %sum, false)
  return %sum
}
)";

Method FirstMethod(std::string_view text) {
  const Assembled made = MadeOf(text);
  return made.text.program.methods.empty() ? Method() : made.text.program.methods.front();
}

std::vector<int32_t> Arguments(const Method& method, size_t instruction) {
  const auto args = method.Ints(method.instructions[instruction].args);
  return {args.begin(), args.end()};
}

TEST(ParseProgram, NumbersNamesAndLiteralsInOrder) {
  const Method method = FirstMethod(kCounter);
  ASSERT_EQ(method.values.size(), 5U);
  EXPECT_EQ(method.inputs, std::vector{0});
  EXPECT_EQ(method.NameOf(1), "count");
  EXPECT_EQ(method.values[3].integer, 1);  // the literal comes after the result
  EXPECT_THAT(Arguments(method, 0), ElementsAre(1, 0, 3, 2, 2));
  EXPECT_THAT(Arguments(method, 1), ElementsAre(1, 2, 4, 1));
  EXPECT_EQ(method.outputs, std::vector{2});
}

TEST(ParseProgram, LeavesNumbersThatTheTextSays) {
  const Method method = FirstMethod(MethodOf("%x: float32[2]",
                                             "%1: float32[2] @1:0 = aten::add.out(%x, %0, 7)\n"
                                             "%0: float32[2] @1:8\nreturn %1"));
  ASSERT_EQ(method.values.size(), 4U);
  EXPECT_EQ(method.inputs, std::vector{2});
  EXPECT_EQ(method.values[3].integer, 7);
}

TEST(ParseProgram, MakesBanksThatAreLargeEnough) {
  EXPECT_THAT(FirstMethod(kCounter).bank_sizes, ElementsAre(0, 32, 16));
  EXPECT_THAT(FirstMethod(MethodOf("", "return")).bank_sizes, ElementsAre(0));
  EXPECT_THAT(
      FirstMethod("program method f() banks [0, 3, 5] bank 2 on(1, 4) { return }").bank_sizes,
      ElementsAre(0, 3, 5));
}

TEST(ParseProgram, TakesResultsForMemoryAndSlot) {
  const Method method = FirstMethod(
      MethodOf("%x: float32[4]",
               "%v: float32[2] @1:0, %i: int64[2] @1:16 = aten::topk.values(%x, 2, 0, true, true)\n"
               "%a: float32[2] @1:32, %b: float32[2] @1:40 = aten::split_with_sizes_copy.out(%x, "
               "[2, 2], 0)\n"
               "%n: int = aten::sym_size.int(%x, 0)\n"
               "return %v, %i, %a, %b, %n"));
  const auto topk = Arguments(method, 0);
  ASSERT_EQ(topk.size(), 8U);
  const Value& slot = method.values[static_cast<size_t>(topk[7])];
  EXPECT_EQ(slot.kind, ValueKind::kTensorList);
  EXPECT_THAT(method.Ints(slot.items), ElementsAre(topk[5], topk[6]));
  const auto split = Arguments(method, 1);
  ASSERT_EQ(split.size(), 5U);
  EXPECT_NE(split[3], split[4]);
  EXPECT_EQ(method.values[static_cast<size_t>(split[3])].items.count, 2U);
  EXPECT_EQ(Arguments(method, 2).size(), 3U);
}

TEST(ParseProgram, CallsOperatorsThatItDoesNotKnow) {
  const Method method = FirstMethod(MethodOf("%x: float32[2]",
                                             "%y: float32[2] @1:0 = my::op(%x, 2)\n"
                                             "call my::op(%x)\ncall \"odd name\"(%x, %y)\nreturn"));
  EXPECT_THAT(Arguments(method, 0), ElementsAre(0, 2, 1, 1));
  EXPECT_THAT(Arguments(method, 1), ElementsAre(0));
  EXPECT_EQ(method.operators.size(), 2U);
  EXPECT_EQ(method.operators[1].name, "odd name");
}

TEST(ParseProgram, JumpsToLabels) {
  const Method method = FirstMethod(
      MethodOf("%x: float32[2], %p: bool[] @1:0",
               "top:\njump_false %p, end\n%y: float32[2] = move %x\njump_false false, top\n"
               "free %y\nend: return"));
  ASSERT_EQ(method.instructions.size(), 4U);
  EXPECT_EQ(method.instructions[0].other, 4);
  EXPECT_EQ(method.instructions[2].other, 0);
  EXPECT_EQ(method.instructions[1].kind, InstructionKind::kMove);
  EXPECT_EQ(method.instructions[3].kind, InstructionKind::kFree);
}

TEST(ParseProgram, MakesContentsOfAFewWords) {
  const Assembled made = MadeOf(MethodOf(
      "",
      "%a: int16[2] = [1, -2]\n%b: float32[3] = fill 1.0\n%c: uint8[4] = data \"f\"[5, 4]\n"
      "%d: uint8[0] = []\n%e: int8[3] @1:0 = zeros\nreturn"));
  const std::vector<Bytes>& constants = made.text.program.constants;
  ASSERT_EQ(constants.size(), 5U);
  EXPECT_EQ(TextOf(constants[1]), std::string("\x01\x00\xfe\xff", 4));
  EXPECT_EQ(TextOf(constants[2]), std::string("\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f", 12));
  EXPECT_EQ(TextOf(constants[3]), std::string("\0\x01\x02\x03", 4));
  EXPECT_EQ(made.text.references.size(), 1U);
  ASSERT_EQ(made.text.program.initial_values.size(), 2U);
  EXPECT_EQ(made.text.program.initial_values[1].size(), 3U);
}

// Judges compare the numbers of stored entries: what is shared stays shared.
TEST(ParseProgram, SharesContentsByName) {
  const Assembled made =
      MadeOf("program\ncontents @w = hex \"01020304\"\n" +
             MethodOf("", "%a: uint8[4] = @w\n%b: uint8[2] = @w\n%c: uint8[3] @1:0 = @w\nreturn")
                 .substr(8));
  const Method& method = made.text.program.methods.at(0);
  EXPECT_EQ(method.tensors[0].data_index, method.tensors[1].data_index);
  EXPECT_EQ(made.text.program.constants.size(), 2U);
  EXPECT_EQ(made.text.program.initial_values.size(), 2U);
  EXPECT_THAT(Print(made.text.program), HasSubstr("contents @constant1 = hex \"01020304\"\n"));
}

TEST(ParseProgram, TakesDelegatesWithTheirBlobs) {
  const Assembled made = MadeOf(R"(program
named "weights" = hex "00ff" "10"
method forward(%x: float32[2]) {
  delegate "Xnn" = zeros(70) with "mode" = "fast" with "k" = ""
  delegate 0(%x, 3, None, ints[], tensors[%x], optionals[None, %x], [true], 0x8000000000000000)
  return %x
})");
  ASSERT_EQ(made.text.program.named_data.size(), 1U);
  EXPECT_EQ(TextOf(made.text.program.named_data[0].blob), std::string("\x00\xff\x10", 3));
  const Method& method = made.text.program.methods[0];
  ASSERT_EQ(method.delegates.size(), 1U);
  EXPECT_EQ(method.delegates[0].blob.size(), 70U);
  EXPECT_EQ(TextOf(method.delegates[0].specs[0].value), "fast");
  EXPECT_TRUE(std::signbit(method.values[static_cast<size_t>(Arguments(method, 0)[7])].real));
}

TEST(ParseProgram, GivesEqualTextsEqualBytes) {
  EXPECT_EQ(MadeOf(kCounter).file, MadeOf(kCounter).file);
}

TEST(PrintProgram, LeavesOutWhatIsCommon) {
  EXPECT_EQ(Print(MadeOf(kCounter).text.program), R"(program

method step(%0: float32[2] @1:0) {
  %1: float32[2] @2:0 "count" = [0.0, 0.0]
  %2: float32[2] @1:16 = aten::add.out(%1, %0, 1)
  %1 = aten::copy_(%1, %2, false)
  return %2
}
)");
}

}  // namespace
}  // namespace pteproof::pteasm
