// Idea: a store that the export dropped leaves no instruction. It is inferred from the rest of the
// file and the manifest, the surest evidence first:
//
//   kStated      the manifest states that the method stores to the buffer, and no instruction does
//   kEverywhere  a buffer is read, and no store and no initial data give it a value
//   kUntouched   no instruction of a method touches one of its buffers, and a store went elsewhere
//   kAlongside   nothing in the program touches a buffer, beside one of kEverywhere without a store
//   kUncounted   without names: the manifest states more stores than the method has
//
//   step:  v0 'level' is read, never stored         kEverywhere
//          1: copy_(v2, v5), and v2 is an argument  a captured store: `store` = 1
//
// Stores that went elsewhere (captured_stores.h) are given to the losses of the first two kinds,
// and the ones that are left make the losses of the third.
//
// Invariant: a buffer of a method is in at most one loss (told_), and a captured store is given
// away at most once (free_).
//
// Cost: O(n log n) in states and instructions, besides captured_stores.h.
#include "properties/rules/lost_stores.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "properties/rules/captured_stores.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

class LostStoreSearch {
 public:
  explicit LostStoreSearch(const ProgramFacts& facts)
      : facts_(facts), captured_(facts.methods.size()) {
    for (const StateKey& key : facts.states.keys) {
      if (!key.name.empty()) named_.emplace(key.name, &key);
    }
    for (const MethodMeaning& meant : facts.methods) {
      stores_any_.push_back(std::ranges::any_of(meant.state_uses, &StateUse::written));
    }
    if (facts.options.manifest == nullptr) return;
    for (const auto& [name, method] : facts.options.manifest->methods) {
      if (method.reads.has_value()) read_.insert(method.reads->begin(), method.reads->end());
      reads_stated_ = reads_stated_ && method.reads.has_value();
    }
  }

  std::vector<LostStore> Run() && {
    for (size_t m = 0; m < facts_.methods.size(); ++m) {
      if (MutatesOf(m) == nullptr) continue;
      for (const std::string& buffer : *MutatesOf(m)) Stated(m, buffer);
    }
    for (const StateKey& key : facts_.states.keys) Everywhere(key);
    GiveCapturedStores();
    Untouched();
    Alongside();
    Uncounted();
    return std::move(lost_);
  }

 private:
  using Slot = std::pair<int32_t, int32_t>;  // method, and a state or value of it

  const MethodMeaning& At(int32_t method) const {
    return facts_.methods[static_cast<size_t>(method)];
  }

  // The buffers that the model's method stores to, or null where nobody says.
  const std::vector<std::string>* MutatesOf(size_t m) const {
    const ManifestMethod* stated = facts_.methods[m].stated;
    return stated != nullptr && stated->mutates.has_value() ? &*stated->mutates : nullptr;
  }

  void Add(LostStore lost) {
    if (lost.state != nullptr) {
      told_.insert({lost.method, lost.state->state});
      told_keys_.insert(lost.key);
    }
    lost_.push_back(lost);
  }

  LostStore LossOf(LossKind kind, const StateKey& key, const StateInstance& state) const {
    const int32_t onto_itself =
        At(state.method).state_uses[static_cast<size_t>(state.state)].self_copy;
    LostStore lost = {.kind = kind, .method = state.method, .key = &key, .state = &state};
    lost.store = onto_itself;
    lost.onto_itself = onto_itself >= 0;
    return lost;
  }

  bool HasNames(size_t m) const {
    return HasStateNames(*facts_.methods[m].method, *facts_.methods[m].stated);
  }

  const StateInstance* Find(size_t m, const StateKey* key) const {
    if (key == nullptr) return nullptr;
    const auto method = static_cast<int32_t>(m);
    const auto at = std::ranges::lower_bound(key->instances, method, {}, &StateInstance::method);
    return at == key->instances.end() || at->method != method ? nullptr : &*at;
  }

  const StateKey* KeyNamed(std::string_view name) const {
    const auto at = named_.find(name);
    return at == named_.end() ? nullptr : at->second;
  }

