#include "properties/proofs/obligations_of.h"

#include <utility>

#include "base/rule_names.h"
#include "properties/proofs/facts/program_facts.h"
#include "properties/proofs/facts/sweep.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {

namespace {

// Beyond the limits on work the list may miss a pair.
void ObligeComplete(Obliger& obliger, int32_t method) {
  const ProgramFacts& facts = obliger.facts();
  if (facts.needs[static_cast<size_t>(method)].complete && facts.MeaningAt(method).live.complete) {
    return;
  }
  Obligation o = AboutMethod(facts.MethodAt(method), rule::kNotProvable, -1, {});
  o.severity = Severity::kNote;
  o.goal = None(1);
  o.refuted = "The control flow is beyond the limit on work.";
  obliger.Add(std::move(o));
}

}  // namespace

Obligations ObligationsOf(const Program& program, const ObligeOptions& options) {
  const ProgramFacts facts = FactsOf(program, options.manifest, options.all_first, options.other);
  Obliger obliger(facts, options.sizes, options.counts_held);
  for (int32_t m = 0; m < static_cast<int32_t>(program.methods.size()); ++m) {
    if (!facts.IsLoaded(m)) continue;
    ObligePlacements(obliger, m, options.packed);
    ObligeInterference(obliger, m);
    if (options.order != Order::kFile) {
      ObligeAnyOrder(obliger, m, /*single_use=*/options.order == Order::kStrict);
    }
    obliger.CountSwept(SweptPairs(facts, m));
    ObligeOperands(obliger, m);
    ObligeComplete(obliger, m);
  }
  ObligeChecked(obliger, {.manifest = options.manifest, .all_first = options.all_first});
  Obligations obligations = std::move(obliger).Take();
  obligations.doubts = DoubtsOf(facts.meant);
  return obligations;
}

}  // namespace pteproof::proofs
