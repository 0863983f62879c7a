// Idea: without names, the manifest tells of a method's state only which buffers of one type and
// size it may be. A planner that lays methods out for sharing gives a buffer one place in all of
// them, in a bank that holds state only. So states of equal place and type in such banks are one
// buffer, which is one of those that all of their methods use:
//
//             [0,32)        [32,64)
//   step      k or v        k or v        after `get`: k, and so v
//   get       k             -
//
// A state that can be one buffer only takes its name, and no other state of the method can be it.
//
// Invariant: a state has a key, or at least one possible name, or the manifest says nothing of it.
//
// Cost: a round is linear in all possible names, and there are at most as many as states; in
// practice two or three.
#include "meaning/state_matching.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace pteproof::meaning {
namespace {

using Candidates = std::vector<std::string_view>;

class StateMatching {
 public:
  explicit StateMatching(std::span<MethodMeaning> methods) : methods_(methods) {
    for (MethodMeaning& meant : methods_) {
      std::map<uint32_t, bool> state_only;
      for (StateSlot& slot : meant.roles.states) {
        const auto [bank, fresh] = state_only.try_emplace(slot.place.bank, false);
        if (fresh) bank->second = HoldsStateOnly(meant, slot.place.bank);
        if (!bank->second || slot.place.empty()) continue;
        const ScalarType dtype = meant.method->TensorOf(slot.value)->dtype;
        at_place_[{slot.place.bank, slot.place.lo, slot.place.hi, dtype}].push_back(&slot);
      }
    }
  }

  void Run() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (auto& [place, slots] : at_place_) changed = Agree(slots) || changed;
      for (MethodMeaning& meant : methods_) changed = NameSingles(meant.roles.states) || changed;
    }
  }

 private:
  static Candidates NamesOf(const StateSlot& slot) {
    return slot.key.empty() ? slot.possible : Candidates{slot.key};
  }

  // The states of one place: what all can be of which something is known.
  static bool Agree(std::vector<StateSlot*>& slots) {
    Candidates common;
    bool known = false;
    for (const StateSlot* slot : slots) {
      const Candidates names = NamesOf(*slot);
      if (names.empty()) continue;
      common = known ? Intersection(common, names) : names;
      known = true;
    }
    if (common.empty()) return false;
    bool changed = false;
    for (StateSlot* slot : slots) {
      if (slot->possible.size() <= common.size()) continue;
      slot->possible = common;
      changed = true;
    }
    return changed;
  }

  static Candidates Intersection(const Candidates& a, const Candidates& b) {
    Candidates common;
    std::ranges::set_intersection(a, b, std::back_inserter(common));
    return common;
  }

  // States of one method that can be one buffer only, if none else can only be that.
  static bool NameSingles(std::vector<StateSlot>& states) {
    std::map<std::string_view, std::vector<StateSlot*>> singles;
    for (StateSlot& slot : states) {
      if (slot.key.empty() && slot.possible.size() == 1) {
        singles[slot.possible.front()].push_back(&slot);
      }
    }
    bool changed = false;
    for (const auto& [name, slots] : singles) {
      if (slots.size() > 1) continue;
      slots.front()->key = name;
      slots.front()->possible.clear();
      for (StateSlot& slot : states) std::erase(slot.possible, name);
      changed = true;
    }
    return changed;
  }

  std::span<MethodMeaning> methods_;
  std::map<std::tuple<uint32_t, uint64_t, uint64_t, ScalarType>, std::vector<StateSlot*>> at_place_;
};

}  // namespace

void MatchStates(std::span<MethodMeaning> methods) {
  const auto is_open = [](const StateSlot& slot) { return !slot.possible.empty(); };
  const auto has_open = [&](const MethodMeaning& meant) {
    return std::ranges::any_of(meant.roles.states, is_open);
  };
  if (methods.size() > 1 && std::ranges::any_of(methods, has_open)) StateMatching(methods).Run();
}

bool HoldsStateOnly(const MethodMeaning& meant, uint32_t bank) {
  for (size_t v = 0; v < meant.roles.place.size(); ++v) {
    if (meant.roles.place[v].bank != bank || meant.roles.place[v].empty()) continue;
    const int32_t root = meant.aliases.root[v];
    if (meant.roles.state_of[static_cast<size_t>(root)] < 0) return false;
  }
  return true;
}

}  // namespace pteproof::meaning
