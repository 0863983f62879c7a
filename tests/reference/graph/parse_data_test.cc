// Initial values that lie in a file: the reference is read, kept and printed.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/graph/format.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"

namespace pteproof::graph {
namespace {

const std::string kHash(64, 'a');

std::string Text(const std::string& data, const std::string& type = "int32[2]") {
  return "buffer @b: " + type + " = " + data + "\n";
}

// What is asked for, and bytes 1, 2, 3, ...
struct Asked {
  DataRef ref;

  DataOf source() {
    return [this](const DataRef& wanted) -> Result<std::optional<TensorBytes>, std::string> {
      ref = wanted;
      std::vector<std::byte> bytes;
      for (int64_t i = 1; i <= wanted.bytes; ++i) bytes.push_back(static_cast<std::byte>(i));
      return std::optional(TensorBytes(std::move(bytes)));
    };
  }
};

std::string MessageFor(const std::string& data, const std::string& type = "int32[2]") {
  Asked asked;
  const auto module = Parse(Text(data, type), asked.source());
  if (module.ok()) return "good";
  const ParseError& error = module.error();
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

TEST(ParseData, AsksForTheBytes) {
  Asked asked;
  const auto module = Parse(Text("data \"w/x.bin\"[16, 8, \"" + kHash + "\"]"), asked.source());
  ASSERT_TRUE(module.ok()) << module.error().message;
  EXPECT_EQ(asked.ref, (DataRef{"w/x.bin", 16, 8, kHash}));
  const Buffer& buffer = module.value().buffers[0];
  ASSERT_TRUE(buffer.initial.has_value());
  EXPECT_EQ(IntAt(*buffer.initial, 1), 0x08070605);
  EXPECT_TRUE(Validate(module.value()).empty());
}

TEST(ParseData, PrintsTheReferenceAndNotTheValues) {
  const std::string with_hash = "data \"a \\\"b\"[7, 8, \"" + kHash + "\"]";
  for (const std::string& data : {std::string("data \"x\"[0, 8]"), with_hash}) {
    Asked asked;
    const auto module = Parse(Text(data), asked.source());
    ASSERT_TRUE(module.ok()) << data;
    EXPECT_EQ(Print(module.value()), Text(data));
    EXPECT_EQ(Format(Text(data)).value(), Text(data));
  }
}

TEST(ParseData, LeavesTheValuesOutWhereNobodyWantsThem) {
  const auto module = Parse(Text("data \"x\"[0, 8]"), WithoutData);
  ASSERT_TRUE(module.ok());
  EXPECT_FALSE(module.value().buffers[0].initial.has_value());
  EXPECT_EQ(module.value().buffers[0].data, (DataRef{"x", 0, 8, ""}));
}

TEST(ParseData, IsRefusedOfATextAlone) {
  const auto module = Parse(Text("data \"x\"[0, 8]"));
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().column, 23);
  EXPECT_EQ(module.error().message,
            "the values lie in file \"x\", and this text comes without files; write them as [...]");
}

TEST(ParseData, SaysWhatIsWrong) {
  EXPECT_EQ(MessageFor("data \"x\"[0, 7]"), "1:23: the data have 7 bytes, and the type needs 8");
  EXPECT_EQ(MessageFor("data \"x\"[0, 9223372036854775807]", "int32[9223372036854775807]"),
            "1:41: the data have 9223372036854775807 bytes, and the type needs more than there can "
            "be");
  EXPECT_EQ(MessageFor("data \"x\"[9223372036854775807, 8]"), "1:23: no file is that long");
  EXPECT_EQ(MessageFor("data \"x\"[0, 8, \"ab\"]"),
            "1:38: a SHA-256 has 64 digits of 0 to 9 and a to f");
  EXPECT_EQ(MessageFor("data x[0, 8]"), "1:28: expected a file's name in quotes, found 'x'");
  EXPECT_EQ(MessageFor("data \"x\"[-1, 8]"), "1:32: expected an offset, found '-'");
  EXPECT_EQ(MessageFor("data \"x\"[0]"), "1:33: expected ',', found ']'");
  EXPECT_EQ(MessageFor("data \"x\"[0, 8]", "int32[-2]"),
            "1:24: an initial value needs sizes that are numbers");
}

}  // namespace
}  // namespace pteproof::graph
