// Idea: if an argument has the name of a buffer, an exporter may emit the buffer's store to the
// argument. Such a store is visible: its target is an input, and nobody can see the stored value.
//
//   2: copy_(v1, v5)    v1 is stored to again before anybody reads it: captured
//   3: copy_(v1, v6)    v1 is returned, and this is its last store: its own new value
//   4: copy_(v2, v7)    v2 is an input that the method does not return: captured
//   5: copy_(v3, v3)    a copy onto itself: captured
//
// Each block is walked backwards with the inputs that a later instruction replaces as a whole. Then
// the stores are matched with buffers of the stored type and size: in the exporter's order the n-th
// store belongs to the n-th buffer; otherwise a store prefers a buffer whose value at entry its
// source is computed from.
//
// Invariant: at instruction i, replaced_ holds the returned inputs that a later instruction of the
// block replaces with no read in between.
//
// Cost: O(n log n) for the search, and O(instructions) for each of at most kFollowed sources.
#include "properties/rules/captured_stores.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "properties/vocabulary.h"
#include "reference/op_schema.h"

namespace pteproof::checks {
namespace {

// Stores whose sources are followed back; beyond, the order alone decides.
constexpr size_t kFollowed = 64;

// The input that a write replaces as a whole, or -1.
int32_t ReplacedInput(const MethodFlow& flow, const Write& w) {
  const bool is_input = flow.roles.of[static_cast<size_t>(w.value)] == Role::kInput;
  return is_input && !w.is_out && w.access == Access::kWrite ? w.value : -1;
}

// The inputs of which the exporter says by their place that the model mutates them: the outputs
// begin with one name of each, its own value or the one that its store returns.
std::set<int32_t> ReturnedFirst(const MethodFlow& flow) {
  const ReturnSlots slots(flow.effects);
  std::set<int32_t> first;
  for (const int32_t v : flow.method.outputs) {
    const auto input = static_cast<size_t>(slots.Written(v));
    const bool mutated =
        flow.roles.of[input] == Role::kInput && flow.roles.usage[input].written_in_place;
    if (!mutated || !first.insert(static_cast<int32_t>(input)).second) break;
  }
  return first;
}

// Whether a model that mutates the input is behind its last store.
enum class OwnStore : uint8_t { kNo, kMaybe, kYes };

// Walks each block backwards with the inputs that are stored to before anybody reads them.
class CaptureSearch {
 public:
  CaptureSearch(const MethodFlow& flow, const ManifestMethod* stated)
      : flow_(flow), stated_(stated), returned_first_(ReturnedFirst(flow)) {
    for (const Write& w : flow.effects.writes) {
      if (const int32_t input = ReplacedInput(flow, w); input >= 0) ++stores_to_[input];
    }
  }

  CapturedStores Run() && {
    for (const Block& block : flow_.graph.blocks) {
      if (!block.reachable) continue;
      replaced_.clear();
      next_rename_ = RenamesBefore(block.end);
      for (int32_t i = block.end; i-- > block.begin;) Look(i);
    }
    std::ranges::sort(captured_.sure);
    std::ranges::sort(captured_.doubtful);
    return std::move(captured_);
  }

 private:
  size_t RenamesBefore(int32_t instruction) const {
    const auto& renames = flow_.effects.renames;
    return static_cast<size_t>(
        std::ranges::lower_bound(renames, instruction, {}, &Rename::instruction) - renames.begin());
  }

  OwnStore OwnStoreOf(int32_t input) const {
    if (stated_ != nullptr && stated_->mutates_inputs.has_value()) {
      const bool mutated = std::ranges::any_of(*stated_->mutates_inputs, [&](int32_t position) {
        const auto k = static_cast<size_t>(position);
        return k < flow_.method.inputs.size() && flow_.method.inputs[k] == input;
      });
      return mutated ? OwnStore::kYes : OwnStore::kNo;
    }
    if (!returned_first_.contains(input)) return OwnStore::kNo;
    return stores_to_.at(input) == 1 ? OwnStore::kMaybe : OwnStore::kYes;
  }

  void Look(int32_t i) {
    if (IsSelfCopy(flow_, i)) {
      captured_.sure.push_back(i);
      return;
    }
    for (const Write& w : flow_.effects.WritesOf(static_cast<size_t>(i))) {
      const int32_t input = ReplacedInput(flow_, w);
      if (input < 0) continue;
      const OwnStore own = OwnStoreOf(input);
      const bool last = replaced_.insert(input).second;
      if (own == OwnStore::kYes && last) continue;
      (own == OwnStore::kMaybe && last ? captured_.doubtful : captured_.sure).push_back(i);
      break;
    }
    for (const Read& r : flow_.effects.ReadsOf(static_cast<size_t>(i))) Wanted(r.value);
    const auto& renames = flow_.effects.renames;
    for (; next_rename_ > 0 && renames[next_rename_ - 1].instruction >= i; --next_rename_) {
      const Rename& r = renames[next_rename_ - 1];
      if (!r.after_write) Wanted(r.from);
    }
  }