  // A buffer that no method reads can hold anything: its lost store shows in no output.
  bool IsRead(const std::string& buffer) const { return !reads_stated_ || read_.contains(buffer); }

  void Stated(size_t m, const std::string& buffer) {
    const StateKey* key = KeyNamed(buffer);
    const StateInstance* state = Find(m, key);
    if (state == nullptr ? !HasNames(m) : state->writes) return;
    LostStore lost = {.kind = LossKind::kStated, .method = static_cast<int32_t>(m)};
    if (state != nullptr) lost = LossOf(LossKind::kStated, *key, *state);
    lost.buffer = buffer;
    lost.given_to_delegate = state != nullptr && MayBeUpdatedByDelegate(m, state->value);
    lost.observed = IsRead(buffer) || (state != nullptr && IsNeverGivenAValue(*key));
    Add(lost);
  }

  // A delegate call of the method is given the buffer, and nobody says which arguments it updates.
  bool MayBeUpdatedByDelegate(size_t m, int32_t buffer) const {
    const Method& method = *facts_.methods[m].method;
    const ManifestMethod* stated = facts_.methods[m].stated;
    int32_t call = 0;
    for (const Instruction& at : method.instructions) {
      if (at.kind != InstructionKind::kDelegateCall) continue;
      const auto args = method.Ints(at.args);
      const auto said = std::ranges::find(stated->delegates, call++, &ManifestDelegate::index);
      const bool tells = said != stated->delegates.end() && said->updates.has_value();
      if (!tells && std::ranges::find(args, buffer) != args.end()) return true;
    }
    return false;
  }

  // State that some method reads, none writes and no file data fills is always zero: its store was
  // lost. (Buffers that no method of the model mutates are constants.)
  static bool IsNeverGivenAValue(const StateKey& key) {
    return key.read_somewhere && !key.written_somewhere &&
           std::ranges::none_of(key.instances, &StateInstance::initialised);
  }

  // Where the store was lost, most likely: where one went elsewhere; else where nothing touches the
  // buffer; else where other buffers are stored to. Not where it has no memory.
  int LikelihoodRank(const StateInstance& state) {
    const MethodMeaning& meant = At(state.method);
    if (state.place.empty()) return 5;
    if (meant.state_uses[static_cast<size_t>(state.state)].self_copy >= 0) return 0;
    if (!FreeOf(state.method).empty()) return 1;
    if (!state.touched) return 2;
    return stores_any_[static_cast<size_t>(state.method)] ? 3 : 4;
  }

  // The manifest gives the buffer a first value, and no method of the model stores another one.
  bool IsNeverStoredTo(const StateKey& key) const {
    const ManifestBuffer* stated = facts_.Stated(key.name);
    if (stated == nullptr || !stated->initial.has_value()) return false;
    const auto stores = [&](const auto& method) {
      const auto& mutates = method.second.mutates;
      return !mutates || std::ranges::find(*mutates, key.name) != mutates->end();
    };
    return std::ranges::none_of(facts_.options.manifest->methods, stores) &&
           std::ranges::all_of(facts_.methods, [](const auto& m) { return m.stated != nullptr; });
  }

  // A value without a name may not be state at all. Only a store that went elsewhere is evidence.
  void Everywhere(const StateKey& key) {
    if (!IsNeverGivenAValue(key) || told_keys_.contains(&key) || IsNeverStoredTo(key)) return;
    auto state = std::ranges::min_element(
        key.instances, {}, [&](const StateInstance& i) { return LikelihoodRank(i); });
    if (key.name.empty() && LikelihoodRank(*state) > 1) {
      state = std::ranges::find_if(key.instances,
                                   [&](const StateInstance& i) { return MayBeCaptured(i); });
    }
    if (state == key.instances.end() || state->place.empty()) return;
    LostStore lost = LossOf(LossKind::kEverywhere, key, *state);
    lost.given_to_delegate = IsGivenToDelegate(key);
    Add(lost);
  }

