// Signatures of users: check, proof and runs obey them alike. Each program leaves something open
// without its signature, or would be read otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "pteproof/check.h"
#include "runtime/own_operators.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::IsEmpty;

void GiveStated(const std::vector<std::string>& signatures, Program& program) {
  auto own = std::make_shared<OwnOperators>();
  for (const std::string& signature : signatures) {
    const auto error = AddOperator(signature, *own);
    EXPECT_FALSE(error.has_value()) << error->what;
  }
  EXPECT_THAT(BindOperators(own, program), IsEmpty());
}

// What all checkers say of a program with these signatures.
std::string StatedVerdict(Program program, const std::vector<std::string>& signatures) {
  GiveStated(signatures, program);
  return AgreedRow(program);
}

// An elided view of a buffer, made before the call and read after it. The call sees the buffer as
// its second argument.
Program ViewBesideTheCall() {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {8}, "cache");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t before = b.Planned(2, 0, {2, 4});  // a view of the cache
  const int32_t sum = b.Planned(1, 64, {2, 4});
  const int32_t out = b.Planned(1, 128, {8});
  const int32_t last = b.Planned(1, 192, {2, 4});
  b.Mul(before, before, sum);
  b.Call("my::put.out", {x, cache, out, out});
  b.Mul(before, sum, last);
  b.Copy(cache, x);
  b.Output(out);
  b.Output(last);
  return ProgramOf({b.Build()});
}

TEST(StatedOperators, DecideWhetherAnArgumentIsUpdated) {
  const Program program = ViewBesideTheCall();
  EXPECT_EQ(StatedVerdict(program, {}), "undecided undecided undecided");
  EXPECT_EQ(StatedVerdict(program, {"my::put.out(Tensor x, Tensor cache, *, Tensor(a!) out) -> "
                                    "Tensor(a!)"}),
            "safe safe safe");
  EXPECT_EQ(StatedVerdict(program, {"my::put.out(Tensor x, Tensor(a!) cache, *, Tensor(b!) out) -> "
                                    "Tensor(b!)"}),
            "unsafe unsafe unsafe");
}

// If the operator updates the buffer without a name, which another method reads, the file does not
// tell whether there is one buffer or two.
TEST(StatedOperators, DecideWhetherOneBufferOrTwoIsAQuestion) {
  MethodBuilder b("put");
  const int32_t cache = b.Planned(2, 0, {8});
  const int32_t x = b.Planned(1, 64, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 0, {8});
  b.Call("my::put.out", {x, cache, out, out});
  b.Output(out);
  MethodBuilder get("get");
  const int32_t kept = get.Planned(2, 0, {8});
  const int32_t result = get.Planned(1, 64, {8});
  get.Call("aten::relu.out", {kept, result, result});
  get.Output(result);
  const Program program = ProgramOf({b.Build(), get.Build()});
  EXPECT_EQ(StatedVerdict(program, {}), "undecided safe safe");
  EXPECT_EQ(StatedVerdict(program, {"my::put.out(Tensor x, Tensor cache, *, Tensor(a!) out) -> "
                                    "Tensor(a!)"}),
            "safe safe safe");
}

// Nobody reads the result of an operator that updates a buffer, and another method uses its place.
TEST(StatedOperators, StoreNothingInResultsThatNobodyReads) {
  MethodBuilder b("step");
  const int32_t cache = b.Planned(2, 0, {8}, "cache");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t out = b.Planned(1, 64, {8});
  b.Call("my::put.out", {x, cache, out, out});
  const int32_t sum = b.Planned(1, 128, {8});
  b.Add(cache, x, sum);
  b.Output(sum);
  MethodBuilder other("other");
  const int32_t y = other.Planned(1, 0, {8});
  other.Input(y);
  const int32_t made = other.Planned(1, 64, {8});
  other.Mul(y, y, made);
  other.Output(made);
  EXPECT_EQ(StatedVerdict(ProgramOf({b.Build(), other.Build()}),
                          {"my::put.out(Tensor x, Tensor(a!) cache, *, Tensor(b!) out) -> "
                           "Tensor(b!)"}),
            "safe safe safe");
}

// The call is given memory that nothing wrote, over a value that is read later.
Program ScratchOver(uint64_t offset) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t kept = b.Planned(1, 64, {8});
  b.Mul(x, x, kept);
  const int32_t scratch = b.Planned(1, offset, {8});
  const int32_t out = b.Planned(1, 192, {8});
  b.Call("my::sort.out", {x, scratch, out, out});
  const int32_t last = b.Planned(1, 256, {8});
  b.Mul(kept, out, last);
  b.Output(last);
  return ProgramOf({b.Build()});
}

