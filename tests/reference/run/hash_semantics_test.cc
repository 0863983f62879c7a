#include "reference/run/hash_semantics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "reference/op_movement.h"
#include "reference/op_schema.h"
#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

TensorValue Hashed(std::string_view name, const std::vector<Argument>& args, Sizes sizes) {
  std::vector<TensorValue> results = {Zeros(ScalarType::kFloat32, std::move(sizes))};
  HashCall(name, FindOperator(name), args, results);
  return results[0];
}

int ElementsThatDiffer(const TensorValue& a, const TensorValue& b) {
  int differ = 0;
  const int64_t count = ElementCount(a);
  for (int64_t i = 0; i < count; ++i) {
    const auto x = ElementBytes(a, i);
    const auto y = ElementBytes(b, i);
    differ += std::ranges::equal(x, y) ? 0 : 1;
  }
  return differ;
}

TEST(HashCall, OfAnElementwiseOperatorSpreadsAByteToItsOwnElementOnly) {
  const TensorValue a = Counting({6});
  const TensorValue b = Counting({6});
  const TensorValue before = Hashed("aten::add.out", {&a, &b, int64_t{1}}, {6});
  for (size_t byte = 0; byte < a.bytes.size(); ++byte) {
    TensorValue changed = a;
    changed.bytes[byte] ^= std::byte{1};
    const TensorValue after = Hashed("aten::add.out", {&changed, &b, int64_t{1}}, {6});
    EXPECT_EQ(ElementsThatDiffer(before, after), 1) << byte;
  }
}

TEST(HashCall, OfABroadcastOperandSpreadsAByteToEveryElementThatReadsIt) {
  const TensorValue a = Counting({2, 3});
  TensorValue row = Counting({3});
  const TensorValue before = Hashed("aten::add.out", {&a, &row, int64_t{1}}, {2, 3});
  row.bytes[0] ^= std::byte{1};
  EXPECT_EQ(ElementsThatDiffer(before, Hashed("aten::add.out", {&a, &row, int64_t{1}}, {2, 3})), 2);
}

TEST(HashCall, OfAnyOtherOperatorSpreadsAByteToAllElements) {
  const TensorValue a = Counting({2, 2});
  const TensorValue b = Counting({2, 2});
  const TensorValue before = Hashed("aten::mm.out", {&a, &b}, {2, 2});
  for (size_t byte = 0; byte < b.bytes.size(); ++byte) {
    TensorValue changed = b;
    changed.bytes[byte] ^= std::byte{0x80};
    EXPECT_EQ(ElementsThatDiffer(before, Hashed("aten::mm.out", {&a, &changed}, {2, 2})), 4);
  }
}

TEST(HashCall, TellsOperatorsAndNumbersApart) {
  const TensorValue a = Counting({4});
  const TensorValue neg = Hashed("aten::neg.out", {&a}, {4});
  EXPECT_EQ(ElementsThatDiffer(neg, Hashed("aten::abs.out", {&a}, {4})), 4);
  const TensorValue two = Hashed("aten::mul.Scalar_out", {&a, 2.0}, {4});
  EXPECT_EQ(ElementsThatDiffer(two, Hashed("aten::mul.Scalar_out", {&a, 3.0}, {4})), 4);
}

TEST(HashCall, GivesDifferentElementsForEqualOperands) {
  const TensorValue zeros = Zeros(ScalarType::kFloat32, {4});
  const TensorValue product = Hashed("aten::_softmax.out", {&zeros, int64_t{0}, false}, {4});
  EXPECT_NE(RealAt(product, 0), RealAt(product, 1));
}

TEST(HashCall, KeepsBoolsZeroOrOne) {
  std::vector<TensorValue> results = {Zeros(ScalarType::kBool, {64})};
  const TensorValue a = Counting({64});
  HashCall("aten::isnan.out", FindOperator("aten::isnan.out"), std::vector<Argument>{&a}, results);
  int ones = 0;
  for (const std::byte byte : results[0].bytes) {
    ASSERT_LE(static_cast<int>(byte), 1);
    ones += static_cast<int>(byte);
  }
  EXPECT_GT(ones, 8);
  EXPECT_LT(ones, 56);
}

TEST(KeepsMeaning, OfMovementsAndNumbersOnly) {
  EXPECT_TRUE(KeepsMeaning(*FindOperator("aten::copy_")));
  EXPECT_TRUE(KeepsMeaning(*FindOperator("aten::slice_scatter.out")));
  // Its functional form is slice_scatter.
  EXPECT_TRUE(KeepsMeaning(*FindOperator("llama::update_cache.out")));
  EXPECT_TRUE(KeepsMeaning(*FindOperator("executorch_prim::add.Scalar")));
  EXPECT_FALSE(KeepsMeaning(*FindOperator("aten::add.out")));
  EXPECT_FALSE(KeepsMeaning(*FindOperator("aten::index_put_")));
}

TEST(KeepsMeaning, OfConversionsToTheTypeOfTheOperand) {
  for (const std::string_view name :
       {"aten::_to_copy.out", "dim_order_ops::_to_dim_order_copy.out"}) {
    const OpSchema& conversion = *FindOperator(name);
    EXPECT_TRUE(KeepsMeaning(conversion, ScalarType::kFloat32, ScalarType::kFloat32));
    EXPECT_FALSE(KeepsMeaning(conversion, ScalarType::kFloat32, ScalarType::kInt32));
  }
  EXPECT_FALSE(
      KeepsMeaning(*FindOperator("aten::add.out"), ScalarType::kFloat32, ScalarType::kFloat32));
}

}  // namespace
}  // namespace pteproof