  // The arguments of all delegate calls of the program, collected at the first question.
  bool IsGivenToDelegate(const StateKey& key) {
    if (!given_.has_value()) {
      given_.emplace();
      for (size_t m = 0; m < facts_.methods.size(); ++m) {
        const Method& method = *facts_.methods[m].method;
        for (const Instruction& at : method.instructions) {
          if (at.kind != InstructionKind::kDelegateCall) continue;
          for (const int32_t v : method.Ints(at.args)) given_->insert({static_cast<int32_t>(m), v});
        }
      }
    }
    return std::ranges::any_of(key.instances, [&](const StateInstance& i) {
      return given_->contains({i.method, i.value});
    });
  }

  // Losses of one method by state.
  using Losses = std::map<int32_t, LostStore*>;

  void GiveCapturedStores() {
    std::map<int32_t, Losses> open;  // by method
    const auto nameless = [](const LostStore& lost) {
      return lost.kind == LossKind::kEverywhere && lost.key->name.empty();
    };
    for (LostStore& lost : lost_) {
      if (lost.state == nullptr || lost.store >= 0) continue;
      open[lost.method].emplace(lost.state->state, &lost);
    }
    for (auto& [method, losses] : open) {
      Give(method, losses, CapturedOf(method).sure, false);
      std::erase_if(losses, [&](const auto& loss) { return !nameless(*loss.second); });
      Give(method, losses, CapturedOf(method).doubtful, true);
    }
    std::erase_if(lost_, [&](const LostStore& lost) { return nameless(lost) && lost.store < 0; });
  }

  // Gives stores to the losses that they were meant for; takes both out of the lists.
  void Give(int32_t method, Losses& losses, std::vector<int32_t>& stores, bool doubtful) {
    if (losses.empty() || stores.empty()) return;
    std::vector<int32_t> states;
    for (const auto& [state, lost] : losses) states.push_back(state);
    std::set<int32_t> taken;
    for (const MeantStore& meant : MeantStores(At(method), states, stores)) {
      LostStore& lost = *losses.at(meant.state);
      lost.store = meant.store;
      lost.doubtful = doubtful;
      taken.insert(meant.store);
      losses.erase(meant.state);
    }
    std::erase_if(stores, [&](int32_t store) { return taken.contains(store); });
  }

  // The method's captured stores that are given to no buffer yet. If the manifest says which
  // buffers the method stores to, no store is doubtful.
  CapturedStores& CapturedOf(int32_t method) {
    const auto m = static_cast<size_t>(method);
    if (!captured_[m].has_value()) {
      captured_[m] = CapturedStoresOf(At(method).flow(), At(method).stated);
      if (MutatesOf(m) != nullptr) captured_[m]->doubtful.clear();
    }
    return *captured_[m];
  }
  std::vector<int32_t>& FreeOf(int32_t method) { return CapturedOf(method).sure; }

  // A doubtful store of the method fits the buffer.
  bool MayBeCaptured(const StateInstance& state) {
    return MayBeMeant(At(state.method), state.state, CapturedOf(state.method).doubtful);
  }

  // A store goes to an argument that has the buffer's name. Those of submodules' buffers have dots.
  static bool IsNoArgument(std::string_view name) {
    return name.find('.') != std::string_view::npos;
  }

  // A store onto itself, or into an argument, in a method with a buffer that nothing touches. A
  // doubtful one is taken for the buffer's only if no other is left.
  void Untouched() {
    std::map<int32_t, std::map<int32_t, LostStore>> open;  // by method and state
    for (const StateKey& key : facts_.states.keys) {
      for (const StateInstance& state : key.instances) {
        const bool stated =
            !key.name.empty() && MutatesOf(static_cast<size_t>(state.method)) != nullptr;
        const CapturedStores& captured = CapturedOf(state.method);
        if (state.touched || state.place.empty() || stated ||
            (captured.sure.empty() && captured.doubtful.empty()) ||
            told_.contains({state.method, state.state}))
          continue;
        open[state.method].emplace(state.state, LossOf(LossKind::kUntouched, key, state));
      }
    }
    for (auto& [method, all] : open) {
      Losses left;
      for (auto& [state, lost] : all) left.emplace(state, &lost);
      Give(method, left, CapturedOf(method).sure, false);
      std::erase_if(left, [](const auto& loss) { return IsNoArgument(loss.second->key->name); });
      Give(method, left, CapturedOf(method).doubtful, true);
      for (const auto& [state, lost] : all) {
        if (lost.store >= 0) Add(lost);
      }
    }
  }

