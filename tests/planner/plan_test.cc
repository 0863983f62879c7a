// What plans of small Modules look like, worked by hand.
#include "planner/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/plan_text.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "aten::copy_(b)": the operator and the name, if it has one, of what it writes.
std::vector<std::string> CallsOf(const Method& method) {
  std::vector<std::string> calls;
  for (const Instruction& instruction : method.instructions) {
    if (instruction.kind != InstructionKind::kKernelCall) continue;
    const auto args = method.Ints(instruction.args);
    const Operator& op = method.operators[static_cast<size_t>(instruction.target)];
    calls.push_back(op.name + "(" + std::string(method.NameOf(args.back())) + ")");
  }
  return calls;
}

// "bank:offset" of the first value of that name in a method; empty: there is none.
std::string PlaceOf(const Program& program, const std::string& method, const std::string& name) {
  for (const Method& m : program.methods) {
    if (m.name != method) continue;
    for (int32_t v = 0; v < static_cast<int32_t>(m.values.size()); ++v) {
      if (m.NameOf(v) != name) continue;
      return std::to_string(m.TensorOf(v)->bank) + ":" + std::to_string(m.TensorOf(v)->offset);
    }
  }
  return "";
}

TEST(WriteBackTest, ASwapTakesOneTemporary) {
  const Planned planned = PlanOf(R"(
buffer @a: float32[4]
buffer @b: float32[4]
method swap() {
  %0 = entry @a
  %1 = entry @b
  return
  store @a = %1
  store @b = %0
}
)");
  EXPECT_THAT(CallsOf(planned.program.methods[0]),
              ElementsAre("aten::clone.out()", "aten::copy_(a)", "aten::copy_(b)"));
}

TEST(WriteBackTest, AShiftRegisterTakesNone) {
  const Planned planned = PlanOf(R"(
buffer @a: float32[4]
buffer @b: float32[4]
method push(%x: float32[4]) {
  %0 = entry @a
  return
  store @a = %x
  store @b = %0
}
)");
  EXPECT_THAT(CallsOf(planned.program.methods[0]), ElementsAre("aten::copy_(b)", "aten::copy_(a)"));
}

TEST(WriteBackTest, WhatTheBufferHoldsAlreadyIsNotStored) {
  const Planned planned = PlanOf(R"(
buffer @a: float32[4]
method keep() {
  %0 = entry @a
  %1: float32[4] = aten::clone.out(%0, None)
  return %1
  store @a = %0
}
)");
  EXPECT_THAT(CallsOf(planned.program.methods[0]), IsEmpty());
}

TEST(WriteBackTest, TheEntryValueIsReturnedAlthoughItIsOverwritten) {
  const Planned planned = PlanOf(R"(
buffer @a: float32[4]
method put(%x: float32[4]) {
  %0 = entry @a
  return %0
  store @a = %x
}
)");
  EXPECT_THAT(CallsOf(planned.program.methods[0]),
              ElementsAre("aten::clone.out()", "aten::copy_(a)"));
}

TEST(WriteBackTest, StoresAtTheEndUnlessTheyMayBeEarly) {
  const std::string text = R"(
buffer @a: float32[4]
method f(%x: float32[4], %y: float32[2, 4]) {
  %0: float32[2] = aten::sum.IntList_out(%y, [1], false, None)
  return %0
  store @a = %x
}
)";
  EXPECT_THAT(CallsOf(PlanOf(text).program.methods[0]),
              ElementsAre("aten::copy_(a)", "aten::sum.IntList_out()"));
  PlanOptions at_the_end;
  at_the_end.passes.early_stores = false;
  EXPECT_THAT(CallsOf(PlanOf(text, at_the_end).program.methods[0]),
              ElementsAre("aten::sum.IntList_out()", "aten::copy_(a)"));
}

TEST(InPlaceTest, AnUpdateOfStateIsMadeInItsBytes) {
  const Planned planned = PlanOf(R"(
buffer @a: float32[4]
method add(%x: float32[4]) {
  %0 = entry @a
  %1: float32[4] = aten::add.out(%0, %x, 1)
  %2: float32[4] = aten::tanh.out(%1)
  return %2
  store @a = %1
}
)");
  EXPECT_THAT(CallsOf(planned.program.methods[0]),
              ElementsAre("aten::add.out(a)", "aten::tanh.out()"));
}

