// One method, analysed: the common basis of the rules of a single method and of those over methods.
#ifndef PTEPROOF_PROPERTIES_CHECKS_FLOW_METHOD_CHECK_H_
#define PTEPROOF_PROPERTIES_CHECKS_FLOW_METHOD_CHECK_H_

#include <vector>

#include "properties/checks/facts/aliases.h"
#include "properties/checks/facts/effects.h"
#include "properties/checks/facts/exporter_order.h"
#include "properties/checks/facts/flow_graph.h"
#include "properties/checks/facts/roles.h"
#include "properties/checks/flow/clobbers.h"
#include "properties/checks/flow/liveness.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::checks {

struct MethodCheck {
  const Method* method = nullptr;
  const ManifestMethod* stated = nullptr;
  Effects effects;
  FlowGraph graph;
  ExporterOrder order;
  Roles roles;
  Aliases aliases;
  Walk walk;
  std::vector<bool> state_written;  // per state: some instruction that can run stores to it
  // Per state: some instruction reads what another one stores to it, or an output returns it.
  std::vector<bool> state_read_inside;
  std::vector<int32_t>
      entry_reader;  // per state: who uses its value at entry (as in LiveName); -1: nobody

  std::vector<int32_t>
      self_copy;  // per state: the last instruction that stores it onto itself; -1: none

  [[nodiscard]] MethodFlow flow() const { return {*method, effects, graph, roles, aliases}; }
};

// O(n log n) for straight-line code.
// `reading` (may be null): the doubts that are read the other way. `numberings`: of the
// program.
[[nodiscard]] MethodCheck AnalyseMethod(const Method& method, const Manifest* manifest,
                                        const Reading* reading = nullptr, double numberings = 0);

// What the file leaves open of a method, as far as an exporter gives cause for it.
[[nodiscard]] std::vector<Doubt> DoubtsOf(const MethodCheck& check);

// The largest power of two, at most 16, that all placements of a method are multiples of.
[[nodiscard]] uint64_t PlanAlignment(const Method& method);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_FLOW_METHOD_CHECK_H_
