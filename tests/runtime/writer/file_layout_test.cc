// Where things lie in a written file, as FlatBuffers and the format's own rules see them.
#include <cstring>

#include "runtime/structure_text.h"
#include "tests/runtime/writer/written.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::ElementsAre;

template <class T>
T NumberAt(Bytes file, size_t at) {
  T number;
  std::memcpy(&number, file.data() + at, sizeof number);
  return number;
}

bool Verifies(Bytes file, size_t size) {
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(file.data()), size);
  return schema::VerifyProgramBuffer(verifier);
}

// Adds two constants and an initial value; a delegate and named data share a blob.
Program ProgramWithData() {
  MethodBuilder builder;
  builder.Constant(1, {5}, ScalarType::kUInt8);
  builder.Constant(2, {4}, ScalarType::kUInt8);
  builder.Planned(1, 0, {3}, "state", ScalarType::kUInt8);
  builder.TensorAt(2).data_index = 1;
  Method method = builder.Build();
  method.delegates = {{"Backend", TextBytes("blob"), {}}, {"Backend", Bytes(), {}}};
  Program program = ProgramOf({method});
  program.constants = {Bytes(), TextBytes("fifty"), TextBytes("four")};
  program.initial_values = {Bytes(), TextBytes("ini")};
  program.named_data = {{"weights", TextBytes("blob")}, {"more", TextBytes("else")}};
  return program;
}

TEST(FileLayout, HasNoHeaderWithoutStoredBytes) {
  const auto file = Written(ProgramOf({MethodBuilder().Build()}));
  EXPECT_GE(file.size(), 64U) << "what loaders read first";
  EXPECT_EQ(TextOf(Bytes(file).subspan(4, 4)), "ET12");
  EXPECT_NE(TextOf(Bytes(file).subspan(8, 4)), "eh00");
  EXPECT_TRUE(Verifies(file, file.size()));
  EXPECT_EQ(Tables(file).segments()->size(), 1U);
  EXPECT_EQ(Tables(file).segments()->Get(0)->size(), 0U);
  EXPECT_THAT(*Tables(file).constants()->offsets(), ElementsAre(0U));
  EXPECT_EQ(Tables(file).initial_values(), nullptr);
  EXPECT_EQ(Tables(file).named_data(), nullptr);
  EXPECT_EQ(Tables(file).inline_blobs(), nullptr);
}

TEST(FileLayout, SaysInTheHeaderWhereSegmentsLie) {
  const auto file = Written(ProgramWithData());
  EXPECT_EQ(TextOf(Bytes(file).subspan(4, 8)), "ET12eh00");
  EXPECT_EQ(NumberAt<uint32_t>(file, 12), 32U);
  const auto tables = NumberAt<uint64_t>(file, 16);
  const auto base = NumberAt<uint64_t>(file, 24);
  const auto area = NumberAt<uint64_t>(file, 32);
  EXPECT_TRUE(Verifies(file, tables));
  EXPECT_EQ(base, (tables + 127) / 128 * 128);
  EXPECT_EQ(base + area, file.size());
}

TEST(FileLayout, AlignsSegments) {
  const auto file = Written(ProgramWithData());
  const auto base = NumberAt<uint64_t>(file, 24);
  std::vector<std::string_view> content;
  for (const schema::Segment* segment : *Tables(file).segments()) {
    EXPECT_EQ(segment->offset() % 128, 0U);
    content.push_back(TextOf(Bytes(file).subspan(base + segment->offset(), segment->size())));
  }
  using namespace std::string_view_literals;
  EXPECT_THAT(content, ElementsAre("fifty\0\0\0\0\0\0\0\0\0\0\0four"sv, "ini", "blob", "else"));
}

TEST(FileLayout, AlignsConstantsAndPacksInitialValues) {
  const auto file = Written(ProgramWithData());
  const schema::Program& tables = Tables(file);
  EXPECT_EQ(tables.constants()->segment_index(), 0U);
  EXPECT_THAT(*tables.constants()->offsets(), ElementsAre(0U, 0U, 16U));
  ASSERT_EQ(tables.initial_values()->size(), 1U);
  EXPECT_EQ(tables.initial_values()->Get(0)->segment_index(), 1U);
  EXPECT_THAT(*tables.initial_values()->Get(0)->offsets(), ElementsAre(0U, 0U));
}