TEST(StatedOperators, DecideWhetherMemoryIsScratch) {
  const std::string writes =
      "my::sort.out(Tensor x, *, Tensor(a!) scratch, Tensor(b!) out) -> Tensor(b!)";
  EXPECT_EQ(StatedVerdict(ScratchOver(128), {writes}), "safe safe safe");
  EXPECT_EQ(StatedVerdict(ScratchOver(64), {writes}), "unsafe unsafe unsafe");
}

// A result at the place of an operand that is read later: by the signature a fresh value.
Program FreshResultOver(uint64_t offset) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t kept = b.Planned(1, 64, {8});
  b.Mul(x, x, kept);
  const int32_t result = b.Planned(1, offset, {4, 2});
  b.Call("my::norm", {kept, result});
  const int32_t last = b.Planned(1, 256, {8});
  b.Mul(kept, kept, last);
  b.Output(result);
  b.Output(last);
  return ProgramOf({b.Build()});
}

TEST(StatedOperators, WriteFreshResultsIntoTheSlot) {
  EXPECT_EQ(StatedVerdict(FreshResultOver(128), {"my::norm(Tensor x) -> Tensor"}),
            "safe safe safe");
  EXPECT_EQ(StatedVerdict(FreshResultOver(64), {"my::norm(Tensor x) -> Tensor"}),
            "unsafe unsafe unsafe");
}

// Two results, listed by the slot; the second lies over the first or beside it.
Program TwoResults(uint64_t offset) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t first = b.Planned(1, 64, {8});
  const int32_t second = b.Planned(1, offset, {8});
  b.Call("my::two.out", {x, first, second, b.TensorList({first, second})});
  const int32_t last = b.Planned(1, 256, {8});
  b.Mul(first, second, last);
  b.Output(last);
  return ProgramOf({b.Build()});
}

TEST(StatedOperators, WriteSeveralResults) {
  const std::string two =
      "my::two.out(Tensor x, *, Tensor(a!) y, Tensor(b!) z) -> (Tensor(a!), Tensor(b!))";
  EXPECT_EQ(StatedVerdict(TwoResults(128), {two}), "safe safe safe");
  EXPECT_EQ(StatedVerdict(TwoResults(80), {two}), "unsafe unsafe unsafe");
}

// The slot of a view has a placement of its own, which a later value takes.
Program ViewByASlot() {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 64, {8});
  b.Mul(x, x, y);
  const int32_t view = b.Planned(1, 128, {2, 4});
  b.Call("my::fold", {x, y, view});
  const int32_t other = b.Planned(1, 128, {8});
  b.Mul(x, x, other);
  const int32_t last = b.Planned(1, 192, {2, 4});
  b.Mul(view, view, last);
  b.Output(other);
  b.Output(last);
  return ProgramOf({b.Build()});
}

TEST(StatedOperators, PointASlotAtItsOperand) {
  EXPECT_EQ(StatedVerdict(ViewByASlot(), {"my::fold(Tensor x, Tensor(a) self) -> Tensor(a)"}),
            "safe safe safe");
  EXPECT_EQ(StatedVerdict(ViewByASlot(), {"my::fold(Tensor x, Tensor self) -> Tensor"}),
            "unsafe unsafe unsafe");
}

// An in-place operator whose slot is another value, at another place.
TEST(StatedOperators, ReturnTheOperandThatTheyUpdate) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 64, {8});
  b.Mul(x, x, y);
  const int32_t slot = b.Planned(1, 128, {8});
  b.Call("my::scale_", {y, x, slot});
  const int32_t last = b.Planned(1, 192, {8});
  b.Mul(slot, y, last);
  b.Output(last);
  EXPECT_EQ(StatedVerdict(ProgramOf({b.Build()}),
                          {"my::scale_(Tensor(a!) self, Tensor by) -> Tensor(a!)"}),
            "safe safe safe");
}

TEST(StatedOperators, LeaveNoAssumptionAboutUnknownOperators) {
  Program program = FreshResultOver(128);
  EXPECT_THAT(Check(program).assumptions,
              testing::Contains(testing::HasSubstr("an unknown operator")));
  GiveStated({"my::norm(Tensor x) -> Tensor"}, program);
  EXPECT_THAT(Check(program).assumptions,
              testing::Not(testing::Contains(testing::HasSubstr("an unknown operator"))));
}

}  // namespace
}  // namespace pteproof
