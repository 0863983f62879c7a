// The numbers in what the reader says: each is to stand where the sentence means it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using wire::AddFile;
using wire::File;

Finding FirstOf(Bytes file) {
  const auto read = ReadProgram(file);
  if (read.ok()) {
    ADD_FAILURE() << "not refused";
    return {};
  }
  return read.error().front();
}

std::string ExplanationOf(Bytes file) {
  return FirstOf(file).explanation;
}

std::string ExplanationOf(const File& file) {
  return OnlyFinding(file).explanation;
}

// The sound file with one number of its header changed.
template <class T>
std::vector<std::byte> AddWithNumber(size_t at, T number) {
  std::vector<std::byte> bytes = wire::Build(AddFile());
  std::memcpy(bytes.data() + at, &number, sizeof number);
  return bytes;
}

uint64_t HeaderNumber(const std::vector<std::byte>& bytes, size_t at) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

std::string Number(uint64_t number) {
  return std::to_string(number);
}

TEST(LayoutExplanations, TellHowShortAFileIs) {
  std::vector<std::byte> bytes = wire::Build(AddFile());
  bytes.resize(63);
  EXPECT_THAT(ExplanationOf(bytes),
              HasSubstr("has 63 bytes. The smallest program that a runtime loads has 64."));
  bytes.resize(8);
  EXPECT_THAT(ExplanationOf(bytes), HasSubstr("has 8 bytes"));
  bytes[5] = std::byte{'x'};
  EXPECT_THAT(RulesOf(bytes), RefusedBy(rule::kFileIdentifier));
}

TEST(LayoutExplanations, ShowAnIdentifierWithWhatCannotBePrinted) {
  std::vector<std::byte> bytes = wire::Build(AddFile());
  std::memcpy(bytes.data() + 4, "\x1f ~\x7f", 4);
  EXPECT_THAT(ExplanationOf(bytes), HasSubstr("Bytes 4 to 7 are 1f 20 7e 7f. "));
}

TEST(LayoutExplanations, TellWhereTheHeaderPlacesWhat) {
  const auto sound = wire::Build(AddFile());
  const std::string size = Number(sound.size());
  const std::string base = Number(HeaderNumber(sound, kBaseAt));
  EXPECT_THAT(ExplanationOf(AddWithNumber<uint64_t>(kBaseAt, 1 << 20)),
              HasSubstr("places the segments at byte 1048576, but the file ends at " + size + "."));
  EXPECT_THAT(ExplanationOf(AddWithNumber<uint64_t>(kDataSizeAt, 13)),
              HasSubstr("promises 13 bytes of segments from byte " + base +
                        " on, but the file ends at " + size + "."));
  EXPECT_THAT(ExplanationOf(AddWithNumber<uint64_t>(kProgramSizeAt, 1 << 20)),
              HasSubstr("flatbuffer takes 1048576 bytes, but the file has " + size + "."));
}

