// Recordings that nobody vouches for: each is refused with the place, in a short time and in memory
// that is in proportion to the file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "properties/oracles/decode_tensor.h"
#include "properties/oracles/recorded_calls.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Result<Recording, std::string> ReadHostile(const std::string& json, std::string_view bin = {}) {
  const TempFolder folder;
  if (!bin.empty()) folder.Write("calls.bin", bin);
  return ReadRecording(folder.Write("calls.json", json));
}

std::string WhyRefused(const std::string& json, std::string_view bin = {}) {
  const auto recording = ReadHostile(json, bin);
  return recording.ok() ? "" : recording.error();
}

std::string WithCalls(const std::string& calls, const std::string& more = "") {
  return R"({"program": "p.pte", "sequences": [{"calls": [)" + calls + "]" + more + "}]}";
}

std::string WithInputs(const std::string& inputs) {
  return WithCalls(R"({"method": "m", "inputs": [)" + inputs + "]}");
}

std::string TensorWith(const std::string& sizes, const std::string& nbytes,
                       const std::string& offset = "0") {
  return fmt::format(
      R"({{"kind": "tensor", "dtype": "uint8", "sizes": {}, "nbytes": {}, "offset": {}}})", sizes,
      nbytes, offset);
}

std::string RepeatedText(std::string_view text, size_t count) {
  std::string out;
  for (size_t n = 0; n < count; ++n) out += text;
  return out;
}

constexpr const char* kTensorsPlace = "sequences[0].calls[0].inputs[0]: ";

TEST(HostileRecordings, AreNotNestedDeep) {
  constexpr size_t kDeep = 200'000;
  const std::string lists = std::string(kDeep, '[');
  const std::string objects = RepeatedText(R"({"a":)", kDeep);
  const std::string ends = std::string(kDeep, ']');
  const std::vector<std::string> texts = {
      lists,
      objects,
      lists + ends,
      R"({"program": "p", "sequences": )" + lists,
      R"({"program": "p", "sequences": )" + lists + ends + "}",
      R"({"program": )" + lists + ends + R"(, "sequences": []})",
      R"({"program": "p", "sequences": [], "more": )" + objects,
      R"({"program": "p", "sequences": [], "tolerance": )" + lists + ends + "}",
      WithInputs(lists + ends),
      WithInputs(R"({"kind": "int", "value": )" + lists + ends + "}"),
      WithInputs(TensorWith(lists + ends, "0")),
      WithCalls("", R"(, "policies": )" + lists + ends)};
  for (const std::string& text : texts) {
    EXPECT_THAT(WhyRefused(text), HasSubstr("nested deeper than 32 levels; a recording needs 8"))
        << text.substr(0, 60);
  }
}

TEST(HostileRecordings, HaveWholeNumbersWhereTheyCount) {
  const std::vector<std::string> numbers = {"1e300",
                                            "-1e300",
                                            "1e18",
                                            "-1",
                                            "-9223372036854775808",
                                            "0.5",
                                            "1.0",
                                            "18446744073709551616",
                                            "true",
                                            "null",
                                            "[4]",
                                            "{}",
                                            "\"4\"",
                                            "-0.0"};
  for (const std::string& number : numbers) {
    EXPECT_THAT(WhyRefused(WithInputs(TensorWith("[4]", number)), "abcd"),
                HasSubstr(std::string(kTensorsPlace) + "\"nbytes\" is "))
        << number;
    EXPECT_THAT(WhyRefused(WithInputs(TensorWith("[4]", "4", number)), "abcd"),
                HasSubstr(std::string(kTensorsPlace) + "\"offset\" is "))
        << number;
    EXPECT_THAT(WhyRefused(WithInputs(TensorWith("[" + number + "]", "4")), "abcd"),
                HasSubstr(std::string(kTensorsPlace) + "a size is "))
        << number;
  }
}

