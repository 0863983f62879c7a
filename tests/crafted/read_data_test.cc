#include "runtime/read_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "runtime/data_rules.h"
#include "tests/crafted/draft.h"
#include "tests/support/files.h"

namespace pteproof::crafted {
namespace {

using testing::ElementsAre;

std::set<std::string_view> DataRules(const std::string& file) {
  std::set<std::string_view> rules;
  const auto read = ReadDataFile(std::as_bytes(std::span(file)));
  if (read.ok()) return rules;
  for (const Finding& finding : read.error()) rules.insert(finding.rule);
  return rules;
}

TEST(ReadDataFile, GivesNamesLayoutsAndBytes) {
  const std::string file = FileBytes(BaseData());
  const auto read = ReadDataFile(std::as_bytes(std::span(file)));
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().entries.size(), 2U);
  const DataEntry& b = read.value().entries[1];
  EXPECT_EQ(b.key, "b");
  ASSERT_TRUE(b.layout.has_value());
  EXPECT_EQ(b.layout->dtype, ScalarType::kFloat32);
  EXPECT_THAT(b.layout->sizes, ElementsAre(2, 2));
  EXPECT_THAT(b.layout->dim_order, ElementsAre(0, 1));
  EXPECT_EQ(b.layout->nbytes, 16U);
  ASSERT_EQ(b.blob.size(), 16U);
  EXPECT_EQ(b.blob[3], std::byte{0x40});
}

// Sizes as the model beside the file declares them: Linear(6, 6) and Linear(6, 3) without biases.
TEST(ReadDataFile, ReadsWhatTheExporterWrote) {
  const auto bytes = ReadBytes(std::filesystem::path(PTEPROOF_CORPUS_DIR) /
                               "real/models/external_some/external_some.ptd");
  const auto read = ReadDataFile(bytes);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().entries.size(), 2U);
  EXPECT_EQ(read.value().entries[0].key, "c.weight");
  EXPECT_THAT(read.value().entries[0].layout->sizes, ElementsAre(3, 6));
  EXPECT_EQ(read.value().entries[1].key, "b.weight");
  EXPECT_EQ(read.value().entries[1].blob.size(), 144U);
}

TEST(ReadDataFile, ReadsTensorsThatShareASegmentInTheEarlyLayout) {
  const std::string file = FileBytes(EarlyData());
  const auto read = ReadDataFile(std::as_bytes(std::span(file)));
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().entries.size(), 2U);
  EXPECT_EQ(read.value().entries[1].key, "b");
  EXPECT_EQ(read.value().entries[1].blob[3], std::byte{0x40});
}

TEST(ReadDataFile, RefusesATensorBehindItsSegmentInTheEarlyLayout) {
  DataDraft draft = EarlyData();
  draft.root->Get(early_data::kTensors)->references[1]->SetScalar(early_data::kOffset, 8, 33);
  EXPECT_THAT(DataRules(FileBytes(draft)), ElementsAre(rule::kDataSegment));
  draft.root->Get(early_data::kTensors)->references[1]->SetScalar(early_data::kOffset, 8, 20);
  EXPECT_THAT(DataRules(FileBytes(draft)), ElementsAre(rule::kDataShort));
}

TEST(ReadDataFile, RefusesFilesOfOtherKinds) {
  EXPECT_THAT(DataRules(FileBytes(BaseProgram())), ElementsAre(rule::kDataIdentifier));
  EXPECT_THAT(DataRules(FileBytes(BaseBundle())), ElementsAre(rule::kDataIdentifier));
  EXPECT_THAT(DataRules(""), ElementsAre(rule::kDataTruncated));
}

TEST(ReadDataFile, RefusesSegmentsOverTheFlatbuffer) {
  std::string file = FileBytes(BaseData());
  Patch64(file, 32, 64);
  EXPECT_THAT(DataRules(file), ElementsAre(rule::kDataSegment));
}

TEST(ReadDataFile, RefusesDamagedHeaders) {
  std::string file = FileBytes(BaseData());
  file[8] = 'X';
  EXPECT_THAT(DataRules(file), ElementsAre(rule::kDataHeader));
  file = FileBytes(BaseData());
  Patch32(file, 12, 39);
  EXPECT_THAT(DataRules(file), ElementsAre(rule::kDataHeader));
  file = FileBytes(BaseData());
  Patch64(file, 24, 0);
  EXPECT_THAT(DataRules(file), ElementsAre(rule::kDataHeader));
}

