#include "properties/proofs/planner/prove_planner.h"

#include <algorithm>
#include <utility>

#include "properties/proofs/planner/known_wrong.h"
#include "properties/proofs/planner/prove_align_up.h"
#include "properties/proofs/planner/prove_layout.h"
#include "properties/proofs/planner/prove_placement.h"
#include "properties/proofs/planner/prove_stores.h"

namespace pteproof::proofs {
namespace {

class PlannerProofs {
 public:
  PlannerProofs(const PlannerProofOptions& options,
                const std::function<void(const PlannerProof&)>& progress)
      : storages_(std::clamp(options.storages, kFewestStorages, kMostStorages)),
        seconds_(options.seconds),
        progress_(progress) {}

  std::vector<PlannerProof> Go() {
    Add(ProveAlignUp(seconds_));
    for (const PlacementSubject& subject : ShippedAlgorithms()) AddAlgorithm(subject);
    for (const PlacementSubject& subject : ShippedGapRules()) AddPlain(subject, storages_);
    AddPlain(ShippedPortfolio(), Most(4));
    AddState();
    AddKnownWrong();
    return std::move(proofs_);
  }

 private:
  [[nodiscard]] size_t Most(size_t storages) const { return std::min(storages_, storages); }

  void Add(PlannerProof proof) {
    if (progress_) progress_(proof);
    proofs_.push_back(std::move(proof));
  }

  void AddPlain(const PlacementSubject& subject, size_t storages) {
    for (size_t n = kFewestStorages; n <= storages; ++n) {
      PlacementCase of{.storages = n};
      // Else every one of its thousand graphs comes with every order of sizes.
      of.ascending = subject.all_to_largest && n == kMostStorages;
      Add(ProvePlacement(subject, of, seconds_));
    }
  }

  void AddAlgorithm(const PlacementSubject& subject) {
    AddPlain(subject, storages_);
    // Greedy looks for the largest of them first, in all ways.
    const size_t mixed = subject.all_to_largest && storages_ < 4 ? 2 : Most(3);
    Add(ProvePlacement(subject, {.storages = mixed, .kind = AlignmentKind::kEachItsOwn}, seconds_));
    Add(ProveMixes(subject, storages_ > 3 ? 3 : 2, seconds_));
    Add(ProvePlacement(subject, {.storages = Most(4), .fixed = true}, seconds_));
    Add(ProvePlacement(subject, {.storages = Most(4), .tied = true}, seconds_));
    Add(ProvePlacement(subject, {.storages = Most(3), .in_place = true}, seconds_));
    if (!subject.any_order) return;
    Add(ProvePlacement(subject, {.storages = Most(4), .all_orders = true}, seconds_));
  }

  void AddState() {
    const bool all = storages_ > 3;
    Add(ProveLayout(ShippedLayout(), all ? 3 : 2, all ? 4 : 3, seconds_));
    Add(ProveStores(ShippedStores(), 4, false, seconds_));
    Add(ProveStores(ShippedStores(), all ? 4 : 3, true, seconds_));
  }

  void AddKnownWrong() {
    const auto add = [&](PlannerProof proof) {
      proof.expected = Answer::kRefuted;
      Add(std::move(proof));
    };
    add(ProvePlacement(DeferredInPlace(), {.storages = 3, .in_place = true}, seconds_));
    for (const PlacementSubject& subject : FirstFitsWithMistakes()) {
      add(ProvePlacement(subject, {.storages = 3}, seconds_));
    }
  }

  size_t storages_;
  double seconds_;
  const std::function<void(const PlannerProof&)>& progress_;
  std::vector<PlannerProof> proofs_;
};

}  // namespace

std::vector<PlannerProof> ProvePlanner(const PlannerProofOptions& options,
                                       const std::function<void(const PlannerProof&)>& progress) {
  return PlannerProofs(options, progress).Go();
}

bool AllAsExpected(const std::vector<PlannerProof>& proofs) {
  return std::ranges::all_of(
      proofs, [](const PlannerProof& proof) { return proof.answer == proof.expected; });
}

}  // namespace pteproof::proofs
