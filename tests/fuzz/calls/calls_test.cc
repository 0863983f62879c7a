// What fuzz_kernels tries: valid calls of every operator, and changes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "fuzz/calls/make_draft.h"
#include "fuzz/calls/operands.h"
#include "fuzz/calls/run_calls.h"
#include "fuzz/calls/twists.h"
#include "fuzz/mutate/random.h"
#include "pteproof/read.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {
namespace {

Draft OneCall(const OpSchema& op, uint64_t seed, uint8_t bounded) {
  const std::array calls = {DrawnCall{&op, seed}};
  return DraftOf(calls, {.bounded = bounded});
}

bool Reaches(const OpSchema& op, uint64_t seed) {
  CallsPlan plan;
  plan.draft = OneCall(op, seed, static_cast<uint8_t>(seed % 4));
  const CallsRun run = RunCalls(plan);
  return !run.fates.empty() && run.fates[0].fate == Fate::kReached;
}

TEST(Calls, ReachTheKernelOfEachOperatorInMostDraws) {
  RecordProperty("slow", "draws many random cases");
  constexpr int kDraws = 12;
  for (const OpSchema* op : OperatorsWithKernels()) {
    int reached = 0;
    for (uint64_t seed = 0; seed < kDraws; ++seed) reached += Reaches(*op, seed) ? 1 : 0;
    EXPECT_GE(reached, kDraws / 2) << op->name;
  }
}

std::vector<TwistRow> AllTwists() {
  std::vector<TwistRow> all;
  for (const auto rows :
       {MemoryTwists(), FormTwists(), NumberTwists(), StepTwists(), RareTwists()}) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

TEST(Calls, EachChangeMakesAnotherProgramThatCanBeRead) {
  RecordProperty("slow", "draws many random cases");
  constexpr uint64_t kSeeds = 300;
  const auto& operators = OperatorsWithKernels();
  for (const TwistRow& twist : AllTwists()) {
    int changed = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      Random random(seed);
      Draft draft = OneCall(*random.Of(operators), seed, 2);
      const auto before = WriteDraft(draft).file;
      std::array<std::byte, 6> bytes = {};
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.Next());
      Choices choices(bytes);
      if (!twist.make(draft, choices)) continue;
      const auto after = WriteDraft(draft).file;
      changed += after != before && ReadProgram(after).ok() ? 1 : 0;
    }
    EXPECT_GE(changed, 10) << twist.name;
  }
}

TEST(Calls, AreTheSameForTheSameBytes) {
  Random random(5);
  std::set<std::vector<std::byte>> files;
  for (int i = 0; i < 50; ++i) {
    Buffer input(kCallsHeader + 6 * kCallsRecord);
    for (std::byte& byte : input) byte = static_cast<std::byte>(random.Next());
    const auto file = WriteDraft(PlanCalls(input).draft).file;
    EXPECT_EQ(file, WriteDraft(PlanCalls(input).draft).file);
    files.insert(file);
  }
  EXPECT_GE(files.size(), 45U);
}

TEST(Calls, OfNothingAreOneCall) {
  const CallsPlan plan = PlanCalls({});
  EXPECT_EQ(plan.drawn.size(), 1U);
  EXPECT_EQ(plan.runs, 1);
}

}  // namespace
}  // namespace pteproof::fuzz
