#include "properties/proofs/obligations_of.h"

#include <utility>

#include "properties/proofs/facts/program_facts.h"
#include "properties/proofs/facts/sweep.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {

Obligations ObligationsOf(const Program& program, const ObligeOptions& options) {
  const ProgramFacts facts = FactsOf(program, options.manifest, options.all_first, options.other);
  Obliger obliger(facts, options.sizes);
  for (int32_t m = 0; m < static_cast<int32_t>(facts.methods.size()); ++m) {
    if (!facts.IsLoaded(m)) continue;
    ObligePlacements(obliger, m, options.packed);
    ObligeInterference(obliger, m);
    if (options.order != Order::kFile) {
      ObligeAnyOrder(obliger, m, /*single_use=*/options.order == Order::kStrict);
    }
    obliger.CountSwept(SweptPairs(facts, m));
    ObligeOperands(obliger, m);
    ObligeEnds(obliger, m);
    ObligeMemory(obliger, m);
    ObligeDevices(obliger, m);
    ObligeSignature(obliger, m);
    ObligeSharedOutputs(obliger, m);
    ObligeDisplacedOutputs(obliger, m);
    ObligeDimOrders(obliger, m);
  }
  ObligeLayout(obliger);
  ObligeForeignWrites(obliger);
  ObligeUnlikeInitials(obliger);
  ObligeStores(obliger);
  ObligeStatedBuffers(obliger);
  obliger.Assume(AssumptionsOf(facts));
  Obligations obligations = std::move(obliger).Take();
  obligations.doubts = DoubtsOf(facts);
  return obligations;
}

}  // namespace pteproof::proofs
