#include "properties/differential/shaken.h"

#include <gtest/gtest.h>

#include "properties/differential/case_run.h"
#include "properties/oracles/compare.h"
#include "reference/graph/parse.h"

namespace pteproof {
namespace {

TensorValue FilledWith(ScalarType type, int64_t size, double value) {
  TensorValue tensor = Zeros(type, {static_cast<int32_t>(size)});
  for (int64_t i = 0; i < size; ++i) SetReal(tensor, i, value);
  return tensor;
}

generators::RandomCase CaseWith(Datum input) {
  generators::RandomCase c;
  c.calls.push_back({0, {std::move(input)}});
  return c;
}

TEST(Shaken, MovesFloatsByLessThanOutputsMayDiffer) {
  for (const ScalarType type :
       {ScalarType::kFloat32, ScalarType::kFloat64, ScalarType::kFloat16, ScalarType::kBFloat16}) {
    const auto c = CaseWith(FilledWith(type, 4, 3.0));
    const auto shaken = Shaken(c);
    EXPECT_FALSE(SameData(c.calls[0].inputs, shaken.calls[0].inputs));
    EXPECT_EQ(FirstDifference(c.calls[0].inputs, shaken.calls[0].inputs, std::nullopt, true),
              std::nullopt);
  }
}

TEST(Shaken, LeavesWholeNumbersAndZeros) {
  for (const Datum& input : {Datum(FilledWith(ScalarType::kFloat32, 4, 0)), Datum(int64_t{7}),
                             Datum(Zeros(ScalarType::kInt64, {3}))}) {
    const auto c = CaseWith(input);
    EXPECT_TRUE(SameData(c.calls[0].inputs, Shaken(c).calls[0].inputs));
  }
}

}  // namespace
}  // namespace pteproof
