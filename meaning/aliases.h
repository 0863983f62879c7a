// Which names stand for the same bytes on purpose: views that the exporter elided, elided
// concatenations, moves, et_view results and returned names. Everything else that shares bytes does
// so by accident.
#ifndef PTEPROOF_MEANING_ALIASES_H_
#define PTEPROOF_MEANING_ALIASES_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "meaning/effects.h"
#include "meaning/exporter_order.h"
#include "meaning/flow_graph.h"
#include "meaning/roles.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// The time, within an instruction, at which a name takes over the content of others.
enum class Phase : uint8_t { kBefore, kAt, kAfter };

// From here on `to` stands for the content that `sources` have now. A later store to a source is
// not a store to `to`.
struct Transfer {
  int32_t instruction = 0;  // the instruction count: at the method's end
  Phase phase = Phase::kBefore;
  bool dynamic =
      false;  // a handle: `to` lies where its source lies, whatever its own placement says
  int32_t to = 0;
  Range sources;  // in Aliases::sources
  [[nodiscard]] std::pair<int32_t, Phase> when() const { return {instruction, phase}; }
};

struct Aliases {
  std::vector<Transfer> transfers;  // ascending by instruction, then phase
  // Births of strays: what they stand for, though nothing wrote the bytes that they read. Runs
  // without a plan take them, ascending; no judge of the plan does.
  std::vector<Transfer> lost;
  std::vector<int32_t> sources;
  std::vector<int32_t> root;  // per value: the oldest name of its bytes that is known without paths
  std::vector<int32_t>
      unexplained;             // planned, used before anything made them, and no view of anything
  std::vector<int32_t> stray;  // views of names whose bytes lie elsewhere: nothing wrote theirs
  std::vector<int32_t> uncertain;      // views that nothing places in time
  std::vector<int32_t> unsure_slices;  // slices by their place alone
  bool complete = true;                // false: given up, too many values share places
  [[nodiscard]] std::span<const int32_t> SourcesOf(const Transfer& t) const {
    return std::span(sources).subspan(t.sources.first, t.sources.count);
  }
  // The names that come to be before an instruction runs. O(log transfers).
  [[nodiscard]] std::span<const Transfer> BirthsBefore(int32_t instruction) const {
    return std::ranges::equal_range(transfers, std::pair(instruction, Phase::kBefore), {},
                                    &Transfer::when);
  }
  [[nodiscard]] std::span<const Transfer> LostBefore(int32_t instruction) const {
    return std::ranges::equal_range(lost, std::pair(instruction, Phase::kBefore), {},
                                    &Transfer::when);
  }
};

// O(n log n) in values and accesses, but for concatenations and names of moved values, which have a
// limit on work.
[[nodiscard]] Aliases AliasesOf(const Method& method, const Effects& effects,
                                const FlowGraph& graph, const ExporterOrder& order,
                                const Roles& roles);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_ALIASES_H_
