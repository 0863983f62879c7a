#include "properties/compare/computation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/compare/compare_programs.h"
#include "properties/compare/random_calls.h"
#include "tests/support/method_builder.h"

namespace pteproof::compare {
namespace {

MethodComparison Compared(const Method& old_method, const Method& new_method) {
  const Program olds = ProgramOf({old_method});
  const Program news = ProgramOf({new_method});
  const auto answers = CompareComputation({&olds, nullptr, nullptr}, {&news, nullptr, nullptr}, {});
  EXPECT_EQ(answers.size(), 1U);
  return answers.front();
}

// (x + y) * x, with the sum and the product at these offsets.
Method SumTimes(uint64_t sum_at, uint64_t product_at, bool swapped = false) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t sum = b.Planned(1, sum_at, {4});
  const int32_t product = b.Planned(1, product_at, {4});
  b.Input(x);
  b.Input(y);
  b.Add(swapped ? y : x, swapped ? x : y, sum);
  b.Mul(sum, x, product);
  b.Output(product);
  return b.Build();
}

TEST(Computation, IsTheSameAtOtherPlaces) {
  const MethodComparison answer = Compared(SumTimes(32, 48), SumTimes(16, 64));
  EXPECT_EQ(answer.answer, Answer::kSame);
  EXPECT_EQ(answer.policies, PolicySet::All());
}

TEST(Computation, DiffersIfTheSumLiesOverAnOperandThatIsReadLater) {
  const MethodComparison answer = Compared(SumTimes(32, 48), SumTimes(0, 48));
  ASSERT_EQ(answer.answer, Answer::kDiffers);
  EXPECT_EQ(answer.difference->new_side.instruction, 1);
  EXPECT_EQ(answer.difference->where, "output 0, byte 0");
}

TEST(Computation, DiffersIfAResultLiesOverPartOfItsOperand) {
  const MethodComparison answer = Compared(SumTimes(32, 48), SumTimes(24, 48));
  ASSERT_EQ(answer.answer, Answer::kDiffers);
  EXPECT_EQ(answer.difference->new_side.instruction, 0);
}

TEST(Computation, DiffersWithOperandsExchanged) {
  const MethodComparison answer = Compared(SumTimes(32, 48), SumTimes(32, 48, true));
  ASSERT_EQ(answer.answer, Answer::kDiffers);
  EXPECT_EQ(answer.difference->new_side.instruction, 0);
  EXPECT_EQ(answer.difference->old_side.instruction, 0);
}

// Stores x + state to the state at `offset`, and returns what it was.
Method Accumulates(uint64_t offset, const std::string& name, bool stores = true) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, offset, {4}, name);
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t sum = b.Planned(1, 16, {4});
  b.Input(x);
  b.Add(x, state, sum);
  if (stores) b.Copy(state, sum);
  b.Output(sum);
  return b.Build();
}

TEST(Computation, FollowsStateByName) {
  EXPECT_EQ(Compared(Accumulates(0, "k"), Accumulates(64, "k")).answer, Answer::kSame);
}

TEST(Computation, DiffersIfAStoreIsGone) {
  const MethodComparison answer = Compared(Accumulates(0, "k"), Accumulates(0, "k", false));
  ASSERT_EQ(answer.answer, Answer::kDiffers);
  EXPECT_EQ(answer.difference->where, "buffer 'k' at exit, byte 0");
}

TEST(Computation, DiffersIfABufferStartsWithAnotherValue) {
  const std::vector<std::byte> ones(16, std::byte{1});
  const std::vector<std::byte> twos(16, std::byte{2});
  const auto with = [&](const std::vector<std::byte>& value) {
    Method method = Accumulates(0, "k");
    for (Tensor& tensor : method.tensors) {
      if (tensor.bank == 2) tensor.data_index = 1;
    }
    Program program = ProgramOf({method});
    program.initial_values = {Bytes{}, Bytes(value)};
    return program;
  };
  const Program a = with(ones);
  const Program b = with(twos);
  const Program none = ProgramOf({Accumulates(0, "k")});
  EXPECT_EQ(CompareComputation({&a, nullptr, nullptr}, {&a, nullptr, nullptr}, {}).front().answer,
            Answer::kSame);
  EXPECT_EQ(CompareComputation({&a, nullptr, nullptr}, {&b, nullptr, nullptr}, {}).front().answer,
            Answer::kDiffers);
  EXPECT_EQ(
      CompareComputation({&a, nullptr, nullptr}, {&none, nullptr, nullptr}, {}).front().answer,
      Answer::kDiffers);
}

