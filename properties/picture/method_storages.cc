#include "properties/picture/method_storages.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "properties/value_uses.h"

namespace pteproof::picture {
namespace {

using checks::Handles;
using checks::LiveName;
using checks::Liveness;
using checks::MethodFlow;
using checks::MethodMeaning;
using checks::Place;
using checks::Step;
using checks::Usage;
using checks::ValueUses;
using checks::Write;

// The first and the last instruction that touch a value; one does.
std::pair<int64_t, int64_t> MentionsOf(const Usage& usage) {
  const int64_t last = std::max(usage.last_read, usage.last_write);
  if (usage.first_read < 0) return {usage.first_write, last};
  if (usage.first_write < 0) return {usage.first_read, last};
  return {std::min(usage.first_read, usage.first_write), last};
}

// Collects the parts of each storage, then derives the rest from all of them.
class StorageDrawer {
 public:
  StorageDrawer(const MethodMeaning& meant, ValueUses uses, Sharing sharing)
      : flow_(meant.flow()),
        uses_(std::move(uses)),
        sharing_(std::move(sharing)),
        input_of_(meant.method->values.size(), -1),
        output_of_(meant.method->values.size(), -1) {
    const bool moves = std::ranges::any_of(flow_.aliases.transfers, &checks::Transfer::dynamic);
    if (moves) handles_.emplace(flow_);
  }

  std::vector<std::vector<Storage>> Run() && {
    NoteInputs();
    NoteOutputs();
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      if (flow_.PlaceOf(v).empty()) continue;
      if (!uses_.of[Index(v)].empty()) AddPart(v);
    }
    NoteWrites();
    NoteReads();
    std::vector<std::vector<Storage>> by_bank(flow_.method.bank_sizes.size());
    for (auto& [root, storage] : storages_) {
      Finish(storage);
      by_bank[flow_.PlaceOf(root).bank].push_back(std::move(storage));
    }
    AddReserved(by_bank);
    for (auto& storages : by_bank) {
      std::ranges::stable_sort(storages, {}, [](const Storage& s) {
        return std::tuple(s.lo, s.live.front().lower, s.hi);
      });
    }
    return by_bank;
  }

 private:
  static size_t Index(int32_t v) { return static_cast<size_t>(v); }
  [[nodiscard]] int64_t ExitPoint() const { return 2 * int64_t{flow_.instruction_count()}; }

  void NoteInputs() {
    const auto& inputs = flow_.method.inputs;
    for (size_t i = inputs.size(); i-- > 0;) input_of_[Index(inputs[i])] = static_cast<int32_t>(i);
  }

  // Where each output lies when the method ends.
  void NoteOutputs() {
    const int32_t count = flow_.instruction_count();
    std::vector<int32_t> positions;
    for (size_t i = 0; i < flow_.method.outputs.size(); ++i) {
      if (flow_.method.TensorOf(flow_.method.outputs[i]) != nullptr) {
        positions.push_back(static_cast<int32_t>(i));
      }
    }
    const std::vector<LiveName> ends = checks::NamesAtEnd(flow_);
    std::vector<int32_t> holders;
    for (size_t e = ends.size(); e-- > 0;) {
      if (ends[e].reader != count) continue;
      FindHolders(ends[e].name, {count - 1, Step::kEnd}, holders);
      const int32_t position = positions[std::min(e, positions.size() - 1)];
      for (const int32_t holder : holders) output_of_[Index(holder)] = position;
    }
  }

  // The values in whose bytes a name lies.
  void FindHolders(int32_t name, checks::Point at, std::vector<int32_t>& holders) const {
    holders.clear();
    if (handles_ && handles_->IsHandle(name)) {
      handles_->HoldersAt(name, at, holders);
    } else {
      holders.push_back(name);
    }
  }

  void AddPart(int32_t v) {
    Part part = PartOf(v);
    part.live = std::move(uses_.of[Index(v)]);
    LeaveOutUnmade(v, part.live);
    const bool stays = part.output >= 0 || flow_.StateOf(v) >= 0;
    if (stays) part.live.push_back({ExitPoint(), ExitPoint() + 1});
    part.live = Merged(std::move(part.live));
    if (part.live.empty()) return;
    storages_[sharing_.storage_of[Index(v)]].parts.push_back(std::move(part));
  }

  // A value that is filled part by part is wanted as a whole, also before its first part is there:
  // until the loop that fills it, it is empty.
  void LeaveOutUnmade(int32_t v, std::vector<PointSpan>& live) const {
    const Usage& usage = flow_.roles.usage[Index(v)];
    const bool is_made_here = usage.filled && flow_.roles.of[Index(v)] == checks::Role::kLocal;
    if (!is_made_here || usage.first_write < 0) return;
    const int32_t block = flow_.graph.block_of[Index(usage.first_write)];
    const int64_t from = 2 * int64_t{flow_.graph.blocks[Index(block)].begin};
    for (PointSpan& span : live) span.lower = std::max(span.lower, from);
    std::erase_if(live, [](const PointSpan& span) { return span.lower >= span.upper; });
  }

