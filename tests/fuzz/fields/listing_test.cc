// The list of mutants is whole: counted by hand on a file of two tables, and compared with the
// schema's own text on the corpus.
#include "fuzz/fields/listing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "program_generated.h"
#include "pteproof/read.h"
#include "runtime/same_program.h"
#include "tests/fuzz/mutate/inputs.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using fuzz::Buffer;
using fuzz::fields::Listing;
using fuzz::fields::Place;

Buffer CorpusFile(const std::string& name) {
  return ReadBytes(fs::path(PTEPROOF_CORPUS_DIR) / name);
}

// Version 1 and a segment of 8 bytes: two tables.
Buffer TwoTables() {
  flatbuffers::FlatBufferBuilder builder;
  const auto segment = schema::CreateSegment(builder, 0, 8);
  const auto segments = builder.CreateVector(&segment, 1);
  schema::ProgramBuilder program(builder);
  program.add_version(1);
  program.add_segments(segments);
  builder.Finish(program.Finish(), schema::ProgramIdentifier());
  const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  return {bytes.begin(), bytes.end()};
}

// "table.field" of each mutant's place, and how many it has.
std::map<std::string, uint64_t> CountsByField(const Listing& listing) {
  std::map<std::string, uint64_t> counts;
  for (const Place& place : listing.places()) {
    const auto& table = listing.tree().tables[static_cast<size_t>(place.table)];
    const char* name = table.type->names[place.field];
    counts[std::to_string(place.table) + "." + name] += place.changes;
  }
  return counts;
}

std::set<std::string> Texts(Listing& listing) {
  std::set<std::string> texts;
  for (uint64_t n = 0; n < listing.singles(); ++n) texts.insert(listing.At(n).text);
  return texts;
}

TEST(FieldsListing, IsAsLongAsCountedByHand) {
  const auto listing = Listing::Of(TwoTables());
  ASSERT_NE(listing, nullptr);
  // Numbers of 32 bits: 16 powers of two from 2 on, 2^31 among them; 2^31 - 1, 2^31 + 1, 2^32 - 1;
  // 0 and 1. That are 21, of which one is the present number. Its neighbours are 0 and 2, or 1 and
  // 2^32 - 1, which the list has.
  constexpr uint64_t kOf32 = 20;
  // Of 64 bits: 25 powers, 2^63 among them; 2^63 - 1, 2^63 + 1, 2^64 - 1; 0 and 1. That are 30. Of
  // the present 0 all others, 29. Of 8, a power, all others, and its neighbours 7 and 9.
  constexpr uint64_t kOf0 = 29;
  constexpr uint64_t kOf8 = 31;
  // A vector of tables that the file does not have: empty, or with an empty table.
  constexpr uint64_t kAbsent = 2;
  const std::map<std::string, uint64_t> expected = {
      {"0.version", kOf32},
      {"0.methods", kAbsent},
      {"0.inline_constants", kAbsent},
      {"0.inline_blobs", kAbsent},
      {"0.segments", 5},           // absent, empty, the one twice, emptied, an empty one more
      {"0.constants", 1 + kOf32},  // an empty table, or one with a segment's index
      {"0.initial_values", kAbsent},
      {"0.named_data", kAbsent},
      {"1.offset", kOf0},
      {"1.size", kOf8},
  };
  EXPECT_EQ(CountsByField(*listing), expected);
  EXPECT_EQ(listing->singles(), 116U);
}

TEST(FieldsListing, NamesEachMutantOnce) {
  const auto listing = Listing::Of(TwoTables());
  ASSERT_NE(listing, nullptr);
  const std::set<std::string> texts = Texts(*listing);
  EXPECT_EQ(texts.size(), listing->singles());
  EXPECT_TRUE(texts.contains("version: 4294967295, was 1"));
  EXPECT_TRUE(texts.contains("segments[0]: size: 9223372036854775808, was 8"));
  EXPECT_TRUE(texts.contains("constants: with segment_index 1"));
}

// The tables that a reader finds in a schema's text, and their scalar fields.
std::map<std::string, std::set<std::string>> ScalarsOfSchema() {
  const std::set<std::string> scalars = {
      "bool",   "byte",        "ubyte",    "int",          "uint",       "long",  "ulong",
      "double", "ElementType", "Dynamism", "TensorSource", "BlobSource", "Device"};
  std::ifstream stream(fs::path(PTEPROOF_SOURCE_DIR) / "runtime/schema/program.fbs");
  std::stringstream text;
  text << stream.rdbuf();
  const std::string schema = text.str();
  std::map<std::string, std::set<std::string>> tables;
  const std::regex table(R"(table (\w+) \{([^}]*)\})");
  const std::regex field(R"((\w+): (\w+)[ ;])");
  for (std::sregex_iterator t(schema.begin(), schema.end(), table), end; t != end; ++t) {
    const std::string body = (*t)[2];
    auto& fields = tables[(*t)[1]];
    for (std::sregex_iterator f(body.begin(), body.end(), field); f != end; ++f) {
      if (scalars.contains((*f)[2])) fields.insert((*f)[1]);
    }
  }
  return tables;
}

