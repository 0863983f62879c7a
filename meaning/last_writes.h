// The last instruction that writes a value before a use of it, in listing order. Writes on other
// paths do not count.
#ifndef PTEPROOF_MEANING_LAST_WRITES_H_
#define PTEPROOF_MEANING_LAST_WRITES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meaning/effects.h"
#include "meaning/flow_graph.h"
#include "meaning/paths_forward.h"
#include "meaning/roles.h"
#include "meaning/touches.h"

namespace pteproof::meaning {

// Values looked at in a search for names: more than the limit mean places that tens of thousands
// share, and the search is given up.
class SearchWork {
 public:
  // False: there were too many already.
  bool Spend(uint64_t values) {
    spent_ += values;
    return within_limit();
  }
  [[nodiscard]] bool within_limit() const { return spent_ <= kLimit; }

 private:
  static constexpr uint64_t kLimit = 200'000'000;
  uint64_t spent_ = 0;
};

class LastWrites {
 public:
  static constexpr int32_t kNever = -2;

  // Points into all but the effects. O(accesses).
  LastWrites(const Method& method, const Effects& effects, const FlowGraph& graph,
             const Roles& roles, SearchWork& work)
      : graph_(graph), roles_(roles), work_(work), writes_(MakingsOf(method, effects)) {}

  // All instructions that write the value, ascending.
  [[nodiscard]] std::span<const int32_t> Of(int32_t v) const { return writes_.Of(v); }

  // Makes a value stand there at entry, as inputs and buffers do, or takes that back.
  void SetAtEntry(int32_t v, bool is_there);

  // An instruction; -1: it stands there at entry, kNever: nothing on a path to the use makes it.
  [[nodiscard]] int32_t Before(int32_t v, int32_t use);

  // Whether no path forward leads from an instruction to a later one: they are in two branches. One
  // that no path reaches at all is in neither.
  [[nodiscard]] bool IsOnOtherPath(int32_t write, int32_t later);

  // Whether it is made before that use, and on no path that leads to it.
  [[nodiscard]] bool IsMadeInOtherBranches(int32_t v, int32_t use);

 private:
  // The last of its writes before that use on a path to it, or kNever. O(writes that it passes).
  [[nodiscard]] int32_t LastOnPath(int32_t v, int32_t use);

  const FlowGraph& graph_;
  const Roles& roles_;
  SearchWork& work_;
  Touches writes_;
  PathsForward paths_{graph_};
  std::vector<bool> at_entry_;  // per value that was set; empty: none was
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_LAST_WRITES_H_
