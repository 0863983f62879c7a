// Plans made anew from methods put together by hand: what moves, and what stays.
#include "planner/replan/move_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/method_builder.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;

// a = x + x; b = a * a; c = b + b: each at a place of its own, 16 bytes apart.
MethodBuilder Chain(const std::string& name = "forward", uint64_t from = 0) {
  MethodBuilder m(name);
  const int32_t x = m.Planned(1, from, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, from + 16, {4});
  const int32_t b = m.Planned(1, from + 32, {4});
  const int32_t c = m.Planned(1, from + 48, {4});
  m.Add(x, x, a);
  m.Mul(a, a, b);
  m.Add(b, b, c);
  m.Output(c);
  return m;
}

std::vector<uint64_t> Offsets(const Method& method) {
  std::vector<uint64_t> offsets;
  for (const Tensor& tensor : method.tensors) {
    if (tensor.planned) offsets.push_back(tensor.offset);
  }
  return offsets;
}

TEST(MovePlacesTest, TakesBytesOfDeadValues) {
  const Replanned replanned = MovePlaces(ProgramOf({Chain().Build()}), {});
  ASSERT_EQ(replanned.banks.size(), 1U);
  EXPECT_EQ(replanned.banks[0].before, 64U);
  EXPECT_EQ(replanned.banks[0].after, 32U);
  EXPECT_EQ(replanned.banks[0].peak_live, 32U);
  EXPECT_EQ(replanned.program.methods[0].bank_sizes[1], 32U);
  // Operands live through the write: no result lies over one.
  const auto at = Offsets(replanned.program.methods[0]);
  EXPECT_NE(at[0], at[1]);
  EXPECT_NE(at[1], at[2]);
  EXPECT_NE(at[2], at[3]);
}

TEST(MovePlacesTest, KeepsABankThatCannotBeSmaller) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 16, {4});
  const int32_t y = m.Planned(1, 0, {4});
  m.Input(x);
  m.Add(x, x, y);
  m.Output(y);
  const Replanned replanned = MovePlaces(ProgramOf({m.Build()}), {});
  EXPECT_THAT(Offsets(replanned.program.methods[0]), ElementsAre(16, 0));
  EXPECT_EQ(replanned.banks[0].after, replanned.banks[0].before);
}

TEST(MovePlacesTest, KeepsTheBytesBehindTheLastValue) {
  MethodBuilder m = Chain();
  m.method().bank_sizes[1] = 64 + 40;
  const Replanned replanned = MovePlaces(ProgramOf({m.Build()}), {});
  EXPECT_EQ(replanned.program.methods[0].bank_sizes[1], 32U + 40U);
}

// A delegate of XNNPACK reads behind its operands: 64 bytes stay, even if the old plan had none.
TEST(MovePlacesTest, LeavesRoomForXnnpack) {
  MethodBuilder m = Chain();
  m.method().delegates.push_back({.id = "XnnpackBackend", .blob = {}, .specs = {}});
  EXPECT_EQ(MovePlaces(ProgramOf({m.Build()}), {}).program.methods[0].bank_sizes[1], 64U);
  m.method().bank_sizes[1] = 128;
  EXPECT_EQ(MovePlaces(ProgramOf({m.Build()}), {}).program.methods[0].bank_sizes[1], 96U);
}

TEST(MovePlacesTest, KeepsTheAlignmentOfTheOldOffsets) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t a = m.Planned(1, 64, {4});
  const int32_t b = m.Planned(1, 128, {4});
  m.Add(x, x, a);
  m.Add(a, a, b);
  m.Output(b);
  const Replanned replanned = MovePlaces(ProgramOf({m.Build()}), {});
  EXPECT_EQ(replanned.program.methods[0].bank_sizes[1], 80U);
  for (const uint64_t offset : Offsets(replanned.program.methods[0])) EXPECT_EQ(offset % 64, 0U);
}

// State at [32, 48), with activations around it.
TEST(MovePlacesTest, LeavesStateWhereItIs) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t state = m.Planned(1, 32, {4}, "total");
  const int32_t sum = m.Planned(1, 64, {4});
  const int32_t y = m.Planned(1, 96, {4});
  m.Add(state, x, sum);
  m.Add(sum, sum, y);
  m.Copy(state, sum);
  m.Output(y);
  const Replanned replanned = MovePlaces(ProgramOf({m.Build()}), {});
  const auto at = Offsets(replanned.program.methods[0]);
  EXPECT_EQ(at[1], 32U);
  EXPECT_EQ(replanned.program.methods[0].bank_sizes[1], 80U);
  for (const size_t other : {0U, 2U, 3U}) EXPECT_TRUE(at[other] < 32 || at[other] >= 48);
}

// 'put' stores at [16, 32), where only 'get' reads; 'get' has activations elsewhere.
Program PutAndGet() {
  MethodBuilder put("put");
  const int32_t x = put.Planned(1, 96, {4});
  put.Input(x);
  const int32_t to = put.Planned(1, 16, {4});
  put.Copy(to, x);
  MethodBuilder get("get");
  const int32_t from = get.Planned(1, 16, {4});
  const int32_t a = get.Planned(1, 64, {4});
  const int32_t b = get.Planned(1, 96, {4});
  get.Add(from, from, a);
  get.Add(a, a, b);
  get.Output(b);
  return ProgramOf({put.Build(), get.Build()});
}

