// Runs under hash: everything that a node is given reaches everything that it gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/reference/run/run_module.h"

namespace pteproof {
namespace {

// What `m(%x: float32[2])` with these nodes gives for %x = {a, 2}.
std::vector<Datum> Outputs(const std::string& nodes, float a) {
  RunModule m("method m(%x: float32[2]) {" + nodes + "}", Semantics::kHash);
  auto outputs = m.Call("m", {Vector({a, 2})});
  EXPECT_EQ(m.error(), "");
  return outputs;
}

void ExpectEveryOutputToShow(const std::string& nodes) {
  const auto before = Outputs(nodes, 1);
  const auto after = Outputs(nodes, 3);
  ASSERT_EQ(before.size(), after.size());
  for (size_t n = 0; n < before.size(); ++n) EXPECT_NE(before[n], after[n]) << nodes << n;
}

TEST(HashRun, ShowsAByteInNumbersThatUnknownOperatorsAndDelegatesGive) {
  ExpectEveryOutputToShow("%0: int, %1: float32[2] = my::op(%x) return %0, %1");
  ExpectEveryOutputToShow("%0: real = delegate \"A\"(%x) return %0");
}

TEST(HashRun, ShowsAByteBehindAList) {
  ExpectEveryOutputToShow("%0: float32[2] = delegate \"A\"([1, %x]) return %0");
  ExpectEveryOutputToShow("%0: float32[2] = my::op([[%x], None]) return %0");
}

TEST(HashRun, TellsListsApartByEveryItem) {
  const auto outputs = Outputs(R"(
    %0: float32[2] = my::op([1, 2.5, true])
    %1: float32[2] = my::op([2, 2.5, true])
    %2: float32[2] = my::op([1, 2.5, false])
    %3: float32[2] = my::op([1, 2.5], true)
    return %0, %1, %2, %3)",
                               1);
  for (size_t n = 1; n < outputs.size(); ++n) EXPECT_NE(outputs[0], outputs[n]) << n;
}

// Both say the same in the two columns, so that functionalizing changes no digest.
TEST(HashRun, MixesMutatingOperatorsAsTheirFunctionalForms) {
  const char* const text = R"(
    method m(%x: float32[2], %y: float64[2]) {
      %0: float32[2] = aten::clone.out(%x, None)
      %1: float32[2] = aten::clone.out(%x, None)
      %2: float32[2] = aten::add_.Tensor(%0, %y, 1)
      %3: float32[2] = aten::zero_(%1)
      %4: float64[2] = aten::add.out(%x, %y, 1)
      %5: float32[2] = aten::copy.out(%x, %4, false)
      %6: float32[2] = aten::fill.Scalar_out(%x, 0)
      return %2, %5, %3, %6
    })";
  RunModule m(text, Semantics::kHash);
  const auto outputs = m.Call("m", {Vector({1, 2}), Tensor<double>({2}, {3, 4})});
  ASSERT_EQ(outputs.size(), 4) << m.error();
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_EQ(outputs[2], outputs[3]);
  EXPECT_NE(outputs[0], outputs[2]);
}

// Mixed bytes make any number; as an index it is taken modulo what there is.
TEST(HashRun, KeepsMixedIndicesInRange) {
  const char* const text = R"(
    method m(%x: float32[3, 2], %y: float32[1, 2]) {
      %0: int64[] = aten::full.out([], 1)
      %1: int64[] = aten::neg.out(%0)
      %2: int = aten::_local_scalar_dense(%1)
      %3: float32[2] = aten::select_copy.int_out(%x, 0, %2)
      %4: float32[2] = view aten::select_copy.int_out(%x, 0, %2)
      %5: float32[3, 2] = aten::slice_scatter.out(%x, %y, 0, %2, %2, 1)
      return %3, %4, %5
    })";
  RunModule m(text, Semantics::kHash);
  const auto outputs =
      m.Call("m", {Tensor<float>({3, 2}, {1, 2, 3, 4, 5, 6}), Tensor<float>({1, 2}, {7, 8})});
  ASSERT_EQ(outputs.size(), 3) << m.error();
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_THAT(RealsOf(std::get<TensorValue>(outputs[2])), testing::IsSupersetOf({7, 8}));
}

}  // namespace
}  // namespace pteproof
