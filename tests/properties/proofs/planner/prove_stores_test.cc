#include "properties/proofs/planner/prove_stores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace pteproof::proofs {
namespace {

using planner::Assignment;
using planner::Code;
using testing::HasSubstr;

constexpr double kStoreSeconds = 120;

TEST(ProveStores, ShowsTheShippedOrder) {
  const PlannerProof proof = ProveStores(ShippedStores(), 3, true, kStoreSeconds);
  EXPECT_EQ(proof.answer, Answer::kProved) << proof.counterexample;
  // (1 + 2 + 9) choices for each, in every order of those that do not keep what they have, twice:
  // 1 + 3 * 11 + 3 * 121 * 2 + 1331 * 6 lists.
  EXPECT_EQ(proof.paths, 2 * (1 + 33 + 726 + 7986));
}

TEST(ProveStores, RefutesStoresAsListed) {
  const StoreSubject listed{"as listed",
                            [](std::vector<Assignment> stores, Code&) { return stores; }};
  const PlannerProof proof = ProveStores(listed, 2, false, kStoreSeconds);
  EXPECT_EQ(proof.answer, Answer::kRefuted);
  EXPECT_THAT(proof.counterexample, HasSubstr("holds what"));
}

TEST(ProveStores, RefutesACircleWithoutATemporary) {
  const StoreSubject torn{"torn", [](std::vector<Assignment> stores, Code& code) {
                            const size_t values = code.values.size();
                            std::vector<Assignment> ordered =
                                planner::InOrder(std::move(stores), code);
                            const auto spare = std::ranges::find_if(
                                ordered, [&](const Assignment& store) { return store.over < 0; });
                            if (spare == ordered.end()) return ordered;
                            for (Assignment& store : ordered) {
                              const bool reads = static_cast<size_t>(store.from) >= values;
                              if (reads) store.from = spare->from;
                            }
                            ordered.erase(spare);
                            return ordered;
                          }};
  EXPECT_EQ(ProveStores(torn, 2, false, kStoreSeconds).answer, Answer::kRefuted);
}

TEST(ProveStores, RefutesALostStore) {
  const StoreSubject lost{"lost", [](std::vector<Assignment> stores, Code& code) {
                            std::vector<Assignment> ordered =
                                planner::InOrder(std::move(stores), code);
                            if (ordered.size() > 2) ordered.pop_back();
                            return ordered;
                          }};
  EXPECT_EQ(ProveStores(lost, 2, false, kStoreSeconds).answer, Answer::kRefuted);
}

// Right with bytes of its own, wrong in the buffer's.
TEST(ProveStores, RefutesAViewThatIsReadTooLate) {
  const StoreSubject late{
      "late", [](std::vector<Assignment> stores, Code& code) {
        std::vector<Assignment> ordered = planner::InOrder(std::move(stores), code);
        std::ranges::stable_partition(ordered, [&](const Assignment& store) {
          const auto& from = code.values[static_cast<size_t>(store.from)];
          return !from.same_as || store.over < 0 || from.type == code.values[0].type;
        });
        return ordered;
      }};
  EXPECT_EQ(ProveStores(late, 2, false, kStoreSeconds).answer, Answer::kProved);
  EXPECT_EQ(ProveStores(late, 2, true, kStoreSeconds).answer, Answer::kRefuted);
}

}  // namespace
}  // namespace pteproof::proofs
