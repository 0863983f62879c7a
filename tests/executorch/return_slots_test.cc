// What a call's return slot is afterwards, where it is another value than the argument that the
// call returns: no exporter writes that.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pteproof/write.h"
#include "reference/datum.h"
#include "reference/op_schema.h"
#include "reference/tensor_value.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

struct SlotCase {
  std::string op;
  bool by_out;  // else the first operand is updated
  bool is_named;
};

class ReturnSlots : public testing::TestWithParam<SlotCase> {};

// The output is a copy of the slot, which nothing else writes: zeros, if it has kept its place.
Program ReadsSlot(const SlotCase& c) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  const int32_t to = m.Planned(1, 16, {4});
  const int32_t slot = m.Planned(1, 32, {4});
  const int32_t y = m.Planned(1, 48, {4});
  m.Input(x);
  if (c.by_out) {
    m.Call(c.op, {x, to, slot});
  } else {
    m.Call(c.op, {to, x, m.Bool(false), slot});
  }
  m.Call("aten::abs.out", {slot, y, y});
  m.Output(y);
  return ProgramOf({m.Build()});
}

TEST_P(ReturnSlots, AreNamesOfWhatIsUpdatedAlone) {
  const SlotCase& c = GetParam();
  auto written = WriteProgram(ReadsSlot(c));
  ASSERT_TRUE(written.ok()) << written.error();
  TensorValue threes = Zeros(ScalarType::kFloat32, {4});
  for (int64_t i = 0; i < 4; ++i) SetReal(threes, i, 3);
  witness::Job job;
  job.program = std::move(written).value();
  job.calls.push_back({"forward", {Datum(threes)}});
  const auto answers = witness::Ask(std::vector{job});
  ASSERT_EQ(answers.size(), 1U);
  ASSERT_EQ(answers[0].load_error, "");
  ASSERT_EQ(answers[0].calls[0].error, "");
  const auto& y = std::get<TensorValue>(answers[0].calls[0].outputs.at(0));
  EXPECT_EQ(ComplexAt(y, 0).real() != 0, c.is_named);
  const OpSchema* schema = FindOperator(c.op);
  ASSERT_NE(schema, nullptr);
  EXPECT_EQ(schema->PutsInSlot(c.by_out ? 1 : 0), c.is_named);
}

INSTANTIATE_TEST_SUITE_P(Calls, ReturnSlots,
                         testing::Values(SlotCase{"aten::sin.out", true, false},
                                         SlotCase{"aten::neg.out", true, false},
                                         SlotCase{"aten::copy_", false, true}));

}  // namespace
}  // namespace pteproof
