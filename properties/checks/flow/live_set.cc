#include "properties/checks/flow/live_set.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pteproof::checks {

LiveSet::LiveSet(const MethodFlow& flow, const Handles* handles, uint64_t alignment)
    : flow_(flow), handles_(handles), alignment_(alignment) {
  entries_.resize(flow.method.values.size() + flow.roles.states.size());
  named_.reserve(entries_.size());
  load_.resize(flow.method.bank_sizes.size());
  if (HasHandles()) spare_.resize(load_.size());
}

void LiveSet::Clear() {
  for (const int32_t name : named_) {
    At(name).live = false;
    if (!IsHandle(name)) {
      map_.Clear(flow_.PlaceOf(name).bank);
      continue;
    }
    const Handle& handle = handle_of_[name];
    for (const int32_t holder : handle.holders) map_.Clear(flow_.PlaceOf(holder).bank);
    spare_[handle.bank] = 0;
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
    Handle& handle = handle_of_[n.name];
    handle = {};
    handles_->HoldersAt(n.name, at, handle.holders);
    MapHandle(n.name, handle);
    return;
  }
  const Place place = Reserved(n.name);
  if (IsBrought(n.name)) unplanned_[n.name].push_back(n.name);
  map_.Insert(n.name, place);
  if (!place.empty()) Note(place.bank, 0);
}

void LiveSet::MapHandle(int32_t name, Handle& handle) {
  uint64_t largest = 0;
  for (const int32_t holder : handle.holders) {
    const Place place = Reserved(holder);
    if (IsBrought(holder)) unplanned_[holder].push_back(name);
    if (place.empty()) continue;
    if (handle.bank != 0 && place.bank != handle.bank) {
      map_.Insert(name, place);
      Note(place.bank, 0);
      continue;
    }
    handle.bank = place.bank;
    const uint64_t before = map_.LiveBytes(place.bank);
    map_.Insert(name, place);
    const uint64_t added = map_.LiveBytes(place.bank) - before;
    handle.spare += std::min(largest, added);
    largest = std::max(largest, added);
  }
  if (handle.bank == 0) return;
  spare_[handle.bank] += handle.spare;
  Note(handle.bank, 0);
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
    map_.Remove(name, Reserved(name));
    return;
  }
  Handle& handle = handle_of_[name];
  for (const int32_t holder : handle.holders) {
    if (IsBrought(holder)) std::erase(unplanned_[holder], name);
    map_.Remove(name, Reserved(holder));
  }
  spare_[handle.bank] -= handle.spare;
  handle.spare = 0;
}

std::span<const int32_t> LiveSet::Meet(const Place& place) {
  met_.clear();
  map_.Meet(place, met_);
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
  const auto handle = handle_of_.find(name);
  if (!IsHandle(name) || handle == handle_of_.end()) return name;
  const auto& holders = handle->second.holders;
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

void LiveSet::Note(uint32_t bank, uint64_t extra) {
  const uint64_t bytes = map_.LiveBytes(bank) + extra;
  const uint64_t spare = HasHandles() ? spare_[bank] : 0;
  if (bytes > spare) load_[bank] = std::max(load_[bank], bytes - spare);
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
  uint64_t extra = 0;
  uint64_t at = 0;
  for (size_t c = 0; c < counted_.size(); ++c) {
    Place place = counted_[c];
    place.lo = std::max(place.lo, at);
    if (place.lo < place.hi) {
      extra += place.hi - place.lo - map_.LiveBytesIn(place);
      at = place.hi;
    }
    if (c + 1 < counted_.size() && counted_[c + 1].bank == place.bank) continue;
    Note(place.bank, extra);
    extra = at = 0;
  }
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
