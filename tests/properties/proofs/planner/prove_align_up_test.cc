#include "properties/proofs/planner/prove_align_up.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace pteproof::proofs {
namespace {

std::atomic<int>& SignalsSeen() {
  static std::atomic<int> seen = 0;
  return seen;
}

TEST(ProveAlignUp, RefutesWrongFormulas) {
  RecordProperty("slow", "asks a solver");
  for (const RoundingFormula formula :
       {RoundingFormula::kOneTooFar, RoundingFormula::kDown, RoundingFormula::kNotAtAll}) {
    const PlannerProof proof = ProveAlignUp(60, formula);
    EXPECT_EQ(proof.answer, Answer::kRefuted) << static_cast<int>(formula);
    EXPECT_NE(proof.counterexample, "");
  }
}

// The solver would put its own handler in place of the process's while it computes.
TEST(ProveAlignUp, LeavesTheProcessItsSignals) {
  RecordProperty("slow", "asks a solver");
  struct sigaction counts = {};
  struct sigaction before = {};
  counts.sa_handler = [](int) { ++SignalsSeen(); };
  ASSERT_EQ(sigaction(SIGINT, &counts, &before), 0);
  std::atomic<bool> proved = false;
  int sent = 0;
  std::thread sender([&] {
    for (; !proved; ++sent) {
      raise(SIGINT);  // handled when it returns
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const PlannerProof proof = ProveAlignUp(60);
  proved = true;
  sender.join();
  sigaction(SIGINT, &before, nullptr);
  EXPECT_EQ(proof.answer, Answer::kProved) << proof.why;
  EXPECT_EQ(SignalsSeen(), sent);
}

}  // namespace
}  // namespace pteproof::proofs
