#include "properties/proofs/planner/prove_planner.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/counts.h"

namespace pteproof::proofs {
namespace {

TEST(ProvePlanner, ProvesThePlannerAndRefutesWhatIsWrong) {
  RecordProperty("slow", "asks a solver");
  size_t ended = 0;
  const std::vector<PlannerProof> proofs =
      ProvePlanner({.storages = IsCampaign() ? 3U : 2U}, [&](const PlannerProof& proof) {
        ++ended;
        EXPECT_EQ(proof.answer, proof.expected)
            << proof.name << ": " << proof.why << proof.counterexample;
        EXPECT_FALSE(proof.cut) << proof.name;
        EXPECT_GT(proof.paths, 0) << proof.name;
        EXPECT_EQ(proof.answer == Answer::kRefuted, !proof.counterexample.empty()) << proof.name;
      });
  EXPECT_EQ(ended, proofs.size());
  EXPECT_TRUE(AllAsExpected(proofs));
  std::set<std::string> names;
  for (const PlannerProof& proof : proofs) {
    EXPECT_TRUE(names.insert(proof.name).second) << proof.name;
  }
}

TEST(ProvePlanner, SaysWhatWasCut) {
  const std::vector<PlannerProof> proofs = ProvePlanner({.storages = 2, .seconds = 0});
  EXPECT_FALSE(AllAsExpected(proofs));
  for (const PlannerProof& proof : proofs) {
    if (proof.answer == Answer::kUnknown) EXPECT_TRUE(proof.cut) << proof.name;
  }
}

}  // namespace
}  // namespace pteproof::proofs
