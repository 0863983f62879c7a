#include "properties/oracles/call_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "meaning/opaque_calls.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using Calls = std::vector<int32_t>;

// Doubles its input, in bytes of bank 1 from `offset` on.
Method Doubles(uint64_t offset, Dynamism dynamism = Dynamism::kStatic) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, offset, {4});
  b.Input(x);
  const int32_t y = b.Planned(1, offset + 16, {4});
  b.Add(x, x, y);
  for (const int32_t v : {x, y}) b.TensorAt(v).dynamism = dynamism;
  b.Output(y);
  return b.Build();
}

// Adds its input to the buffer `name` in bank 1.
Method Adds(const char* name, uint64_t offset) {
  MethodBuilder b;
  const int32_t state = b.Planned(1, offset, {4}, name);
  const int32_t x = b.Planned(1, offset + 16, {4});
  b.Input(x);
  const int32_t sum = b.Planned(1, offset + 32, {4});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Output(sum);
  return b.Build();
}

Method ReturnsANumber() {
  MethodBuilder b;
  b.Output(b.Int(7));
  return b.Build();
}

Program NamedProgram(std::vector<Method> methods) {
  Program program = ProgramOf(std::move(methods));
  for (size_t m = 0; m < program.methods.size(); ++m) {
    program.methods[m].name = "m" + std::to_string(m);
  }
  return program;
}

class CallScheduleTest : public testing::Test {
 protected:
  CallSchedule Make(const Program& program, Policy policy, int longest = 8) {
    return {program, meaning::MeaningOf(program, nullptr), policy, longest, random_};
  }
  // Sequences of which all calls are made.
  static std::vector<Calls> Take(CallSchedule& schedule, int count) {
    std::vector<Calls> sequences;
    for (int s = 0; s < count; ++s) {
      sequences.push_back(schedule.Next());
      const Calls& calls = sequences.back();
      for (size_t c = 0; c < calls.size(); ++c) {
        schedule.Note(std::span(calls).first(c), calls[c]);
      }
    }
    return sequences;
  }
  static bool Has(const std::vector<Calls>& sequences, const Calls& part) {
    return std::ranges::any_of(
        sequences, [&](const Calls& calls) { return !std::ranges::search(calls, part).empty(); });
  }

  Random random_{1};
};

TEST_F(CallScheduleTest, AMethodThatTouchesNoStateIsCalledOnce) {
  const Program program = NamedProgram({Doubles(0)});
  CallSchedule schedule = Make(program, Policy::kShareAll);
  EXPECT_THAT(Take(schedule, 3), ElementsAre(Calls{0}, IsEmpty(), IsEmpty()));
}

TEST_F(CallScheduleTest, ACallThatCannotBeMadeIsTriedAgain) {
  const Program program = NamedProgram({Doubles(0)});
  CallSchedule schedule = Make(program, Policy::kShareAll);
  for (int s = 0; s < 3; ++s) EXPECT_THAT(schedule.Next(), Contains(0));
}

TEST_F(CallScheduleTest, AMethodWhoseSizesVaryIsCalledAgain) {
  const Program program = NamedProgram({Doubles(0, Dynamism::kBounded)});
  CallSchedule schedule = Make(program, Policy::kShareAll);
  EXPECT_THAT(Take(schedule, 20), Each(Contains(0)));
}

TEST_F(CallScheduleTest, StateIsUsedThreeTimesInARow) {
  const Program program = NamedProgram({Adds("state", 0)});
  CallSchedule schedule = Make(program, Policy::kPrivate);
  EXPECT_EQ(schedule.Next(), (Calls{0, 0, 0}));
  EXPECT_EQ(schedule.pairs(), 0);
}

TEST_F(CallScheduleTest, AMethodThatOverwritesStateIsCalledBetweenItsUses) {
  const Program program = NamedProgram({Adds("state", 0), Doubles(0), ReturnsANumber()});
  CallSchedule shared = Make(program, Policy::kShareAll);
  const std::vector<Calls> sequences = Take(shared, 6);
  EXPECT_TRUE(Has(sequences, {0, 1, 0}));
  EXPECT_TRUE(Has(sequences, {1, 0}));
  EXPECT_EQ(shared.pairs(), 1);
  EXPECT_EQ(shared.pairs_tried(), 1);
  int numbers = 0;
  for (const Calls& calls : sequences) numbers += static_cast<int>(std::ranges::count(calls, 2));
  EXPECT_EQ(numbers, 1);
  EXPECT_EQ(Make(program, Policy::kPrivate).pairs(), 0);
}

TEST_F(CallScheduleTest, MethodsWithBytesOfTheirOwnAreNoPair) {
  const Program program = NamedProgram({Adds("state", 0), Doubles(64), Adds("other", 128)});
  EXPECT_EQ(Make(program, Policy::kShareAll).pairs(), 0);
}

TEST_F(CallScheduleTest, AWriterAnIntruderAndAReaderAreATriple) {
  const Program program = NamedProgram({Adds("state", 0), Adds("state", 0), Doubles(0)});
  CallSchedule schedule = Make(program, Policy::kShareAll);
  const std::vector<Calls> sequences = Take(schedule, 12);
  EXPECT_TRUE(Has(sequences, {0, 2, 1}));
  EXPECT_TRUE(Has(sequences, {1, 2, 0}));
  EXPECT_EQ(schedule.pairs(), 3);
  EXPECT_EQ(schedule.pairs_tried(), 3);
}

TEST_F(CallScheduleTest, NoSequenceIsLongerThanAsked) {
  const Program program =
      NamedProgram({Adds("state", 0), Adds("state", 0), Doubles(0), ReturnsANumber()});
  for (const int longest : {1, 2, 4}) {
    CallSchedule schedule = Make(program, Policy::kShareAll, longest);
    for (const Calls& calls : Take(schedule, 20)) {
      EXPECT_LE(calls.size(), static_cast<size_t>(longest));
    }
  }
}

}  // namespace
}  // namespace pteproof
