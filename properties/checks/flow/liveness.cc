// Idea: backward dataflow, driven by uses. Each read wants a name at a point. The last making of
// that name in the block decides:
//
//   an instruction writes it     the want ends
//   a transfer makes it          the sources are wanted at the moment of the transfer
//   none in this block           the name is live at the end of each predecessor, and wanted there
//
//   block 0:  v3 = mul(v1, v1)                      out: v3
//   block 1:  v4 (view of v3); jump                 out: v4    v4 is wanted -> v3 is wanted
//   block 2:  v5 = add(v4, v1)                                 v4 is wanted at entry
//
// A second pass goes forward from each making through the blocks in which the name is live:
// `reached` tells where there is a value to lose.
//
// Invariant: a pair of block and live name is queued once, so loops end. Each name in out[b] is
// read on some path from the end of b before it is made again.
//
// Cost: O(accesses log accesses + pairs of block and live name). Beyond kMaxLivePairs the search
// gives up, and the method is undecided.
#include "properties/checks/flow/liveness.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "properties/checks/flow/name_events.h"

namespace pteproof::checks {
namespace {

class LivenessSolver {
 public:
  LivenessSolver(const MethodFlow& flow) : flow_(flow), events_(flow) {
    live_.out.resize(flow.graph.blocks.size());
    live_.reached.resize(flow.graph.blocks.size());
  }

  Liveness Run(const std::vector<LiveName>& ends) && {
    for (size_t b = 0; b < flow_.graph.blocks.size(); ++b) {
      if (!flow_.graph.blocks[b].exits) continue;
      for (const LiveName& n : ends) MarkOut(static_cast<int32_t>(b), n);
    }
    WantReads();
    while (!pending_.empty() && live_.complete) {
      const auto [block, name] = pending_.back();
      pending_.pop_back();
      Want(name, {flow_.graph.blocks[static_cast<size_t>(block)].end, Step::kBefore}, block);
    }
    Reach();
    return std::move(live_);
  }

 private:
  static uint64_t KeyOf(int32_t block, int32_t name) {
    return (static_cast<uint64_t>(static_cast<uint32_t>(block)) << 32) |
           static_cast<uint32_t>(name);
  }

  const Block& BlockAt(int32_t b) const { return flow_.graph.blocks[static_cast<size_t>(b)]; }

  void MarkOut(int32_t block, LiveName n) {
    if (!BlockAt(block).reachable || !out_.insert(KeyOf(block, n.name)).second) return;
    live_.out[static_cast<size_t>(block)].push_back(n);
    pending_.emplace_back(block, n);
    if (out_.size() > kMaxLivePairs) live_.complete = false;
  }

  // A name is wanted at a point of a block. If the block made it before, the search ends. Otherwise
  // it is live at the end of each block before. A name that took over others wants these.
  void Want(LiveName first, Point point, int32_t block) {
    struct Wanted {
      LiveName name;
      Point at;
      int32_t transfer = 0;  // that wants it, of those at that point
    };
    std::vector<Wanted> wanted = {{first, point}};
    while (!wanted.empty()) {
      const auto [n, at, by] = wanted.back();
      wanted.pop_back();
      const Make* make = events_.LastBefore(n.name, at, BlockAt(block).begin, by);
      if (make == nullptr) {
        for (const int32_t p : BlockAt(block).predecessors) MarkOut(p, n);
      } else if (make->kind == MakeKind::kTaken) {
        const Transfer& transfer = flow_.aliases.transfers[static_cast<size_t>(make->transfer)];
        for (const int32_t source : flow_.aliases.SourcesOf(transfer)) {
          wanted.push_back({{source, n.reader}, make->at, make->transfer});
        }
      }
    }
  }

  void WantReads() {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      const int32_t block = flow_.graph.block_of[static_cast<size_t>(i)];
      if (!BlockAt(block).reachable) continue;
      for (const Read& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
        Want({r.value, i}, {i, Step::kRead}, block);
      }
    }
  }

  void Reach() {
    std::vector<std::pair<int32_t, int32_t>> pending;  // block left, name
    for (int32_t name = 0; name < flow_.value_count(); ++name) {
      for (const Make& make : events_.Of(name))
        pending.emplace_back(BlockOf(make.at.instruction), name);
    }
    for (const auto& fill : events_.fills())
      pending.emplace_back(BlockOf(fill.instruction), fill.name);
    std::unordered_set<uint64_t> reached;
    while (!pending.empty()) {
      const auto [block, name] = pending.back();
      pending.pop_back();
      if (!out_.contains(KeyOf(block, name))) continue;
      for (const int32_t next : BlockAt(block).successors) {
        if (!reached.insert(KeyOf(next, name)).second) continue;
        live_.reached[static_cast<size_t>(next)].push_back(name);
        pending.emplace_back(next, name);
      }
    }
    for (auto& names : live_.reached) std::ranges::sort(names);
  }

  int32_t BlockOf(int32_t instruction) const {
    return flow_.graph.block_of[static_cast<size_t>(instruction)];
  }

  const MethodFlow& flow_;
  NameEvents events_;
  Liveness live_;
  std::unordered_set<uint64_t> out_;
  std::vector<std::pair<int32_t, LiveName>> pending_;
};

}  // namespace

Liveness LivenessOf(const MethodFlow& flow, std::vector<LiveName> ends) {
  if (flow.graph.straight()) {
    Liveness live;
    live.out.push_back(std::move(ends));
    return live;
  }
  return LivenessSolver(flow).Run(ends);
}

}  // namespace pteproof::checks
