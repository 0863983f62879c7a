// Idea: backward dataflow, driven by uses. Each read wants a name at a point. The last making of
// that name in the block decides:
//
//   an instruction writes it     the want ends
//   a transfer makes it          the sources are wanted at the moment of the transfer
//   none in this block           the name is live at the end of each predecessor, and wanted there;
//                                of the first block, a call begins with it
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
#include "meaning/liveness.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "meaning/name_events.h"

namespace pteproof::meaning {
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
    if (!flow_.graph.straight()) Reach();
    if (live_.complete) {
      for (const auto& [name, reader] : entry_) live_.entry.push_back({name, reader});
    }
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
        if (block == 0) WantAtEntry(n);
        for (const int32_t p : BlockAt(block).predecessors) MarkOut(p, n);
      } else if (make->kind == MakeKind::kTaken) {
        const Transfer& transfer = flow_.aliases.transfers[static_cast<size_t>(make->transfer)];
        for (const int32_t source : flow_.aliases.SourcesOf(transfer)) {
          wanted.push_back({{source, n.reader}, make->at, make->transfer});
        }
      }
    }
  }

  void WantAtEntry(LiveName n) {
    if (n.name >= flow_.value_count()) return;  // what a call leaves is not what it begins with
    const auto [known, fresh] = entry_.try_emplace(n.name, n.reader);
    if (!fresh) known->second = std::min(known->second, n.reader);
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
  std::map<int32_t, int32_t> entry_;  // the first reader, by name
  std::unordered_set<uint64_t> out_;
  std::vector<std::pair<int32_t, LiveName>> pending_;
};

}  // namespace

std::vector<LiveName> NamesAtEnd(const MethodFlow& flow) {
  const int32_t count = flow.instruction_count();
  std::vector<LiveName> ends;
  ends.reserve(flow.method.outputs.size() + flow.roles.states.size());
  for (const int32_t v : flow.method.outputs) {
    if (flow.method.TensorOf(v) != nullptr) ends.push_back({v, count});
  }
  for (auto it = flow.aliases.transfers.rbegin(); it != flow.aliases.transfers.rend(); ++it) {
    if (it->instruction != count) break;
    const size_t known = ends.size();
    for (size_t e = 0; e < known; ++e) {
      if (ends[e].name != it->to) continue;
      const auto sources = flow.aliases.SourcesOf(*it);
      ends[e].name = sources.front();
      for (const int32_t source : sources.subspan(1)) ends.push_back({source, count});
    }
  }
  for (size_t s = 0; s < flow.roles.states.size(); ++s) {
    if (!flow.roles.states[s].place.empty()) {
      ends.push_back({flow.value_count() + static_cast<int32_t>(s), count + 1});
    }
  }
  return ends;
}

Liveness LivenessOf(const MethodFlow& flow) {
  return LivenessSolver(flow).Run(NamesAtEnd(flow));
}

}  // namespace pteproof::meaning
