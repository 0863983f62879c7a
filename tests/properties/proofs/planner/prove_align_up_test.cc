#include "properties/proofs/planner/prove_align_up.h"

#include <gtest/gtest.h>

namespace pteproof::proofs {
namespace {

TEST(ProveAlignUp, RefutesWrongFormulas) {
  for (const RoundingFormula formula :
       {RoundingFormula::kOneTooFar, RoundingFormula::kDown, RoundingFormula::kNotAtAll}) {
    const PlannerProof proof = ProveAlignUp(60, formula);
    EXPECT_EQ(proof.answer, Answer::kRefuted) << static_cast<int>(formula);
    EXPECT_NE(proof.counterexample, "");
  }
}

}  // namespace
}  // namespace pteproof::proofs
