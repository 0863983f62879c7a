// The text form is written canonically, and reads back as what was written.
#include "reference/graph/print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "reference/graph/format.h"
#include "reference/graph/parse.h"
#include "reference/text/literals.h"

namespace pteproof::graph {

using text::ElementText;
using text::QuotedText;
using text::RealOf;
using text::RealText;
using text::UnquotedText;

namespace {

constexpr const char* kCanonical =
    R"(buffer @total: float32[1] shared = [0.5]
buffer @a.b: int64[2, 2]

method step(%x: float32[n, 4] in_place, %k: int) dims(n in 1..8 hint 2) {
  %0 = entry @total
  %1: float32[n, 4] = aten::add.out(%x, %x, 1)
  %2: float32[n, 4] = aten::relu.out(%1) in_place(0) after(%0) pool("sram")
  %3: float32[n, 2] = view aten::slice_copy.Tensor_out(%2, 1, 0, 2, 1)
  %4: real = delegate "D"(%3, None, [1.0, true, -inf], 2*n + 1) uses(@a.b writes)
  %5: bool = executorch_prim::lt.Scalar(%k, 3)
  %6: float32[n, 4] = cond(%5, %2) {
    (%7: float32[n, 4]) {
      %8: float32[n, 4] = aten::neg.out(%7)
      return %8
    }
    (%9: float32[n, 4]) {
      return %9
    }
  }
  %10: int = while carried 1 (%k) {
    (%11: int) {
      %12: bool = executorch_prim::lt.Scalar(%11, 9)
      return %12
    }
    (%13: int) {
      %14: int = executorch_prim::add.Scalar(%13, 1)
      return %14
    }
  }
  %15: float32[1], %16: float32[n, 4] = scan carried 1 mapped 1 (%0, %6) {
    (%17: float32[1], %18: float32[4]) {
      return %17, %18
    }
  }
  %19: float32[n, 4] = map mapped 1 (%16) {
    (%20: float32[4]) {
      return %20
    }
  }
  return %19, %10
  store @total = %15
  store %x = %2
}

method nothing() {
  return
}
)";

Module ModuleOf(std::string_view text) {
  auto module = Parse(text);
  EXPECT_TRUE(module.ok()) << module.error().line << ": " << module.error().message;
  return module.ok() ? std::move(module).value() : Module{};
}

// The parts of a list are named by their positions.
TEST(Print, KeepsNamesOfBuffersThatBeginWithADigit) {
  const std::string text =
      "buffer @0.weight: float32[1]\n\nmethod f() {\n  %0 = entry @0.weight\n  return %0\n  store "
      "@0.weight = %0\n}\n";
  const auto module = Parse(text);
  ASSERT_TRUE(module.ok());
  EXPECT_EQ(module.value().buffers[0].name, "0.weight");
  EXPECT_EQ(Format(text).value(), text);
}

TEST(Print, WritesCanonicalTextAsItWasRead) {
  EXPECT_EQ(Print(ModuleOf(kCanonical)), kCanonical);
}

TEST(Print, IsReadBackAsTheModuleThatWasWritten) {
  const Module module = ModuleOf(kCanonical);
  EXPECT_EQ(ModuleOf(Print(module)), module);
}

TEST(Print, NumbersValuesInOrderOfDefinitionAndKeepsInputsNames) {
  EXPECT_EQ(Print(ModuleOf("method m(%x.1: int) { %9: int = executorch_prim::neg.Scalar(%x.1)\n"
                           "%y: int = executorch_prim::add.Scalar(%9, %x.1) return %y, %9 }")),
            "method m(%x.1: int) {\n"
            "  %0: int = executorch_prim::neg.Scalar(%x.1)\n"
            "  %1: int = executorch_prim::add.Scalar(%0, %x.1)\n"
            "  return %1, %0\n"
            "}\n");
}

TEST(Print, DoesNotDependOnHowValuesAreNumbered) {
  Module module =
      ModuleOf("method m(%x: int) { %y: bool = executorch_prim::sym_not.Scalar(%x) return %y }");
  const std::string text = Print(module);
  Method& method = module.methods[0];
  std::swap(method.values[0], method.values[1]);
  method.inputs[0].value = 1;
  method.body.nodes[0].operands[0] = {Operand::Value{1}};
  method.body.nodes[0].results[0] = 0;
  method.body.results[0] = 0;
  EXPECT_EQ(Print(module), text);
}

TEST(Print, KeepsTheOrderOfADelegatesBuffers) {
  const char* text =
      "buffer @a: int8[1]\nbuffer @b: int8[1]\nbuffer @c: int8[1]\n\nmethod m() {\n"
      "  delegate \"D\"() shares(@b, @a writes) owns(@c)\n  return\n}\n";
  EXPECT_EQ(Print(ModuleOf(text)), text);
}

TEST(Print, WritesRealsSoThatTheyReadBack) {
  EXPECT_EQ(RealText(1), "1.0");
  EXPECT_EQ(RealText(-0.0), "-0.0");
  EXPECT_EQ(RealText(0.1), "0.1");
  EXPECT_EQ(RealText(1e300), "1e+300");
  for (const double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.125}) {
    EXPECT_EQ(RealOf(RealText(value)), value);
  }
}