TEST(Computation, CannotBeComparedIfBuffersHaveOtherNames) {
  EXPECT_EQ(Compared(Accumulates(0, "k"), Accumulates(0, "l")).answer, Answer::kOpen);
}

TEST(Computation, FollowsUnnamedStateAtOnePlaceOnly) {
  EXPECT_EQ(Compared(Accumulates(0, ""), Accumulates(0, "")).answer, Answer::kSame);
  const MethodComparison moved = Compared(Accumulates(0, ""), Accumulates(64, ""));
  EXPECT_EQ(moved.answer, Answer::kOpen);
  EXPECT_NE(moved.reason.find("values"), std::string::npos) << moved.reason;
  EXPECT_EQ(Compared(Accumulates(0, ""), Accumulates(0, "", false)).answer, Answer::kDiffers);
}

// Unknown operators that update nothing that is seen.
Method Calls(const std::vector<std::string>& operators) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  b.Input(x);
  uint64_t at = 16;
  for (const std::string& op : operators) {
    const int32_t out = b.Planned(1, at, {4});
    at += 16;
    b.Call(op, {x, out, out});
  }
  b.Output(x);
  return b.Build();
}

TEST(Computation, MatchesUnnamedStateThatHasMoved) {
  const Program olds = ProgramOf({Accumulates(0, "")});
  const Program news = ProgramOf({Accumulates(64, "")});
  const ProgramComparison moved =
      ComparePrograms({&olds, nullptr, nullptr}, {&news, nullptr, nullptr}, {});
  EXPECT_EQ(moved.computation, Answer::kSame);
  EXPECT_EQ(
      moved.methods.front().assumed.count(
          "buffers without a name are the same in both programs in the order of their values"),
      1U);
}

TEST(Computation, CountsCallsOfUnknownOperators) {
  EXPECT_EQ(Compared(Calls({"my::a", "my::b"}), Calls({"my::a", "my::b"})).answer, Answer::kSame);
  EXPECT_EQ(Compared(Calls({"my::a", "my::b"}), Calls({"my::b", "my::a"})).answer,
            Answer::kDiffers);
  EXPECT_EQ(Compared(Calls({"my::a"}), Calls({"my::a", "my::a"})).answer, Answer::kDiffers);
  const MethodComparison dropped = Compared(Calls({"my::a", "my::b"}), Calls({"my::a"}));
  ASSERT_EQ(dropped.answer, Answer::kDiffers);
  EXPECT_EQ(dropped.difference->old_side.instruction, 1);
}

// x or y, by the flag.
Method Chooses(bool turned, uint64_t at) {
  MethodBuilder b;
  const int32_t flag = b.Planned(1, 0, {1}, "", ScalarType::kBool);
  const int32_t x = b.Planned(1, 16, {4});
  const int32_t y = b.Planned(1, 32, {4});
  const int32_t chosen = b.Planned(1, at, {4});
  for (const int32_t v : {flag, x, y}) b.Input(v);
  const int32_t jump = b.JumpFalse(flag, 0);
  b.Add(turned ? y : x, x, chosen);
  const int32_t end = b.JumpFalse(b.Bool(false), 0);
  b.SetTarget(jump, b.Next());
  b.Add(turned ? x : y, y, chosen);
  b.SetTarget(end, b.Next());
  b.Output(chosen);
  return b.Build();
}

TEST(Computation, FollowsBothWaysOfABranch) {
  const MethodComparison same = Compared(Chooses(false, 48), Chooses(false, 96));
  EXPECT_EQ(same.answer, Answer::kSame);
  EXPECT_EQ(same.paths, 2);
  EXPECT_EQ(Compared(Chooses(false, 48), Chooses(true, 48)).answer, Answer::kDiffers);
}

