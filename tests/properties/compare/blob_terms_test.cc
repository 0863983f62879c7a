// Blobs are compared by what they compute: XNNPACK's, written here field by field, so that one
// thing can differ at a time.
#include "properties/compare/terms/blob_terms.h"

#include <flatbuffers/flatbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "pteproof/read.h"
#include "tests/properties/compare/compared_blobs.h"
#include "tests/support/files.h"

namespace pteproof::compare {
namespace {

using flatbuffers::FlatBufferBuilder;
using Offset = flatbuffers::Offset<flatbuffers::Table>;
using Fields = std::vector<std::pair<uint16_t, uint32_t>>;  // of four bytes each, by their number

constexpr uint8_t kAdd = 1;
constexpr uint8_t kFullyConnected = 2;
constexpr uint8_t kSigmoid = 4;
constexpr uint8_t kMultiply = 15;
constexpr uint8_t kSubtract = 16;

struct DrawnNode {
  uint8_t kind;
  Fields fields;
};

struct DrawnValue {
  uint32_t id;
  std::vector<uint32_t> dims;
  uint32_t constant = 0;  // index of it, from 1
  uint32_t external = 0xFFFFFFFF;
  uint32_t flags = 0;
};

struct Drawing {
  std::vector<DrawnValue> values;
  std::vector<DrawnNode> nodes;
  std::vector<std::string> constants;
};

// sigmoid(fully connected) and so on: two results of two branches.
Drawing TwoBranches() {
  Drawing drawing;
  drawing.constants = {"weights.", "bias"};
  drawing.values = {{0, {1, 2}, 0, 0, 1}, {1, {1, 1}, 0, 1, 1}, {2, {1, 2}, 1},
                    {3, {1}, 2},          {4, {1, 1}},          {5, {1, 1}},
                    {6, {1, 1}, 0, 2, 2}, {7, {1, 1}, 0, 3, 2}};
  drawing.nodes = {{kFullyConnected, {{0, 0}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
                   {kSigmoid, {{0, 1}, {1, 5}, {2, 0}}},
                   {kAdd, {{0, 4}, {1, 5}, {2, 6}, {3, 0}}},
                   {kMultiply, {{0, 4}, {1, 5}, {2, 7}, {3, 0}}}};
  return drawing;
}

constexpr flatbuffers::voffset_t FieldAt(uint16_t field) {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * field);
}

// A union in fields 0 and 1 of a table.
Offset Boxed(FlatBufferBuilder& builder, uint8_t kind, Offset content) {
  const auto start = builder.StartTable();
  builder.AddOffset(FieldAt(1), content);
  builder.AddElement<uint8_t>(FieldAt(0), kind);
  return Offset(builder.EndTable(start));
}

Offset ValueTable(FlatBufferBuilder& builder, const DrawnValue& value) {
  const auto dims = builder.CreateVector(value.dims);
  const auto start = builder.StartTable();
  builder.AddElement<int16_t>(FieldAt(0), 1);
  builder.AddElement<uint32_t>(FieldAt(1), static_cast<uint32_t>(value.dims.size()));
  builder.AddOffset(FieldAt(2), dims);
  builder.AddElement<uint32_t>(FieldAt(3), value.constant);
  builder.AddElement<uint32_t>(FieldAt(4), value.external);
  builder.AddElement<uint32_t>(FieldAt(5), value.flags);
  builder.AddElement<uint32_t>(FieldAt(6), value.id);
  return Boxed(builder, 1, Offset(builder.EndTable(start)));
}

Offset NodeTable(FlatBufferBuilder& builder, const DrawnNode& node) {
  const auto start = builder.StartTable();
  for (const auto& [field, number] : node.fields) {
    builder.AddElement<uint32_t>(FieldAt(field), number);
  }
  return Boxed(builder, node.kind, Offset(builder.EndTable(start)));
}

void PutNumber(std::string& bytes, size_t at, uint64_t number, size_t width) {
  for (size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<char>(number >> (8 * i));
}

// Constants lie behind the graph, each after `gap` bytes.
std::string Written(const Drawing& drawing, size_t gap = 0) {
  FlatBufferBuilder builder;
  std::vector<Offset> values;
  std::vector<Offset> nodes;
  std::vector<Offset> places = {Offset(builder.EndTable(builder.StartTable()))};
  std::string stored;
  for (const DrawnValue& value : drawing.values) values.push_back(ValueTable(builder, value));
  for (const DrawnNode& node : drawing.nodes) nodes.push_back(NodeTable(builder, node));
  for (const std::string& constant : drawing.constants) {
    stored.append(gap, '?');
    const auto start = builder.StartTable();
    builder.AddElement<uint64_t>(FieldAt(0), stored.size());
    builder.AddElement<uint64_t>(FieldAt(1), constant.size());
    places.emplace_back(builder.EndTable(start));
    stored += constant;
  }
  const auto value_list = builder.CreateVector(values);
  const auto node_list = builder.CreateVector(nodes);
  const auto place_list = builder.CreateVector(places);
  const auto start = builder.StartTable();
  builder.AddOffset(FieldAt(1), node_list);
  builder.AddOffset(FieldAt(2), value_list);
  builder.AddElement<uint32_t>(FieldAt(3), 4);
  builder.AddOffset(FieldAt(8), place_list);
  builder.Finish(Offset(builder.EndTable(start)), "XN01");
  constexpr size_t kHeader = 32;
  std::string bytes(kHeader, '\0');
  bytes.replace(4, 4, "XH00");
  PutNumber(bytes, 10, kHeader, 4);
  PutNumber(bytes, 14, builder.GetSize(), 4);
  PutNumber(bytes, 18, kHeader + builder.GetSize(), 4);
  PutNumber(bytes, 22, stored.size(), 8);
  bytes.append(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
  return bytes + stored;
}

// The same graph after a change.
template <class Change>
std::string ComparedIfChanged(const Change& change) {
  Drawing changed = TwoBranches();
  change(changed);
  return ComparedBlobs(Written(TwoBranches()), Written(changed));
}

TEST(BlobTerms, DoNotDependOnNumbersOfValues) {
  const auto renumber = [](Drawing& d) {
    for (DrawnValue& value : d.values) value.id = 100 - value.id;
    for (DrawnNode& node : d.nodes) {
      const size_t flags = node.fields.size() - 1;
      for (size_t f = 0; f < flags; ++f) node.fields[f].second = 100 - node.fields[f].second;
    }
  };
  EXPECT_EQ(ComparedIfChanged(renumber), "same");
}

TEST(BlobTerms, DoNotDependOnTheOrderOfIndependentNodes) {
  const auto reorder = [](Drawing& d) {
    std::ranges::reverse(d.values);
    std::swap(d.nodes[0], d.nodes[1]);
    std::swap(d.nodes[2], d.nodes[3]);
  };
  EXPECT_EQ(ComparedIfChanged(reorder), "same");
}

TEST(BlobTerms, DoNotDependOnPlacesAndNumbersOfConstants) {
  const auto move = [](Drawing& d) {
    d.constants = {"unused", "bias", "weights."};
    d.values[2].constant = 3;
  };
  EXPECT_EQ(ComparedIfChanged(move), "same");
  EXPECT_EQ(ComparedBlobs(Written(TwoBranches()), Written(TwoBranches(), 24)), "same");
}

TEST(BlobTerms, DoNotDependOnNodesThatNobodyUses) {
  const auto add = [](Drawing& d) {
    d.values.push_back({8, {1, 1}});
    d.nodes.push_back({kSigmoid, {{0, 4}, {1, 8}, {2, 0}}});
  };
  EXPECT_EQ(ComparedIfChanged(add), "same");
}

TEST(BlobTerms, NameTheOutputThatAnotherNodeMakes) {
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.nodes[3].kind = kSubtract; }),
            "output 1 is made by subtract instead of multiply");
}

TEST(BlobTerms, SeeSwappedOperandsAndOutputs) {
  EXPECT_EQ(
      ComparedIfChanged([](Drawing& d) { std::swap(d.nodes[3].fields[0], d.nodes[3].fields[1]); }),
      "same");  // the fields are named, and not in order
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) {
              std::swap(d.nodes[3].fields[0].second, d.nodes[3].fields[1].second);
            }),
            "operand 0 of multiply, which output 1 needs, is made by sigmoid instead of fully "
            "connected");
  EXPECT_EQ(
      ComparedIfChanged([](Drawing& d) { std::swap(d.values[6].external, d.values[7].external); }),
      "output 0 is made by multiply instead of add");
}