TEST(Print, QuotesTextsInPrintableAscii) {
  const std::string text("a\"b\\c\n\t\0\x7f\xC3\xA4", 11);
  EXPECT_EQ(QuotedText(text), R"("a\"b\\c\n\t\x00\x7f\xc3\xa4")");
  EXPECT_EQ(UnquotedText(QuotedText(text)), text);
}

// A buffer with those bytes, written and read back.
TensorValue ReadBack(const TensorValue& value) {
  Buffer buffer;
  buffer.name = "b";
  buffer.type = {value.dtype, {value.sizes.begin(), value.sizes.end()}};
  buffer.initial = value;
  Module module;
  module.buffers.push_back(buffer);
  const Module read = ModuleOf(Print(module));
  return read.buffers.empty() ? TensorValue{} : *read.buffers[0].initial;
}

TEST(Print, ContentsOfEveryElementTypeReadBackBitForBit) {
  for (int type = 0; IsScalarType(type); ++type) {
    const auto dtype = static_cast<ScalarType>(type);
    const auto width = ElementSize(dtype);
    TensorValue value = Zeros(dtype, {96});
    uint32_t state = 7;
    for (std::byte& byte : value.bytes) {
      state = state * 1664525U + 1013904223U;
      byte = static_cast<std::byte>(state >> 24U);
    }
    // All bits set: a NaN with a payload, or the largest number.
    std::memset(value.bytes.data(), 0xFF, width);
    std::memset(value.bytes.data() + width, 0x00, width);
    EXPECT_EQ(ReadBack(value), value) << Name(dtype);
  }
}

TEST(Print, WritesFloatsShortestForTheirType) {
  const std::vector<double> numbers = {
      0.1,      1e10,      -2.5,
      16777216, -10,       100000,
      HUGE_VAL, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()};
  const auto count = static_cast<int64_t>(numbers.size());
  TensorValue value = Zeros(ScalarType::kFloat32, {count});
  std::vector<std::string> texts;
  for (int64_t i = 0; i < count; ++i) {
    SetReal(value, i, numbers[static_cast<size_t>(i)]);
    texts.push_back(ElementText(value, i));
  }
  EXPECT_THAT(texts, testing::ElementsAre("0.1", "1e+10", "-2.5", "16777216.0", "-10.0", "1e+05",
                                          "inf", "-inf", "nan"));
}

TEST(Format, KeepsTheCommentsAboveTheFirstTokenAndDropsOthers) {
  const auto text = Format("  # one  \n\n#two\nbuffer @b: int8[1] # three\n# four\n");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text.value(), "# one\n#two\n\nbuffer @b: int8[1]\n");
  EXPECT_EQ(Format(text.value()).value(), text.value());
}

// Each where it belongs: nodes are counted with those of regions, as they are printed.
TEST(Print, PutsNotesAtTheEndsOfLines) {
  const Module module = Parse(kCanonical).value();
  Notes notes;
  notes.buffers = {"", "second"};
  notes.methods = {{"head", {"n0", "n1", "", "", "", "n5", "n6", "n7"}}};
  const std::string text = Print(module, notes);
  for (const char* line :
       {"@a.b: int64[2, 2]  # second\n", "hint 2) {  # head\n", "(%x, %x, 1)  # n0\n",
        "pool(\"sram\")  # n1\n", "slice_copy.Tensor_out(%2, 1, 0, 2, 1)\n",
        "cond(%5, %2) {  # n5\n", "neg.out(%7)  # n6\n", "while carried 1 (%k) {  # n7\n"}) {
    EXPECT_THAT(text, testing::HasSubstr(line));
  }
  EXPECT_EQ(Parse(text).value(), module);
  EXPECT_EQ(Print(module, {}), kCanonical);
}

TEST(Format, OfCommentsAloneIsThem) {
  EXPECT_EQ(Format("#a\n\n  #b").value(), "#a\n#b\n");
  EXPECT_EQ(Format("").value(), "");
}

TEST(Format, OfCanonicalTextIsThatText) {
  EXPECT_EQ(Format(kCanonical).value(), kCanonical);
}

TEST(Format, OfNoModuleSaysWhy) {
  EXPECT_EQ(Format("# a\n?").error(), (ParseError{2, 1, "unexpected character"}));
}

}  // namespace
}  // namespace pteproof::graph