// x + x, of a size up to 4.
Method Doubles(uint64_t at, int32_t bound) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {bound});
  const int32_t sum = b.Planned(1, at, {bound});
  b.TensorAt(x).dynamism = Dynamism::kBounded;
  b.TensorAt(sum).dynamism = Dynamism::kBounded;
  b.Input(x);
  b.Add(x, x, sum);
  b.Output(sum);
  return b.Build();
}

TEST(Computation, IsProvedWhateverTheSizesAre) {
  const MethodComparison answer = Compared(Doubles(4000, 1000), Doubles(8000, 1000));
  EXPECT_EQ(answer.answer, Answer::kSame);
  EXPECT_TRUE(answer.sizes_vary);
  EXPECT_EQ(answer.sizes, 0);
}

// `put` stores to the buffer in that bank, and `get` reads it in the other one.
Program PutAndGet(uint32_t put_bank, uint32_t get_bank) {
  MethodBuilder put("put");
  const int32_t state = put.Planned(put_bank, 0, {4}, "k");
  const int32_t x = put.Planned(1, 0, {4});
  put.Input(x);
  put.Copy(state, x);
  put.Output(x);
  MethodBuilder get("get");
  const int32_t seen = get.Planned(get_bank, 0, {4}, "k");
  const int32_t sum = get.Planned(1, 16, {4});
  get.Add(seen, seen, sum);
  get.Output(sum);
  return ProgramOf({put.Build(), get.Build()});
}

TEST(Computation, IsOpenIfMethodsShareABufferInOneProgramOnly) {
  const Program shared = PutAndGet(2, 2);
  const Program apart = PutAndGet(3, 3);
  for (const auto& [a, b] : {std::pair(&shared, &apart), std::pair(&apart, &shared)}) {
    const auto under = [&](Policy policy) {
      return CompareComputation({a, nullptr, nullptr}, {b, nullptr, nullptr},
                                {.policies = {policy}});
    };
    for (const Policy policy : {Policy::kPrivate, Policy::kShareAll}) {
      for (const MethodComparison& answer : under(policy)) {
        EXPECT_EQ(answer.answer, Answer::kSame) << answer.reason;
      }
    }
    for (const MethodComparison& answer : under(Policy::kShare12)) {
      EXPECT_EQ(answer.answer, Answer::kOpen) << answer.method;
      EXPECT_TRUE(answer.can_run);
      EXPECT_NE(answer.reason.find("buffer 'k'"), std::string::npos) << answer.reason;
    }
  }
}

TEST(Computation, RunsShowThatAMethodNoLongerSeesAStoreOfAnother) {
  const Program shared = PutAndGet(2, 2);
  const Program apart = PutAndGet(3, 3);
  CompareOptions options;
  options.computation.policies = {Policy::kShare12};
  EXPECT_EQ(
      ComparePrograms({&shared, nullptr, nullptr}, {&apart, nullptr, nullptr}, options).computation,
      Answer::kDiffers);
  EXPECT_EQ(ComparePrograms({&shared, nullptr, nullptr}, {&shared, nullptr, nullptr}, options)
                .computation,
            Answer::kSame);
}

TEST(Computation, RunsTellOfALostStoreThatAnotherMethodShows) {
  const Program stores = PutAndGet(2, 2);
  Program loses = stores;
  loses.methods.front().instructions.clear();
  const auto shown = [&](const std::string& method, std::vector<std::string> same) {
    return CompareRandomCalls(
               {&stores, nullptr, nullptr}, {&loses, nullptr, nullptr},
               {.policy = Policy::kShare12, .method = method, .same = std::move(same)})
        .difference;
  };
  EXPECT_THAT(shown("put", {"get"}), testing::HasSubstr("output 0 of 'get' after it"));
  // Either method may be the one that is wrong.
  EXPECT_EQ(shown("put", {}), "");
  EXPECT_NE(shown("get", {}), "");
}