const std::map<const flatbuffers::TypeTable*, std::string>& NamesOfTables() {
  using namespace schema;  // NOLINT: a list of its tables
  static const std::map<const flatbuffers::TypeTable*, std::string> kNames = {
      {PlacementTypeTable(), "Placement"},
      {TensorExtraTypeTable(), "TensorExtra"},
      {TensorTypeTable(), "Tensor"},
      {NullTypeTable(), "Null"},
      {IntTypeTable(), "Int"},
      {BoolTypeTable(), "Bool"},
      {DoubleTypeTable(), "Double"},
      {StringTypeTable(), "String"},
      {IntListTypeTable(), "IntList"},
      {DoubleListTypeTable(), "DoubleList"},
      {BoolListTypeTable(), "BoolList"},
      {TensorListTypeTable(), "TensorList"},
      {OptionalTensorListTypeTable(), "OptionalTensorList"},
      {ValueTypeTable(), "Value"},
      {KernelCallTypeTable(), "KernelCall"},
      {DelegateCallTypeTable(), "DelegateCall"},
      {MoveTypeTable(), "Move"},
      {JumpFalseTypeTable(), "JumpFalse"},
      {FreeTypeTable(), "Free"},
      {InstructionTypeTable(), "Instruction"},
      {FrameTypeTable(), "Frame"},
      {FrameListTypeTable(), "FrameList"},
      {ChainTypeTable(), "Chain"},
      {OperatorTypeTable(), "Operator"},
      {BlobReferenceTypeTable(), "BlobReference"},
      {CompileSpecTypeTable(), "CompileSpec"},
      {DelegateTypeTable(), "Delegate"},
      {ContainerTypeTypeTable(), "ContainerType"},
      {BankDeviceTypeTable(), "BankDevice"},
      {MethodTypeTable(), "Method"},
      {InlineConstantTypeTable(), "InlineConstant"},
      {InlineBlobTypeTable(), "InlineBlob"},
      {SegmentTypeTable(), "Segment"},
      {SegmentOffsetsTypeTable(), "SegmentOffsets"},
      {NamedSegmentTypeTable(), "NamedSegment"},
      {ProgramTypeTable(), "Program"}};
  return kNames;
}

TEST(FieldsListing, HasEveryScalarOfTheSchemaThatOccursInTheCorpus) {
  RecordProperty("slow", "reads every program of the corpus");
  std::map<std::string, std::set<std::string>> listed;
  for (const Buffer& file : SeedPrograms()) {
    const auto listing = Listing::Of(file);
    if (listing == nullptr) continue;
    for (const Place& place : listing->places()) {
      const auto* type = listing->tree().tables[static_cast<size_t>(place.table)].type;
      ASSERT_TRUE(NamesOfTables().contains(type));
      auto& fields = listed[NamesOfTables().at(type)];
      if (place.changes > 0) fields.insert(type->names[place.field]);
    }
  }
  const auto schema = ScalarsOfSchema();
  EXPECT_EQ(schema.size(), NamesOfTables().size());
  EXPECT_GE(listed.size(), 24U);
  for (const auto& [table, fields] : listed) {
    ASSERT_TRUE(schema.contains(table));
    for (const std::string& field : schema.at(table)) {
      EXPECT_TRUE(fields.contains(field)) << table << "." << field;
    }
  }
}

TEST(FieldsListing, SetsFieldsOfTablesThatAFileLeavesOut) {
  RecordProperty("slow", "sets every field");
  const auto listing = Listing::Of(CorpusFile("reports/viewout2/noio.pte"));
  ASSERT_NE(listing, nullptr);
  const std::set<std::string> texts = Texts(*listing);
  const auto any = [&](std::string_view part) {
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(any("extra: with device 1"));
  EXPECT_TRUE(any("held: requires_grad: 1, was 0"));
  EXPECT_TRUE(any("storage_offset: -2147483648, was 0"));
  EXPECT_TRUE(any("held: element_type: 4, was 6"));
  EXPECT_TRUE(any("held: a JumpFalse, empty"));
  EXPECT_TRUE(any("and their order"));
}

TEST(FieldsTree, IsWrittenAsItWasRead) {
  size_t read = 0;
  for (const Buffer& file : SeedPrograms()) {
    const auto tree = fuzz::fields::Unpack(file);
    const auto before = ReadProgram(file);
    if (!tree || !before.ok()) continue;
    const Buffer again = fuzz::fields::Pack(*tree);
    const auto after = ReadProgram(again);
    ASSERT_TRUE(after.ok());
    EXPECT_EQ(ProgramDifference(before.value(), after.value()), "");
    ++read;
  }
  EXPECT_GE(read, 70U);
}

TEST(FieldsListing, TakesEveryChangeBack) {
  RecordProperty("slow", "sets every field");
  const Buffer file = CorpusFile("reports/viewout2/noio.pte");
  const auto listing = Listing::Of(file);
  ASSERT_NE(listing, nullptr);
  const Buffer before = fuzz::fields::Pack(listing->tree());
  uint64_t count = 0;
  listing->ForEach({0, 50, 1}, [&](uint64_t number, Bytes mutant) {
    ++count;
    // Of a pair one may take the other back.
    if (number >= listing->singles() || !std::ranges::equal(mutant, before)) return true;
    // Neighbours that hold the same, and a table that was empty.
    const std::string text = listing->At(number).text;
    EXPECT_TRUE(text.ends_with("swapped") || text.ends_with("empty")) << text;
    return true;
  });
  EXPECT_EQ(count, listing->singles() + 50);
  EXPECT_EQ(fuzz::fields::Pack(listing->tree()), before);
}

}  // namespace
}  // namespace pteproof
