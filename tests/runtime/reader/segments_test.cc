#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using wire::AddFile;
using wire::File;

// With a stored initial value of bank 1's first 12 bytes, in segment 1.
File WithInitialValue() {
  File file = AddFile();
  file.data.resize(28);
  file.segments = {wire::Segment{0, 12}, wire::Segment{16, 12}};
  file.initial_values = {wire::Offsets{1, std::vector<uint64_t>{0, 0}}};
  wire::Value state = wire::Planned({3}, 48);
  state.tensor.data_index = 1;
  file.Add(state);
  return file;
}

File WithNamedData(std::optional<std::string> key, uint32_t segment) {
  File file = AddFile();
  file.named_data = {wire::NamedSegment{std::move(key), segment}};
  return file;
}

File WithInlineConstant(wire::InlineBytes bytes) {
  File file = AddFile();
  file.data.clear();
  file.segments.reset();
  file.constants.reset();
  file.inline_constants = {wire::InlineBytes{}, std::move(bytes)};
  return file;
}

uint64_t BaseOf(const File& file) {
  return wire::Build(file).size() - file.data.size();
}

TEST(Segments, RefusesOneThatEndsPastTheArea) {
  File file = AddFile();
  file.segments->at(0).size = 13;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileSegments));
}

TEST(Segments, RefusesOneWhoseEndWraps) {
  File file = AddFile();
  file.segments->at(0).offset = UINT64_MAX - 7;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileSegments));
}

TEST(Segments, RefusesOneThatWrapsOntoTheFilesStart) {
  File file = AddFile();
  file.segments->at(0).offset = 0 - BaseOf(file);
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileSegments));
}

TEST(Segments, BoundsThemByTheFileWhenAnOldHeaderSaysNoMore) {
  File file = AddFile();
  file.header_length = 24;
  EXPECT_THAT(RulesOf(file), Accepted());
  file.segments->at(0).size = 13;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileSegments));
}

TEST(Segments, RefusesOneOverTheTables) {
  std::vector<std::byte> bytes = wire::Build(AddFile());
  for (size_t i = 24; i < 32; ++i) bytes[i] = std::byte{0};  // the segment base
  EXPECT_THAT(RulesOf(bytes), RefusedBy(rule::kFileSegments));
}

TEST(Segments, AcceptsEqualSegments) {
  File file = AddFile();
  file.segments->push_back(file.segments->at(0));
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Constants, RunFromTheirOffsetToTheSegmentsEnd) {
  File file = AddFile();
  file.data.resize(40);
  file.data[16] = std::byte{7};
  file.segments->at(0).size = 40;
  file.constants->offsets = {0, 0, 16};
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().constants.size(), 3U);
  EXPECT_TRUE(read.value().constants[0].empty());
  EXPECT_EQ(read.value().constants[1].size(), 40U);
  ASSERT_EQ(read.value().constants[2].size(), 24U);
  EXPECT_EQ(read.value().constants[2][0], std::byte{7});
}

TEST(Constants, RefusesAnOffsetPastTheSegment) {
  File file = AddFile();
  file.constants->offsets = {0, UINT64_MAX - 7};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileConstantData));
}

TEST(Constants, RefusesASegmentThatIsNotThere) {
  File file = AddFile();
  file.constants->segment_index = 1;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileConstantData));
  file = AddFile();
  file.segments.reset();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileConstantData));
}

TEST(Constants, RefusesAnIndexThatTheTableDoesNotHave) {
  File file = AddFile();
  file.tensor(0).data_index = 2;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileConstantData));
}

TEST(Constants, RefusesATensorLongerThanWhatIsStored) {
  File file = AddFile();
  file.tensor(0).sizes = {4};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileConstantData));
}

