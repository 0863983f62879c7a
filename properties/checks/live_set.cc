#include "properties/checks/live_set.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "properties/vocabulary.h"

namespace pteproof::checks {

LiveSet::LiveSet(const MethodFlow& flow, const Handles* handles, uint64_t alignment)
    : flow_(flow), handles_(handles), alignment_(alignment), live_(flow.method.bank_sizes.size()) {
  entries_.resize(flow.method.values.size() + flow.roles.states.size());
  named_.reserve(entries_.size());
  HoldState();
}

// Under names of its own, which no one takes out.
void LiveSet::HoldState() {
  const auto names = static_cast<int32_t>(entries_.size());
  for (size_t s = 0; s < flow_.roles.states.size(); ++s) {
    const auto state = static_cast<int32_t>(s);
    const Place place = Reserved(flow_.value_count() + state);
    if (place.empty()) continue;
    if (!held_) held_.emplace(flow_.method.bank_sizes.size());
    held_->Insert(names + state, {&place, 1});
  }
}

void LiveSet::Clear() {
  for (const int32_t name : named_) {
    Entry& entry = At(name);
    if (held_ && entry.live && !entry.evicted) held_->Remove(name, PlacesOf(name));
    entry.live = false;
    if (!IsHandle(name)) {
      live_.Clear(flow_.PlaceOf(name).bank);
      continue;
    }
    for (const int32_t holder : holders_of_[name]) live_.Clear(flow_.PlaceOf(holder).bank);
  }
  named_.clear();
  unplanned_.clear();
}

// Bytes as the plan reserves them, rounded up to its alignment. So the sum is the size that a plan
// needs.
Place LiveSet::Reserved(int32_t name) const {
  Place place = flow_.PlaceOf(name);
  if (place.empty()) return place;
  const uint64_t over = place.hi & (alignment_ - 1);
  if (over != 0 && place.hi <= UINT64_MAX - alignment_) place.hi += alignment_ - over;
  return place;
}

void LiveSet::Enliven(LiveName n, Point at) {
  Entry& entry = At(n.name);
  const bool known = entry.live && !entry.evicted;
  entry.reader = n.reader;  // a read before the loss was told wants the bytes anew
  if (known) return;
  entry.live = true;
  entry.evicted = false;
  named_.push_back(n.name);
  if (IsHandle(n.name)) {
    auto& holders = holders_of_[n.name];
    holders.clear();
    handles_->HoldersAt(n.name, at, holders);
    for (const int32_t holder : holders) {
      if (IsBrought(holder)) unplanned_[holder].push_back(n.name);
    }
  } else if (IsBrought(n.name)) {
    unplanned_[n.name].push_back(n.name);
  }
  Map(n.name);
}

std::span<const Place> LiveSet::PlacesOf(int32_t name) {
  places_.clear();
  const auto add = [&](int32_t holder) {
    if (const Place place = Reserved(holder); !place.empty()) places_.push_back(place);
  };
  if (IsHandle(name)) {
    std::ranges::for_each(holders_of_[name], add);
  } else {
    add(name);
  }
  return places_;
}

void LiveSet::Map(int32_t name) {
  const auto places = PlacesOf(name);
  live_.Insert(name, places);
  if (held_) held_->Insert(name, places);
}

void LiveSet::Kill(int32_t name) {
  Entry& entry = At(name);
  if (entry.live && !entry.evicted) Unmap(name);
  entry.live = false;
}

void LiveSet::Evict(int32_t name) {
  Entry& entry = At(name);
  if (!entry.live || entry.evicted) return;
  Unmap(name);
  entry.evicted = true;
}

void LiveSet::Unmap(int32_t name) {
  if (!IsHandle(name)) {
    if (IsBrought(name)) std::erase(unplanned_[name], name);
  } else {
    for (const int32_t holder : holders_of_[name]) {
      if (IsBrought(holder)) std::erase(unplanned_[holder], name);
    }
  }
  const auto places = PlacesOf(name);
  live_.Remove(name, places);
  if (held_) held_->Remove(name, places);
}

std::span<const int32_t> LiveSet::Meet(const Place& place) {
  met_.clear();
  live_.map().Meet(place, met_);
  return met_;
}

std::span<const int32_t> LiveSet::MeetUnplanned(int32_t holder) {
  met_.clear();
  if (const auto names = unplanned_.find(holder); names != unplanned_.end()) met_ = names->second;
  return met_;
}

// Without handles no two names lie in one such piece.
bool LiveSet::IsBrought(int32_t holder) const {
  if (!HasHandles() || holder >= flow_.value_count()) return false;
  const Tensor* tensor = flow_.method.TensorOf(holder);
  return tensor != nullptr && !tensor->planned && tensor->nbytes > 0 &&
         flow_.roles.of[static_cast<size_t>(holder)] != Role::kConstant;
}

int32_t LiveSet::HolderIn(int32_t name, const Place& place) const {
  const auto handle = holders_of_.find(name);
  if (!IsHandle(name) || handle == holders_of_.end()) return name;
  const auto& holders = handle->second;
  const auto found =
      std::ranges::find_if(holders, [&](int32_t h) { return flow_.PlaceOf(h).Meets(place); });
  return found == holders.end() ? name : *found;
}

std::vector<int32_t> LiveSet::HoldersAt(int32_t name, Point at) const {
  std::vector<int32_t> holders;
  if (handles_ == nullptr) return {name};
  handles_->HoldersAt(name, at, holders);
  return holders;
}

// Operands live through the write point, unless a result takes their bytes.
void LiveSet::MeasureDuring(int32_t instruction) {
  const auto writes = flow_.effects.WritesOf(static_cast<size_t>(instruction));
  const auto reads = flow_.effects.ReadsOf(static_cast<size_t>(instruction));
  for (const Write& w : writes) {
    if (!IsLive(w.value) && !IsHandle(w.value)) CountPlace(Reserved(w.value));
  }
  for (const Read& r : reads) {
    if (IsLive(r.value)) continue;
    if (IsHandle(r.value)) {
      CountHandle(r.value, instruction);
    } else {
      CountPlace(Reserved(r.value));
    }
  }
  NoteCounted();
}

void LiveSet::MeasureInputs() {
  for (const int32_t v : flow_.method.inputs) {
    if (!IsLive(v)) CountPlace(Reserved(v));
  }
  NoteCounted();
}

// Each byte once, whether names share it or it is live already.
void LiveSet::NoteCounted() {
  if (counted_.empty()) return;
  std::ranges::sort(counted_, {}, [](const Place& p) { return std::tuple(p.bank, p.lo); });
  live_.CountBesides(counted_);
  if (held_) held_->CountBesides(counted_);
  counted_.clear();
}

// In each bank that it may lie in, the largest of its holders, where nothing else is live.
void LiveSet::CountHandle(int32_t name, int32_t instruction) {
  std::map<uint32_t, Place> largest;
  for (const int32_t holder : HoldersAt(name, {instruction, Step::kRead})) {
    const Place place = Reserved(holder);
    Place& known = largest[place.bank];
    if (place.hi - place.lo > known.hi - known.lo) known = place;
  }
  for (const auto& [bank, place] : largest) CountPlace(place);
}

void LiveSet::CountPlace(const Place& place) {
  if (!place.empty()) counted_.push_back(place);
}

}  // namespace pteproof::checks
