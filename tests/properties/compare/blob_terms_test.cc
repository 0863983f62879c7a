// Blobs are compared by what they compute: XNNPACK's and Vulkan's, written here field by field, so
// that one thing can differ at a time.
#include "properties/compare/terms/blob_terms.h"

#include <flatbuffers/flatbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
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
  uint32_t scales = 0;  // by channel: index of the constant, from 1
};

// What is said of a constant, if not the truth.
struct Said {
  std::optional<uint64_t> length = {};
  std::optional<std::string> key = {};
  std::optional<uint64_t> offset = {};
};

struct Drawing {
  std::vector<DrawnValue> values;
  std::vector<DrawnNode> nodes;
  std::vector<std::string> constants;
  std::map<size_t, Said> said = {};  // of constants, by their index
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
  const Offset tensor(builder.EndTable(start));
  if (value.scales == 0) return Boxed(builder, 1, tensor);
  const auto channels = builder.StartTable();
  builder.AddElement<uint32_t>(FieldAt(2), value.scales);
  const Offset scales(builder.EndTable(channels));
  const auto quantized = builder.StartTable();
  builder.AddOffset(FieldAt(0), tensor);
  builder.AddElement<uint8_t>(FieldAt(1), 1);
  builder.AddOffset(FieldAt(2), scales);
  return Boxed(builder, 2, Offset(builder.EndTable(quantized)));
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

// Where a constant lies that is added to the stored ones.
Offset Place(FlatBufferBuilder& builder, const std::string& constant, const Said& said,
             std::string& stored) {
  const auto key = said.key ? builder.CreateString(*said.key) : 0;
  const auto start = builder.StartTable();
  builder.AddElement<uint64_t>(FieldAt(0), said.offset.value_or(stored.size()));
  builder.AddElement<uint64_t>(FieldAt(1), said.length.value_or(constant.size()));
  if (said.key) builder.AddOffset(FieldAt(2), key);
  stored += constant;
  return Offset(builder.EndTable(start));
}

std::string Framed(std::string_view letters, const FlatBufferBuilder& builder,
                   const std::string& stored) {
  constexpr size_t kHeader = 32;
  std::string bytes(kHeader, '\0');
  bytes.replace(4, 4, letters);
  PutNumber(bytes, 10, kHeader, 4);
  PutNumber(bytes, 14, builder.GetSize(), 4);
  PutNumber(bytes, 18, kHeader + builder.GetSize(), 4);
  PutNumber(bytes, 22, stored.size(), 8);
  bytes.append(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
  return bytes + stored;
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
  for (size_t c = 0; c < drawing.constants.size(); ++c) {
    stored.append(gap, '?');
    const auto said = drawing.said.find(c);
    const bool is_said = said != drawing.said.end();
    places.push_back(Place(builder, drawing.constants[c], is_said ? said->second : Said{}, stored));
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
  return Framed("XH00", builder, stored);
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
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) {
              d.values[2].dims = {2, 1};
              d.values[3].dims = {2};
              d.constants[1] = "two bias";
            }),
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
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[7] = {7, {1, 1}}; }),
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

// Bytes behind a constant count if its tensor is larger.
TEST(BlobTerms, LeaveConstantsThatAreTooShortToBytes) {
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.said[1].length = 3; }), "by bytes");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.constants[1] = "bia"; }), "by bytes");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[3].dims = {2}; }), "by bytes");
}

TEST(BlobTerms, LeaveScalesThatAreTooFewToBytes) {
  Drawing quantized = TwoBranches();
  quantized.values[2].scales = 3;
  quantized.constants.emplace_back("once");
  Drawing two = quantized;
  two.values[2].dims = {2, 1};
  two.values[3].dims = {2};
  two.constants[1] = "two bias";
  EXPECT_EQ(ComparedBlobs(Written(quantized), Written(quantized)), "same");
  EXPECT_EQ(ComparedBlobs(Written(two), Written(two)), "by bytes");
  two.constants[2] = "two ones";
  EXPECT_EQ(ComparedBlobs(Written(two), Written(two)), "same");
}