TEST(HostileRecordings, HaveNoNumbersBeyondThoseOfFloats) {
  for (const char* number : {"1e400", "-1e400", "1e999999999"}) {
    EXPECT_THAT(WhyRefused(WithInputs(fmt::format(R"({{"kind": "double", "value": {}}})", number))),
                HasSubstr("this is not JSON"));
  }
  for (const char* number : {"NaN", "Infinity", "-Infinity", "0x10", "1e", "01", "+1"}) {
    EXPECT_THAT(WhyRefused(WithInputs(fmt::format(R"({{"kind": "int", "value": {}}})", number))),
                HasSubstr("line 1 column"))
        << number;
  }
}

TEST(HostileRecordings, HaveSizesThatCanBeCounted) {
  const std::string mismatch = std::string(kTensorsPlace) + "\"nbytes\" does not match";
  const std::vector<std::string> all = {"[9223372036854775807]",
                                        "[9223372036854775807, 2]",
                                        "[4294967296, 4294967296]",
                                        "[4611686018427387904, 4]",
                                        "[0, 4611686018427387904, 4611686018427387904]",
                                        "[4611686018427387904, 4611686018427387904, 0]",
                                        "[3]",
                                        "[5]",
                                        "[2, 2, 2]",
                                        "[]"};
  for (const std::string& sizes : all) {
    for (const char* nbytes : {"0", "4"}) {
      EXPECT_THAT(WhyRefused(WithInputs(TensorWith(sizes, nbytes)), "abcd"), HasSubstr(mismatch))
          << sizes;
    }
  }
  EXPECT_THAT(WhyRefused(WithInputs(TensorWith("[9223372036854775808]", "0"))),
              HasSubstr("a size is 9223372036854775808"));
  const std::string ranks = "[" + RepeatedText("1, ", 16) + "1]";
  EXPECT_THAT(WhyRefused(WithInputs(TensorWith(ranks, "1")), "a"),
              HasSubstr("\"sizes\" has 17 dimensions, and the limit is 16"));
}

TEST(HostileRecordings, HaveTensorsInsideTheFileBeside) {
  const std::vector<std::string> offsets = {"1",
                                            "4",
                                            "5",
                                            "4294967296",
                                            "9223372036854775807",
                                            "18446744073709551612",
                                            "18446744073709551615"};
  for (const std::string& offset : offsets) {
    EXPECT_THAT(WhyRefused(WithInputs(TensorWith("[4]", "4", offset)), "abcd"),
                HasSubstr(std::string(kTensorsPlace) + "the bytes lie outside calls.bin"))
        << offset;
  }
  EXPECT_THAT(WhyRefused(WithInputs(TensorWith("[4]", "4"))), HasSubstr("lie outside calls.bin"));
}

// 65,535 names of a megabyte are one megabyte.
TEST(HostileRecordings, ShareATensorThatIsNamedOften) {
  constexpr size_t kBytes = size_t{1} << 20;
  constexpr size_t kNames = 65'535;
  const std::string one = TensorWith(fmt::format("[{}]", kBytes), fmt::to_string(kBytes));
  const auto read =
      ReadHostile(WithInputs(RepeatedText(one + ",", kNames - 1) + one), std::string(kBytes, 'x'));
  ASSERT_TRUE(read.ok()) << read.error();
  const std::vector<Datum>& inputs = read.value().sequences[0].calls[0].inputs;
  ASSERT_THAT(inputs, SizeIs(kNames));
  const auto data = [&](size_t n) { return std::get<TensorValue>(inputs[n]).bytes.data(); };
  EXPECT_EQ(data(0), data(kNames - 1));
}

// Each a byte shorter than the one before: nothing can be shared.
TEST(HostileRecordings, DoNotNameTheSameBytesInManyWays) {
  constexpr size_t kBytes = size_t{1} << 18;
  std::string inputs;
  for (size_t n = 0; n < 2000; ++n) {
    const size_t bytes = kBytes - n;
    inputs += (n == 0 ? "" : ",") + TensorWith(fmt::format("[{}]", bytes), fmt::to_string(bytes));
  }
  EXPECT_THAT(WhyRefused(WithInputs(inputs), std::string(kBytes, 'x')),
              HasSubstr("so often that their content is far larger than the file"));
}

