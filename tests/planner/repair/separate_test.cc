// Copies where one storage would have to hold two contents, and none where it has not to.
#include "planner/repair/separate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference/op_schema.h"
#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Separated SeparatedIn(const Method& method, std::span<const Operator> operators) {
  const auto meaning = meaning::MeaningOf(method, nullptr);
  return SeparateNames(MeantMethodOf(meaning), operators);
}

// "0: aten::copy_ v0 v3"
std::vector<std::string> CopiesIn(const Separated& separated) {
  std::vector<std::string> texts;
  for (const AddedCopy& copy : separated.copies) {
    texts.push_back(std::to_string(copy.instruction) + ": " + std::string(copy.op) + " v" +
                    std::to_string(copy.from) + " v" + std::to_string(copy.to));
  }
  return texts;
}

// A view of `state` is read after or before the store to it.
MethodBuilder StoreAndView(bool read_first) {
  MethodBuilder m;
  const int32_t state = m.Planned(2, 0, {4}, "state");
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t view = m.Planned(2, 0, {4}, "state");
  if (!read_first) m.Copy(state, x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(view, x, y);
  if (read_first) m.Copy(state, x);
  m.Output(y);
  for (const uint64_t at : {32U, 48U}) {  // so many values in order tell when the view was made
    const int32_t more = m.Planned(1, at, {4});
    m.Add(x, x, more);
    m.Output(more);
  }
  return m;
}

TEST(SeparateTest, CopiesAViewThatOutlivesAStore) {
  const Separated separated = SeparatedIn(StoreAndView(false).Build(), {});
  EXPECT_EQ(separated.failure, "");
  EXPECT_THAT(CopiesIn(separated), ElementsAre("0: aten::copy_ v0 v2"));
  EXPECT_THAT(separated.instructions, ElementsAre(1, 2, 3, 4, 5));
  const Tensor& view = *separated.method.TensorOf(2);
  EXPECT_EQ(view.bank, 1U);
  EXPECT_EQ(view.name.count, 0U);
}

TEST(SeparateTest, LeavesAViewThatIsReadInTime) {
  const MethodBuilder m = StoreAndView(true);
  const Separated separated = SeparatedIn(m.Build(), {});
  EXPECT_THAT(separated.copies, IsEmpty());
  EXPECT_EQ(separated.method.instructions.size(), m.Build().instructions.size());
}

// Without copy_ in the program there is nothing to copy with, unless the runtime has it.
TEST(SeparateTest, AsksForAnOperatorThatCopies) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {2, 4});
  const int32_t index = m.Planned(1, 32, {1}, {}, ScalarType::kInt64);
  m.Input(x);
  m.Input(index);
  const int32_t view = m.Planned(1, 0, {2, 4});
  const int32_t y = m.Planned(1, 64, {2, 4});
  m.IndexPut(view, index, view);
  m.Add(x, view, y);
  m.Output(y);
  EXPECT_THAT(SeparatedIn(m.Build(), {}).failure, HasSubstr("--operators-of"));
  const Operator clone = {"aten::clone.out", FindOperator("aten::clone.out")};
  const Separated separated = SeparatedIn(m.Build(), {&clone, 1});
  EXPECT_EQ(separated.failure, "");
  // One for the operand that its own instruction writes over, one for the view of the input.
  ASSERT_EQ(separated.copies.size(), 2U);
  EXPECT_EQ(separated.copies[0].op, "aten::clone.out");
  EXPECT_EQ(separated.copies[1].op, "aten::clone.out");
}

// A copy takes the operand's place in the list, for this call alone.
TEST(SeparateTest, CopiesAnOperandInAListThatItsCallWrites) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4}, {}, ScalarType::kInt64);
  m.Input(x);
  const int32_t y = m.Planned(1, 32, {4}, {}, ScalarType::kInt64);
  m.Add(x, x, y);
  m.IndexPut(y, y, x);
  m.Output(y);
  const Operator copy = {"aten::copy_", FindOperator("aten::copy_")};
  const Separated separated = SeparatedIn(m.Build(), {&copy, 1});
  EXPECT_EQ(separated.failure, "");
  ASSERT_EQ(separated.copies.size(), 1U);
  EXPECT_EQ(separated.copies[0].instruction, 1);
  const Method& method = separated.method;
  const auto args = method.Ints(method.instructions[2].args);
  EXPECT_EQ(args[0], separated.copies[0].from);
  const Value& indices = method.values[static_cast<size_t>(args[1])];
  EXPECT_EQ(indices.kind, ValueKind::kOptionalTensorList);
  EXPECT_THAT(method.Ints(indices.items), ElementsAre(separated.copies[0].to));
}

TEST(SeparateTest, CopiesAConstantThatIsWritten) {
  MethodBuilder m;
  const int32_t constant = m.Constant(1, {2, 4});
  const int32_t x = m.Planned(1, 0, {1, 4});
  const int32_t index = m.Planned(1, 16, {1}, {}, ScalarType::kInt64);
  m.Input(x);
  m.Input(index);
  m.IndexPut(constant, index, x);
  const int32_t y = m.Planned(1, 32, {2, 4});
  m.Add(constant, constant, y);
  m.Output(y);
  const Operator copy = {"aten::copy_", FindOperator("aten::copy_")};
  const Separated separated = SeparatedIn(m.Build(), {&copy, 1});
  EXPECT_THAT(CopiesIn(separated), ElementsAre("0: aten::copy_ v0 v1"));
  EXPECT_FALSE(separated.method.TensorOf(0)->planned);
  EXPECT_EQ(separated.method.TensorOf(0)->data_index, 1U);
  EXPECT_TRUE(separated.method.TensorOf(1)->planned);
  EXPECT_EQ(separated.method.TensorOf(1)->data_index, 0U);
}

// The caller gets what the buffer was when the call began.
TEST(SeparateTest, CopiesABufferThatIsReturnedAsItWas) {
  MethodBuilder m;
  const int32_t state = m.Planned(2, 0, {4}, "state");
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  m.Copy(state, x);
  m.Output(state);
  const Separated separated = SeparatedIn(m.Build(), {});
  EXPECT_THAT(CopiesIn(separated), ElementsAre("0: aten::copy_ v0 v2"));
  EXPECT_THAT(separated.method.outputs, ElementsAre(2));
}

// What a store changed comes first, and is returned as it is.
TEST(SeparateTest, LeavesAnInputThatIsReturnedAsItEnds) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {4});
  m.Add(x, x, y);
  m.Copy(x, y);
  m.Output(x);
  EXPECT_THAT(SeparatedIn(m.Build(), {}).copies, IsEmpty());
}

}  // namespace
}  // namespace pteproof::planner