TEST(Computation, NamesTheMethodsOfOneProgramOnly) {
  const Program both = PutAndGet(2, 2);
  const Program put = ProgramOf({both.methods.front()});
  const ProgramComparison more =
      ComparePrograms({&put, nullptr, nullptr}, {&both, nullptr, nullptr}, {});
  EXPECT_EQ(more.computation, Answer::kSame);
  EXPECT_EQ(more.in_one_only, std::vector<std::string>{"get"});
  const ProgramComparison equal =
      ComparePrograms({&both, nullptr, nullptr}, {&both, nullptr, nullptr}, {});
  EXPECT_TRUE(equal.in_one_only.empty());
}

// Whether one of the assumptions has these words.
bool Assumes(const MethodComparison& answer, std::string_view words) {
  return std::ranges::any_of(answer.assumed, [&](const std::string& assumed) {
    return assumed.find(words) != std::string::npos;
  });
}

TEST(Computation, TellsItsAssumptions) {
  EXPECT_TRUE(Compared(SumTimes(32, 48), SumTimes(16, 64)).assumed.empty());
  EXPECT_TRUE(Assumes(Compared(Calls({"my::a"}), Calls({"my::a"})), "operator 'my::a'"));
  EXPECT_TRUE(Assumes(Compared(Accumulates(0, ""), Accumulates(0, "")), "bytes [0, 16) of bank 2"));
  EXPECT_TRUE(Compared(Accumulates(0, "k"), Accumulates(64, "k")).assumed.empty());
}

// x + x, and a delegate whose result lies where y or z lay, which nobody reads. Values are numbered
// in the order of their makers if the call comes first.
Method Delegates(bool call_first, bool over_z = false) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, over_z ? 16 : 32, {4});
  const int32_t z = b.Planned(1, over_z ? 32 : 16, {4});
  for (const int32_t v : {x, y, z}) b.Input(v);
  const int32_t result = b.Planned(1, 32, {4});
  const int32_t sum = b.Planned(1, 48, {4});
  if (call_first) b.Delegate({x, result});
  b.Add(x, x, sum);
  if (!call_first) b.Delegate({x, result});
  b.Output(result);
  b.Output(sum);
  return b.Build();
}

TEST(Computation, IsTheSameOnlyAsEitherProgramTellsTheResultsOfACall) {
  const std::string_view told = "the same arguments as results in the call at instruction";
  const MethodComparison plain = Compared(Delegates(true), Delegates(true, true));
  EXPECT_EQ(plain.answer, Answer::kSame);
  EXPECT_FALSE(Assumes(plain, told));
  const MethodComparison either = Compared(Delegates(true), Delegates(false));
  EXPECT_EQ(either.answer, Answer::kSame) << either.reason;
  EXPECT_TRUE(Assumes(either, told));
  // If the call reads what lies there, one program gives it y, and the other one z.
  const MethodComparison one = Compared(Delegates(true), Delegates(false, true));
  EXPECT_EQ(one.answer, Answer::kOpen);
  EXPECT_NE(one.reason.find("the files do not say which"), std::string::npos) << one.reason;
}

// x, and a sum with the state that nobody reads.
Method SumsInVain(bool has_place) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, 0, {4}, "k");
  const int32_t other = b.Planned(2, 0, {4}, "k");
  b.TensorAt(other).planned = has_place;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t sum = b.Planned(1, 16, {4});
  b.Input(x);
  b.Add(x, other, sum);
  b.Output(x);
  b.Output(state);
  return b.Build();
}

TEST(Computation, IsOfCallsThatAreMade) {
  EXPECT_EQ(Compared(SumsInVain(true), SumsInVain(true)).answer, Answer::kSame);
  const MethodComparison lost = Compared(SumsInVain(true), SumsInVain(false));
  ASSERT_EQ(lost.answer, Answer::kDiffers);
  EXPECT_EQ(lost.difference->where, "a call that only one program makes");
  EXPECT_EQ(lost.difference->new_side.instruction, 0);
  const MethodComparison neither = Compared(SumsInVain(false), SumsInVain(false));
  EXPECT_EQ(neither.answer, Answer::kOpen);
  EXPECT_EQ(neither.reason, "neither program makes a call");
}

