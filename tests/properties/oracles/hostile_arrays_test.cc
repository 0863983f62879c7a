// Archives of arrays (.npz) that nobody vouches for: each is refused with the array's name, in a
// short time and in memory that is in proportion to the file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/oracles/numpy_arrays.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string LittleEndian(uint64_t number, size_t width) {
  std::string bytes;
  for (size_t b = 0; b < width; ++b, number >>= 8U) bytes += static_cast<char>(number & 0xFFU);
  return bytes;
}

std::string NpyOf(std::string_view shape, std::string_view elements,
                  std::string_view descr = "'|u1'", std::string_view fortran = "False") {
  const std::string text =
      fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", descr, fortran, shape);
  return std::string("\x93NUMPY\x02\x00", 8) + LittleEndian(text.size(), 4) + text +
         std::string(elements);
}

// Fields of an entry of the list; its header says nothing that is read.
struct ListedEntry {
  std::string name;
  uint64_t header = 0;
  uint64_t bytes = 0;
  uint64_t method = 0;
};

std::string Header() {
  return std::string("PK\x03\x04", 4) + std::string(26, '\0');
}

std::string ListOf(const std::vector<ListedEntry>& entries) {
  std::string list;
  for (const ListedEntry& entry : entries) {
    list += std::string("PK\x01\x02", 4) + std::string(6, '\0') + LittleEndian(entry.method, 2) +
            std::string(8, '\0') + LittleEndian(entry.bytes, 4) + LittleEndian(entry.bytes, 4) +
            LittleEndian(entry.name.size(), 2) + std::string(12, '\0') +
            LittleEndian(entry.header, 4) + entry.name;
  }
  return list;
}

std::string EndOf(uint64_t count, uint64_t list_at) {
  return std::string("PK\x05\x06", 4) + std::string(6, '\0') + LittleEndian(count, 2) +
         std::string(4, '\0') + LittleEndian(list_at, 4) + std::string(2, '\0');
}

// One file, which all entries name.
std::string ArchiveOf(const std::string& npy, std::vector<ListedEntry> entries) {
  const std::string body = Header() + npy;
  for (ListedEntry& entry : entries) {
    if (entry.bytes == 0) entry.bytes = npy.size();
  }
  return body + ListOf(entries) + EndOf(entries.size(), body.size());
}

Result<std::vector<NamedArray>, std::string> ReadArchive(const std::string& text) {
  return ReadNpz(std::as_bytes(std::span(text)));
}

std::string WhyRefusedArchive(const std::string& text) {
  const auto read = ReadArchive(text);
  return read.ok() ? "" : read.error();
}

std::string WhyRefusedArray(const std::string& npy) {
  return WhyRefusedArchive(ArchiveOf(npy, {{.name = "0.npy"}}));
}

TEST(HostileArrays, AreReadIfTheyAreSound) {
  const auto read = ReadArchive(ArchiveOf(NpyOf("(2, 2)", "abcd"), {{.name = "0.npy"}}));
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value()[0].name, "0");
  EXPECT_EQ(IntAt(read.value()[0].value, 3), 'd');
}

TEST(HostileArrays, HaveAsManyBytesAsTheirShapeNeeds) {
  for (const char* shape :
       {"(5,)", "(2, 3)", "(1000000000,)", "(9223372036854775807,)", "(1, 1, 1, 5)"}) {
    EXPECT_THAT(
        WhyRefusedArray(NpyOf(shape, "abcd")),
        ::testing::MatchesRegex("array '0': the shape needs [0-9]+ bytes, and 4 are stored"))
        << shape;
  }
  EXPECT_THAT(WhyRefusedArray(NpyOf("(4,)", "abcd", "'<f8'")),
              HasSubstr("the shape needs 32 bytes, and 4 are stored"));
}

