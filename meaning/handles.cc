// Idea: reaching definitions for moves. A move or an et_view puts a name into the bytes of its
// source, whatever the placement of the name says. Its place therefore depends on the path:
//
//   block 1: move v3 -> v7 --+
//                            +--> block 3: read v7       HoldersAt(v7) = {v3, v5}
//   block 2: move v5 -> v7 --+
//
// Each transfer to a name is propagated through the blocks until another transfer to that name
// replaces it. HoldersAt looks for the last transfer in its block, else takes all that reach the
// begin of the block, and goes on from the source of each at the moment of its move.
//
// Invariant: where a name's place at a block's begin is wanted, by a read, a write or a move behind
// it, reaching_[block, name] holds every transfer that is the last one to the name on some path to
// that begin; kAtHome stands for a path without any. chain_start_ skips moves of moves that have
// one source and one cause.
//
// Cost: O(pairs of a block and a name that is wanted there) to build; a question follows the moves
// that lead to its answer.
#include "meaning/handles.h"

#include <algorithm>
#include <set>
#include <utility>

namespace pteproof::meaning {

Handles::Handles(const MethodFlow& flow) : flow_(flow), is_handle_(flow.method.values.size()) {
  for (const Transfer& t : flow.aliases.transfers) {
    if (t.dynamic) is_handle_[static_cast<size_t>(t.to)] = true;
  }
  for (size_t t = 0; t < flow.aliases.transfers.size(); ++t) {
    const int32_t to = flow.aliases.transfers[t].to;
    if (IsHandle(to)) causes_of_[to].push_back(static_cast<Cause>(t));
  }
  if (!flow.graph.straight()) Propagate();
  ShortenChains();
}

Handles::Cause Handles::OnlyCauseBefore(Cause cause) const {
  const Transfer& transfer = TransferOf(cause);
  const auto sources = flow_.aliases.SourcesOf(transfer);
  if (sources.size() != 1 || !IsHandle(sources.front())) return kAtHome;
  const Point at = PointOf(transfer);
  const int32_t block = BlockOf(at);
  if (const Cause last = LastIn(block, sources.front(), at); last != kAtHome) return last;
  if (block == 0) return kAtHome;
  const auto reaching = reaching_.find(KeyOf(block, sources.front()));
  const bool one = reaching != reaching_.end() && reaching->second.size() == 1;
  return one ? reaching->second.front() : kAtHome;
}

void Handles::ShortenChains() {
  chain_start_.resize(flow_.aliases.transfers.size());
  for (size_t t = 0; t < chain_start_.size(); ++t) {
    const auto cause = static_cast<Cause>(t);
    const Cause before = TransferOf(cause).dynamic ? OnlyCauseBefore(cause) : kAtHome;
    // In a loop one that stands later may come before: its own chain is not known yet.
    const bool known = before != kAtHome && before < cause && TransferOf(before).dynamic;
    chain_start_[t] = known ? chain_start_[static_cast<size_t>(before)] : cause;
  }
}

int32_t Handles::BlockOf(Point at) const {
  if (at.instruction < 0) return 0;
  return static_cast<size_t>(at.instruction) < flow_.graph.block_of.size()
             ? flow_.graph.block_of[static_cast<size_t>(at.instruction)]
             : static_cast<int32_t>(flow_.graph.blocks.size()) - 1;
}

Handles::Cause Handles::LastIn(int32_t block, int32_t name, Point at) const {
  const auto& causes = causes_of_.at(name);
  const auto it =
      std::ranges::lower_bound(causes, at, {}, [&](Cause c) { return PointOf(TransferOf(c)); });
  if (it == causes.begin()) return kAtHome;
  const Cause last = *std::prev(it);
  const int32_t begin = flow_.graph.blocks[static_cast<size_t>(block)].begin;
  return TransferOf(last).instruction >= begin ? last : kAtHome;
}

// Each use of a handle wants its place, back to the transfers that put it there.
void Handles::FindWanted() {
  const auto want_in = [&](int32_t block, int32_t name, Point at) {
    if (IsHandle(name) && LastIn(block, name, at) == kAtHome) WantFrom(block, name);
  };
  const auto want = [&](int32_t name, Point at) { want_in(BlockOf(at), name, at); };
  for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
    const auto at = static_cast<size_t>(i);
    for (const Read& r : flow_.effects.ReadsOf(at)) want(r.value, {i, Step::kRead});
    for (const Write& w : flow_.effects.WritesOf(at)) want(w.value, {i, Step::kWrite});
  }
  for (const Transfer& t : flow_.aliases.transfers) {
    for (const int32_t source : flow_.aliases.SourcesOf(t)) want(source, PointOf(t));
  }
  const std::vector<LiveName> ends = NamesAtEnd(flow_);
  for (size_t b = 0; b < flow_.graph.blocks.size(); ++b) {
    const Block& block = flow_.graph.blocks[b];
    if (!block.exits) continue;
    for (const LiveName& n : ends) {
      want_in(static_cast<int32_t>(b), n.name, {block.end, Step::kBefore});
    }
  }
}