TEST(MovePlacesTest, LeavesWhatAnotherMethodFinds) {
  const Replanned replanned = MovePlaces(PutAndGet(), {});
  EXPECT_EQ(Offsets(replanned.program.methods[0])[1], 16U);
  EXPECT_EQ(Offsets(replanned.program.methods[1])[0], 16U);
  EXPECT_LT(replanned.program.methods[1].bank_sizes[1], 112U);
}

// The second method leaves the first one's state alone, and so does its new plan.
TEST(MovePlacesTest, DoesNotMoveToStateOfAnotherMethod) {
  MethodBuilder keeper("keeper");
  const int32_t state = keeper.Planned(1, 0, {4});
  const int32_t sum = keeper.Planned(1, 64, {4});
  keeper.Add(state, state, sum);
  keeper.Copy(state, sum);
  const Replanned replanned =
      MovePlaces(ProgramOf({keeper.Build(), Chain("other", 16).Build()}), {});
  for (const uint64_t offset : Offsets(replanned.program.methods[1])) EXPECT_GE(offset, 16U);
  EXPECT_EQ(replanned.program.methods[1].bank_sizes[1], 48U);
}

// The caller reads an output of 'one' after a call of 'two', whose bank ends below it.
TEST(MovePlacesTest, LeavesOutputsThatNoOtherMethodWritesOver) {
  MethodBuilder one("one");
  const int32_t x = one.Planned(1, 0, {4});
  one.Input(x);
  const int32_t y = one.Planned(1, 144, {4});
  one.Add(x, x, y);
  one.Output(y);
  const Program program = ProgramOf({one.Build(), Chain("two").Build()});
  const Replanned kept = MovePlaces(program, {.outputs = OutputsLast::kOwnNextCall});
  EXPECT_EQ(Offsets(kept.program.methods[0])[1], 144U);
  const BankCauses& why = kept.banks.front().causes;
  EXPECT_EQ(why.outputs, 144U - 16U);
  EXPECT_EQ(why.output, y);
  EXPECT_EQ(why.movable, 32U);
  const Replanned free = MovePlaces(program, {});
  EXPECT_EQ(Offsets(free.program.methods[0])[1], 16U);
  const Replanned alone =
      MovePlaces(ProgramOf({one.Build()}), {.outputs = OutputsLast::kOwnNextCall});
  EXPECT_EQ(Offsets(alone.program.methods[0])[1], 16U);
}

// a and b are dead when the output is made, and still nothing lies in its bytes.
TEST(MovePlacesTest, LeavesTheBytesOfAnOutputAloneIfItLastsAlways) {
  const Program program = ProgramOf({Chain().Build()});
  const Replanned planned = MovePlaces(program, {.outputs = OutputsLast::kAlways});
  EXPECT_EQ(planned.banks.front().after, 48U);
  const auto webs = WebsOf(planned.program, nullptr);
  EXPECT_EQ(OutputCutShort(planned.program, webs, OutputsLast::kAlways), std::nullopt);
  const Replanned free = MovePlaces(program, {});
  const auto free_webs = WebsOf(free.program, nullptr);
  EXPECT_THAT(OutputCutShort(free.program, free_webs, OutputsLast::kAlways).value_or(""),
              testing::HasSubstr("lies over output v"));
  EXPECT_EQ(OutputCutShort(free.program, free_webs, OutputsLast::kOwnNextCall), std::nullopt);
}

TEST(MovePlacesTest, NamesStateThatKeepsABankLarge) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t state = m.Planned(1, 112, {4}, "total");
  const int32_t y = m.Planned(1, 64, {4});
  m.Add(x, state, y);
  m.Copy(state, y);
  m.Output(y);
  const Replanned replanned = MovePlaces(ProgramOf({m.Build()}), {});
  const BankCauses& why = replanned.banks.front().causes;
  EXPECT_EQ(why.movable, 48U);
  EXPECT_EQ(why.state, 128U - 48U);
  EXPECT_EQ(why.state_value, state);
}

// Until it is written, its bytes are free for the method's own values.
TEST(MovePlacesTest, TakesBytesOfAnOutputThatStaysBeforeItIsWritten) {
  MethodBuilder one = Chain("one");
  Tensor& output = one.TensorAt(one.method().outputs.front());
  for (Tensor& tensor : one.method().tensors) tensor.offset += 16;
  output.offset = 0;
  one.method().bank_sizes[1] = 64;
  const Replanned replanned = MovePlaces(ProgramOf({one.Build(), Chain("two", 16).Build()}),
                                         {.outputs = OutputsLast::kOwnNextCall});
  EXPECT_EQ(Offsets(replanned.program.methods[0]).back(), 0U);
  EXPECT_EQ(replanned.program.methods[0].bank_sizes[1], 32U);
  for (const uint64_t offset : Offsets(replanned.program.methods[1])) EXPECT_GE(offset, 16U);
}