constexpr const char* kChain = R"(
method f(%x: float32[1024]) {
  %0: float32[1024] = aten::neg.out(%x)
  %1: float32[1024] = aten::abs.out(%0)
  %2: float32[1024] = aten::tanh.out(%1)
  return %2
}
)";

TEST(InPlaceTest, AChainTakesTheRoomOfOneTensor) {
  EXPECT_EQ(PlanOf(kChain).program.methods[0].bank_sizes[1], 4096U);
  PlanOptions apart;
  apart.passes.in_place = false;
  EXPECT_EQ(PlanOf(kChain, apart).program.methods[0].bank_sizes[1], 8192U);
}

TEST(InPlaceTest, AReaderThatComesLaterKeepsTheOperand) {
  const Planned planned = PlanOf(R"(
method f(%x: float32[1024]) {
  %0: float32[1024] = aten::neg.out(%x)
  %1: float32[1024] = aten::tanh.out(%0)
  %2: float32[1024] = aten::mul.out(%1, %0)
  return %2
}
)");
  EXPECT_EQ(planned.program.methods[0].bank_sizes[1], 8192U);
}

TEST(InPlaceTest, AMatrixProductIsNotMadeOverItsOperand) {
  const Planned planned = PlanOf(R"(
method f(%x: float32[32, 32]) {
  %0: float32[32, 32] = aten::mm.out(%x, %x)
  return %0
}
)");
  EXPECT_EQ(planned.program.methods[0].bank_sizes[1], 8192U);
}

TEST(ElideConcatsTest, PartsAreMadeInTheWhole) {
  const std::string text = R"(
method f(%x: float32[2, 4]) {
  %0: float32[2, 2] = aten::slice_copy.Tensor_out(%x, 1, 0, 2, 1)
  %1: float32[2, 2] = aten::slice_copy.Tensor_out(%x, 1, 2, 4, 1)
  %2: float32[4, 2] = aten::cat.out([%0, %1], 0)
  return %2
}
)";
  EXPECT_THAT(CallsOf(PlanOf(text).program.methods[0]),
              ElementsAre("aten::slice_copy.Tensor_out()", "aten::slice_copy.Tensor_out()"));
}

TEST(BoundsTest, AreTheLargestDimsUnlessTheHintIsAskedFor) {
  const std::string text = R"(
method f(%x: float32[n]) dims(n in 1..1000 hint 10) {
  %0: float32[n] = aten::neg.out(%x)
  return %0
}
)";
  EXPECT_EQ(PlanOf(text).program.methods[0].bank_sizes[1], 4000U);
  PlanOptions hint;
  hint.bounds = Bounds::kHint;
  const Planned planned = PlanOf(text, hint);
  EXPECT_EQ(planned.program.methods[0].bank_sizes[1], 40U);
  EXPECT_THAT(planned.warnings, ElementsAre(HasSubstr("n = 10")));
}

TEST(BoundsTest, ADimWithoutBoundIsNamed) {
  EXPECT_THAT(ErrorOf(R"(
method f(%x: float32[batch, 4]) dims(batch in 1..9223372036854775807 hint 2) {
  %0: float32[batch, 4] = aten::neg.out(%x)
  return %0
}
)",
                      {}),
              HasSubstr("dim batch"));
}

constexpr const char* kShared = R"(
buffer @b: float32[4] shared
buffer @a: float32[2] shared
method put(%x: float32[4], %y: float32[2]) {
  return
  store @b = %x
  store @a = %y
}
method get() {
  %0 = entry @b
  return %0
}
)";

TEST(SharedStateTest, LiesInOnePlaceForAllByName) {
  const Planned planned = PlanOf(kShared);
  EXPECT_EQ(PlaceOf(planned.program, "put", "a"), "2:0");
  EXPECT_EQ(PlaceOf(planned.program, "put", "b"), "2:16");
  EXPECT_EQ(PlaceOf(planned.program, "get", "b"), "2:16");
  EXPECT_EQ(planned.program.methods[0].bank_sizes[2], planned.program.methods[1].bank_sizes[2]);
}