TEST(LayoutExplanations, TellHowLongTheHeaderIs) {
  EXPECT_THAT(ExplanationOf(AddWithNumber<uint32_t>(kLengthAt, 23)),
              HasSubstr("a length of 23 bytes. The shortest header has 24."));
  const auto long_header = AddWithNumber<uint32_t>(kLengthAt, 100'000);
  const Finding finding = FirstOf(long_header);
  EXPECT_THAT(finding.explanation,
              HasSubstr("The header of 100000 bytes does not fit in a flatbuffer of " +
                        Number(HeaderNumber(long_header, kProgramSizeAt)) + " bytes."));
  EXPECT_EQ(finding.bytes, (ByteRange{12, 24}));
}

TEST(LayoutExplanations, TellWhereInTheFileTheNumberStands) {
  EXPECT_EQ(FirstOf(AddWithNumber<uint32_t>(4, 0)).bytes, (ByteRange{4, 8}));
  EXPECT_EQ(FirstOf(AddWithNumber<uint32_t>(kLengthAt, 23)).bytes, (ByteRange{12, 16}));
  EXPECT_EQ(FirstOf(AddWithNumber<uint64_t>(kProgramSizeAt, 1 << 20)).bytes, (ByteRange{16, 24}));
  EXPECT_EQ(FirstOf(AddWithNumber<uint64_t>(kBaseAt, 1 << 20)).bytes, (ByteRange{24, 32}));
  EXPECT_EQ(FirstOf(AddWithNumber<uint64_t>(kDataSizeAt, 13)).bytes, (ByteRange{32, 40}));
  EXPECT_EQ(FirstOf(AddWithNumber<uint32_t>(0, 4)).bytes, (ByteRange{0, 4}));
  std::vector<std::byte> cut = wire::Build(AddFile());
  cut.resize(40);
  EXPECT_EQ(FirstOf(cut).bytes, (ByteRange{0, 40}));
}

TEST(LayoutExplanations, TellWhereTheRootTableIsNot) {
  const auto bytes = AddWithNumber<uint32_t>(0, 4);
  EXPECT_THAT(ExplanationOf(bytes),
              HasSubstr("The offset of the root table is 4. The tables lie in bytes 8 to " +
                        Number(HeaderNumber(bytes, kProgramSizeAt)) + "."));
}

TEST(TensorExplanations, TellWhichBanksThereAre) {
  File file = AddFile();
  file.tensor(1).placement->bank = 0;
  EXPECT_THAT(ExplanationOf(file), HasSubstr("Value 1 is a tensor that is planned into bank 0. "
                                             "Bank 0 is reserved; banks count from 1."));
  file.tensor(1).placement->bank = 2;
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr("is planned into bank 2. The method has banks 1 to 1."));
  file.method().bank_sizes->push_back(64);
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(TensorExplanations, TellWhereAnEndOverflows) {
  File file = AddFile();
  file.tensor(1).placement->offset = UINT64_MAX - 11;
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr("is planned at offset 18446744073709551604 of bank 1 and "
                        "takes 12 bytes: the end overflows."));
}

TEST(TensorExplanations, TellWhichStoredDataThereAre) {
  File file = AddFile();
  file.tensor(0).data_index = 5;
  EXPECT_THAT(ExplanationOf(file), HasSubstr("uses constant 5. The file has 1."));
  file = AddFile();
  file.tensor(0).sizes = {4};
  EXPECT_THAT(FirstOf(wire::Build(file)).explanation,
              HasSubstr("needs 16 bytes of constant 1, but the entry has only 12."));
  file = AddFile();
  file.tensor(1).data_index = 2;
  EXPECT_THAT(ExplanationOf(file), HasSubstr("uses initial value 2. The file has 0."));
}

TEST(TensorExplanations, TellWhichTypesAndDynamismsThereAre) {
  File file = AddFile();
  file.tensor(1).type = 77;
  EXPECT_THAT(FirstOf(wire::Build(file)).explanation,
              HasSubstr("has element type 77. Known types are 0 to 29."));
  file = AddFile();
  file.tensor(1).dynamism = 5;
  EXPECT_THAT(FirstOf(wire::Build(file)).explanation,
              HasSubstr("has shape dynamism 5. Known values are 0 (static) and 1 (bounded)."));
}

TEST(TensorExplanations, TellWhichDimensionIsNegative) {
  File file = AddFile();
  file.value(1).tensor.sizes = {2, -3};
  file.value(1).tensor.dim_order = {0, 1};
  EXPECT_THAT(FirstOf(wire::Build(file)).explanation, HasSubstr("has size -3 in dimension 1."));
}

TEST(SegmentExplanations, TellWhereASegmentEndsAndWhereAllDo) {
  File file = AddFile();
  file.segments = {wire::Segment{4, 12}};
  const uint64_t base = HeaderNumber(wire::Build(file), kBaseAt);
  EXPECT_THAT(FirstOf(wire::Build(file)).explanation,
              HasSubstr("Segment 0 (offset 4, 12 bytes) is misplaced: it ends at byte " +
                        Number(base + 16) + ", but the segment area ends at " + Number(base + 12)));
}

TEST(SegmentExplanations, TellWhatTablesNameThatIsNotThere) {
  File file = AddFile();
  file.constants->segment_index = 7;
  EXPECT_THAT(FirstOf(wire::Build(file)).explanation,
              HasSubstr("Its entries lie in segment 7. The file has 1 segments."));
  file = AddFile();
  file.constants->offsets = {0, 13};
  EXPECT_THAT(FirstOf(wire::Build(file)).explanation,
              HasSubstr("Entry 1 begins at byte 13 of a segment of 12 bytes."));
  file = AddFile();
  file.named_data = {wire::NamedSegment{"key", 5}};
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr(R"(The data named "key" lie in segment 5. The file has 1 segments.)"));
}

