// Blobs of the native backend, MLX and TOSA whose graphs look alike, and whose runtimes would do
// something else: each test changes what a reader of nodes alone does not see. Where the order
// counts, a neighbour shows that it would not, if the blob said so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/properties/compare/compared_blobs.h"
#include "tests/properties/compare/drawn_tables.h"

namespace pteproof::compare {
namespace {

constexpr uint8_t kNativeResult =
    0;  // kinds of outputs: others are new contents of a buffer or an input
constexpr uint8_t kNativeBuffer = 1;

Drawn NativeArg(const std::string& name, bool mutated = false) {
  const Drawn value{{uint8_t{1}, DrawnTable{{Drawn{{name}}}}}};
  return {{std::monostate(), DrawnTable{{value}}, mutated}};
}

Drawn NativeCall(const std::string& op, DrawnList arguments, DrawnList results, uint8_t kind = 0) {
  return {{"node", kind, "torch.ops.aten." + op, std::move(arguments), std::move(results)}};
}

Drawn NativeResult(const std::string& name) {
  return {{name}};
}
Drawn NativeAlias(const std::string& name, const std::string& of) {
  return {{name, of}};
}
Drawn NativeList(const DrawnTexts& names) {
  return {{std::string(), std::monostate(), uint8_t{1}, names}};
}

// relu_ of a value, as an exporter writes it.
Drawn NativeRelu(const std::string& of, const std::string& as) {
  return NativeCall("relu_.default", {NativeArg(of, true)}, {NativeAlias(as, of)});
}
Drawn NativeOne(const std::string& op, const std::string& of, const std::string& as) {
  return NativeCall(op, {NativeArg(of)}, {NativeResult(as)});
}

struct NativePurpose {
  std::string name;
  uint8_t kind = kNativeResult;
  std::string target = {};
};

struct NativeDrawing {
  DrawnList nodes;
  std::vector<NativePurpose> purposes;
  DrawnTexts outputs = {};                                        // empty: as the purposes are
  std::vector<std::pair<std::string, std::string>> buffers = {};  // names, keys
  std::vector<std::pair<std::string, std::string>> constants = {};
};

std::string WrittenNative(const NativeDrawing& drawing, bool unknown = false) {
  const Drawn meta{{uint8_t{6}, DrawnList{Drawn{{uint64_t{2}, uint64_t{2}}}}}};
  DrawnTexts outputs = drawing.outputs;
  DrawnList specs;
  DrawnList results;
  DrawnList buffers;
  DrawnList constants;
  for (const NativePurpose& each : drawing.purposes) {
    specs.push_back({{each.name, each.kind}});
    if (!each.target.empty()) specs.back().fields.emplace_back(each.target);
    if (drawing.outputs.empty()) outputs.push_back(each.name);
  }
  for (const std::string& name : outputs) results.push_back(NativeArg(name));
  for (const auto& [name, key] : drawing.buffers) buffers.push_back({{name, key}});
  for (const auto& [name, key] : drawing.constants) {
    constants.push_back({{name, key, DrawnTable{{meta}}, uint8_t{2}}});
  }
  DrawnList nodes = drawing.nodes;
  nodes.push_back({{"output", uint8_t{2}, std::monostate(), results}});
  const Drawn graph{{nodes, DrawnTexts{"x"}, outputs, DrawnList{Drawn{{"x", DrawnTable{{meta}}}}}}};
  const Drawn method{{"forward", DrawnTable{{graph}}, constants, specs, buffers}};
  Drawn root{{"1", DrawnList{method}}};
  if (unknown) root.fields.emplace_back(uint32_t{1});
  return WrittenDrawn(root, "NPTG");
}

std::string ComparedNative(const NativeDrawing& olds, const NativeDrawing& news) {
  return ComparedBlobs(WrittenNative(olds), WrittenNative(news));
}

// The answer if two nodes of it change places.
std::string IfNodesSwapped(NativeDrawing drawing, size_t first) {
  const NativeDrawing olds = drawing;
  std::swap(drawing.nodes[first], drawing.nodes[first + 1]);
  return ComparedNative(olds, drawing);
}

TEST(BlobMeaning, SeesTheOrderOfTwoUpdatesOfOneNativeBuffer) {
  NativeDrawing drawing{
      {NativeOne("sigmoid.default", "x", "s"), NativeOne("neg.default", "x", "n")},
      {{"s", kNativeBuffer, "a"}, {"n", kNativeBuffer, "b"}, {"x"}},
      {},
      {{"p", "a"}, {"q", "b"}}};
  NativeDrawing other = drawing;
  std::swap(other.purposes[0], other.purposes[1]);
  EXPECT_EQ(ComparedNative(drawing, other), "same");
  for (NativeDrawing* each : {&drawing, &other}) {
    for (size_t i = 0; i < 2; ++i) each->purposes[i].target = "a";
  }
  EXPECT_EQ(ComparedNative(drawing, other), "by bytes");
}

TEST(BlobMeaning, SeesANativeUpdateOfWhatAnOutputNames) {
  const DrawnList nodes = {NativeOne("sigmoid.default", "x", "s"),
                           NativeCall("view.default", {NativeArg("p")}, {NativeAlias("v", "p")})};
  const NativeDrawing drawing{nodes, {{"s", kNativeBuffer, "a"}, {"v"}}, {}, {{"p", "a"}}};
  NativeDrawing other = drawing;
  std::swap(other.purposes[0], other.purposes[1]);
  EXPECT_EQ(ComparedNative(drawing, other), "by bytes");
}

TEST(BlobMeaning, TakesOnlyNativeBuffersAsTargets) {
  NativeDrawing drawing{{NativeOne("sigmoid.default", "x", "s")},
                        {{"s", kNativeBuffer, "a"}, {"s"}},
                        {},
                        {{"p", "a"}},
                        {{"c", "b"}}};
  EXPECT_EQ(ComparedNative(drawing, drawing), "same");
  drawing.purposes[0].target = "b";
  EXPECT_EQ(ComparedNative(drawing, drawing), "by bytes");
  drawing.purposes[0] = {"s", 3, "a"};
  EXPECT_EQ(ComparedNative(drawing, drawing), "by bytes");
}

TEST(BlobMeaning, GivesNativeOutputsTheirPurposesByName) {
  NativeDrawing drawing{
      {NativeOne("sigmoid.default", "x", "s"), NativeOne("neg.default", "x", "n")},
      {{"s", kNativeBuffer, "a"}, {"n"}},
      {"s", "n"},
      {{"p", "a"}}};
  EXPECT_EQ(ComparedNative(drawing, drawing), "same");
  std::swap(drawing.purposes[0].name, drawing.purposes[1].name);
  EXPECT_EQ(ComparedNative(drawing, drawing), "by bytes");
}

// Parts of a list may lie in what was split: the format has no place to say so.
TEST(BlobMeaning, SeesWritesBesideNativeListsThatMayShareBytes) {
  const auto swapped = [](const std::string& split) {
    const Drawn parts = NativeCall(split, {NativeArg("y")}, {NativeList({"s", "t"})});
    return IfNodesSwapped({{NativeOne("sigmoid.default", "x", "y"), parts, NativeRelu("y", "r"),
                            NativeOne("neg.default", "s", "n")},
                           {{"r"}, {"n"}}},
                          2);
  };
  EXPECT_EQ(swapped("split_copy.Tensor"), "same");
  EXPECT_EQ(swapped("split.Tensor"), "by bytes");
  EXPECT_EQ(swapped("chunk.default"), "by bytes");
}

TEST(BlobMeaning, SeesANativeUpdateOfWhatAListMayName) {
  const DrawnList nodes = {NativeOne("sigmoid.default", "x", "s"),
                           NativeCall("split.Tensor", {NativeArg("p")}, {NativeList({"v"})})};
  const NativeDrawing drawing{nodes, {{"s", kNativeBuffer, "a"}, {"v"}}, {}, {{"p", "a"}}};
  NativeDrawing other = drawing;
  std::swap(other.purposes[0], other.purposes[1]);
  EXPECT_EQ(ComparedNative(drawing, other), "by bytes");
}

TEST(BlobMeaning, SeesTwoNativeNamesOfOneBuffer) {
  const auto swapped = [](const std::string& other_key) {
    const DrawnList nodes = {NativeOne("neg.default", "p", "n"), NativeOne("neg.default", "q", "m"),
                             NativeRelu("p", "r"), NativeOne("sigmoid.default", "q", "s")};
    return IfNodesSwapped({nodes, {{"n"}, {"m"}, {"s"}}, {}, {{"p", "a"}, {"q", other_key}}}, 2);
  };
  EXPECT_EQ(swapped("b"), "same");
  EXPECT_EQ(swapped("a"), "by bytes");
}

TEST(BlobMeaning, SeesTwoNativeNamesOfAConstantThatIsWritten) {
  const DrawnList nodes = {NativeRelu("c", "r"), NativeOne("neg.default", "d", "n")};
  EXPECT_EQ(IfNodesSwapped({nodes, {{"n"}}, {}, {}, {{"c", "a"}, {"d", "a"}}}, 0), "by bytes");
}

// The operator says what it writes, and the blob's mark is a copy of that.
TEST(BlobMeaning, SeesNativeWritesWithoutAMark) {
  const auto swapped = [](const Drawn& writer) {
    return IfNodesSwapped(
        {{writer, NativeOne("sigmoid.default", "x", "s"), NativeOne("neg.default", "s", "n")},
         {{"n"}}},
        0);
  };
  for (const char* op : {"relu.default", "view.default", "sym_size.int"}) {
    EXPECT_EQ(swapped(NativeOne(op, "x", "r")), "same") << op;
  }
  EXPECT_EQ(swapped(NativeOne("relu_.default", "x", "r")), "by bytes");
  EXPECT_EQ(swapped(NativeOne("squeeze_.default", "x", "r")), "by bytes");
  EXPECT_EQ(swapped(NativeOne("max.dim_max", "x", "r")), "by bytes");
  EXPECT_EQ(swapped(NativeOne("fused_moving_avg_obs_fake_quant.default", "x", "r")), "by bytes");
  EXPECT_EQ(swapped(NativeCall("add.out", {NativeArg("x")}, {NativeResult("r")})), "by bytes");
}

TEST(BlobMeaning, DoesNotBelieveNativeMarksThatTheOperatorRefutes) {
  const Drawn marked =
      NativeCall("sigmoid.default", {NativeArg("x", true)}, {NativeAlias("s", "x")});
  const NativeDrawing drawing{{marked}, {{"s"}}};
  EXPECT_EQ(ComparedNative(drawing, drawing), "by bytes");
}

TEST(BlobMeaning, DoesNotBelieveNativeResultsThatShareBytesWithNoOperand) {
  const Drawn view = NativeCall("view.default", {NativeArg("x")}, {NativeAlias("v", "y")});
  const NativeDrawing drawing{{NativeOne("sigmoid.default", "x", "y"), view}, {{"v"}, {"y"}}};
  EXPECT_EQ(ComparedNative(drawing, drawing), "by bytes");
}

TEST(BlobMeaning, SeesNativeNodesOfUnknownKinds) {
  NativeDrawing drawing{{NativeOne("sigmoid.default", "x", "s")}, {{"s"}}};
  const NativeDrawing olds = drawing;
  drawing.nodes.push_back(NativeCall("relu_.default", {NativeArg("s", true)}, {}, 3));
  EXPECT_EQ(ComparedNative(olds, drawing), "by bytes");
}

TEST(BlobMeaning, SeesAnUnknownFieldBesideNativeMethods) {
  const NativeDrawing drawing{{NativeOne("sigmoid.default", "x", "s")}, {{"s"}}};
  EXPECT_EQ(ComparedBlobs(WrittenNative(drawing), WrittenNative(drawing, true)), "by bytes");
}

constexpr uint8_t kMlxTake = 8;
constexpr uint8_t kMlxRope = 11;
constexpr uint8_t kMlxSymSize = 18;
constexpr uint8_t kMlxSigmoid = 28;
constexpr uint8_t kMlxIf = 132;
constexpr uint8_t kMlxRandomBits = 133;

Drawn MlxNode(uint8_t kind, std::vector<DrawnField> fields) {
  return {{kind, DrawnTable{{Drawn{std::move(fields)}}}}};
}
Drawn MlxSigmoid(uint32_t from, uint32_t to) {
  return MlxNode(kMlxSigmoid, {from, to});
}
Drawn MlxRandom(uint32_t to) {
  const Drawn size{{uint64_t{4}}};
  return MlxNode(kMlxRandomBits, {to, DrawnList{size}});
}
Drawn MlxSize(uint32_t dimension, uint32_t to) {
  return MlxNode(kMlxSymSize, {uint32_t{1}, dimension, to});
}

// Tensors: a constant, an input, an output, a buffer, and from 4 on temporary ones.
struct MlxDrawing {
  std::vector<DrawnList> chains;  // the first is the call's
  uint32_t init = ~uint32_t{0};
  uint32_t temporary = 2;
  uint32_t numbers = 2;
  uint32_t buffers = 1;
  uint8_t output_kind = 0;
  uint32_t output = 2;
};

std::string WrittenMlx(const MlxDrawing& drawing) {
  const Drawn meta{{DrawnList{Drawn{{uint32_t{2}}}}, uint8_t{6}}};
  const auto slot = [](uint32_t number) { return Drawn{{number}}; };
  DrawnList chains;
  for (const DrawnList& chain : drawing.chains) chains.push_back({{chain}});
  const Drawn root{{"1", uint32_t{1}, uint32_t{1}, uint32_t{1}, drawing.buffers, drawing.temporary,
                    drawing.numbers, chains, uint32_t{0}, drawing.init, DrawnList{slot(1)},
                    DrawnList{Drawn{{drawing.output, drawing.output_kind}}}, DrawnList{slot(3)},
                    DrawnList{Drawn{{"0000/w", DrawnTable{{slot(0)}}}}},
                    DrawnList{meta, meta, meta, meta}}};
  const std::string graph = WrittenDrawn(root, "MLXG");
  std::string bytes = std::string(4, '\0') + "MLX0" + std::string(16, '\0');
  for (size_t i = 0; i < 8; ++i) {
    bytes[8 + i] = static_cast<char>((uint64_t{bytes.size()} + graph.size()) >> (8 * i));
  }
  return bytes + graph;
}

std::string ComparedMlx(const MlxDrawing& olds, const MlxDrawing& news) {
  return ComparedBlobs(WrittenMlx(olds), WrittenMlx(news));
}

TEST(BlobMeaning, ForgetsWhatMlxMadeAtLoading) {
  const Drawn first = MlxSigmoid(0, 4);
  const Drawn second = MlxSigmoid(4, 2);
  const MlxDrawing in_the_call{{{first, second}}};
  EXPECT_EQ(ComparedMlx(in_the_call, in_the_call), "same");
  EXPECT_EQ(ComparedMlx(in_the_call, {{{second}, {first}}, 1}), "by bytes");
  EXPECT_EQ(ComparedMlx(in_the_call, {{{first, second}, {first}}, 1}), "same");
}

// What is drawn at loading is drawn once.
TEST(BlobMeaning, SeesWhenRandomNumbersAreDrawn) {
  EXPECT_EQ(ComparedMlx({{{MlxRandom(4), MlxRandom(2)}}}, {{{MlxRandom(2)}, {MlxRandom(4)}}, 1}),
            "output 0 is the result of RandomBits after other nodes that may be random");
}

TEST(BlobMeaning, TakesAnyFlagOfMlxButNoneAsANumber) {
  const auto drawing = [](uint32_t offset, uint8_t flag) {
    const DrawnTable either{{Drawn{{offset, std::monostate(), flag}}}};
    return MlxDrawing{{{MlxSize(0, 0), MlxSize(1, 1),
                        MlxNode(kMlxRope, {uint32_t{1}, uint32_t{2}, uint32_t{4}, either})}}};
  };
  const std::string other =
      "operand 1 of Rope, which output 0 needs, is the result of SymSize with other attributes";
  EXPECT_EQ(ComparedMlx(drawing(0, 1), drawing(1, 1)), other);
  EXPECT_EQ(ComparedMlx(drawing(0, 2), drawing(1, 2)), other);
  EXPECT_EQ(ComparedMlx(drawing(0, 0), drawing(0, 0)), "by bytes");  // the tensor is not there
}

TEST(BlobMeaning, KnowsThreeFlagsOfAnIndexOfMlx) {
  const auto drawing = [](uint8_t flag) {
    const DrawnTable index{{Drawn{{uint64_t{0}, uint32_t{0}, uint32_t{1}, flag}}}};
    return MlxDrawing{
        {{MlxSize(0, 0), MlxNode(kMlxTake, {uint32_t{1}, uint32_t{2}, index, uint32_t{0}})}}};
  };
  for (uint8_t flag = 0; flag <= 2; ++flag) {
    EXPECT_EQ(ComparedMlx(drawing(flag), drawing(flag)), "same");
  }
  EXPECT_EQ(ComparedMlx(drawing(3), drawing(3)), "by bytes");
}

TEST(BlobMeaning, SeesTheKindOfAnMlxSlot) {
  MlxDrawing drawing{{{MlxSize(0, 0)}}};
  drawing.output = 0;
  drawing.output_kind = 1;
  const MlxDrawing olds = drawing;
  EXPECT_EQ(ComparedMlx(olds, olds), "same");
  drawing.output_kind = 3;
  EXPECT_EQ(ComparedMlx(olds, drawing), "by bytes");
}

TEST(BlobMeaning, SeesSlotsOfMlxThatAreNotCounted) {
  const MlxDrawing olds{{{MlxSize(0, 0), MlxSigmoid(1, 4), MlxSigmoid(4, 2)}}};
  EXPECT_EQ(ComparedMlx(olds, olds), "same");
  MlxDrawing news = olds;
  news.temporary = 0;
  EXPECT_EQ(ComparedMlx(olds, news), "by bytes");
  news = olds;
  news.numbers = 0;
  EXPECT_EQ(ComparedMlx(olds, news), "by bytes");
  news = olds;
  news.buffers = 0;
  EXPECT_EQ(ComparedMlx(olds, news), "by bytes");
  news = olds;
  news.temporary = 1000000;  // more than the runtime takes
  EXPECT_EQ(ComparedMlx(olds, news), "by bytes");
}

// The operators of the first method's nodes.
std::vector<std::string> OperatorsOf(const std::string& bytes) {
  std::vector<std::string> all;
  const auto opened =
      delegates::OpenBlob({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  for (const delegates::BlobNode& node : opened.front().nodes) all.push_back(node.op);
  return all;
}

TEST(BlobMeaning, FollowsChainsOfMlxThatSomethingRuns) {
  const Drawn condition{{uint64_t{1}}};
  const Drawn choice = MlxNode(kMlxIf, {DrawnTable{{condition}}, uint32_t{1}, uint32_t{2}});
  const DrawnList body = {MlxSigmoid(1, 2)};
  EXPECT_THAT(OperatorsOf(WrittenMlx({{{MlxSize(0, 0)}, body}})), testing::ElementsAre("SymSize"));
  EXPECT_THAT(OperatorsOf(WrittenMlx({{{choice}, body, body, {MlxSize(0, 0)}}})),
              testing::ElementsAre("If", "Sigmoid", "Sigmoid"));
  EXPECT_THAT(OperatorsOf(WrittenMlx({{{choice}, {choice}, {choice}}})),
              testing::ElementsAre("If", "If", "If"));
}

struct TosaDrawing {
  bool in_root = false;
  bool in_region = false;
  bool in_operator = false;
};

// With an unknown field in one of its tables.
std::string WrittenTosa(const TosaDrawing& unknown) {
  const DrawnField more = uint32_t{1};
  Drawn op{{uint32_t{40}, uint8_t{0}, std::monostate(), DrawnTexts{"x"}, DrawnTexts{"y"}}};
  if (unknown.in_operator) op.fields.insert(op.fields.end(), {std::monostate(), more});
  const auto tensor = [](const char* name) { return Drawn{{name, std::monostate(), uint32_t{7}}}; };
  const Drawn block{{"main", DrawnList{op}, DrawnList{tensor("x"), tensor("y")}, DrawnTexts{"x"},
                     DrawnTexts{"y"}}};
  Drawn region{{"main", DrawnList{block}}};
  if (unknown.in_region) region.fields.push_back(more);
  const Drawn version{{uint32_t{1}, uint32_t{0}, uint32_t{0}, false}};
  Drawn root{{DrawnTable{{version}}, DrawnList{region}}};
  if (unknown.in_root) root.fields.insert(root.fields.end(), {std::monostate(), more});
  return WrittenDrawn(root, "TOSA");
}

TEST(BlobMeaning, SeesUnknownFieldsOfTosa) {
  const auto compared = [](const TosaDrawing& unknown) {
    return ComparedBlobs(WrittenTosa({}), WrittenTosa(unknown));
  };
  EXPECT_EQ(compared({}), "same");
  EXPECT_EQ(compared({.in_root = true}), "by bytes");
  EXPECT_EQ(compared({.in_region = true}), "by bytes");
  EXPECT_EQ(compared({.in_operator = true}), "by bytes");
}

}  // namespace
}  // namespace pteproof::compare