TEST(SharedStateTest, StaysWhereItIsWhenMethodsComeAndGo) {
  graph::Module fewer = ModuleOf(kShared);
  std::swap(fewer.methods[0], fewer.methods[1]);
  EXPECT_EQ(PlaceOf(Plan(fewer).value().program, "get", "b"), "2:16");
  fewer.methods.erase(fewer.methods.begin());
  EXPECT_EQ(PlaceOf(Plan(fewer).value().program, "put", "b"), "2:16");
}

TEST(SharedStateTest, CannotBeHadUnderThePolicyPrivate) {
  PlanOptions options;
  options.policy = Policy::kPrivate;
  EXPECT_THAT(ErrorOf(kShared, options), HasSubstr("Under the policy private"));
}

constexpr const char* kInitial = R"(
buffer @b: float32[2] shared = [1.0, 2.0]
buffer @own: float32[2] = [3.0, 4.0]
buffer @weight: float32[2] = [5.0, 6.0]
method put(%x: float32[2]) {
  %0 = entry @own
  %1 = entry @weight
  %2: float32[2] = aten::add.out(%0, %1, 1)
  return
  store @b = %x
  store @own = %2
}
method get() {
  %0 = entry @b
  return %0
}
)";

TEST(InitialStateTest, OfSharedBuffersIsSetByAMethod) {
  const Planned planned = PlanOf(kInitial);
  ASSERT_EQ(planned.program.methods.size(), 3U);
  EXPECT_EQ(planned.program.methods[2].name, "et_module_init");
  EXPECT_THAT(CallsOf(planned.program.methods[2]), ElementsAre("aten::copy_(b)"));
  EXPECT_EQ(planned.program.initial_values.size(), 2U);  // none, and that of `own`
}

TEST(InitialStateTest, IsStoredInTheFileWhereThatIsAskedFor) {
  PlanOptions options;
  options.initial = InitialState::kFile;
  const Planned planned = PlanOf(kInitial, options);
  EXPECT_EQ(planned.program.methods.size(), 2U);
  EXPECT_EQ(planned.program.initial_values.size(), 3U);
}

TEST(BanksTest, SpillAndNameWhatDoesNotFit) {
  PlanOptions options;
  options.passes.in_place = false;
  options.banks = {{{"sram", 4096, 16}, 1}, {{"dram", 8192, 16}, 4}};
  const Planned planned = PlanOf(kChain, options);
  EXPECT_EQ(planned.program.methods[0].bank_sizes[1], 4096U);
  EXPECT_GE(planned.program.methods[0].bank_sizes[4], 4096U);
  options.banks.pop_back();
  EXPECT_THAT(ErrorOf(kChain, options), HasSubstr("4096 bytes"));
}

TEST(PlanTest, IsTheSameEachTime) {
  const Planned a = PlanOf(kInitial);
  const Planned b = PlanOf(kInitial);
  ASSERT_EQ(a.program.methods.size(), b.program.methods.size());
  for (size_t m = 0; m < a.program.methods.size(); ++m) {
    EXPECT_EQ(a.program.methods[m].ints, b.program.methods[m].ints);
    EXPECT_EQ(a.program.methods[m].bank_sizes, b.program.methods[m].bank_sizes);
  }
}

TEST(PlanTest, RefusesToWriteEndlessZeros) {
  const std::string buffer = R"(
    buffer @mask: float32[9223372036854775] shared
    method read() {
      %0 = entry @mask
      return %0
    })";
  EXPECT_THAT(ErrorOf(buffer, {}), HasSubstr("buffer 'mask' is read and never stored to"));
}

TEST(PlanTest, RefusesAnAlignmentThatIsNoPowerOfTwo) {
  PlanOptions options;
  options.alignment = 24;
  EXPECT_THAT(ErrorOf(kChain, options), HasSubstr("24 is not a power of two"));
}

}  // namespace
}  // namespace pteproof::planner
