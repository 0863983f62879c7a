// Look-alikes of mistakes, and mistakes that look like sound programs: each beside its rule's
// limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// bytes that are live already are counted once more when a state or a view is read.
TEST(CheckBanks, CountsTheBytesOfReadStateOnce) {
  MethodBuilder b;
  const int32_t state = b.Planned(1, 0, {8}, "a");
  b.TensorAt(state).data_index = 1;
  const int32_t out = b.Unplanned({8});
  b.Call("aten::relu.out", {state, out, out});
  b.Output(out);
  b.method().bank_sizes[1] = 128;
  Program program = ProgramOf({b.Build()});
  program.initial_values.emplace_back();
  EXPECT_EQ(Check(program).banks[0].load, 32U);
}

TEST(CheckBanks, CountsTheBytesOfAReadViewOnce) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  const int32_t c = b.Planned(1, 0, {8});
  b.Add(x, x, c);
  const int32_t view = b.Planned(1, 0, {2, 4});
  const int32_t d = b.Unplanned({2, 4});
  b.Call("aten::relu.out", {view, d, d});
  const int32_t e = b.Unplanned({8});
  b.Add(c, c, e);
  b.Output(d);
  b.Output(e);
  b.method().bank_sizes[1] = 128;
  EXPECT_EQ(Check(ProgramOf({b.Build()})).banks[0].load, 32U);
}

// the caller sets all inputs at entry, so an unused one is part of the load.
TEST(PlanWaste, IsSilentForAnUnusedInput) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t unused = b.Planned(1, 32, {64});
  b.Input(x);
  b.Input(unused);
  const int32_t out = b.Planned(1, 288, {8});
  b.Add(x, x, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// a shared bank is as large in every method as all of its state.
TEST(PlanWaste, IsSilentForStateThatOnlyAnotherMethodUses) {
  MethodBuilder put("put");
  const int32_t first = put.Planned(2, 0, {8}, "a");
  const int32_t second = put.Planned(2, 32, {64}, "b");
  const int32_t x = put.Unplanned({8});
  const int32_t y = put.Unplanned({64});
  put.Input(x);
  put.Input(y);
  put.Copy(first, x);
  put.Copy(second, y);
  MethodBuilder get("get");
  const int32_t state = get.Planned(2, 0, {8}, "a");
  const int32_t out = get.Unplanned({8});
  get.Call("aten::relu.out", {state, out, out});
  get.Output(out);
  get.method().bank_sizes[2] = 288;
  EXPECT_THAT(LinesOf(Check(ProgramOf({put.Build(), get.Build()})), rule::kPlanWaste), IsEmpty());
}

// element i is read only to write element i, of the same value.
TEST(InPlaceAlias, IsSilentForAnElementwiseOperatorOntoItsOwnOperand) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Add(x, x, y);
  b.Call("aten::relu.out", {y, y, y});
  b.Output(y);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// no region, so no region-escape.
TEST(AliasLifetime, TellsOfBytesReusedUnderAnEtView) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(a, a, c);
  const int32_t sizes = b.TensorList({});
  b.method().values[static_cast<size_t>(sizes)].kind = ValueKind::kIntList;
  const int32_t handle = b.Planned(1, 32, {2, 4});
  b.Call("executorch_prim::et_view.default", {c, sizes, handle});
  const int32_t d = b.Planned(1, 32, {8});
  b.Mul(a, a, d);
  const int32_t e = b.Planned(1, 96, {2, 4});
  b.Mul(handle, handle, e);
  b.Output(d);
  b.Output(e);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))),
              ElementsAre(HasSubstr("error alias-lifetime forward#2 v4 v5")));
}

// what the late load resets, the same call overwrites.
TEST(InitialisedTwice, IsSilentWhereTheLateMethodOverwritesTheStateItself) {
  MethodBuilder set("set");
  const int32_t target = set.Planned(2, 0, {4}, "level");
  set.TensorAt(target).data_index = 1;
  const int32_t x = set.Planned(1, 0, {4});
  set.Input(x);
  set.Copy(target, x);
  MethodBuilder step("step");
  const int32_t state = step.Planned(2, 0, {4}, "level");
  const int32_t y = step.Planned(1, 0, {4});
  step.Input(y);
  const int32_t sum = step.Planned(1, 16, {4});
  step.Add(state, y, sum);
  step.Copy(state, sum);
  Program program = ProgramOf({set.Build(), step.Build()});
  program.initial_values.emplace_back();
  EXPECT_THAT(LinesOf(Check(program), rule::kInitialisedTwice), IsEmpty());
}

// a constant that lies outside the file has a name.
TEST(MutabilityMismatch, NeedsNoManifestForAnExternalConstantOfAMutatedName) {
  MethodBuilder put("put");
  const int32_t state = put.Planned(2, 0, {8}, "w");
  const int32_t x = put.Planned(1, 0, {8});
  put.Input(x);
  put.Copy(state, x);
  MethodBuilder get("get");
  const int32_t constant = get.Unplanned({8});
  get.method().text = "w";
  get.TensorAt(constant).name = {0, 1};
  get.TensorAt(constant).external = true;
  const int32_t out = get.Planned(1, 0, {8});
  get.Call("aten::relu.out", {constant, out, out});
  get.Output(out);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({put.Build(), get.Build()}))),
              ElementsAre("error mutability-mismatch get v0"));
}

// the manifest says that the caller's tensor must stay as it is.
TEST(InPlaceAlias, TellsOfAStoreToTheCallersInputThatNobodyAskedFor) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t x = b.Unplanned({8});
  const int32_t row = b.Planned(1, 0, {1});
  b.Input(x);
  b.Input(row);
  b.IndexPut(x, index, row);
  const int32_t out = b.Planned(1, 16, {8});
  b.Add(x, x, out);
  b.Output(out);
  const Report report = CheckWith(ProgramOf({b.Build()}), R"({"pteproof": 1, "methods": {"forward":
      {"mutates_inputs": [], "in_place_inputs": [], "outputs": [{"value": "result"}]}}})");
  EXPECT_THAT(LinesOf(report, rule::kInPlaceAlias), SizeIs(1));
}

// nobody else touches bank 1.
TEST(OutputInvalidated, IsSilentWhereNoOtherMethodTouchesTheOutputsBytes) {
  MethodBuilder encode("encode");
  const int32_t x = encode.Planned(4, 0, {8});
  encode.Input(x);
  const int32_t out = encode.Planned(1, 64, {8});
  encode.Add(x, x, out);
  encode.Output(out);
  MethodBuilder decode("decode");
  const int32_t y = decode.Unplanned({8});
  decode.Input(y);
  const int32_t local = decode.Planned(3, 64, {8});
  decode.Add(y, y, local);
  const int32_t result = decode.Unplanned({8});
  decode.Mul(local, y, result);
  decode.Output(result);
  EXPECT_THAT(LinesOf(Check(ProgramOf({encode.Build(), decode.Build()})), rule::kOutputInvalidated),
              IsEmpty());
}

// offset plus size is beyond the bank, elements or not.
TEST(PlanBounds, TellsOfATensorWithoutElementsBeyondTheBank) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(x, x, out);
  b.Output(out);
  b.Output(b.Planned(1, 96, {0, 8}));
  b.method().bank_sizes[1] = 64;
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))),
              ElementsAre("error plan-bounds forward v3 bank 1 [96,96)"));
}

}  // namespace
}  // namespace pteproof
