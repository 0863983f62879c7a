#include "properties/checks/handles.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

namespace pteproof::checks {

Handles::Handles(const MethodFlow& flow, const NameEvents& events, const Liveness& live)
    : flow_(flow), events_(events), is_handle_(flow.method.values.size()) {
  for (const Transfer& t : flow.aliases.transfers) {
    if (t.dynamic) is_handle_[static_cast<size_t>(t.to)] = true;
  }
  if (!flow.graph.straight()) Propagate(live);
}

int32_t Handles::BlockOf(Point at) const {
  return static_cast<size_t>(at.instruction) < flow_.graph.block_of.size()
             ? flow_.graph.block_of[static_cast<size_t>(at.instruction)]
             : static_cast<int32_t>(flow_.graph.blocks.size()) - 1;
}

void Handles::Propagate(const Liveness& live) {
  std::unordered_set<Key> live_out;
  for (size_t b = 0; b < live.out.size(); ++b) {
    for (const LiveName& n : live.out[b]) {
      if (IsHandle(n.name)) live_out.insert(KeyOf(static_cast<int32_t>(b), n.name));
    }
  }
  std::vector<std::pair<int32_t, const Make*>> pending;  // a block that the make leaves, alive
  const auto leave = [&](int32_t block, int32_t name, const Make* make) {
    if (!live_out.contains(KeyOf(block, name))) return;
    for (const int32_t next : flow_.graph.blocks[static_cast<size_t>(block)].successors) {
      auto& known = reaching_[KeyOf(next, name)];
      if (std::ranges::find(known, make) != known.end()) continue;
      known.push_back(make);
      const int32_t end = flow_.graph.blocks[static_cast<size_t>(next)].end;
      const int32_t begin = flow_.graph.blocks[static_cast<size_t>(next)].begin;
      if (events_.LastBefore(name, {end, Step::kBefore}, begin) != nullptr) continue;
      pending.emplace_back(next, make);
    }
  };
  for (int32_t name = 0; name < flow_.value_count(); ++name) {
    if (!IsHandle(name)) continue;
    const auto makes = events_.Of(name);
    for (size_t m = 0; m < makes.size(); ++m) {
      const int32_t block = BlockOf(makes[m].at);
      const bool last = m + 1 == makes.size() || BlockOf(makes[m + 1].at) != block;
      if (last) leave(block, name, &makes[m]);
    }
    while (!pending.empty()) {
      const auto [block, make] = pending.back();
      pending.pop_back();
      leave(block, name, make);
    }
  }
}

void Handles::HoldersAt(int32_t name, Point at, std::vector<int32_t>& holders) const {
  if (!IsHandle(name)) {
    holders.push_back(name);
    return;
  }
  std::set<std::pair<int32_t, Point>> seen;
  std::vector<std::pair<int32_t, Point>> pending = {{name, at}};
  while (!pending.empty()) {
    const auto [handle, when] = pending.back();
    pending.pop_back();
    if (!seen.insert({handle, when}).second) continue;
    const int32_t block = BlockOf(when);
    const auto follow = [&](const Make& make) {
      if (make.kind != MakeKind::kTaken) {
        holders.push_back(handle);
        return;
      }
      const Transfer& transfer = flow_.aliases.transfers[static_cast<size_t>(make.transfer)];
      if (!transfer.dynamic) {
        holders.push_back(handle);
        return;
      }
      for (const int32_t source : flow_.aliases.SourcesOf(transfer)) {
        if (IsHandle(source)) {
          pending.emplace_back(source, make.at);
        } else {
          holders.push_back(source);
        }
      }
    };
    const int32_t begin = flow_.graph.blocks[static_cast<size_t>(block)].begin;
    if (const Make* last = events_.LastBefore(handle, when, begin); last != nullptr) {
      follow(*last);
    } else if (const auto it = reaching_.find(KeyOf(block, handle)); it != reaching_.end()) {
      for (const Make* make : it->second) follow(*make);
    }
  }
  std::ranges::sort(holders);
  holders.erase(std::ranges::unique(holders).begin(), holders.end());
}

}  // namespace pteproof::checks
