#include "properties/storages.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "properties/checks/byte_map.h"
#include "properties/checks/handles.h"
#include "properties/checks/method_check.h"
#include "properties/checks/name_events.h"

namespace pteproof {
namespace {

using checks::Block;
using checks::Handles;
using checks::Liveness;
using checks::MethodFlow;
using checks::Phase;
using checks::Place;
using checks::Point;
using checks::Step;
using checks::Transfer;

int64_t ReadPoint(int32_t instruction) {
  return 2 * int64_t{instruction};
}
int64_t WritePoint(int32_t instruction) {
  return 2 * int64_t{instruction} + 1;
}
int64_t EndPoint(int32_t instruction) {
  return 2 * int64_t{instruction} + 2;
}

int64_t PointAt(const Transfer& transfer) {
  switch (transfer.phase) {
    case Phase::kBefore:
      return ReadPoint(transfer.instruction);
    case Phase::kAt:
      return WritePoint(transfer.instruction);
    case Phase::kAfter:
      return EndPoint(transfer.instruction);
  }
  return EndPoint(transfer.instruction);
}

// Finds when each value's own bytes are in use, walking each block backwards.
class UseFinder {
 public:
  UseFinder(const MethodFlow& flow, const Liveness& liveness)
      : flow_(flow),
        liveness_(liveness),
        handles_(flow, liveness),
        uses_(flow.method.values.size()) {}

  // Per value, in no order.
  std::vector<std::vector<PointSpan>> Run() && {
    for (size_t b = 0; b < flow_.graph.blocks.size(); ++b) {
      if (flow_.graph.blocks[b].reachable) WalkBlock(b);
    }
    const PointSpan entry = {PointSpan::kEntry, PointSpan::kEntry + 1};
    const PointSpan always = {PointSpan::kEntry,
                              std::max<int64_t>(ReadPoint(flow_.instruction_count()), 0)};
    for (const int32_t v : flow_.method.inputs) uses_[static_cast<size_t>(v)].push_back(entry);
    for (const auto& state : flow_.roles.states) {
      uses_[static_cast<size_t>(state.value)].push_back(always);
    }
    return std::move(uses_);
  }

 private:
  // A name that is wanted later, and where it lies.
  struct Wanted {
    int64_t until = 0;
    std::vector<int32_t> holders;
  };

  void WalkBlock(size_t b) {
    const Block& block = flow_.graph.blocks[b];
    const auto& transfers = flow_.aliases.transfers;
    next_transfer_ = static_cast<size_t>(
        std::ranges::upper_bound(transfers, block.end - 1, {}, &Transfer::instruction) -
        transfers.begin());
    for (const auto& n : liveness_.out[b]) {
      Want(n.name, ReadPoint(block.end), {block.end - 1, Step::kEnd});
    }
    for (int32_t i = block.end; i-- > block.begin;) WalkInstruction(i);
    const int64_t begin = b == 0 ? PointSpan::kEntry : ReadPoint(block.begin);
    while (!wanted_.empty()) Make(wanted_.begin()->first, begin);
  }

  void WalkInstruction(int32_t i) {
    Take(i, Phase::kAfter);
    for (const auto& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
      Want(w.value, EndPoint(i), {i, Step::kWrite});
    }
    for (const auto& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
      if (w.access != Access::kFill) Make(w.value, WritePoint(i));
    }
    for (const auto& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) {
      Want(r.value, EndPoint(i), {i, Step::kRead});
    }
    Take(i, Phase::kAt);
    Take(i, Phase::kBefore);
  }

  // Names that take over what others hold: from here on back, those are wanted.
  void Take(int32_t i, Phase phase) {
    const auto& transfers = flow_.aliases.transfers;
    for (; next_transfer_ > 0; --next_transfer_) {
      const Transfer& t = transfers[next_transfer_ - 1];
      if (t.instruction != i || t.phase != phase) return;
      if (!wanted_.contains(t.to)) continue;
      Make(t.to, PointAt(t));
      for (const int32_t source : flow_.aliases.SourcesOf(t)) {
        Want(source, PointAt(t), checks::PointOf(t));
      }
    }
  }

  void Want(int32_t name, int64_t until, Point at) {
    if (name >= flow_.value_count()) return;  // the end of a state, which always lives
    const auto [wanted, is_new] = wanted_.try_emplace(name);
    if (!is_new) return;
    wanted->second.until = until;
    if (handles_.IsHandle(name)) {
      handles_.HoldersAt(name, at, wanted->second.holders);
    } else {
      wanted->second.holders = {name};
    }
  }

  void Make(int32_t name, int64_t point) {
    const auto wanted = wanted_.find(name);
    if (wanted == wanted_.end()) return;
    for (const int32_t holder : wanted->second.holders) {
      if (point >= wanted->second.until) continue;
      uses_[static_cast<size_t>(holder)].push_back({point, wanted->second.until});
    }
    wanted_.erase(wanted);
  }