TEST(DelegateExplanations, TellWhatACompileSpecLacks) {
  File file = AddFile();
  wire::Delegate delegate;
  delegate.blob = wire::Blob{1, 0};
  delegate.specs = {wire::CompileSpec{{}, std::vector<uint8_t>{7}}};
  file.method().delegates->push_back(delegate);
  EXPECT_THAT(ExplanationOf(file), HasSubstr("has compile spec 0 without a key."));
  file.method().delegates->back().specs = {wire::CompileSpec{"key", {}}};
  EXPECT_THAT(ExplanationOf(file), HasSubstr("has compile spec 0 without a value."));
}

TEST(DelegateExplanations, TellWhichBlobIsNotThere) {
  File file = AddFile();
  file.method().delegates->push_back({.blob = wire::Blob{0, 3}});
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr("Delegate 0 names inline blob 3. The file has 0 inline blobs."));
  file.method().delegates->back().blob = wire::Blob{1, 4};
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr("has its blob in segment 4. The file has 1 segments."));
}

TEST(MethodExplanations, TellWhichBankIsWrong) {
  File file = AddFile();
  file.method().bank_sizes->push_back(-5);
  EXPECT_THAT(
      ExplanationOf(file),
      HasSubstr("Bank 2 has a size of -5 bytes. Sizes from 0 to 281474976710656 are accepted."));
  file = AddFile();
  file.method().bank_devices = {wire::BankDevice{.bank = 1, .device = 9}};
  EXPECT_THAT(ExplanationOf(file), HasSubstr("Bank 1 lies on device type 9. Known types are 0"));
}

TEST(InstructionExplanations, TellWhereAJumpGoesAndWhereItMay) {
  File file = AddFile();
  const int32_t condition = file.Add(wire::Bool(true));
  file.code().push_back(wire::JumpFalse(condition, 9));
  EXPECT_THAT(ExplanationOf(file), HasSubstr("The target of the jump is instruction 9. The chain "
                                             "has instructions 0 to 1, and 2 is its end."));
}

TEST(InstructionExplanations, TellHowManyArgumentsACallTakes) {
  File file = AddFile();
  file.code() = {wire::Call(0, {1, 0, 3, 2})};
  EXPECT_THAT(
      ExplanationOf(file),
      HasSubstr("aten::add.out is called with 4 arguments. It takes 5, the return slot included."));
}

TEST(InstructionExplanations, TellHowLongAnOperatorsNameIs) {
  File file = AddFile();
  file.method().operators->push_back({std::string(96, 'a'), "out"});
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr("Operator 1 has a name of 100 characters. Runtimes allow 99."));
}

TEST(TensorExplanations, TellDimensionsAndWhatIsThereOfThem) {
  File file = AddFile();
  file.Add(wire::Planned(std::vector<int32_t>(17, 1), 64));
  EXPECT_THAT(ExplanationOf(file), HasSubstr("has 17 dimensions. Runtimes allow 16."));
  file = AddFile();
  const auto index = static_cast<size_t>(file.Add(wire::Planned({2, 3}, 64)));
  file.tensor(index).dim_order = {0};
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr("has 2 dimensions and a dimension order of 1 entries."));
}

TEST(TensorExplanations, TellWhereAConstantIsOutOfStep) {
  File file = AddFile();
  file.data = std::vector<std::byte>(13, std::byte{0});
  file.segments = {wire::Segment{0, 13}};
  file.constants->offsets = {0, 1};
  const uint64_t base = HeaderNumber(wire::Build(file), kBaseAt);
  EXPECT_THAT(ExplanationOf(file), HasSubstr("has its constant at byte " + Number(base + 1) +
                                             " of the file, which is not a multiple of 4."));
}

TEST(ValueExplanations, TellWhichValuesThereAre) {
  File file = AddFile();
  file.Add(wire::List(wire::kIntList, {99}));
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr("Item 0 of value 4 (IntList) is 99: the method has values 0 to 4."));
}

TEST(ValueExplanations, TellWhatAnItemIsAndShouldBe) {
  File file = AddFile();
  const int32_t flag = file.Add(wire::Bool(true));
  file.Add(wire::List(wire::kIntList, {flag}));
  EXPECT_THAT(ExplanationOf(file),
              HasSubstr("Item 0 of value 5 (IntList) is 4: that value has the kind Bool, not "));
}

}  // namespace
}  // namespace pteproof