TEST(ReadDataFile, RefusesEntriesWithoutNameOrSegment) {
  DataDraft draft = BaseData();
  EntryAt(draft, 0).Remove(data::kKey);
  EXPECT_THAT(DataRules(FileBytes(draft)), ElementsAre(rule::kDataKey));
  draft = BaseData();
  EntryAt(draft, 0).SetScalar(data::kSegmentIndex, 4, 2);
  EXPECT_THAT(DataRules(FileBytes(draft)), ElementsAre(rule::kDataSegment));
  draft = BaseData();
  draft.root->Remove(data::kEntries);
  EXPECT_THAT(DataRules(FileBytes(draft)), ElementsAre(rule::kDataKey));
}

TEST(ReadDataFile, RefusesOneEntryListedAHundredThousandTimes) {
  DataDraft draft = BaseData();
  EntryAt(draft, 0).Set(data::kKey, Text(std::string(2000, 'k')));
  std::vector<Ref>& entries = draft.root->Get(data::kEntries)->references;
  entries.resize(100'000, entries[0]);
  EXPECT_THAT(DataRules(FileBytes(draft)), testing::Contains(rule::kDataAmplification));
}

// Both layouts have the entries, and an entry its name, in the same field.
static_assert(int{data::kEntries} == int{early_data::kTensors});
static_assert(int{data::kKey} == int{early_data::kName});

TEST(ReadDataFile, RefusesALongNameThatManyEntriesHave) {
  for (const DataDraft& draft : {BaseData(), EarlyData()}) {
    std::vector<Ref>& entries = draft.root->Get(data::kEntries)->references;
    entries[0]->Set(data::kKey, Text(std::string(20'000, 'k')));
    entries.resize(200, entries[0]);
    EXPECT_THAT(DataRules(FileBytes(draft)), testing::Contains(rule::kDataAmplification));
  }
}

TEST(ReadDataFile, RefusesMoreEntriesThanTheFileCanHoldInTheEarlyLayout) {
  const DataDraft draft = EarlyData();
  std::vector<Ref>& entries = draft.root->Get(early_data::kTensors)->references;
  entries.resize(100'000, entries[0]);
  EXPECT_THAT(DataRules(FileBytes(draft)), testing::Contains(rule::kDataAmplification));
}

TEST(ReadDataFile, RefusesTheEarlyLayoutWithoutEntriesOrSegment) {
  DataDraft draft = EarlyData();
  draft.root->Remove(early_data::kTensors);
  EXPECT_THAT(DataRules(FileBytes(draft)), ElementsAre(rule::kDataKey));
  draft = EarlyData();
  draft.root->Get(early_data::kTensors)->references[0]->SetScalar(early_data::kSegmentIndex, 4, 9);
  EXPECT_THAT(DataRules(FileBytes(draft)), ElementsAre(rule::kDataSegment));
}

TEST(ReadDataFile, RefusesANameOnceHoweverOftenItOccurs) {
  const DataDraft draft = BaseData();
  std::vector<Ref>& entries = draft.root->Get(data::kEntries)->references;
  entries.resize(5, entries[0]);
  for (const char* name : {"z", "z"}) {
    entries.push_back(std::make_shared<Object>(*entries[0]));
    entries.back()->Set(data::kKey, Text(name));
  }
  const std::string file = FileBytes(draft);
  const auto read = ReadDataFile(std::as_bytes(std::span(file)));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().size(), 2U);
  EXPECT_EQ(read.error().back().rule, rule::kDataDuplicateKey);
}

TEST(ReadDataFile, RefusesHeadersWhoseSumsDoNotFit) {
  for (const size_t at : {24U, 40U}) {  // the size of the flatbuffer, of the segments
    std::string file = FileBytes(BaseData());
    Patch64(file, at, UINT64_MAX);
    EXPECT_THAT(DataRules(file), ElementsAre(rule::kDataHeader)) << at;
  }
}

TEST(ReadDataFile, ReadsManyEntriesOfTheirOwn) {
  DataDraft draft = BaseData();
  std::vector<Ref>& entries = draft.root->Get(data::kEntries)->references;
  entries.resize(1);
  for (int i = 0; i < 20'000; ++i) {
    entries.push_back(std::make_shared<Object>(*entries[0]));
    entries.back()->Set(data::kKey, Text("k" + std::to_string(i)));
  }
  EXPECT_THAT(DataRules(FileBytes(draft)), testing::IsEmpty());
}

TEST(ReadDataFile, StopsListingAtTheLimit) {
  DataDraft draft = BaseData();
  std::vector<Ref>& entries = draft.root->Get(data::kEntries)->references;
  entries.clear();
  for (int i = 0; i < 200; ++i) entries.push_back(Table());
  const std::string file = FileBytes(draft);
  EXPECT_EQ(ReadDataFile(std::as_bytes(std::span(file))).error().size(), 50U);
}

}  // namespace
}  // namespace pteproof::crafted