  const MethodFlow& flow_;
  const Liveness& liveness_;
  Handles handles_;
  size_t next_transfer_ = 0;
  std::map<int32_t, Wanted> wanted_;
  std::vector<std::vector<PointSpan>> uses_;
};

std::vector<PointSpan> Merged(std::vector<PointSpan> spans) {
  std::ranges::sort(spans);
  std::vector<PointSpan> merged;
  for (const PointSpan& span : spans) {
    if (!merged.empty() && span.lower <= merged.back().upper) {
      merged.back().upper = std::max(merged.back().upper, span.upper);
    } else {
      merged.push_back(span);
    }
  }
  return merged;
}

// Puts values into one storage that share bytes at some point, or hand them on.
class StorageMaker {
 public:
  StorageMaker(const MethodFlow& flow, std::vector<std::vector<PointSpan>> uses)
      : flow_(flow), uses_(std::move(uses)), parent_(uses_.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (auto& spans : uses_) spans = Merged(std::move(spans));
  }

  std::vector<PlannedStorage> Run() && {
    JoinAliases();
    JoinWhatMeets();
    std::map<int32_t, PlannedStorage> storages;
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      if (IsUsed(v)) Extend(storages[Of(v)], v);
    }
    std::vector<PlannedStorage> list;
    for (auto& [root, storage] : storages) {
      storage.live = Merged(std::move(storage.live));
      list.push_back(std::move(storage));
    }
    std::ranges::sort(list, {},
                      [](const PlannedStorage& s) { return std::tuple(s.bank, s.values.front()); });
    return list;
  }

 private:
  struct Event {
    int64_t point = 0;
    bool begins = false;  // ends come first
    int32_t value = 0;
    auto operator<=>(const Event&) const = default;
  };

  [[nodiscard]] const Place& PlaceOf(int32_t v) const {
    return flow_.roles.place[static_cast<size_t>(v)];
  }
  [[nodiscard]] bool IsUsed(int32_t v) const {
    return !uses_[static_cast<size_t>(v)].empty() && !PlaceOf(v).empty();
  }

  int32_t Of(int32_t v) {
    auto at = static_cast<size_t>(v);
    while (static_cast<size_t>(parent_[at]) != at) {
      at = static_cast<size_t>(parent_[at] = parent_[static_cast<size_t>(parent_[at])]);
    }
    return static_cast<int32_t>(at);
  }

  void Join(int32_t a, int32_t b) {
    const int32_t x = Of(a);
    const int32_t y = Of(b);
    parent_[static_cast<size_t>(std::max(x, y))] = std::min(x, y);
  }

  void JoinAliases() {
    for (const Transfer& t : flow_.aliases.transfers) {
      for (const int32_t source : flow_.aliases.SourcesOf(t)) {
        if (!t.dynamic && PlaceOf(t.to).Meets(PlaceOf(source))) Join(t.to, source);
      }
    }
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      const int32_t root = flow_.aliases.root[static_cast<size_t>(v)];
      if (PlaceOf(v).Meets(PlaceOf(root))) Join(v, root);
    }
  }

  void JoinWhatMeets() {
    std::vector<Event> events;
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      if (!IsUsed(v)) continue;
      for (const PointSpan& span : uses_[static_cast<size_t>(v)]) {
        events.push_back({span.lower, true, v});
        events.push_back({span.upper, false, v});
      }
    }
    std::ranges::sort(events);
    checks::ByteMap live;
    std::vector<int32_t> met;
    for (const Event& event : events) {
      if (!event.begins) {
        live.Remove(event.value, PlaceOf(event.value));
        continue;
      }
      met.clear();
      live.Meet(PlaceOf(event.value), met);
      for (const int32_t other : met) Join(event.value, other);
      live.Insert(event.value, PlaceOf(event.value));
    }
  }

  void Extend(PlannedStorage& storage, int32_t v) const {
    const Place& place = PlaceOf(v);
    const bool is_new = storage.values.empty();
    storage.bank = place.bank;
    storage.lo = is_new ? place.lo : std::min(storage.lo, place.lo);
    storage.hi = std::max(storage.hi, place.hi);
    storage.values.push_back(v);
    const auto& spans = uses_[static_cast<size_t>(v)];
    storage.live.insert(storage.live.end(), spans.begin(), spans.end());
  }

  const MethodFlow& flow_;
  std::vector<std::vector<PointSpan>> uses_;  // per value
  std::vector<int32_t> parent_;               // per value
};

}  // namespace

std::optional<PlannedStorages> StoragesOf(const Method& method) {
  const checks::MethodCheck check = checks::AnalyseMethod(method, nullptr);
  const MethodFlow flow = check.flow();
  const Liveness liveness = checks::LivenessOf(flow, checks::NamesAtEnd(flow));
  if (!liveness.complete) return std::nullopt;
  return PlannedStorages{checks::PlanAlignment(method),
                         StorageMaker(flow, UseFinder(flow, liveness).Run()).Run()};
}

}  // namespace pteproof
