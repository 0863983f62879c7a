#include "properties/proofs/planner/prove_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pteproof::proofs {
namespace {

using planner::StateDemand;
using planner::StateRooms;
using testing::StartsWith;

constexpr double kLayoutSeconds = 120;

// The shipped layout with its result spoilt.
template <class Spoil>
PlannerProof ProofOfSpoilt(Spoil spoil) {
  const auto layout = [spoil]<class Int>(const StateDemand<Int>& demand) {
    StateRooms<Int> rooms = planner::PlaceState(demand);
    spoil(demand, rooms);
    return rooms;
  };
  return ProveLayout({"spoilt", layout, layout}, 2, 2, kLayoutSeconds);
}

void ExpectRefuted(const PlannerProof& proof, const char* property) {
  EXPECT_EQ(proof.answer, Answer::kRefuted) << proof.why;
  EXPECT_THAT(proof.counterexample, StartsWith(property));
}

TEST(ProveLayout, ProvesTheShippedOne) {
  const PlannerProof proof = ProveLayout(ShippedLayout(), 2, 2, kLayoutSeconds);
  EXPECT_EQ(proof.answer, Answer::kProved);
  EXPECT_GT(proof.paths, 128);
}

TEST(ProveLayout, RefutesTwoPlacesForOneKey) {
  ExpectRefuted(ProofOfSpoilt([](const auto& demand, auto& rooms) {
                  auto& place = rooms.places[1][0];
                  if (place && demand.buffers[0].shared && rooms.places[0][0]) {
                    place->offset = rooms.shared_size[1];
                    rooms.shared_size[1] = rooms.shared_size[1] + place->nbytes + 1;
                  }
                }),
                "one key, one place");
}

TEST(ProveLayout, RefutesKeysOverEachOther) {
  ExpectRefuted(ProofOfSpoilt([](const auto&, auto& rooms) {
                  auto& one = rooms.places[0][0];
                  auto& other = rooms.places[0][1];
                  if (one && other && one->bank == other->bank) other->offset = one->offset;
                }),
                "distinct keys disjoint");
}

TEST(ProveLayout, RefutesPrivateStateWhereMethodsMeet) {
  const auto layout = []<class Int>(StateDemand<Int> demand) {
    demand.private_banks_meet = false;
    return planner::PlaceState(demand);
  };
  ExpectRefuted(ProveLayout({"meets", layout, layout}, 2, 2, kLayoutSeconds),
                "distinct keys disjoint");
}

TEST(ProveLayout, RefutesWhatTestsPlantIntoThePlanner) {
  const auto refute = [](const planner::StateDefects& defects) {
    const auto layout = [defects]<class Int>(StateDemand<Int> demand) {
      demand.defects = defects;
      return planner::PlaceState(demand);
    };
    return ProveLayout({"planted", layout, layout}, 2, 2, kLayoutSeconds);
  };
  ExpectRefuted(refute({.layout_of_each_method = true}), "distinct keys disjoint");
  ExpectRefuted(refute({.bank_of_first_method = true}), "contained");
  ExpectRefuted(refute({.shared_bank_unlabelled = true}), "the right bank");
  ExpectRefuted(refute({.private_states_meet = true}), "distinct keys disjoint");
  EXPECT_EQ(refute({}).answer, Answer::kProved);
}

TEST(ProveLayout, RefutesABankThatIsTooSmall) {
  ExpectRefuted(ProofOfSpoilt([](const auto& demand, auto& rooms) {
                  for (size_t m = 0; m < demand.state.size(); ++m) {
                    if (rooms.places[m][1]) rooms.private_size[m] = rooms.places[m][1]->offset;
                  }
                }),
                "contained");
}

TEST(ProveLayout, RefutesAForgottenAlignmentAndAForgottenPlace) {
  ExpectRefuted(ProofOfSpoilt([](const auto&, auto& rooms) {
                  auto& place = rooms.places[0][1];
                  if (!place || place->bank != planner::kPrivateBank) return;
                  place->offset = place->offset + 1;
                  rooms.private_size[0] = rooms.private_size[0] + 1;
                }),
                "aligned");
  ExpectRefuted(ProofOfSpoilt([](const auto&, auto& rooms) { rooms.places[1][1].reset(); }),
                "a place for what it has");
}

TEST(ProveLayout, IsCutWhereTimeEnds) {
  const PlannerProof proof = ProveLayout(ShippedLayout(), 2, 2, 0);
  EXPECT_EQ(proof.answer, Answer::kUnknown);
  EXPECT_TRUE(proof.cut);
}

}  // namespace
}  // namespace pteproof::proofs