TEST(MovePlacesTest, ElementsStayAtMultiplesOfTheirSize) {
  MethodBuilder m;
  const int32_t x = m.Planned(1, 4, {1});
  m.Input(x);
  const int32_t y = m.Planned(1, 16, {2}, {}, ScalarType::kInt64);
  m.Add(x, x, y);
  m.Output(y);
  m.Output(x);
  const Replanned replanned = MovePlaces(ProgramOf({m.Build()}), {});
  EXPECT_LT(replanned.program.methods[0].bank_sizes[1], 32U);
  EXPECT_EQ(replanned.program.methods[0].TensorOf(y)->offset % 8, 0U);
}

// A method without values of its own in the bank writes over nothing.
TEST(MovePlacesTest, MovesOutputsOfABankThatOneMethodHas) {
  MethodBuilder number("number");
  number.Output(number.Int(3));
  const Replanned replanned = MovePlaces(ProgramOf({Chain("one").Build(), number.Build()}), {});
  EXPECT_EQ(replanned.program.methods[0].bank_sizes[1], 32U);
}

// A value that nothing touches has no bytes to keep, but it lies in its bank.
TEST(MovePlacesTest, ValuesThatNothingTouchesStayInTheirBank) {
  MethodBuilder m = Chain();
  m.Planned(1, 64, {16});
  const Replanned replanned = MovePlaces(ProgramOf({m.Build()}), {});
  EXPECT_EQ(Offsets(replanned.program.methods[0]).back(), 0U);
  EXPECT_EQ(replanned.program.methods[0].bank_sizes[1], 64U);
}

TEST(MovePlacesTest, KeepsBanksThatAreAskedToStay) {
  const Program program = ProgramOf({Chain().Build()});
  const Replanned replanned = MovePlaces(program, {.keep = {{"forward", 1}}});
  EXPECT_EQ(Offsets(replanned.program.methods[0]), Offsets(program.methods[0]));
}

TEST(InPlaceReplans, ResultsTakeTheBytesOfDyingOperands) {
  const Replanned replanned = MovePlaces(ProgramOf({Chain().Build()}), {.in_place = true});
  EXPECT_EQ(replanned.program.methods[0].bank_sizes[1], 16U);
  EXPECT_THAT(replanned.banks[0].laid_over,
              ElementsAre(LaidOver{0, 0, 1}, LaidOver{1, 1, 2}, LaidOver{2, 2, 3}));
  EXPECT_THAT(MovePlaces(ProgramOf({Chain().Build()}), {}).banks[0].laid_over, testing::IsEmpty());
}

// y = op(x), and what else there is to it.
struct Step {
  bool flips = false;      // not element by element
  bool reads_on = false;   // a later instruction reads x
  bool view_too = false;   // the instruction reads a view of x beside it
  bool broadcast = false;  // x is a row of y
  bool keeps_x = false;    // x is a buffer
  bool is_dead = false;    // nothing reads y
};

std::vector<LaidOver> LaidOverOf(const Step& step) {
  MethodBuilder m;
  const int32_t from = m.Planned(1, 0, {4});
  m.Input(from);
  const int32_t x = m.Planned(1, 64, {step.broadcast ? 1 : 4}, step.keeps_x ? "kept" : "");
  const int32_t whole = m.Planned(1, 128, {4});
  const int32_t y = m.Planned(1, 192, {4});
  const int32_t view = m.Planned(1, 64, {4});
  m.Flip(from, whole);
  m.Flip(step.broadcast ? m.Planned(1, 0, {1}) : from, x);
  if (step.flips) {
    m.Flip(x, y);
  } else {
    m.Add(x, step.view_too ? view : whole, y);
  }
  if (!step.is_dead) m.Output(y);
  m.Output(whole);
  if (step.reads_on) m.Output(x);
  const Program program = ProgramOf({m.Build()});
  const Method& method = program.methods[0];
  const std::vector<MethodWebs> webs = WebsOf(program, nullptr);
  const FixedBytes fixed = FixedBytesOf(program, webs, KeptBytesOf(program, webs, true), 0);
  MovingWebs moving = MovingWebsOf(method, webs[0]);
  return LayOver(method, webs[0], fixed, moving);
}

TEST(InPlaceReplans, ResultsLieOverNothingElse) {
  EXPECT_THAT(LaidOverOf({}), testing::SizeIs(1));
  EXPECT_THAT(LaidOverOf({.flips = true}), testing::IsEmpty());
  EXPECT_THAT(LaidOverOf({.reads_on = true}), testing::IsEmpty());
  EXPECT_THAT(LaidOverOf({.reads_on = true, .is_dead = true}), testing::IsEmpty());
  EXPECT_THAT(LaidOverOf({.broadcast = true}), testing::IsEmpty());
  EXPECT_THAT(LaidOverOf({.keeps_x = true}), testing::IsEmpty());
  // Another value in the operand's bytes, whatever it is.
  EXPECT_THAT(LaidOverOf({.view_too = true}), testing::IsEmpty());
}

}  // namespace
}  // namespace pteproof::planner