// The node says how many weights are read.
TEST(BlobTerms, LeaveWeightsThatAreTooFewToBytes) {
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) {
              d.constants[0] = "weights of four.";
              d.values[2].dims = {2, 2};
            }),
            "by bytes");
  constexpr uint8_t kConvolution = 7;
  const auto convolution = [](Drawing& d) {
    d.values[2].dims = {1, 1, 2, 1};  // outputs, height, width, inputs
    d.nodes[0] = {kConvolution,
                  {{4, 1}, {5, 2}, {10, 1}, {11, 1}, {12, 1}, {15, 0}, {16, 2}, {17, 3}, {18, 4}}};
  };
  const auto wider = [&](Drawing& d) {
    convolution(d);
    d.nodes[0].fields[1].second = 3;
  };
  EXPECT_EQ(ComparedIfChanged(convolution),
            "operand 0 of add, which output 0 needs, is made by convolution instead of fully "
            "connected");
  EXPECT_EQ(ComparedIfChanged(wider), "by bytes");
}

// Named data is asked for if there is a name, whatever stands beside it.
TEST(BlobTerms, TakeNamedDataAsTheRuntimeDoes) {
  Drawing named = TwoBranches();
  named.said[1].key = "key";
  Drawing otherwise = named;
  otherwise.constants[1] = "Bias";
  EXPECT_EQ(ComparedBlobs(Written(named), Written(otherwise)), "same");
  EXPECT_NE(ComparedBlobs(Written(named), Written(TwoBranches())), "same");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.said[1].key = ""; }), "by bytes");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.said[1].key = std::string("k\0y", 3); }),
            "by bytes");
}

// Values of one external number are one value.
TEST(BlobTerms, LeaveSharedExternalNumbersToBytes) {
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[7].external = 2; }), "by bytes");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[5].external = 3; }), "by bytes");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[5].flags = 2; }), "by bytes");
  EXPECT_EQ(ComparedIfChanged([](Drawing& d) { d.values[7].external = 4; }), "by bytes");
}

// Tensors of Vulkan have one element each.
struct VulkanTensor {
  int32_t constant = -1;
  int32_t object = -1;
};
struct VulkanCall {
  std::string name;
  std::vector<int32_t> args;
};
struct VulkanGraph {
  std::vector<VulkanTensor> tensors;
  std::vector<std::vector<int32_t>> lists;  // values behind the tensors
  std::vector<VulkanCall> calls;
  std::vector<uint32_t> outputs;
  std::vector<Said> said = {};
  std::string stored = {};
};

Offset VulkanValue(FlatBufferBuilder& builder, const VulkanTensor& tensor) {
  const auto dims = builder.CreateVector(std::vector<uint32_t>{1});
  const auto start = builder.StartTable();
  builder.AddElement<int8_t>(FieldAt(0), 5);
  builder.AddOffset(FieldAt(1), dims);
  builder.AddElement<int32_t>(FieldAt(2), tensor.constant);
  builder.AddElement<int32_t>(FieldAt(3), tensor.object);
  return Boxed(builder, 5, Offset(builder.EndTable(start)));
}

Offset VulkanList(FlatBufferBuilder& builder, const std::vector<int32_t>& items) {
  const auto list = builder.CreateVector(items);
  const auto start = builder.StartTable();
  builder.AddOffset(FieldAt(0), list);
  return Boxed(builder, 9, Offset(builder.EndTable(start)));
}

Offset VulkanCallTable(FlatBufferBuilder& builder, const VulkanCall& call) {
  const auto name = builder.CreateString(call.name);
  const auto args = builder.CreateVector(call.args);
  const auto start = builder.StartTable();
  builder.AddOffset(FieldAt(1), name);
  builder.AddOffset(FieldAt(2), args);
  return Offset(builder.EndTable(start));
}

// Value 0 is the input.
std::string Written(const VulkanGraph& graph) {
  FlatBufferBuilder builder;
  std::vector<Offset> values;
  std::vector<Offset> calls;
  std::vector<Offset> places;
  std::string nothing;
  for (const auto& tensor : graph.tensors) values.push_back(VulkanValue(builder, tensor));
  for (const auto& list : graph.lists) values.push_back(VulkanList(builder, list));
  for (const auto& call : graph.calls) calls.push_back(VulkanCallTable(builder, call));
  for (const auto& said : graph.said) places.push_back(Place(builder, "", said, nothing));
  const auto call_list = builder.CreateVector(calls);
  const auto value_list = builder.CreateVector(values);
  const auto inputs = builder.CreateVector(std::vector<uint32_t>{0});
  const auto outputs = builder.CreateVector(graph.outputs);
  const auto place_list = builder.CreateVector(places);
  const auto start = builder.StartTable();
  builder.AddOffset(FieldAt(1), call_list);
  builder.AddOffset(FieldAt(2), value_list);
  builder.AddOffset(FieldAt(3), inputs);
  builder.AddOffset(FieldAt(4), outputs);
  builder.AddOffset(FieldAt(5), place_list);
  builder.Finish(Offset(builder.EndTable(start)), "VK00");
  return Framed("VH00", builder, graph.stored);
}