TEST(BlobTerms, SeeAnotherConstant) {
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.constants[1] = "Bias"; }),
            "operand 2 of fully connected, which output 0 needs, is a constant with other "
            "contents");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[2].dims = {2, 1}; }),
            "operand 1 of fully connected, which output 0 needs, is another constant");
}

TEST(BlobTerms, SeeAnotherAttribute) {
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.nodes[1].fields[2].second = 1; }),
            "operand 1 of add, which output 0 needs, is the result of sigmoid with other "
            "attributes");
}

TEST(BlobTerms, SeeAnotherTypeOrArgument) {
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[4].dims = {1, 1, 1}; }),
            "operand 0 of add, which output 0 needs, is the result of fully connected with other "
            "types or sizes");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[1].dims = {1, 1, 1}; }),
            "input 1 is argument 1 with another type or size");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[7].flags = 0; }),
            "it has 1 outputs instead of 2");
}

TEST(BlobTerms, LeaveToBytesWhatIsNotUnderstood) {
  const auto unknown_field = [](Drawing& d) { d.nodes[1].fields.emplace_back(3, 0); };
  const auto unknown_node = [](Drawing& d) { d.nodes[1].kind = 200; };
  const auto no_value = [](Drawing& d) { d.nodes[2].fields[0].second = 99; };
  const auto two_of_a_number = [](Drawing& d) { d.values[4].id = 5; };
  const auto read_too_early = [](Drawing& d) { std::swap(d.nodes[1], d.nodes[2]); };
  const auto no_constant = [](Drawing& d) { d.values[3].constant = 9; };
  EXPECT_EQ(ComparedIfChanged(unknown_field), "by bytes");
  EXPECT_EQ(ComparedIfChanged(unknown_node), "by bytes");
  EXPECT_EQ(ComparedIfChanged(no_value), "by bytes");
  EXPECT_EQ(ComparedIfChanged(two_of_a_number), "by bytes");
  EXPECT_EQ(ComparedIfChanged(read_too_early), "by bytes");
  EXPECT_EQ(ComparedIfChanged(no_constant), "by bytes");
}

// All files that exporters wrote, but for Core ML's, and a blob of TOSA.
TEST(BlobTerms, UnderstandBlobsOfExporters) {
  const std::filesystem::path corpus = PTEPROOF_CORPUS_DIR;
  TermTable table;
  for (const auto& file : FilesBelow(corpus / "delegates" / "real")) {
    if (file.extension() != ".pte" || file.filename().string().starts_with("core_ml")) continue;
    const auto read = ReadProgramFile(file.string());
    ASSERT_TRUE(read.ok()) << file;
    for (const Method& method : read.value().program.methods) {
      for (const Delegate& delegate : method.delegates) {
        EXPECT_TRUE(TermOfBlob(table, *delegate.opened).has_value()) << file;
      }
    }
  }
  OpenedBlobs opened;
  EXPECT_TRUE(opened.Term(ReadText(corpus / "seeds" / "blob" / "tosa_two.blob")).has_value());
}

}  // namespace
}  // namespace pteproof::compare
