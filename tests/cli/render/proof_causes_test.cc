#include "cli/render/proof_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rule_names.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// A refutation that `writer` stays apart from method 1: it is not, by `bytes`.
void Refute(proofs::Proof& proof, const char* writer, int64_t bytes) {
  proofs::Obligation& o = proof.obligations.list.emplace_back();
  o.kind = rule::kStateClobbered;
  o.method = writer;
  o.other_method = 1;
  o.other_bank = 2;
  o.instruction = 3;
  o.goal = {{SizeExpr(64 + bytes), proofs::Relation::kLessEqual, SizeExpr(64)},
            {SizeExpr(500), proofs::Relation::kLessEqual, SizeExpr(0)}};
  proof.decisions.emplace_back().answer = proofs::Answer::kRefuted;
}

TEST(ProofCauses, AreOfTwoMethodsAndTellTheWorst) {
  proofs::Proof proof;
  Refute(proof, "encode", 16);
  Refute(proof, "adapt", 16);
  Refute(proof, "encode", 48);
  Refute(proof, "encode", 32);
  const auto causes = CausesOf(proof, {0, 1, 2, 3});
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_THAT(causes[0].obligations, ElementsAre(0, 2, 3));
  EXPECT_EQ(causes[0].worst, 2U);
  EXPECT_EQ(causes[0].worst_bytes, 48);
  EXPECT_THAT(causes[1].obligations, ElementsAre(1));
}

TEST(ProofCauses, KeepRefutationsOfOneMethodAndUnknownAnswersApart) {
  proofs::Proof proof;
  Refute(proof, "encode", 16);
  Refute(proof, "encode", 16);
  proof.decisions[1].answer = proofs::Answer::kUnknown;
  Refute(proof, "encode", 16);
  proof.obligations.list[2].other_method = -1;
  Refute(proof, "encode", 16);
  proof.obligations.list[3].policies = PolicySet::Of(Policy::kShareAll);
  EXPECT_THAT(CausesOf(proof, {0, 1, 2, 3}), SizeIs(4));
}

}  // namespace
}  // namespace pteproof
