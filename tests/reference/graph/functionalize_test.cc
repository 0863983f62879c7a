// What mutating methods compute by hand, and that their functional forms compute the same.
#include "reference/graph/functionalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "reference/op_schema.h"
#include "tests/reference/graph/twins.h"

namespace pteproof::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FunctionalizeTest, LeavesWhatDoesNotMutateAsItIs) {
  const Module module = Parsed(R"(
method f(%x: float32[2]) {
  %0: float32[2] = aten::neg.out(%x)
  return %0, %x
}
)");
  EXPECT_EQ(Functional(module), module);
}

TEST(FunctionalizeTest, ASliceAssignmentBecomesAScatterAndAStore) {
  Twins twins(R"(
buffer @b: float32[4] = [1.0, 2.0, 3.0, 4.0]
method f(%x: float32[2]) {
  %0 = entry @b
  %1: float32[2] = view aten::slice_copy.Tensor_out(%0, 0, 1, 3, 1)
  %2: float32[2] = aten::copy_(%1, %x, false)
  return %0, %2
}
)");
  EXPECT_THAT(twins.Call({Floats({2}, {7, 8})}),
              ElementsAre(ElementsAre(1, 7, 8, 4), ElementsAre(7, 8)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(1, 7, 8, 4));
  ASSERT_EQ(twins.functional().stores.size(), 1U);
  EXPECT_EQ(twins.functional().stores[0].value, twins.functional().body.results[0]);
}

TEST(FunctionalizeTest, ASumThroughATransposedViewReachesTheBase) {
  Twins twins(R"(
buffer @b: float32[2, 3]
method f(%x: float32[3, 2]) {
  %0 = entry @b
  %1: float32[3, 2] = view aten::t_copy.out(%0)
  %2: float32[3, 2] = aten::add_.Tensor(%1, %x, 1)
  return %0
}
)");
  const TensorValue x = Floats({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(twins.Call({x}), ElementsAre(ElementsAre(1, 3, 5, 2, 4, 6)));
  EXPECT_THAT(twins.Call({x}), ElementsAre(ElementsAre(2, 6, 10, 4, 8, 12)));
}

TEST(FunctionalizeTest, OverlappingViewsSeeEachOthersStores) {
  Twins twins(R"(
method f(%x: float32[4]) {
  %0: float32[3] = view aten::slice_copy.Tensor_out(%x, 0, 0, 3, 1)
  %1: float32[3] = view aten::slice_copy.Tensor_out(%x, 0, 1, 4, 1)
  %2: float32[3] = aten::copy_(%0, %1, false)
  return %0, %1, %2
}
)");
  EXPECT_THAT(twins.Call({Floats({4}, {1, 2, 3, 4})}),
              ElementsAre(ElementsAre(2, 3, 4), ElementsAre(3, 4, 4), ElementsAre(2, 3, 4)));
  EXPECT_THAT(twins.inputs_after, ElementsAre(ElementsAre(2, 3, 4, 4)));
}

TEST(FunctionalizeTest, AnInputThatIsChangedIsStoredAndReturnedChanged) {
  Twins twins(R"(
buffer @kept: float32[2]
method f(%x: float32[2], %y: float32[2]) {
  %0: float32[2] = aten::add_.Tensor(%x, %y, 1)
  return %x
  store @kept = %x
}
)");
  EXPECT_THAT(twins.Call({Floats({2}, {1, 2}), Floats({2}, {10, 20})}),
              ElementsAre(ElementsAre(11, 22)));
  EXPECT_THAT(twins.inputs_after, ElementsAre(ElementsAre(11, 22), ElementsAre(10, 20)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(11, 22));
}

TEST(FunctionalizeTest, AStoreOfTheMethodOutweighsWhatTheStorageHolds) {
  Twins twins(R"(
buffer @b: float32[1]
method f(%x: float32[1]) {
  %0 = entry @b
  %1: float32[1] = aten::copy_(%0, %x, false)
  %2: float32[1] = aten::neg.out(%0)
  return %1
  store @b = %2
}
)");
  EXPECT_THAT(twins.Call({Floats({1}, {5})}), ElementsAre(ElementsAre(5)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(-5));
}

TEST(FunctionalizeTest, ReadsBetweenStoresSeeTheBytesOfTheirTime) {
  Twins twins(R"(
buffer @b: float32[2, 2] = [1.0, 2.0, 3.0, 4.0]
method f(%x: float32[2]) {
  %0 = entry @b
  %1: float32[2] = view aten::select_copy.int_out(%0, 0, 0)
  %2: float32[4] = view aten::view_copy.out(%0, [4])
  %3: float32[4] = aten::neg.out(%2)
  %4: float32[2] = aten::copy_(%1, %x, false)
  %5: float32[4] = aten::neg.out(%2)
  %6: float32[4] = aten::mul_.Scalar(%2, 10.0)
  %7: float32[2] = aten::neg.out(%1)
  return %3, %5, %7, %0
}
)");
  EXPECT_THAT(twins.Call({Floats({2}, {8, 9})}),
              ElementsAre(ElementsAre(-1, -2, -3, -4), ElementsAre(-8, -9, -3, -4),
                          ElementsAre(-80, -90), ElementsAre(80, 90, 30, 40)));
}

TEST(FunctionalizeTest, TwoBuffersSwapThroughAClone) {
  Twins twins(R"(
buffer @a: float32[1] = [1.0]
buffer @b: float32[1] = [2.0]
method f() {
  %0 = entry @a
  %1 = entry @b
  %2: float32[1] = aten::clone.out(%0, None)
  %3: float32[1] = aten::copy_(%0, %1, false)
  %4: float32[1] = aten::copy_(%1, %2, false)
  return %2
}
)");
  EXPECT_THAT(twins.Call({}), ElementsAre(ElementsAre(1)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(2));
  EXPECT_THAT(twins.Buffer(1), ElementsAre(1));
}

TEST(FunctionalizeTest, StoresAreParallel) {
  Twins twins(R"(
buffer @a: float32[1] = [1.0]
buffer @b: float32[1] = [2.0]
method f() {
  %0 = entry @a
  %1 = entry @b
  %2: float32[1] = aten::add_.Scalar(%0, 4.0, 1)
  return
  store @a = %1
  store @b = %0
}
)");
  twins.Call({});
  EXPECT_THAT(twins.Buffer(0), ElementsAre(2));
  EXPECT_THAT(twins.Buffer(1), ElementsAre(5));
}

TEST(FunctionalizeTest, EveryKindOfViewFindsItsWayBack) {
  Twins twins(R"(
method f(%x: float32[2, 3], %y: float32[3]) {
  %0: float32[1, 2, 3] = view aten::unsqueeze_copy.out(%x, 0)
  %1: float32[3, 1, 2] = view aten::permute_copy.out(%0, [2, 0, -2])
  %2: float32[3, 2] = view aten::squeeze_copy.dim_out(%1, 1)
  %3: float32[2, 3] = view aten::transpose_copy.int_out(%2, 0, 1)
  %4: float32[2, 3] = view aten::alias_copy.out(%3)
  %5: float32[3] = view aten::select_copy.int_out(%4, 0, 1)
  %6: float32[3] = aten::copy_(%5, %y, false)
  %7: float32[3, 2] = aten::neg_(%2)
  return %1, %4
}
)");
  EXPECT_THAT(
      twins.Call({Floats({2, 3}, {1, 2, 3, 4, 5, 6}), Floats({3}, {7, 8, 9})}),
      ElementsAre(ElementsAre(-1, -7, -2, -8, -3, -9), ElementsAre(-1, -2, -3, -7, -8, -9)));
  EXPECT_THAT(twins.inputs_after[0], ElementsAre(-1, -2, -3, -7, -8, -9));
}

// Two tokens from position 1 on, then one at the place that a number names.
TEST(FunctionalizeTest, ACacheIsUpdatedBySlice) {
  Twins twins(R"(
buffer @cache: float32[1, 4, 1, 1] = [1.0, 2.0, 3.0, 4.0]
method f(%x: float32[1, 2, 1, 1], %y: float32[1, 1, 1, 1]) {
  %0 = entry @cache
  %1: float32[1, 4, 1, 1] = llama::update_cache.out(%x, %0, 1)
  %2: float32[1, 4, 1, 1] = aten::neg.out(%0)
  %3: int64[] = aten::full.out([], 3)
  %4: int = aten::_local_scalar_dense(%3)
  %5: float32[1, 4, 1, 1] = llama::update_cache.out(%y, %1, %4)
  return %2, %5
}
)");
  EXPECT_THAT(twins.Call({Floats({1, 2, 1, 1}, {7, 8}), Floats({1, 1, 1, 1}, {9})}),
              ElementsAre(ElementsAre(-1, -7, -8, -4), ElementsAre(1, 7, 8, 9)));
  EXPECT_THAT(twins.Buffer(0), ElementsAre(1, 7, 8, 9));
}

// The slice of a functional form would count negative starts from the end.
TEST(FunctionalizeTest, ACacheHasNoNegativePosition) {
  for (const int tokens : {1, 2, 3}) {
    const std::string type = "float32[1, " + std::to_string(tokens) + ", 1, 1]";
    Twins twins(R"(
buffer @cache: float32[1, 4, 1, 1] = [1.0, 2.0, 3.0, 4.0]
method f(%x: )" +
                type + R"(, %at: int64[]) {
  %0 = entry @cache
  %1: int = aten::_local_scalar_dense(%at)
  %2: float32[1, 4, 1, 1] = llama::update_cache.out(%x, %0, %1)
  return %2
}
)");
    const TensorValue x =
        Floats({1, tokens, 1, 1}, std::vector<float>(static_cast<size_t>(tokens), 7));
    for (int64_t at = -9; at < 9; ++at) {
      const std::vector<Datum> inputs = {x, Tensor<int64_t>({}, {at})};
      if (at < 0 || at + tokens > 4) {
        EXPECT_TRUE(twins.Refuse(inputs)) << tokens << " at " << at;
      } else {
        EXPECT_EQ(twins.Call(inputs).size(), 1U);
      }
    }
  }
}

TEST(FunctionalizeTest, ACachePositionThatIsStatedIsNotNegative) {
  const auto module = Parse(R"(
buffer @cache: float32[1, 4, 1, 1]
method f(%x: float32[1, 1, 1, 1]) {
  %0 = entry @cache
  %1: float32[1, 4, 1, 1] = llama::update_cache.out(%x, %0, -1)
  return
}
)");
  ASSERT_TRUE(module.ok());
  const auto functional = Functionalize(module.value());
  ASSERT_FALSE(functional.ok());
  EXPECT_THAT(functional.error(), HasSubstr("has no position -1"));
}

// Each batch has positions of its own; of equal ones the last token stays.
TEST(FunctionalizeTest, ACacheIsUpdatedByIndex) {
  Twins twins(R"(
buffer @cache: float32[2, 3, 1, 1]
method f(%x: float32[2, 2, 1, 1], %at: int64[2, 2]) {
  %0 = entry @cache
  %1: float32[2, 3, 1, 1] = llama::update_cache_with_indices.out(%x, %0, 0, %at)
  return
}
)");
  twins.Call({Floats({2, 2, 1, 1}, {5, 6, 7, 8}), Tensor<int64_t>({2, 2}, {1, 1, 0, 1})});
  EXPECT_THAT(twins.Buffer(0), ElementsAre(0, 6, 0, 7, 8, 0));
}

TEST(FunctionalizeTest, WhatIsStoredHasTheTypeOfTheStorage) {
  Twins twins(R"(
buffer @count: int32[2]
method f(%x: float32[1]) {
  %0 = entry @count
  %1: int32[2] = aten::copy_(%0, %x, false)
  return %0
}
)");
  EXPECT_THAT(twins.Call({Floats({1}, {3.75})}), ElementsAre(ElementsAre(3, 3)));
}

TEST(FunctionalizeTest, WhatAnOperatorComputesIsConvertedToo) {
  Twins twins(R"(
buffer @h: float16[1] = [0.5]
method f(%x: float32[1]) {
  %0 = entry @h
  %1: float16[1] = aten::add_.Tensor(%0, %x, 1)
  return %1
}
)");
  EXPECT_THAT(twins.Call({Floats({1}, {1})}), ElementsAre(ElementsAre(1.5)));
}

TEST(FunctionalizeTest, RowsArePutInPlace) {
  Twins twins(R"(
buffer @cache: float32[3, 2]
method f(%i: int64[1], %row: float32[1, 2]) {
  %0 = entry @cache
  %1: float32[3, 2] = aten::index_put_(%0, [%i], %row, false)
  return %1
}
)");
  const auto at = [](int64_t i) { return Tensor<int64_t>({1}, {i}); };
  EXPECT_THAT(twins.Call({at(1), Floats({1, 2}, {5, 6})}),
              ElementsAre(ElementsAre(0, 0, 5, 6, 0, 0)));
  EXPECT_THAT(twins.Call({at(0), Floats({1, 2}, {7, 8})}),
              ElementsAre(ElementsAre(7, 8, 5, 6, 0, 0)));
}

TEST(FunctionalizeTest, AnOperatorMayReadAnotherNameOfWhatItWrites) {
  Twins twins(R"(
method f(%x: float32[2, 2]) {
  %0: float32[2, 2] = view aten::t_copy.out(%x)
  %1: float32[2, 2] = aten::add_.Tensor(%x, %0, 1)
  %2: float32[2, 2] = aten::zero_(%0)
  return %1
}
)");
  EXPECT_THAT(twins.Call({Floats({2, 2}, {1, 2, 3, 4})}), ElementsAre(ElementsAre(0, 0, 0, 0)));
}

TEST(FunctionalizeTest, RefusesStoresThroughAnExpandedView) {
  const char* text = R"(
method f(%x: float32[1]) {
  %0: float32[4] = view aten::expand_copy.out(%x, [4], false)
  %1: float32[4] = aten::neg_(%0)
  return %x
}
)";
  EXPECT_THAT(WhyNot(text), HasSubstr("no store through %0, a view by aten::expand_copy.out"));
}

TEST(FunctionalizeTest, RefusesOperatorsThatWriteAnotherOperandThanTheFirst) {
  Module module = Parsed(R"(
method f(%x: float32[1]) {
  %0: float32[1] = aten::neg_(%x)
  return %0
}
)");
  Node& node = module.methods[0].body.nodes[0];
  node.op = "llama::update_cache.out";
  node.schema = FindOperator(node.op);
  const auto functional = Functionalize(module);
  ASSERT_FALSE(functional.ok());
  EXPECT_THAT(functional.error(), HasSubstr("llama::update_cache.out has no functional form"));
}

// A delegate sees the buffer as it is at that point; in functional form it is as at entry until
// exit.
TEST(FunctionalizeTest, RefusesADelegateThatHasABufferAfterAStoreToIt) {
  const std::string start =
      "buffer @b: float32[2] shared\nmethod m(%x: float32[2]) {\n%e = entry @b\n";
  const std::string store = "%s: float32[2] = aten::copy_(%e, %x, false)\n";
  EXPECT_THAT(WhyNot(start + store + "delegate \"A\"() uses(@b)\nreturn }"),
              HasSubstr("a delegate has a buffer after a store to %0"));
  EXPECT_THAT(WhyNot(start + "delegate \"A\"() uses(@b writes)\n" + store + "return }"),
              HasSubstr("a delegate writes the buffer of %0, which is stored to"));
  EXPECT_EQ(WhyNot(start + "delegate \"A\"() uses(@b)\n" + store + "return }"), "it is functional");
}

TEST(FunctionalizeTest, AllModulesOfTheCorpusHaveAFunctionalForm) {
  int mutating = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(PTEPROOF_CORPUS_DIR) + "/modules")) {
    if (file.path().extension() != ".module") continue;
    SCOPED_TRACE(file.path().filename());
    std::ifstream in(file.path());
    std::stringstream text;
    text << in.rdbuf();
    const Module module = Parsed(text.str());
    mutating += std::ranges::any_of(module.methods, HasMutation, &Method::body) ? 1 : 0;
    static_cast<void>(Functional(module));
  }
  EXPECT_GT(mutating, 5);
}

}  // namespace
}  // namespace pteproof::graph
