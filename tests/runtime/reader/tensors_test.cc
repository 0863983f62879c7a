#include "pteproof/program.h"
#include "tests/runtime/reader/refusals.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using wire::AddFile;
using wire::File;

// The sound file with one tensor more, of which nothing makes use.
File With(const wire::Tensor& tensor) {
  File file = AddFile();
  wire::Value value = wire::Float({});
  value.tensor = tensor;
  file.Add(value);
  return file;
}

File WithSizes(std::vector<int32_t> sizes) {
  return With(wire::Planned(std::move(sizes), 64).tensor);
}

TEST(Tensors, AreReadWithTheirPlace) {
  wire::Tensor tensor = wire::Planned({2, 3}, (uint64_t{3} << 32) + 64).tensor;
  tensor.dim_order = {1, 0};
  tensor.dynamism = 1;
  tensor.type = 5;
  tensor.extra = wire::Extra{.name = "cache", .device = 1, .device_index = 2};
  const auto bytes = wire::Build(With(tensor));
  const auto read = ReadProgram(bytes);
  ASSERT_TRUE(read.ok());
  const Method& method = read.value().methods[0];
  const Tensor* out = method.TensorOf(4);
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->dtype, ScalarType::kFloat16);
  EXPECT_EQ(out->dynamism, Dynamism::kBounded);
  EXPECT_TRUE(out->planned);
  EXPECT_EQ(out->bank, 1U);
  EXPECT_EQ(out->offset, (uint64_t{3} << 32) + 64);
  EXPECT_EQ(out->nbytes, 12U);
  EXPECT_EQ(out->device_type, 1);
  EXPECT_EQ(out->device_index, 2);
  EXPECT_THAT(method.Ints(out->sizes), ElementsAre(2, 3));
  EXPECT_THAT(method.Ints(out->dim_order), ElementsAre(1, 0));
  EXPECT_EQ(method.NameOf(4), "cache");
}

TEST(Tensors, RefusesRanksAbove16) {
  EXPECT_THAT(RulesOf(WithSizes(std::vector<int32_t>(16, 1))), Accepted());
  EXPECT_THAT(RulesOf(WithSizes(std::vector<int32_t>(17, 1))), RefusedBy(rule::kFileTensorShape));
}

TEST(Tensors, RefusesNegativeAndMissingSizes) {
  EXPECT_THAT(RulesOf(WithSizes({-4})), RefusedBy(rule::kFileTensorShape));
  File file = WithSizes({3});
  file.tensor(4).sizes.reset();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorShape));
}

TEST(Tensors, RefusesSizesThatOverflow) {
  const std::vector<std::vector<int32_t>> shapes = {{1 << 30, 1 << 30, 16},
                                                    {INT32_MAX, INT32_MAX, 4},
                                                    {2, 1 << 20, 1 << 20},
                                                    {0, 2, 1 << 20, 1 << 20}};
  for (const auto& sizes : shapes) {
    EXPECT_THAT(RulesOf(WithSizes(sizes)), RefusedBy(rule::kFileTensorShape))
        << testing::PrintToString(sizes);
  }
}

TEST(Tensors, RefusesOverflowingSizesOfDynamicInputsToo) {
  File file = WithSizes({1 << 30, 1 << 30, 4});
  file.tensor(4).dynamism = 1;
  file.method().inputs->push_back(4);
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorShape));
}

TEST(Tensors, AcceptsZeroSizesAndRankZero) {
  EXPECT_THAT(RulesOf(WithSizes({})), Accepted());
  EXPECT_THAT(RulesOf(WithSizes({0, 7})), Accepted());
}

TEST(Tensors, RefusesDimOrdersThatAreNoPermutation) {
  const std::vector<std::vector<uint8_t>> orders = {{0, 0}, {0, 2}, {0}, {0, 1, 2}, {}};
  for (const auto& order : orders) {
    File file = WithSizes({2, 3});
    file.tensor(4).dim_order = order;
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileDimOrder)) << testing::PrintToString(order);
  }
  File file = WithSizes({2, 3});
  file.tensor(4).dim_order.reset();
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileDimOrder));
}

// Whether its data are long enough is not asked where its shape is not known.
TEST(Tensors, RefusesAMissingDimOrderAlone) {
  File file = AddFile();
  file.value(0) = wire::Stored({3, 5}, 1);
  file.tensor(0).dim_order.reset();
  file.constants->offsets = {0, 12};
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileDimOrder));
}

TEST(Tensors, AcceptsAConstantWithoutBytesAnywhere) {
  File file = AddFile();
  file.constants->offsets = {0, 0, 1};
  file.Add(wire::Stored({0}, 2));
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Tensors, RefusesElementTypesWithoutMeaning) {
  for (const int8_t type : std::initializer_list<int8_t>{-1, 30, 127}) {
    File file = WithSizes({2});
    file.tensor(4).type = type;
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorType)) << int{type};
  }
}

TEST(Tensors, AcceptsElementTypesThatOnlyRuntimesKnow) {
  for (const int8_t type : std::initializer_list<int8_t>{8, 9, 10, 18, 21, 29}) {
    File file = WithSizes({2});
    file.tensor(4).type = type;
    EXPECT_THAT(RulesOf(file), Accepted()) << int{type};
  }
}

TEST(Tensors, RefusesUnboundedAndUnknownDynamism) {
  for (const int8_t dynamism : std::initializer_list<int8_t>{2, 7, -1}) {
    File file = WithSizes({2});
    file.tensor(4).dynamism = dynamism;
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorDynamism)) << int{dynamism};
  }
}

TEST(Tensors, RefusesAStorageOffset) {
  File file = WithSizes({2});
  file.tensor(4).storage_offset = 1;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorMemory));
}

TEST(Tensors, RefusesBanksThatAreNotThere) {
  for (const uint32_t bank : {0U, 2U, UINT32_MAX}) {
    File file = WithSizes({2});
    file.tensor(4).placement->bank = bank;
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorMemory)) << bank;
  }
}

TEST(Tensors, RefusesAnEndThatWraps) {
  File file = WithSizes({4});
  file.tensor(4).placement->offset = UINT64_MAX - 15;
  EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileTensorMemory));
  file.tensor(4).sizes = {0};
  EXPECT_THAT(RulesOf(file), Accepted()) << "no bytes, no end that wraps";
}

TEST(Tensors, LeavesTheBanksEndToTheChecks) {
  File file = WithSizes({4});
  file.tensor(4).placement->offset = 1 << 20;
  EXPECT_THAT(RulesOf(file), Accepted());
}

TEST(Tensors, RefusesExternalDataWithoutAName) {
  wire::Tensor tensor = wire::Float({1024}).tensor;
  tensor.extra = wire::Extra{.source = 1};
  EXPECT_THAT(RulesOf(With(tensor)), RefusedBy(rule::kFileExternal));
  tensor.extra->name = "weight";
  EXPECT_THAT(RulesOf(With(tensor)), Accepted());
  tensor.extra->source = 2;
  EXPECT_THAT(RulesOf(With(tensor)), RefusedBy(rule::kFileExternal));
}

TEST(Tensors, RefusesUnknownDevices) {
  for (const int8_t device : std::initializer_list<int8_t>{2, 77, -1}) {
    File file = WithSizes({2});
    file.tensor(4).extra = wire::Extra{.device = device};
    EXPECT_THAT(RulesOf(file), RefusedBy(rule::kFileDevice)) << int{device};
  }
}

}  // namespace
}  // namespace pteproof