TEST(HostileArrays, HaveShapesThatCanBeCounted) {
  for (const char* shape : {"(4294967296, 4294967296)", "(9223372036854775807, 2)",
                            "(0, 4611686018427387904, 4611686018427387904)",
                            "(4611686018427387904, 4611686018427387904, 0)"}) {
    EXPECT_THAT(WhyRefusedArray(NpyOf(shape, "abcd")),
                HasSubstr("more elements than can be counted"))
        << shape;
    EXPECT_THAT(WhyRefusedArray(NpyOf(shape, "abcd", "'|u1'", "True")), HasSubstr("counted"));
  }
  for (const char* shape : {"(-1,)", "(9223372036854775808,)", "(1e3,)", "(a,)", "(2.5,)",
                            "(True,)", "((2, 2),)", "(0x2,)"}) {
    EXPECT_NE(WhyRefusedArray(NpyOf(shape, "abcd")), "") << shape;
  }
  std::string ranks = "(";
  for (int n = 0; n < 500'000; ++n) ranks += "1,";
  EXPECT_THAT(WhyRefusedArray(NpyOf(ranks + "4)", "abcd", "'|u1'", "True")),
              HasSubstr("the shape has more than 16 dimensions"));
}

TEST(HostileArrays, HaveHeadersInsideTheFile) {
  const std::string sound = NpyOf("(4,)", "abcd");
  for (const uint64_t length : {0ULL, 1ULL, 1000ULL, 0x7FFFFFFFULL, 0xFFFFFFFFULL}) {
    std::string npy = sound;
    npy.replace(8, 4, LittleEndian(length, 4));
    EXPECT_NE(WhyRefusedArray(npy), "") << length;
  }
  for (size_t size = 0; size + 4 < sound.size(); ++size) {
    EXPECT_NE(WhyRefusedArray(sound.substr(0, size)), "") << size;
  }
}

TEST(HostileArrays, AreOfNumbersAndNotPacked) {
  for (const char* descr : {"'|O'", "'<U2'", "'>f4'", "[('a', '<f4')]", "''", "'<f16'"}) {
    EXPECT_THAT(WhyRefusedArray(NpyOf("(1,)", "abcd", descr)), HasSubstr("are not supported"));
  }
  const std::string packed = ArchiveOf(NpyOf("(4,)", "abcd"), {{.name = "0.npy", .method = 8}});
  EXPECT_THAT(WhyRefusedArchive(packed), HasSubstr("it is compressed"));
}

TEST(HostileArrays, LieInsideTheArchive) {
  const std::string npy = NpyOf("(4,)", "abcd");
  for (const uint64_t header : {1ULL, 100ULL, 1000ULL, 0x7FFFFFFFULL, 0xFFFFFFFFULL}) {
    const auto text = ArchiveOf(npy, {{.name = "0.npy", .header = header}});
    EXPECT_NE(WhyRefusedArchive(text), "") << header;
  }
  for (const uint64_t bytes : {1ULL, 10ULL, 1000ULL, 0xFFFFFFFEULL, 0xFFFFFFFFULL}) {
    const auto text = ArchiveOf(npy, {{.name = "0.npy", .bytes = bytes}});
    EXPECT_NE(WhyRefusedArchive(text), "") << bytes;
  }
  const std::string body = Header() + npy + ListOf({{.name = "0", .bytes = npy.size()}});
  for (const uint64_t list : {1ULL, 1000ULL, 0xFFFFFFFFULL}) {
    EXPECT_NE(WhyRefusedArchive(body + EndOf(1, list)), "") << list;
  }
  for (const uint64_t count : {2ULL, 65535ULL}) {
    EXPECT_NE(WhyRefusedArchive(body + EndOf(count, Header().size() + npy.size())), "") << count;
  }
}

TEST(HostileArrays, AreSharedIfManyEntriesNameOne) {
  constexpr size_t kEntries = 65'535;
  std::vector<ListedEntry> entries;
  for (size_t n = 0; n < kEntries; ++n) entries.push_back({.name = fmt::format("{}/m/0", n)});
  const auto read =
      ReadArchive(ArchiveOf(NpyOf("(1048576,)", std::string(size_t{1} << 20, 'x')), entries));
  ASSERT_TRUE(read.ok()) << read.error();
  ASSERT_THAT(read.value(), SizeIs(kEntries));
  const auto data = [&](size_t n) { return std::as_const(read.value()[n].value.bytes).data(); };
  EXPECT_EQ(data(0), data(kEntries - 1));
}

// The same bytes as the ends of many arrays: nothing can be shared.
TEST(HostileArrays, DoNotOverlapInManyWays) {
  std::string body;
  std::vector<ListedEntry> entries;
  constexpr size_t kTail = size_t{1} << 20;
  constexpr size_t kHeaders = 200;
  std::vector<std::string> starts;
  size_t rest = kTail;
  for (size_t n = 0; n < kHeaders; ++n) {
    const std::string start = Header() + NpyOf(fmt::format("({},)", rest), "");
    rest += start.size();
    starts.push_back(start);
  }
  for (size_t n = kHeaders; n-- > 0;) {
    entries.push_back({.name = fmt::to_string(n), .header = body.size()});
    body += starts[n];
  }
  body += std::string(kTail, 'x');
  for (ListedEntry& entry : entries) entry.bytes = body.size() - entry.header - Header().size();
  EXPECT_THAT(WhyRefusedArchive(body + ListOf(entries) + EndOf(entries.size(), body.size())),
              HasSubstr("share so many bytes that they are far larger than the file"));
}

TEST(HostileArrays, HaveNamesOfTheirOwn) {
  const std::string npy = NpyOf("(4,)", "abcd");
  EXPECT_THAT(WhyRefusedArchive(ArchiveOf(npy, {{.name = "a"}, {.name = "a"}})),
              HasSubstr("array 'a': it occurs twice"));
  EXPECT_THAT(WhyRefusedArchive(ArchiveOf(npy, {{.name = "a.npy"}, {.name = "a"}})),
              HasSubstr("array 'a': it occurs twice"));
  const std::string shown =
      WhyRefusedArchive(ArchiveOf("x", {{.name = "\x1b[2J\n" + std::string(60'000, 'n')}}));
  EXPECT_LT(shown.size(), 300U);
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace pteproof