TEST(HostileRecordings, NameEachLoaderOnce) {
  const auto with = [](const std::string& policies) {
    return WithCalls(R"({"method": "m", "inputs": []})", R"(, "policies": [)" + policies + "]");
  };
  const std::string all =
      R"("private", "share-1-2", "share-all", "private, all methods loaded first",
         "share-1-2, all methods loaded first", "share-all, all methods loaded first")";
  const auto read = ReadHostile(with(all));
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_THAT(read.value().sequences, SizeIs(6));
  EXPECT_THAT(WhyRefused(with(all + R"(, "private")")),
              HasSubstr("\"policies\" names the loader \"private\" twice"));
  EXPECT_THAT(WhyRefused(with(RepeatedText(R"("share-all",)", 100'000) + R"("share-all")")),
              HasSubstr("sequences[0]: \"policies\" names the loader"));
  EXPECT_THAT(WhyRefused(with(R"("private 1", "private 2")")), HasSubstr("twice"));
}

TEST(HostileRecordings, AreOfTheTypesThatTheyNeed) {
  const std::vector<std::string> texts = {
      "",
      "{",
      "[]",
      "3",
      "\"p\"",
      std::string("{\"program\": \"p\", \"sequences\": []}\0[", 35),
      R"({"program": "p", "program": "q", "sequences": []})",
      R"({"program": {}, "sequences": []})",
      R"({"program": [1], "sequences": []})",
      R"({"program": "p", "sequences": {}})",
      R"({"program": "p", "sequences": {"calls": []}})",
      R"({"program": "p", "sequences": [[]]})",
      R"({"program": "p", "sequences": [{"calls": 1}]})",
      R"({"program": "p", "sequences": [{"calls": {"method": "m"}}]})",
      R"({"program": "p", "sequences": [], "tolerance": 1})",
      R"({"program": "p", "sequences": [], "tolerance": {"rtol": "1", "atol": 0}})",
      WithCalls("", R"(, "policy": "none")"),
      WithCalls("", R"(, "policies": [])"),
      WithCalls("", R"(, "policies": [1])"),
      WithCalls("", R"(, "load": "never")"),
      WithInputs("1"),
      WithInputs("[]"),
      "\xff\xfe"};
  for (const std::string& text : texts) EXPECT_NE(WhyRefused(text), "") << text;
}

TEST(HostileRecordings, AreShownInShortAndPlainText) {
  const std::string long_name(100'000, 'x');
  const std::vector<std::string> texts = {
      WithInputs(R"({"kind": ")" + long_name + "\"}"),
      WithInputs(R"({"kind": "\u001b[2J\u001b]0;x\u0007"})"),
      WithCalls(R"({"method": "m", "inputs": [], "truth": ")" + long_name + "\"}"),
      WithCalls("", R"(, "policy": ")" + long_name + "\"")};
  for (const std::string& text : texts) {
    const std::string why = WhyRefused(text);
    EXPECT_LT(why.size(), 500U);
    EXPECT_THAT(std::vector<char>(why.begin(), why.end()), Each(::testing::Ge(' ')));
  }
}

// A tensor of a caller with another rank than the file's.
TEST(DimOrders, OfAnotherRankMoveNothing) {
  TensorValue tensor = Zeros(ScalarType::kUInt8, {3});
  SetInt(tensor, 2, 7);
  const std::vector<int32_t> order = {1, 0};
  EXPECT_EQ(InMemory(tensor, order), tensor.bytes);
  EXPECT_EQ(FromMemory(tensor.dtype, tensor.sizes, order, tensor.bytes), tensor);
}

}  // namespace
}  // namespace pteproof
