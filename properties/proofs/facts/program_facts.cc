#include "properties/proofs/facts/program_facts.h"

#include <algorithm>
#include <utility>

namespace pteproof::proofs {

ProgramFacts FactsOf(const Program& program, const Manifest* manifest, bool all_first,
                     const Reading& other) {
  ProgramFacts facts;
  facts.program = &program;
  facts.meant = meaning::MeaningOf(program, manifest, other);
  facts.all_first = all_first || (manifest != nullptr && manifest->all_first.value_or(false));
  for (int32_t m = 0; m < static_cast<int32_t>(program.methods.size()); ++m) {
    const MethodFlow flow = facts.MeaningAt(m).flow();
    const auto is_seen = [&](int32_t reader) { return facts.IsObserved(m, reader); };
    bool all = true;
    for (int32_t i = 0; i < flow.instruction_count() && all; ++i) {
      all = flow.effects.ReadsOf(static_cast<size_t>(i)).empty() || is_seen(i);
    }
    facts.needs.push_back(NeedsOf(flow, [](int32_t) { return true; }));
    facts.observed.push_back(all ? facts.needs.back() : NeedsOf(flow, is_seen));
  }
  return facts;
}

}  // namespace pteproof::proofs