  [[nodiscard]] Part PartOf(int32_t v) const {
    const Tensor& tensor = *flow_.method.TensorOf(v);
    const Place& place = flow_.PlaceOf(v);
    const auto sizes = flow_.method.Ints(tensor.sizes);
    Part part;
    part.value = v;
    part.how = sharing_.how[Index(v)];
    part.lo = place.lo;
    part.hi = place.hi;
    part.name = NameOf(v);
    part.dtype = tensor.dtype;
    part.bounded = tensor.dynamism == Dynamism::kBounded;
    part.sizes.assign(sizes.begin(), sizes.end());
    part.input = input_of_[Index(v)];
    part.output = output_of_[Index(v)];
    return part;
  }

  // A buffer's own value may have its name from the manifest.
  [[nodiscard]] std::string NameOf(int32_t v) const {
    const int32_t state = flow_.roles.state_of[Index(v)];
    const bool is_buffer = state >= 0 && flow_.roles.states[Index(state)].value == v;
    if (is_buffer) return std::string(flow_.roles.states[Index(state)].key);
    return std::string(flow_.method.NameOf(v));
  }

  void NoteWrites() {
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      for (const Write& w : flow_.effects.WritesOf(Index(i))) {
        const auto storage = storages_.find(sharing_.storage_of[Index(w.value)]);
        if (storage == storages_.end()) continue;
        std::vector<int32_t>& writes = storage->second.writes;
        if (writes.empty() || writes.back() != i) writes.push_back(i);
      }
    }
  }

  void NoteReads() {
    std::vector<int32_t> holders;
    for (int32_t i = 0; i < flow_.instruction_count(); ++i) {
      for (const checks::Read& r : flow_.effects.ReadsOf(Index(i))) {
        FindHolders(r.value, {i, Step::kRead}, holders);
        for (const int32_t holder : holders) {
          const auto storage = storages_.find(sharing_.storage_of[Index(holder)]);
          if (storage == storages_.end()) continue;
          std::vector<int32_t>& reads = storage->second.reads;
          if (reads.empty() || reads.back() != i) reads.push_back(i);
        }
      }
    }
  }

  void Finish(Storage& storage) const {
    std::ranges::stable_sort(storage.parts, {}, [](const Part& p) { return p.live.front().lower; });
    storage.lo = storage.parts.front().lo;
    for (const Part& part : storage.parts) {
      storage.lo = std::min(storage.lo, part.lo);
      storage.hi = std::max(storage.hi, part.hi);
      storage.live.insert(storage.live.end(), part.live.begin(), part.live.end());
      storage.kind = std::min(storage.kind, KindOf(part));
    }
    storage.live = Merged(std::move(storage.live));
  }

  [[nodiscard]] Kind KindOf(const Part& part) const {
    if (flow_.StateOf(part.value) >= 0) return Kind::kState;
    if (part.input >= 0) return Kind::kInput;
    return part.output >= 0 ? Kind::kOutput : Kind::kIntermediate;
  }

  // A moved name lies in the bytes of its source: its own place stays empty while it is in use.
  void AddReserved(std::vector<std::vector<Storage>>& by_bank) const {
    std::vector<bool> is_moved(flow_.method.values.size());
    for (const auto& t : flow_.aliases.transfers) {
      if (t.dynamic) is_moved[Index(t.to)] = true;
    }
    for (int32_t v = 0; v < flow_.value_count(); ++v) {
      const Usage& usage = flow_.roles.usage[Index(v)];
      const Place& place = flow_.PlaceOf(v);
      const bool has_uses = storages_.contains(sharing_.storage_of[Index(v)]);
      if (!is_moved[Index(v)] || place.empty() || has_uses || !usage.touched()) continue;
      const auto [first, last] = MentionsOf(usage);
      Part part = PartOf(v);
      part.live = {{2 * first, usage.is_output ? ExitPoint() + 1 : 2 * last + 2}};
      by_bank[place.bank].push_back(
          {Kind::kReserved, place.lo, place.hi, part.live, {std::move(part)}, {}});
    }
  }

  const MethodFlow flow_;
  ValueUses uses_;
  const Sharing sharing_;
  std::optional<Handles> handles_;  // nothing: no name is moved
  std::vector<int32_t> input_of_;   // per value: position, -1
  std::vector<int32_t> output_of_;  // per value: position of the output that lies in it, -1
  std::map<int32_t, Storage> storages_;
};

}  // namespace

MethodStorages StoragesOfMethod(const MethodMeaning& meant, const std::set<ValuePair>& quarrels) {
  if (!meant.live.complete) return {false, {}};
  ValueUses uses = checks::UsesOf(meant.flow(), meant.live);
  Sharing sharing = SharingOf(meant, uses, quarrels);
  return {true, StorageDrawer(meant, std::move(uses), std::move(sharing)).Run()};
}

}  // namespace pteproof::picture