TEST(FileLayout, SharesASegmentAmongEqualBlobs) {
  const auto file = Written(ProgramWithData());
  const auto& delegates = *Tables(file).methods()->Get(0)->delegates();
  EXPECT_EQ(delegates.Get(0)->blob()->source(), schema::BlobSource::Segment);
  EXPECT_EQ(delegates.Get(0)->blob()->index(), 2U);
  EXPECT_EQ(Tables(file).named_data()->Get(0)->segment_index(), 2U);
  EXPECT_EQ(Tables(file).named_data()->Get(1)->segment_index(), 3U);
}

TEST(FileLayout, KeepsAnEmptyBlobInsideTheTables) {
  const auto file = Written(ProgramWithData());
  const auto& blob = *Tables(file).methods()->Get(0)->delegates()->Get(1)->blob();
  EXPECT_EQ(blob.source(), schema::BlobSource::Inline);
  ASSERT_LT(blob.index(), Tables(file).inline_blobs()->size());
  EXPECT_EQ(Tables(file).inline_blobs()->Get(blob.index())->bytes()->size(), 0U);
}

TEST(FileLayout, LetsTensorsShareTheirShape) {
  MethodBuilder builder;
  builder.Planned(1, 0, {2, 3});
  builder.Planned(1, 32, {2, 3});
  builder.Planned(1, 64, {3, 2});
  const auto file = Written(ProgramOf({builder.Build()}));
  const auto& values = *Tables(file).methods()->Get(0)->values();
  const auto tensor = [&](uint32_t i) { return values.Get(i)->held_as_Tensor(); };
  EXPECT_EQ(tensor(0)->sizes(), tensor(1)->sizes());
  EXPECT_NE(tensor(0)->sizes(), tensor(2)->sizes());
  EXPECT_EQ(tensor(0)->dim_order(), tensor(2)->dim_order());
}

TEST(FileLayout, DividesOperatorNamesAtTheirFirstDot) {
  MethodBuilder builder;
  Method method = builder.Build();
  method.operators = {{.name = "aten::add.out"}, {.name = "my::op"}};
  const auto file = Written(ProgramOf({method}));
  const auto& operators = *Tables(file).methods()->Get(0)->operators();
  EXPECT_EQ(operators.Get(0)->name()->string_view(), "aten::add");
  EXPECT_EQ(operators.Get(0)->overload()->string_view(), "out");
  EXPECT_EQ(operators.Get(1)->name()->string_view(), "my::op");
  EXPECT_EQ(operators.Get(1)->overload()->string_view(), "");
}

TEST(FileLayout, KeepsAStructureThatSaysNothing) {
  Method method = MethodBuilder().Build();
  method.input_structure.clear();
  const auto file = Written(ProgramOf({method}));
  const auto& structure = *Tables(file).methods()->Get(0)->container_type();
  EXPECT_EQ(structure.inputs()->string_view(), "");
  EXPECT_EQ(structure.outputs()->string_view(), FlatOutputs(0));
}

TEST(FileLayout, DescribesFlatInputsAndOutputsAsTheExporterDoes) {
  MethodBuilder builder;
  builder.Int(1);
  builder.Input(0);
  builder.Output(0);
  const auto file = Written(ProgramOf({builder.Build()}));
  const auto& structure = *Tables(file).methods()->Get(0)->container_type();
  // As in corpus/public/add_model.pte.
  EXPECT_EQ(structure.outputs()->string_view(),
            R"([1, {"type": null, "context": null, "children_spec": []}])");
  EXPECT_EQ(structure.inputs()->string_view(),
            R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": )"
            R"("builtins.tuple", "context": "null", "children_spec": [{"type": null, "context": )"
            R"(null, "children_spec": []}]}, {"type": "builtins.dict", "context": "[]", )"
            R"("children_spec": []}]}])");
}

}  // namespace
}  // namespace pteproof