  void Wanted(int32_t value) { replaced_.erase(flow_.aliases.root[static_cast<size_t>(value)]); }

  const MethodFlow& flow_;
  const ManifestMethod* stated_;
  const std::set<int32_t> returned_first_;
  std::map<int32_t, int> stores_to_;  // per input: that replace it as a whole
  std::set<int32_t> replaced_;
  size_t next_rename_ = 0;
  CapturedStores captured_;
};

int32_t SourceOf(const MethodFlow& flow, int32_t store) {
  const auto reads = flow.effects.ReadsOf(static_cast<size_t>(store));
  return reads.empty() ? flow.effects.WritesOf(static_cast<size_t>(store)).front().value
                       : reads.front().value;
}

// The common properties of a state and of the source of a store to it.
using Form = std::pair<ScalarType, uint64_t>;

Form FormOf(const MethodMeaning& meant, int32_t value) {
  const Tensor& tensor = *meant.method->TensorOf(value);
  return {tensor.dtype, tensor.nbytes};
}

// Per state: whether its value at entry is used to compute the stored value, along the listing.
std::vector<bool> StatesBehind(const MethodMeaning& meant, int32_t store) {
  const MethodFlow flow = meant.flow();
  std::vector<bool> wanted(meant.method->values.size());
  const auto root = [&](int32_t v) {
    return static_cast<size_t>(flow.aliases.root[static_cast<size_t>(v)]);
  };
  wanted[root(SourceOf(flow, store))] = true;
  const auto& renames = flow.effects.renames;
  auto rename = std::ranges::lower_bound(renames, store, {}, &Rename::instruction);
  for (int32_t i = store; i-- > 0;) {
    const bool makes = std::ranges::any_of(flow.effects.WritesOf(static_cast<size_t>(i)),
                                           [&](const Write& w) { return wanted[root(w.value)]; });
    for (; rename != renames.begin() && std::prev(rename)->instruction >= i; --rename) {
      if (wanted[root(std::prev(rename)->to)]) wanted[root(std::prev(rename)->from)] = true;
    }
    if (!makes) continue;
    for (const Read& r : flow.effects.ReadsOf(static_cast<size_t>(i))) wanted[root(r.value)] = true;
  }
  std::vector<bool> behind(meant.roles.states.size());
  for (size_t v = 0; v < wanted.size(); ++v) {
    const int32_t state = wanted[v] ? meant.roles.state_of[v] : -1;
    if (state >= 0) behind[static_cast<size_t>(state)] = true;
  }
  return behind;
}

// Gives stores to states, each at most once.
class Giver {
 public:
  Giver(const MethodMeaning& meant, std::span<const int32_t> lost) : meant_(meant) {
    for (const int32_t s : lost) lost_[FormOf(meant, ValueOf(s))].push_back(s);
  }

  std::vector<MeantStore> Run(std::vector<int32_t> stores, bool told_by_order) && {
    size_t followed = 0;
    std::erase_if(stores, [&](int32_t store) {
      if (told_by_order || followed++ >= kFollowed) return false;
      const std::vector<bool> behind = StatesBehind(meant_, store);
      return Give(store, [&](int32_t state) { return behind[static_cast<size_t>(state)]; });
    });
    for (const int32_t store : stores) Give(store, [](int32_t) { return true; });
    return std::move(given_);
  }

 private:
  int32_t ValueOf(int32_t state) const {
    return meant_.roles.states[static_cast<size_t>(state)].value;
  }

  // To the first state left that fits and passes the test.
  template <class Test>
  bool Give(int32_t store, Test test) {
    auto& fitting = lost_[FormOf(meant_, SourceOf(meant_.flow(), store))];
    const auto state = std::ranges::find_if(fitting, test);
    if (state == fitting.end()) return false;
    given_.push_back({*state, store});
    fitting.erase(state);
    return true;
  }

  const MethodMeaning& meant_;
  std::map<Form, std::deque<int32_t>> lost_;
  std::vector<MeantStore> given_;
};

}  // namespace

CapturedStores CapturedStoresOf(const MethodFlow& flow, const ManifestMethod* stated) {
  return CaptureSearch(flow, stated).Run();
}

std::vector<MeantStore> MeantStores(const MethodMeaning& meant, std::span<const int32_t> lost,
                                    std::span<const int32_t> stores) {
  const bool told_by_order = meant.order.holds && lost.size() == stores.size();
  return Giver(meant, lost).Run({stores.begin(), stores.end()}, told_by_order);
}

bool MayBeMeant(const MethodMeaning& meant, int32_t state, std::span<const int32_t> stores) {
  const Form form = FormOf(meant, meant.roles.states[static_cast<size_t>(state)].value);
  return std::ranges::any_of(
      stores, [&](int32_t store) { return FormOf(meant, SourceOf(meant.flow(), store)) == form; });
}

}  // namespace pteproof::checks