TEST(Constants, RefusesAPlaceThatItsElementsCannotHave) {
  File file = AddFile();
  file.tensor(0).sizes = {1};
  file.constants->offsets = {0, 2};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileConstantAlignment));
  file.constants->offsets = {0, 4};
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Constants, MayBeSharedByTensorsOfDifferentShape) {
  File file = AddFile();
  file.Add(wire::Stored({1, 3}, 1));
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(InlineConstants, AreRead) {
  const auto bytes = wire::Build(WithInlineConstant(std::vector<uint8_t>(12, 9)));
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().constants.size(), 2U);
  const Bytes blob = read.value().constants[1];
  ASSERT_EQ(blob.size(), 12U);
  EXPECT_EQ(blob[11], std::byte{9});
  EXPECT_GE(blob.data(), bytes.data());
  EXPECT_LE(blob.data() + blob.size(), bytes.data() + bytes.size());
}

TEST(InlineConstants, RefusesATensorLongerThanWhatIsStored) {
  EXPECT_THAT(RulesOf(WithInlineConstant(std::vector<uint8_t>(8))),
              RefusedBy(rule::kFileConstantData));
  EXPECT_THAT(RulesOf(WithInlineConstant({})), RefusedBy(rule::kFileConstantData));
}

TEST(InlineConstants, RefusesThemBesideAConstantSegment) {
  File file = AddFile();
  file.inline_constants = {wire::InlineBytes{}};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileConstantData));
  EXPECT_THAT(OnlyFinding(file).explanation,
              testing::HasSubstr("Constants are stored both inline and in a segment"));
}

TEST(InitialValues, AreRead) {
  const auto bytes = wire::Build(WithInitialValue());
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().initial_values.size(), 2U);
  EXPECT_EQ(read.value().initial_values[1].size(), 12U);
}

TEST(InitialValues, NeedNoAlignment) {
  File file = WithInitialValue();
  file.segments->at(1) = {13, 15};
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(InitialValues, RefusesAnIndexThatTheTableDoesNotHave) {
  File file = WithInitialValue();
  file.tensor(4).data_index = 2;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMutableData));
}

TEST(InitialValues, RefusesAUseOfThemWithoutATable) {
  File file = WithInitialValue();
  file.initial_values.clear();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMutableData));
  file.initial_values = {wire::Offsets{1, {}}};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMutableData));
}

TEST(InitialValues, RefusesTooFewBytes) {
  File file = WithInitialValue();
  file.segments->at(1).size = 8;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMutableData));
}

TEST(InitialValues, RefusesASegmentThatIsNotThere) {
  File file = WithInitialValue();
  file.initial_values[0].segment_index = 7;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMutableData));
}

// The tensor that begins with it is not blamed, too.
TEST(InitialValues, RefusesAnOffsetPastTheSegmentAlone) {
  File file = WithInitialValue();
  file.initial_values[0].offsets = {0, 1 << 20};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMutableData));
  EXPECT_THAT(OnlyFinding(file).explanation,
              testing::StartsWith("The table of initial values is wrong. Entry 1 begins at byte "
                                  "1048576 of a segment of "));
}

TEST(InitialValues, RefusesATableThatRuntimesWouldNotUse) {
  File file = WithInitialValue();
  file.tensor(4).extra = wire::Extra{.mutable_segment = 5};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileMutableData));
}

TEST(NamedData, AreReadByTheirWholeKey) {
  File file = WithNamedData("a", 0);
  file.named_data->push_back({"ab", 0});
  const auto bytes = wire::Build(file);
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().named_data.size(), 2U);
  EXPECT_EQ(read.value().named_data[1].key, "ab");
  EXPECT_EQ(read.value().named_data[1].blob.size(), 12U);
}

TEST(NamedData, RefusesEntriesWithoutKeyOrSegment) {
  EXPECT_THAT(RulesOf(WithNamedData({}, 0)), RefusedBy(rule::kFileNamedData));
  EXPECT_THAT(RulesOf(WithNamedData("a", 1)), RefusedBy(rule::kFileNamedData));
}

TEST(NamedData, RefusesAKeyThatOccursTwice) {
  File file = WithNamedData("a", 0);
  file.named_data->push_back({"b", 0});
  file.named_data->push_back({"a", 0});
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileNamedData));
}

}  // namespace
}  // namespace pteproof