void Handles::WantFrom(int32_t block, int32_t name) {
  std::vector<int32_t> left = {block};
  while (!left.empty()) {
    const int32_t at = left.back();
    left.pop_back();
    if (!wanted_.insert(KeyOf(at, name)).second) continue;
    for (const int32_t before : flow_.graph.blocks[static_cast<size_t>(at)].predecessors) {
      const int32_t end = flow_.graph.blocks[static_cast<size_t>(before)].end;
      if (LastIn(before, name, {end, Step::kBefore}) == kAtHome) left.push_back(before);
    }
  }
}

void Handles::Propagate() {
  FindWanted();
  for (const auto& [name, causes] : causes_of_) {
    const Point end_of_entry = {flow_.graph.blocks[0].end, Step::kBefore};
    if (LastIn(0, name, end_of_entry) == kAtHome) PropagateFrom(0, name, kAtHome);
    for (size_t c = 0; c < causes.size(); ++c) {
      const int32_t block = BlockOf(PointOf(TransferOf(causes[c])));
      const bool last =
          c + 1 == causes.size() || BlockOf(PointOf(TransferOf(causes[c + 1]))) != block;
      if (last) PropagateFrom(block, name, causes[c]);
    }
  }
}

void Handles::PropagateFrom(int32_t block, int32_t name, Cause cause) {
  std::vector<int32_t> left = {block};
  while (!left.empty()) {
    const int32_t from = left.back();
    left.pop_back();
    for (const int32_t next : flow_.graph.blocks[static_cast<size_t>(from)].successors) {
      if (!wanted_.contains(KeyOf(next, name))) continue;
      auto& known = reaching_[KeyOf(next, name)];
      if (std::ranges::find(known, cause) != known.end()) continue;
      known.push_back(cause);
      const int32_t end = flow_.graph.blocks[static_cast<size_t>(next)].end;
      if (LastIn(next, name, {end, Step::kBefore}) == kAtHome) left.push_back(next);
    }
  }
}

void Handles::HoldersAt(int32_t name, Point at, std::vector<int32_t>& holders) const {
  std::set<std::pair<int32_t, Point>> seen;
  std::vector<std::pair<int32_t, Point>> pending = {{name, at}};
  const auto follow = [&](int32_t handle, Cause cause) {
    if (cause == kAtHome || !TransferOf(cause).dynamic) {
      holders.push_back(handle);
      return;
    }
    const Transfer& start = TransferOf(chain_start_[static_cast<size_t>(cause)]);
    for (const int32_t source : flow_.aliases.SourcesOf(start)) {
      pending.emplace_back(source, PointOf(start));
    }
  };
  while (!pending.empty()) {
    const auto [handle, when] = pending.back();
    pending.pop_back();
    work_ += kWorkPerMove;
    if (!IsHandle(handle)) {
      holders.push_back(handle);
      continue;
    }
    if (!seen.insert({handle, when}).second) continue;
    const int32_t block = BlockOf(when);
    if (const Cause last = LastIn(block, handle, when); last != kAtHome) {
      follow(handle, last);
      continue;
    }
    if (block == 0) follow(handle, kAtHome);
    if (const auto it = reaching_.find(KeyOf(block, handle)); it != reaching_.end()) {
      for (const Cause cause : it->second) follow(handle, cause);
    }
  }
  std::ranges::sort(holders);
  holders.erase(std::ranges::unique(holders).begin(), holders.end());
}

std::vector<MovedPlace> MovedPlacesOf(const MethodFlow& flow) {
  std::vector<MovedPlace> moved;
  if (std::ranges::none_of(flow.aliases.transfers, &Transfer::dynamic)) return moved;
  const Handles handles(flow);
  std::vector<int32_t> holders;
  const auto note = [&](int32_t i, int32_t v) {
    if (!handles.IsHandle(v)) return;
    holders.clear();
    handles.HoldersAt(v, {i, Step::kRead}, holders);
    for (const int32_t holder : holders) moved.push_back({i, v, holder});
  };
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (!flow.graph.blocks[static_cast<size_t>(flow.graph.block_of[at])].reachable) continue;
    for (const Write& w : flow.effects.WritesOf(at)) note(i, w.value);
    for (const Read& r : flow.effects.ReadsOf(at)) note(i, r.value);
  }
  std::ranges::sort(moved);
  moved.erase(std::ranges::unique(moved).begin(), moved.end());
  return moved;
}

}  // namespace pteproof::meaning
