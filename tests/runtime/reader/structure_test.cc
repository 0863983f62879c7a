#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using std::byte;

// A flatbuffer by hand, front to back: the builder never lets two references share a table.
struct Buffer {
  std::vector<byte> bytes;

  template <class T>
  size_t Put(T number) {
    const size_t at = bytes.size();
    bytes.resize(at + sizeof number);
    std::memcpy(bytes.data() + at, &number, sizeof number);
    return at;
  }
  // Makes the offset at `at` lead here.
  void Land(size_t at) {
    const auto offset = static_cast<uint32_t>(bytes.size() - at);
    std::memcpy(bytes.data() + at, &offset, sizeof offset);
  }
  // A table with one field, number `field`, which is an offset; the place of that offset.
  size_t TableWithOffset(uint16_t field) {
    const auto slots = static_cast<uint16_t>(field + 1);
    const auto vtable_size = static_cast<uint16_t>(4 + 2 * slots);
    if (vtable_size % 4 != 0) Put<uint16_t>(0);
    Put(vtable_size);
    Put<uint16_t>(8);
    for (uint16_t i = 0; i < field; ++i) Put<uint16_t>(0);
    Put<uint16_t>(4);
    Put<int32_t>(vtable_size);
    return Put<uint32_t>(0);
  }
};

// Begins a program: root offset, identifier, and a root table whose field `field` is next.
Buffer Begin(uint16_t field, size_t& reference) {
  Buffer buffer;
  buffer.Put<uint32_t>(0);
  buffer.Put<uint32_t>(0);
  std::memcpy(buffer.bytes.data() + 4, "ET12", 4);
  reference = buffer.TableWithOffset(field);
  const auto root = static_cast<uint32_t>(reference - 4);
  std::memcpy(buffer.bytes.data(), &root, sizeof root);
  return buffer;
}

// `width` methods in one place, with `width` values in one place: width squared tables to visit.
std::vector<byte> SharedTables(uint32_t width) {
  size_t methods = 0;
  Buffer buffer = Begin(1, methods);
  buffer.Land(methods);
  buffer.Put(width);
  const size_t first = buffer.bytes.size();
  buffer.bytes.resize(first + size_t{4} * width);
  const size_t values = buffer.TableWithOffset(2);
  for (uint32_t i = 0; i < width; ++i) {
    const size_t slot = first + size_t{4} * i;
    const auto offset = static_cast<uint32_t>(values - 4 - slot);
    std::memcpy(buffer.bytes.data() + slot, &offset, sizeof offset);
  }
  buffer.Land(values);
  buffer.Put(width);
  for (uint32_t i = 0; i < width; ++i) buffer.Put<uint32_t>(4 * (width - i));
  buffer.Put<int32_t>(-4);  // the table that all values are; its vtable follows
  buffer.Put<uint16_t>(4);
  buffer.Put<uint16_t>(4);
  return buffer.bytes;
}

TEST(Structure, RefusesTablesThatAreSharedTooOften) {
  EXPECT_THAT(RulesOf(SharedTables(2000)), RefusedBy(rule::kFileAmplification));
}

TEST(Structure, ToleratesAFewSharedTables) {
  EXPECT_THAT(RulesOf(SharedTables(2)), testing::Not(testing::Contains(rule::kFileAmplification)));
}

TEST(Structure, SaysWhichFieldIsDamaged) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  // The vector of argument indices (1, 0, 3, 2, 2) and the length in front of it.
  const int32_t args[] = {5, 1, 0, 3, 2, 2};
  const auto* pattern = reinterpret_cast<const byte*>(args);
  const auto at = std::search(bytes.begin(), bytes.end(), pattern, pattern + sizeof args);
  ASSERT_NE(at, bytes.end());
  std::fill(at, at + 4, byte{0x7f});
  const auto read = ReadProgram(bytes);
  ASSERT_FALSE(read.ok());
  const Finding& finding = read.error().front();
  EXPECT_EQ(finding.rule, rule::kFileFlatbuffer);
  EXPECT_EQ(finding.bytes->lo, static_cast<uint64_t>(at - bytes.begin()));
  EXPECT_THAT(finding.explanation,
              testing::HasSubstr("methods[0].chains[0].instructions[0].held.args: "
                                 "the length of 2139062143 elements reaches past the end"));
}

