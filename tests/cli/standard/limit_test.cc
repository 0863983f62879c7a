// Budgets against numbers worked out by hand, and their texts against the published schema.
#include "cli/standard/limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// decode: 100 + 60 bytes, of which 20 are waste in bank 1; tune: 80 + 50.
const std::vector<BankUse> kBanks = {{"decode", 1, 100, 100, 80, 0},
                                     {"decode", 3, 60, 60, 60, 0},
                                     {"tune", 1, 80, 80, 80, 0},
                                     {"tune", 3, 50, 50, 50, 0}};

Limit Parsed(const std::string& text, bool takes_percent = false) {
  auto limit = ParseLimit(text, takes_percent);
  EXPECT_TRUE(limit.ok()) << text;
  return limit.ok() ? std::move(limit).value() : Limit();
}

TEST(Limit, IsOfTheProgramAMethodOrABank) {
  EXPECT_EQ(Parsed("4096").most, 4096U);
  EXPECT_TRUE(Parsed("4096").IsOfAll());
  EXPECT_EQ(Parsed("64KiB").most, 65536U);
  EXPECT_EQ(Parsed("2 MiB").most, 2097152U);
  EXPECT_EQ(Parsed("1GiB").most, 1073741824U);
  EXPECT_EQ(Parsed("decode=5").method, "decode");
  EXPECT_EQ(Parsed("decode:2=5").bank, 2U);
  EXPECT_EQ(Parsed(":2=5").bank, 2U);
  EXPECT_EQ(Parsed("a=b=5").method, "a=b");
  EXPECT_TRUE(Parsed("5%", true).percent);
}

struct LimitText {
  std::string text;
  bool as_bytes;
  bool as_waste;
};

// The reader and the schema's pattern agree on each.
TEST(Limit, IsReadAsTheSchemaHasIt) {
  const auto schema =
      nlohmann::json::parse(ReadText(PTEPROOF_SOURCE_DIR "/cli/standard/config.schema.json"));
  const auto pattern = [&](const char* name) {
    return std::regex(schema["$defs"][name]["anyOf"][1]["pattern"].get<std::string>());
  };
  const std::regex bytes = pattern("bytes");
  const std::regex waste = pattern("waste");
  for (const LimitText& each : std::vector<LimitText>{
           {"4096", true, true},      {"64KiB", true, true},       {"64 MiB", true, true},
           {"forward=1", true, true}, {"forward:1=1", true, true}, {":7=1GiB", true, true},
           {"a:b:1=1", true, true},   {"a=b=1", true, true},       {"5%", false, true},
           {"f:1=100%", false, true}, {"0%", false, true},         {"101%", false, false},
           {"-1", false, false},      {"", false, false},          {"=1", false, false},
           {":=1", false, false},     {":0=1", false, false},      {"f:x=1", false, false},
           {"f=", false, false},      {"64KB", false, false},      {"KiB", false, false},
           {"1.5MiB", false, false},  {"4096 ", false, false},     {"0x10", false, false},
           {"5 %", false, false},     {"+1", false, false}}) {
    EXPECT_EQ(ParseLimit(each.text, false).ok(), each.as_bytes) << each.text;
    EXPECT_EQ(ParseLimit(each.text, true).ok(), each.as_waste) << each.text;
    EXPECT_EQ(std::regex_search(each.text, bytes), each.as_bytes) << each.text;
    EXPECT_EQ(std::regex_search(each.text, waste), each.as_waste) << each.text;
  }
}

TEST(Limit, SaysWhatMayStandThere) {
  EXPECT_THAT(ParseLimit("5%", false).error(), HasSubstr("'5%' is not a size: write bytes"));
  EXPECT_THAT(ParseLimit("f:0=1", false).error(), HasSubstr("a bank from 1"));
  EXPECT_FALSE(ParseLimit("99999999999999999999", false).ok());
  EXPECT_FALSE(ParseLimit("18014398509481984KiB", false).ok());  // 2^64 bytes
  EXPECT_TRUE(ParseLimit("18014398509481983KiB", false).ok());
}

TEST(Limit, CountsBanksThatMethodsShareOnce) {
  EXPECT_EQ(TotalBytes(kBanks, Policy::kPrivate), 290U);
  EXPECT_EQ(TotalBytes(kBanks, std::nullopt), 290U);
  EXPECT_EQ(TotalBytes(kBanks, Policy::kShare12), 210U);   // 100 + 60 + 50
  EXPECT_EQ(TotalBytes(kBanks, Policy::kShareAll), 160U);  // 100 + 60
}

TEST(Limit, TellsEachExcessOfBytes) {
  EXPECT_THAT(OverBytes(Parsed("160"), kBanks, Policy::kShareAll), IsEmpty());
  EXPECT_THAT(OverBytes(Parsed("159"), kBanks, Policy::kShareAll),
              ElementsAre("the program has 160 bytes, and max-bytes is 159"));
  EXPECT_THAT(OverBytes(Parsed("tune=130"), kBanks, std::nullopt), IsEmpty());
  EXPECT_THAT(OverBytes(Parsed("tune=129"), kBanks, std::nullopt),
              ElementsAre("method tune has 130 bytes, and max-bytes is tune=129"));
  EXPECT_THAT(OverBytes(Parsed(":3=55"), kBanks, std::nullopt),
              ElementsAre("bank 3 of decode has 60 bytes, and max-bytes is :3=55"));
  EXPECT_THAT(OverBytes(Parsed("decode:1=100"), kBanks, std::nullopt), IsEmpty());
}

TEST(Limit, TellsEachExcessOfWaste) {
  EXPECT_THAT(OverWaste(Parsed("20%", true), kBanks), IsEmpty());
  EXPECT_THAT(OverWaste(Parsed("20", true), kBanks), IsEmpty());
  EXPECT_THAT(
      OverWaste(Parsed("19%", true), kBanks),
      ElementsAre("bank 1 of decode has 100 bytes, 20 of them waste, and max-waste is 19%"));
  EXPECT_THAT(OverWaste(Parsed("decode:1=19", true), kBanks), testing::SizeIs(1));
  EXPECT_THAT(OverWaste(Parsed("tune=0%", true), kBanks), IsEmpty());
}

TEST(Limit, KnowsWhetherAProgramHasItsMemory) {
  EXPECT_TRUE(Applies(Parsed("1"), {}));
  EXPECT_TRUE(Applies(Parsed("tune:3=1"), kBanks));
  EXPECT_FALSE(Applies(Parsed("tune:2=1"), kBanks));
  EXPECT_FALSE(Applies(Parsed("tone=1"), kBanks));
}

}  // namespace
}  // namespace pteproof