// x or y, by whether all of x + x or of x * x is true.
Method ChoosesBy(bool product) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4}, "", ScalarType::kBool);
  const int32_t y = b.Planned(1, 16, {4}, "", ScalarType::kBool);
  const int32_t made = b.Planned(1, 32, {4}, "", ScalarType::kBool);
  const int32_t chosen = b.Planned(1, 48, {4}, "", ScalarType::kBool);
  b.Input(x);
  b.Input(y);
  b.Mul(y, y, chosen);
  product ? b.Mul(x, x, made) : b.Add(x, x, made);
  const int32_t jump = b.JumpFalse(made, 0);
  b.Add(x, y, chosen);
  b.SetTarget(jump, b.Next());
  b.Output(chosen);
  return b.Build();
}

TEST(Computation, NamesTheInstructionThatMakesAnotherCondition) {
  const MethodComparison answer = Compared(ChoosesBy(false), ChoosesBy(true));
  ASSERT_EQ(answer.answer, Answer::kDiffers);
  EXPECT_EQ(answer.difference->new_side.instruction, 1);
  EXPECT_EQ(answer.difference->old_side.instruction, 1);
  EXPECT_NE(answer.difference->where.find("by the condition of the jump at instruction 2"),
            std::string::npos)
      << answer.difference->where;
  EXPECT_EQ(Compared(ChoosesBy(true), ChoosesBy(true)).answer, Answer::kSame);
}

// --- The old program as it is meant.

MethodComparison ComparedAsMeant(const Method& old_method, const Method& new_method) {
  const Program olds = ProgramOf({old_method});
  const Program news = ProgramOf({new_method});
  const auto answers =
      CompareComputation({&olds, nullptr, nullptr, ReadAs::kMeant}, {&news, nullptr, nullptr}, {});
  EXPECT_EQ(answers.size(), 1U);
  return answers.front();
}

TEST(Meaning, IsFreeOfAPlanThatLosesAnOperand) {
  const Method lost = SumTimes(0, 48);  // the sum lies over x, which is read later
  EXPECT_EQ(ComparedAsMeant(lost, SumTimes(32, 48)).answer, Answer::kSame);
  EXPECT_EQ(ComparedAsMeant(lost, lost).answer, Answer::kDiffers);
  EXPECT_EQ(ComparedAsMeant(lost, SumTimes(32, 48, true)).answer, Answer::kDiffers);
}

// y = x + x, and another value v at the place of y, which no instruction makes: a view of y. It is
// read after y was doubled in place if it is `late`.
Method ReadsView(bool elided, uint64_t second_at) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t y = b.Planned(1, 16, {4});
  const int32_t view = elided ? b.Planned(1, 16, {2, 2}) : b.Planned(1, 32, {2, 2});
  const int32_t doubled = b.Planned(1, second_at, {4});
  const int32_t squared = b.Planned(1, 64, {2, 2});
  b.Input(x);
  b.Mul(x, x, y);
  if (!elided) {
    b.Call("aten::view_copy.out", {y, b.IntList({b.Int(2), b.Int(2)}), view, view});
  }
  b.Mul(y, x, doubled);
  b.Mul(view, view, squared);
  b.Output(doubled);
  b.Output(squared);
  return b.Build();
}

TEST(Meaning, KeepsWhatAnElidedViewWasMadeOf) {
  const Method sound = ReadsView(true, 48);
  EXPECT_EQ(ComparedAsMeant(sound, sound).answer, Answer::kSame);
  EXPECT_EQ(ComparedAsMeant(sound, ReadsView(false, 48)).answer, Answer::kSame);
  // The second product lies over the first, of which the view is still read.
  const Method lost = ReadsView(true, 16);
  EXPECT_EQ(ComparedAsMeant(lost, sound).answer, Answer::kSame);
  EXPECT_EQ(ComparedAsMeant(lost, lost).answer, Answer::kDiffers);
}

