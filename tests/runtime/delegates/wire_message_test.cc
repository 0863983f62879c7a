#include "runtime/delegates/wire_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace pteproof::delegates {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Bytes BytesOf(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// "1=150 2='ab'", and "damaged" where the bytes are no message.
std::vector<std::string> FieldsOf(const std::string& text) {
  std::vector<std::string> fields;
  WireMessage message(BytesOf(text));
  while (const auto field = message.Next()) {
    std::string& words = fields.emplace_back(std::to_string(field->number) + "=");
    words += field->bytes.empty() ? std::to_string(field->value)
                                  : "'" + std::string(TextOf(field->bytes)) + "'";
  }
  if (message.damaged()) fields.emplace_back("damaged");
  return fields;
}

// The examples of the format's own description: 150 and "testing".
TEST(WireMessage, HasNumbersAndTexts) {
  EXPECT_THAT(FieldsOf("\x08\x96\x01\x12\x07testing"), ElementsAre("1=150", "2='testing'"));
}

TEST(WireMessage, HasNumbersOfFixedSize) {
  EXPECT_THAT(FieldsOf(std::string("\x0d\x01\x02\0\0", 5)), ElementsAre("1=513"));
  EXPECT_THAT(FieldsOf(std::string("\x11\x01\0\0\0\0\0\0\0", 9)), ElementsAre("2=1"));
}

TEST(WireMessage, EndsWhereTheBytesAreNone) {
  EXPECT_THAT(FieldsOf(""), IsEmpty());
  EXPECT_THAT(FieldsOf("\x08"), ElementsAre("damaged"));
  EXPECT_THAT(FieldsOf("\x08\x01\x12\x07test"), ElementsAre("1=1", "damaged"));
  EXPECT_THAT(FieldsOf("\x0b"), ElementsAre("damaged"));  // groups are of old times
  EXPECT_THAT(FieldsOf("\x08" + std::string(11, '\xff')), ElementsAre("damaged"));
}

TEST(WireMessage, FindsTheLastFieldOfANumber) {
  const std::string text =
      "\x12\x01"
      "a"
      "\x0a\x01"
      "b"
      "\x12\x01"
      "c";
  EXPECT_EQ(TextIn(BytesOf(text), 2), "c");
  EXPECT_EQ(TextIn(BytesOf(text), 3), "");
}

TEST(WireMessage, HasNumbersSideBySideOrAlone) {
  std::vector<uint64_t> numbers;
  AppendNumbers({.number = 1, .bytes = BytesOf("\x02\x96\x01")}, numbers);
  AppendNumbers({.number = 1, .value = 7}, numbers);
  EXPECT_THAT(numbers, ElementsAre(2, 150, 7));
}

}  // namespace
}  // namespace pteproof::delegates