// Where the name of the sound file's operator begins.
std::vector<byte>::iterator FindName(std::vector<byte>& bytes) {
  const std::string_view name = "aten::add";
  const auto* pattern = reinterpret_cast<const byte*>(name.data());
  return std::search(bytes.begin(), bytes.end(), pattern, pattern + name.size());
}

std::string ExplanationOf(const std::vector<byte>& bytes) {
  const auto read = ReadProgram(bytes);
  return read.ok() ? "" : read.error().front().explanation;
}

TEST(Structure, RefusesAStringWithoutItsZero) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  const auto at = FindName(bytes);
  ASSERT_NE(at, bytes.end());
  at[9] = byte{'x'};
  EXPECT_THAT(RulesOf(bytes), RefusedBy(rule::kFileFlatbuffer));
  EXPECT_THAT(
      ExplanationOf(bytes),
      testing::HasSubstr("methods[0].operators[0].name: the text has no zero byte at its end."));
}

// Behind the program, where the segments begin, there is a zero, which is none of its own.
TEST(Structure, RefusesAStringThatEndsWithTheProgram) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  uint64_t size = 0;
  std::memcpy(&size, &bytes[16], sizeof size);
  ASSERT_LT(size, bytes.size());
  bytes[size] = byte{0};
  const auto name = static_cast<size_t>(FindName(bytes) - bytes.begin());
  ASSERT_LT(name, size);
  const auto length = static_cast<uint32_t>(size - name);
  std::memcpy(&bytes[name - 4], &length, sizeof length);
  EXPECT_THAT(ExplanationOf(bytes), testing::HasSubstr("the text has no zero byte at its end"));
}

TEST(Structure, SaysThatAnOffsetToTheFilesEndLeadsNowhere) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  const auto name = static_cast<size_t>(FindName(bytes) - bytes.begin()) - 4;
  uint32_t offset = 0;
  size_t at = 0;
  for (; at < name; at += 4) {
    std::memcpy(&offset, &bytes[at], sizeof offset);
    if (at + offset == name) break;
  }
  ASSERT_LT(at, name);
  offset = static_cast<uint32_t>(bytes.size() - at);
  std::memcpy(&bytes[at], &offset, sizeof offset);
  EXPECT_THAT(ExplanationOf(bytes),
              testing::HasSubstr("methods[0].operators[0].name: the offset " +
                                 std::to_string(offset) + " points outside the flatbuffer"));
}

TEST(Structure, SaysHowLongAStringClaimsToBe) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  const auto at = FindName(bytes);
  ASSERT_NE(at, bytes.end());
  std::fill(at - 4, at, byte{0x7f});
  EXPECT_THAT(
      ExplanationOf(bytes),
      testing::HasSubstr(
          "methods[0].operators[0].name: the length of 2139062143 elements reaches past the end"));
}

// Its own fields are looked up in a table that the file is too short for.
TEST(Structure, SaysWhereTheRootTablesFieldsWouldBe) {
  std::vector<byte> bytes = wire::Build(wire::AddFile());
  uint32_t root = 0;
  uint64_t size = 0;
  std::memcpy(&root, bytes.data(), sizeof root);
  std::memcpy(&size, bytes.data() + 16, sizeof size);  // of the tables, as the header has it
  const int32_t back = -(1 << 20);
  std::memcpy(bytes.data() + root, &back, sizeof back);
  const uint64_t fields = root + (1 << 20);
  EXPECT_THAT(ExplanationOf(bytes),
              testing::HasSubstr("the root table: bytes " + std::to_string(fields) + " to " +
                                 std::to_string(fields + 2) + " reach past the end at " +
                                 std::to_string(size) + "."));
}

}  // namespace
}  // namespace pteproof