  // A buffer is planned since some method of the model stores to it. Beside a dropped store, one
  // that nothing touches lost its own: the first was of its value.
  void Alongside() {
    std::map<int32_t, std::string_view> dropped;  // by method: a buffer whose store is gone
    for (const LostStore& lost : lost_) {
      const bool gone =
          lost.kind == LossKind::kEverywhere && lost.store < 0 && !lost.given_to_delegate;
      if (gone) dropped.emplace(lost.method, lost.key->name);
    }
    if (dropped.empty()) return;
    for (const StateKey& key : facts_.states.keys) {
      const bool idle =
          !key.name.empty() && std::ranges::none_of(key.instances, [](const StateInstance& i) {
            return i.touched || i.initialised() || i.place.empty();
          });
      if (!idle || told_keys_.contains(&key)) continue;
      for (const StateInstance& state : key.instances) {
        const auto beside = dropped.find(state.method);
        if (beside == dropped.end() || MutatesOf(static_cast<size_t>(state.method)) != nullptr)
          continue;
        LostStore lost = LossOf(LossKind::kAlongside, key, state);
        lost.buffer = beside->second;
        Add(lost);
        break;
      }
    }
  }

  // Without names only their number tells of stores: it is not known whose is missing, and the
  // unread buffers' may be.
  void Uncounted() {
    std::vector<size_t> told(facts_.methods.size());  // per method: losses that are told of
    for (const LostStore& lost : lost_) {
      // A loss that is only possible may concern a buffer that the manifest does not count.
      const bool sure = lost.kind == LossKind::kStated ||
                        !(lost.onto_itself || lost.doubtful || lost.given_to_delegate);
      if (sure) told[static_cast<size_t>(lost.method)] += 1;
    }
    for (size_t m = 0; m < told.size(); ++m) {
      if (MutatesOf(m) == nullptr || HasNames(m)) continue;
      const auto& mutated = *MutatesOf(m);
      const auto stored = static_cast<size_t>(
          std::ranges::count(facts_.methods[m].state_uses, true, &StateUse::written));
      if (stored + told[m] >= mutated.size()) continue;
      const auto unread = static_cast<size_t>(
          std::ranges::count_if(mutated, [&](const std::string& name) { return !IsRead(name); }));
      LostStore lost = {.kind = LossKind::kUncounted, .method = static_cast<int32_t>(m)};
      lost.missing = mutated.size() - stored - told[m];
      lost.observed = mutated.size() - stored > unread;
      lost_.push_back(lost);
    }
  }

  const ProgramFacts& facts_;
  std::map<std::string_view, const StateKey*> named_;
  std::set<std::string, std::less<>> read_;  // buffers that some method of the model reads
  bool reads_stated_ = true;                 // by all methods
  std::vector<std::optional<CapturedStores>> captured_;  // per method: see CapturedOf
  std::vector<bool> stores_any_;                         // per method: it stores to some state
  std::optional<std::set<Slot>> given_;                  // values that a delegate call is given
  std::set<Slot> told_;                                  // states
  std::set<const StateKey*> told_keys_;
  std::vector<LostStore> lost_;
};

}  // namespace

std::vector<LostStore> LostStores(const ProgramFacts& facts) {
  if (facts.states.keys.empty() && facts.options.manifest == nullptr) return {};
  return LostStoreSearch(facts).Run();
}

}  // namespace pteproof::checks
