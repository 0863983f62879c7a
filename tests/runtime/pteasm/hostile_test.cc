// Texts that were made to harm: each ends soon, with a program or with an error.
#include <gtest/gtest.h>

#include <string>

#include "tests/runtime/pteasm/assembled.h"

namespace pteproof::pteasm {
namespace {

std::string Repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

void ExpectRefused(const std::string& text) {
  const auto made = Assemble(text, text::NoData);
  ASSERT_FALSE(made.ok());
  ASSERT_FALSE(made.error().empty());
  EXPECT_GE(made.error()[0].line, 1);
  EXPECT_FALSE(made.error()[0].message.empty());
}

TEST(HostileProgramText, NestsWithoutEnd) {
  for (const std::string_view part :
       {"[", "(", "{", "ints[", "call ", "-", "a: ", "%a: ", "\"\\"}) {
    ExpectRefused(MethodOf("", Repeated(part, 100000)));
    ExpectRefused("program\nmethod f(" + Repeated(part, 100000));
    ExpectRefused(Repeated(part, 100000));
  }
}

TEST(HostileProgramText, AsksForMoreThanThereIs) {
  for (const std::string_view line :
       {"%y: uint8[2147483647, 536870912] = zeros", "%y: float32[0] @4294967295:0",
        "%y: float32[1] @4294967296:0", "%y: uint8[4] @1:18446744073709551615",
        "%y: uint8[1] = data \"f\"[9223372036854775807, 9223372036854775807]",
        "%y: uint8[2147483648]", "%4294967295: int", "%99999999999999999999: int",
        "delegate \"a\" = zeros(18446744073709551615)", "delegate 2147483647()",
        "delegate 2147483648()", "call 2147483647()"}) {
    ExpectRefused(MethodOf("", std::string(line) + "\nreturn"));
  }
  ExpectRefused("program method f() banks [0, 9223372036854775807] { return }");
}

TEST(HostileProgramText, FillsAgainAndAgain) {
  ExpectRefused(MethodOf("", Repeated("delegate \"a\" = zeros(8000000)\n", 3) + "return"));
}

TEST(HostileProgramText, RepeatsNames) {
  std::string many;
  for (int i = 0; i < 30000; ++i) many += "method m" + std::to_string(i) + "() {return}\n";
  EXPECT_EQ(ErrorOf("program\n" + many), "");
  EXPECT_NE(ErrorOf("program\n" + many + "method m7() {return}"), "");
  std::string labels;
  for (int i = 0; i < 30000; ++i) labels += "l" + std::to_string(i) + ":\n";
  EXPECT_EQ(ErrorOf(MethodOf("", labels + "return")), "");
  std::string values;
  for (int i = 30000; i-- > 0;) values += "%" + std::to_string(i) + ": int\n";
  EXPECT_EQ(ErrorOf(MethodOf("", values + "return")), "");
}

// One list of many tensors that many calls take: too much to follow, as in a file.
TEST(HostileProgramText, NamesOneListVeryOften) {
  const std::string list = "%l: tensors[" + Repeated("%x, ", 20000) + "%x]\ndelegate \"a\"\n";
  ExpectRefused(MethodOf("%x: float32[2]", list + Repeated("delegate 0(%l)\n", 20000) + "return"));
}

TEST(HostileProgramText, IsCutAnywhere) {
  const std::string text = MethodOf(
      "%x: float32[2] bounded order [0] @1:0 on(1, -2) external \"n\"",
      "delegate \"d\" = hex \"00\" with \"k\" = zeros(3)\n%y: float32[1] = data \"f\"[0, 4]\n"
      "%z: int64[2] @1:8 = fill -3\n%x = aten::add.out(%x, %z, 1)\nl: jump_false true, l\n"
      "delegate 0([1, 2], [1.5, -inf], [true], None)\nreturn %x, \"s\"");
  EXPECT_EQ(ErrorOf(text), "");
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_NE(ErrorOf(text.substr(0, length)), "") << length;
    std::string changed = text;
    for (const char c : {'\0', '%', '"', ']', '9', '\xff'}) {
      changed[length] = c;
      static_cast<void>(ErrorOf(changed));
    }
  }
}

}  // namespace
}  // namespace pteproof::pteasm