// The sum of the input and four stored bytes of which so much is said.
std::string SumWith(const Said& said, const std::string& stored) {
  return Written(
      VulkanGraph{{{}, {0}, {}}, {}, {{"aten.add.Tensor", {0, 1, 2}}}, {2}, {said}, stored});
}

TEST(BlobTerms, TakeConstantsOfVulkanAsTheRuntimeDoes) {
  const std::string plain = SumWith({4, {}, 0}, "ones");
  const std::string other =
      "operand 1 of aten.add.Tensor, which output 0 needs, is a constant "
      "with other contents";
  EXPECT_EQ(ComparedBlobs(plain, SumWith({4, {}, 0}, "twos")), other);
  EXPECT_EQ(ComparedBlobs(plain, SumWith({4, "", 0}, "ones")), "same");
  EXPECT_EQ(ComparedBlobs(plain, SumWith({4, "key", 0}, "ones")), "same");
  EXPECT_EQ(ComparedBlobs(SumWith({4, "key", 0}, "ones"), SumWith({4, "key", 0}, "twos")), other);
  EXPECT_EQ(ComparedBlobs(plain, SumWith({1, {}, 0}, "ones")), "by bytes");
  EXPECT_EQ(ComparedBlobs(plain, SumWith({4, "", ~uint64_t{0}}, "ones")), "by bytes");
  EXPECT_NE(ComparedBlobs(plain, SumWith({4, "key", ~uint64_t{0}}, "ones")), "same");
}

// A pooling with two results, of which the output is the second.
std::string Pooled(std::vector<VulkanTensor> tensors, std::vector<int32_t> results) {
  return Written(VulkanGraph{std::move(tensors),
                             {std::move(results)},
                             {{"aten.max_pool2d_with_indices.default", {0, 3}}},
                             {2}});
}

TEST(BlobTerms, LeaveTwoResultsInOnePlaceToBytes) {
  const std::string apart = Pooled({{}, {-1, 1}, {-1, 2}}, {1, 2});
  EXPECT_EQ(ComparedBlobs(apart, Pooled({{}, {-1, 7}, {-1, 3}}, {1, 2})), "same");
  EXPECT_EQ(ComparedBlobs(apart, Pooled({{}, {-1, 2}, {-1, 2}}, {1, 2})), "by bytes");
  EXPECT_EQ(ComparedBlobs(apart, Pooled({{}, {}, {}}, {2, 2})), "by bytes");
}

// Scales (2) and zero points (3) are written, so that it counts when the scales are read.
TEST(BlobTerms, SeeTheScalesThatVulkanChooses) {
  VulkanGraph before{{{}, {}, {}, {}, {}}, {}, {}, {1, 3}};
  before.calls = {{"aten.abs.default", {0, 2}},
                  {"aten.sin.default", {2, 1}},
                  {"etvk.choose_qparams_per_row.default", {0, 0, 0, 2, 3}}};
  VulkanGraph after = before;
  std::swap(after.calls[1], after.calls[2]);
  EXPECT_NE(ComparedBlobs(Written(before), Written(after)), "same");
  VulkanGraph unknown = before;
  unknown.calls[0].name = "et_vk.of_another_day.default";
  EXPECT_EQ(ComparedBlobs(Written(unknown), Written(unknown)), "by bytes");
  VulkanGraph cache = before;  // its last argument is left as it is
  cache.calls[2] = {"update_cache.default", {0, 2, 0, 3}};
  EXPECT_EQ(ComparedBlobs(Written(cache), Written(cache)), "by bytes");
}

// All files that exporters wrote, but for Core ML's, and a blob of TOSA.
TEST(BlobTerms, UnderstandBlobsOfExporters) {
  const std::filesystem::path corpus = PTEPROOF_CORPUS_DIR;
  for (const auto& file : FilesBelow(corpus / "delegates" / "real")) {
    if (file.extension() != ".pte" || file.filename().string().starts_with("core_ml")) continue;
    const auto read = ReadProgramFile(file.string());
    ASSERT_TRUE(read.ok()) << file;
    TermTable table;  // of bytes that last as long
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
