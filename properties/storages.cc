#include "properties/storages.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.h"
#include "properties/checks/byte_map.h"
#include "properties/checks/clobbers.h"
#include "properties/value_uses.h"

namespace pteproof {
namespace {

using checks::Liveness;
using checks::MethodFlow;
using checks::Place;
using checks::Transfer;

// Puts values into one storage that share bytes at some point, or hand them on.
class StorageMaker {
 public:
  StorageMaker(const MethodFlow& flow, std::vector<std::vector<PointSpan>> uses)
      : flow_(flow), uses_(std::move(uses)), sets_(uses_.size()) {}

  std::vector<PlannedStorage> Run() && {
    JoinAliases();
    JoinWhatMeets();
    std::map<int32_t, PlannedStorage> storages;
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      if (IsUsed(v)) Extend(storages[sets_.Of(v)], v);
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

  void JoinAliases() {
    for (const Transfer& t : flow_.aliases.transfers) {
      for (const int32_t source : flow_.aliases.SourcesOf(t)) {
        if (!t.dynamic && PlaceOf(t.to).Meets(PlaceOf(source))) sets_.Join(t.to, source);
      }
    }
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      const int32_t root = flow_.aliases.root[static_cast<size_t>(v)];
      if (PlaceOf(v).Meets(PlaceOf(root))) sets_.Join(v, root);
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
      for (const int32_t other : met) sets_.Join(event.value, other);
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
  DisjointSets sets_;
};

}  // namespace

std::optional<PlannedStorages> StoragesOf(const Method& method) {
  const meaning::MethodMeaning meant = meaning::MeaningOf(method, nullptr);
  if (!meant.live.complete) return std::nullopt;
  const MethodFlow flow = meant.flow();
  return PlannedStorages{checks::PlanAlignment(method),
                         StorageMaker(flow, checks::UsesOf(flow, meant.live).of).Run()};
}

}  // namespace pteproof