// Returns what the state was, in memory that is its own or the state's.
Method ReturnsOldState(bool copies) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, 0, {4}, "k");
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t old = b.Planned(1, 16, {4});
  b.Input(x);
  if (copies) b.Call("aten::clone.out", {state, b.None(), old, old});
  b.Copy(state, x);
  b.Output(copies ? old : state);
  return b.Build();
}

TEST(Meaning, OfAnOutputThatNamesABufferIsItsValueBeforeTheStore) {
  EXPECT_EQ(ComparedAsMeant(ReturnsOldState(false), ReturnsOldState(true)).answer, Answer::kSame);
  EXPECT_EQ(Compared(ReturnsOldState(false), ReturnsOldState(true)).answer, Answer::kDiffers);
}

TEST(Meaning, FollowsStateByName) {
  EXPECT_EQ(ComparedAsMeant(Accumulates(0, "k"), Accumulates(64, "k")).answer, Answer::kSame);
  EXPECT_EQ(ComparedAsMeant(Accumulates(0, "k"), Accumulates(0, "k", false)).answer,
            Answer::kDiffers);
}

TEST(Meaning, IsRunIfTermsLeaveItOpen) {
  const Program lost = ProgramOf({SumTimes(0, 48)});
  const Program sound = ProgramOf({SumTimes(32, 48)});
  const ComparedSide planned = {&lost, nullptr, nullptr};
  const ComparedSide meant = {&lost, nullptr, nullptr, ReadAs::kMeant};
  const ComparedSide other = {&sound, nullptr, nullptr};
  EXPECT_EQ(CompareRandomCalls(meant, other, {.method = "forward", .calls = 8}).difference, "");
  EXPECT_NE(CompareRandomCalls(planned, other, {.method = "forward", .calls = 8}).difference, "");
}

// --- Loops whose condition depends on data.

// sum = x + x, then sum = sum * x as long as the state of `flag` holds, which each round passes on
// to a call that nobody can look into. The sum is carried in two places, in turn, if it is `moved`.
Method Repeats(uint64_t at, bool swapped = false, bool clobbers = false) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {4});
  const int32_t flag = b.Planned(1, 16, {1}, {}, ScalarType::kBool);
  const int32_t sum = b.Planned(1, at, {4});
  const int32_t product = b.Planned(1, clobbers ? 0 : at + 16, {4});
  b.Input(x);
  b.Add(x, x, sum);
  b.Call("aten::any.all_out", {sum, flag, flag});
  const int32_t leave = b.JumpFalse(flag, 0);
  b.Mul(swapped ? x : sum, swapped ? sum : x, product);
  b.Copy(sum, product);
  b.Call("aten::any.all_out", {sum, flag, flag});
  b.JumpFalse(b.Bool(false), leave);
  b.SetTarget(leave, b.Next());
  b.Output(sum);
  return b.Build();
}

TEST(Loops, OnDataAreProvedByInduction) {
  const MethodComparison answer = Compared(Repeats(32), Repeats(64));
  EXPECT_EQ(answer.answer, Answer::kSame) << answer.reason;
  EXPECT_GE(answer.loops, 1);
}

TEST(Loops, OnDataDifferIfARoundDoes) {
  const MethodComparison answer = Compared(Repeats(32), Repeats(32, true));
  ASSERT_EQ(answer.answer, Answer::kDiffers);
  EXPECT_EQ(answer.difference->new_side.instruction, 3);
}

// The product lies over x, so that the second round multiplies by another value than the first.
TEST(Loops, OnDataDifferIfTheSecondRoundReadsWhatTheFirstHasOverwritten) {
  const MethodComparison answer = Compared(Repeats(32), Repeats(32, false, true));
  EXPECT_EQ(answer.answer, Answer::kDiffers);
  const MethodComparison meant = ComparedAsMeant(Repeats(32, false, true), Repeats(32));
  EXPECT_EQ(meant.answer, Answer::kSame) << meant.reason;
}

}  // namespace
}  // namespace pteproof::compare
