// The ways a tensor comes by its bytes, written and read.
#include "runtime/writer/stored_data.h"

#include "tests/runtime/writer/written.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::ElementsAre;

// One method with a tensor of three bytes, changed by `change`, and "one", "two" as blobs 1 and 2
// of both tables.
template <class Change>
Program WithTensor(Change change) {
  MethodBuilder builder;
  const int32_t value = builder.Planned(1, 0, {3}, "name", ScalarType::kUInt8);
  change(builder.TensorAt(value));
  Program program = ProgramOf({builder.Build()});
  program.constants = {Bytes(), TextBytes("one"), TextBytes("two")};
  program.initial_values = program.constants;
  return program;
}

struct Case {
  bool planned;
  uint32_t data_index;
  bool external;
};

class TensorBytes : public testing::TestWithParam<Case> {};

TEST_P(TensorBytes, ComeFromWhereTheyCame) {
  const Program program = WithTensor([](Tensor& tensor) {
    tensor.planned = GetParam().planned;
    if (!tensor.planned) tensor.bank = 0;
    tensor.data_index = GetParam().data_index;
    tensor.external = GetParam().external;
  });
  ExpectSurvives(program);
  const auto file = Written(program);
  const schema::Tensor& wire = *Tables(file).methods()->Get(0)->values()->Get(0)->held_as_Tensor();
  EXPECT_EQ(wire.placement() != nullptr, GetParam().planned);
  EXPECT_EQ(wire.data_index() > 0, GetParam().data_index > 0);
  EXPECT_EQ(wire.extra()->source() == schema::TensorSource::External, GetParam().external);
  EXPECT_EQ(wire.extra()->name()->string_view(), "name");
}

INSTANTIATE_TEST_SUITE_P(Cases, TensorBytes,
                         testing::Values(Case{false, 2, false},  // constant
                                         Case{true, 0, false},   // planned
                                         Case{false, 0, false},  // the caller's
                                         Case{true, 2, false},   // with an initial value
                                         Case{false, 0, true},   // constant in another file
                                         Case{true, 0, true}));  // initial value in another file

TEST(StoredData, LeavesOutWhatNobodyUses) {
  const auto file = Written(WithTensor([](Tensor& tensor) { tensor.data_index = 2; }));
  const Program back = ReadBack(file);
  EXPECT_EQ(back.constants.size(), 1U);
  ASSERT_EQ(back.initial_values.size(), 2U);
  EXPECT_EQ(TextOf(back.initial_values[1]), "two");
}

TEST(StoredData, IgnoresTheIndexOfAnExternalTensor) {
  const Program program = WithTensor([](Tensor& tensor) {
    tensor.external = true;
    tensor.data_index = 99;
  });
  ExpectSurvives(program);
}

TEST(StoredData, IsKeptOncePerContentAcrossMethods) {
  MethodBuilder a("a");
  a.Constant(1, {4}, ScalarType::kUInt8);
  a.Constant(2, {2, 2}, ScalarType::kUInt8);
  MethodBuilder b("b");
  b.Constant(3, {4}, ScalarType::kInt8);
  b.Constant(4, {4}, ScalarType::kInt8);
  Program program = ProgramOf({a.Build(), b.Build()});
  program.constants = {Bytes(), TextBytes("same"), TextBytes("same!"), TextBytes("same"),
                       TextBytes("else")};
  ExpectSurvives(program);
  const auto file = Written(program);
  EXPECT_THAT(*Tables(file).constants()->offsets(), ElementsAre(0U, 0U, 16U));
  EXPECT_EQ(Tables(file).segments()->Get(0)->size(), 20U);
}

TEST(StoredData, IsAsLongAsItsLargestTensor) {
  MethodBuilder builder;
  builder.Constant(1, {2}, ScalarType::kUInt8);
  builder.Constant(1, {6}, ScalarType::kUInt8);
  builder.Constant(1, {4}, ScalarType::kUInt8);
  Program program = ProgramOf({builder.Build()});
  program.constants = {Bytes(), TextBytes("longer than any")};
  ExpectSurvives(program);
  EXPECT_EQ(Tables(Written(program)).segments()->Get(0)->size(), 6U);
}

TEST(StoredData, OfNoBytesIsAConstantStill) {
  MethodBuilder builder;
  builder.Constant(1, {0});
  Program program = ProgramOf({builder.Build()});
  program.constants = {Bytes(), Bytes()};
  ExpectSurvives(program);
  EXPECT_EQ(ReadBack(Written(program)).methods[0].tensors[0].data_index, 1U);
}

TEST(StoredData, OfNoBytesIsNoInitialValue) {
  MethodBuilder builder;
  builder.TensorAt(builder.Planned(1, 0, {0})).data_index = 1;
  Program program = ProgramOf({builder.Build()});
  program.initial_values = {Bytes(), Bytes()};
  ExpectSurvives(program);
  EXPECT_EQ(ReadBack(Written(program)).methods[0].tensors[0].data_index, 0U);
}

}  // namespace
}  // namespace pteproof
