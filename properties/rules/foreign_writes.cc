#include "properties/rules/foreign_writes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/fix_words.h"
#include "properties/rules/histories.h"
#include "properties/rules/initial_bytes.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

// All writes of one method to planned bytes: the caller's to inputs, then in listing order.
std::vector<ForeignWrite> WritesOf(const ProgramFacts& facts, size_t m) {
  const MethodMeaning& meant = facts.methods[m];
  const MethodFlow flow = meant.flow();
  std::vector<ForeignWrite> writes;
  const auto add = [&](int32_t v, int32_t state, int32_t instruction) {
    const int32_t key = state < 0 ? -1 : facts.states.key_of[m][static_cast<size_t>(state)];
    if (!flow.PlaceOf(v).empty()) {
      writes.push_back({flow.PlaceOf(v), static_cast<int32_t>(m), key, v, instruction});
    }
  };
  for (const int32_t v : meant.method->inputs) add(v, -1, -1);
  for (size_t s = 0; s < meant.roles.states.size(); ++s) {
    const StateSlot& slot = meant.roles.states[s];
    if (slot.initial == 0 && !slot.external) continue;
    add(slot.value, static_cast<int32_t>(s), -1);
    if (!writes.empty() && writes.back().value == slot.value) {
      writes.back().load = true;
      writes.back().initial = slot.initial;
    }
  }
  for (int32_t i = 0; i < flow.instruction_count(); ++i) {
    for (const Write& w : meant.effects.WritesOf(static_cast<size_t>(i)))
      add(w.value, flow.StoredState(w), i);
  }
  return writes;
}

// For the search: of one method's writes that lie in the same bytes one is enough.
std::map<uint32_t, BankWrites> WritesByBank(const ProgramFacts& facts) {
  std::map<uint32_t, BankWrites> banks;
  for (size_t m = 0; m < facts.methods.size(); ++m) {
    std::vector<ForeignWrite> writes = WritesOf(facts, m);
    std::ranges::stable_sort(writes, {}, [](const ForeignWrite& w) {
      return std::tuple(w.key, w.load, w.place.bank, w.place.lo, ~w.place.hi);
    });
    const ForeignWrite* last = nullptr;
    for (const ForeignWrite& w : writes) {
      const bool alike = last != nullptr && last->key == w.key && last->load == w.load;
      if (alike && !w.load && last->place.Holds(w.place)) continue;
      last = &w;
      banks[w.place.bank].things.push_back(w);
    }
  }
  for (auto& [bank, writes] : banks) writes.Finish();
  return banks;
}

[[gnu::cold]] Finding TellForeign(const ProgramFacts& facts, const StateKey& key,
                                  const StateInstance& state, const ForeignWrite& write) {
  const Method& victim = facts.MethodAt(state.method);
  const Method& writer = facts.MethodAt(write.method);
  const Place bytes = {state.place.bank, std::max(state.place.lo, write.place.lo),
                       std::min(state.place.hi, write.place.hi)};
  Finding finding = FindingAt(rule::kStateClobbered, Severity::kError, writer, write.instruction,
                              {write.value, state.value}, bytes);
  finding.policies = PoliciesSharing(state.place.bank);
  finding.other_method = victim.name;
  finding.other_bank = state.place.bank;
  if (write.load) {
    finding.explanation = fmt::format(
        "Method '{}' keeps state {} in {}.\nLoading '{}' copies the initial value of {} over it.\n"
        "Under a loader that shares bank {}, one of the two buffers starts with the value of the "
        "other.",
        victim.name,
        key.name.empty() ? fmt::format("v{}", state.value) : fmt::format("'{}'", key.name),
        Words(state.place), writer.name, ValueWords(writer, write.value), state.place.bank);
    finding.fix = "Give each buffer bytes of its own.";
    return finding;
  }
  finding.explanation = fmt::format(
      "Method '{}' keeps state {} in {}.\n{} of '{}' writes {} over it.\n"
      "Under a loader that shares bank {}, a call of '{}' between two calls of '{}' destroys the "
      "state.",
      victim.name,
      key.name.empty() ? fmt::format("v{}", state.value) : fmt::format("'{}'", key.name),
      Words(state.place), Capital(InstructionWords(writer, write.instruction)), writer.name,
      ValueWords(writer, write.value), state.place.bank, writer.name, victim.name);
  finding.fix = FixOfClobbered(victim.name, writer.name, IsForSharing(facts, state));
  return finding;
}

// A bank of activations is written again and again: so many writes of a method over one state are
// told of, and beyond so many findings one a state.
constexpr size_t kWritesTold = 8;
constexpr size_t kManyFindings = 200;

// Of all writes, method by method, those over a state that are foreign to it.
template <class Test>
[[gnu::cold]] void TellEachWrite(const ProgramFacts& facts, const StateKey& key,
                                 const StateInstance& state, std::span<const ForeignWrite> writes,
                                 Test is_foreign, std::vector<Finding>& findings) {
  size_t told = 0;  // of the last one's method
  const ForeignWrite* last = nullptr;
  for (const ForeignWrite& w : writes) {
    if (!w.place.Meets(state.place) || !is_foreign(w)) continue;
    const bool same_method = last != nullptr && last->method == w.method;
    if (same_method && w.instruction >= 0 && last->instruction == w.instruction) continue;
    told = same_method ? told + 1 : 1;
    last = &w;
    if (told > kWritesTold) continue;
    findings.push_back(TellForeign(facts, key, state, w));
  }
}

std::vector<ForeignWrite> AllWrites(const ProgramFacts& facts) {
  std::vector<ForeignWrite> all;
  for (size_t m = 0; m < facts.methods.size(); ++m) {
    std::ranges::move(WritesOf(facts, m), std::back_inserter(all));
  }
  return all;
}

// The load copies the bytes that are there already: nothing is lost unless a method stores to them.
// Under another name they belong to another buffer, and a store to either is lost on the other.
bool LeavesAsItIs(const ProgramFacts& facts, const ForeignWrite& w, const StateKey& key,
                  const StateInstance& state) {
  const auto& keys = facts.states.keys;
  const std::string_view name = w.key < 0 ? "" : keys[static_cast<size_t>(w.key)].name;
  const bool named_apart = !name.empty() && !key.name.empty() && name != key.name;
  return w.load && !named_apart &&
         LoadAlike(facts.program, {w.place, w.initial}, {state.place, state.initial});
}

void CheckStates(const ProgramFacts& facts, const std::map<uint32_t, BankWrites>& banks,
                 std::vector<Finding>& findings) {
  std::vector<ForeignWrite> all;  // collected at the first state that is overwritten
  for (size_t k = 0; k < facts.states.keys.size(); ++k) {
    const StateKey& key = facts.states.keys[k];
    if (!key.read_somewhere) continue;
    const bool apart = facts.SharingOf(key) == Sharing::kApart;
    std::optional<std::pair<Place, uint32_t>> its_own;  // no write there but to this state
    PolicySet told = PolicySet::None();
    for (const StateInstance& state : key.instances) {
      // One method's view is enough, unless another lies in a bank that more loaders share.
      const PolicySet policies = PoliciesSharing(state.place.bank);
      if (told.HasAll(policies)) continue;
      const auto is_other = [&](const ForeignWrite& w) {
        if (w.key == static_cast<int32_t>(k) && !apart) return false;
        return !LeavesAsItIs(facts, w, key, state);
      };
      const auto bank = banks.find(state.place.bank);
      if (bank == banks.end()) continue;
      if (its_own == std::pair(state.place, state.initial)) continue;
      if (bank->second.Find(state.place, is_other) == nullptr) {
        its_own = {state.place, state.initial};
        continue;
      }
      const auto is_foreign = [&](const ForeignWrite& w) {
        return w.method != state.method && is_other(w) && CanClobber(facts, key, state, w);
      };
      const ForeignWrite* write = bank->second.Find(state.place, is_foreign);
      if (write == nullptr) continue;
      if (findings.size() < kManyFindings) {
        if (all.empty()) all = AllWrites(facts);
        TellEachWrite(facts, key, state, all, is_foreign, findings);
      } else {
        findings.push_back(TellForeign(facts, key, state, *write));
      }
      told.AddAll(policies);
    }
  }
}

}  // namespace

std::vector<Finding> CheckForeignWrites(const ProgramFacts& facts) {
  std::vector<Finding> findings;
  if (facts.methods.size() < 2) return findings;
  const auto banks = WritesByBank(facts);
  CheckStates(facts, banks, findings);
  std::ranges::move(CheckOverwrittenOutputs(facts, banks), std::back_inserter(findings));
  return findings;
}

std::vector<Finding> CheckInitialisedTwice(const ProgramFacts& facts) {
  std::vector<Finding> findings;
  if (facts.AllFirst()) return findings;
  for (const StateKey& key : facts.states.keys) {
    if (!key.read_somewhere || !key.written_somewhere) continue;
    PolicySet told = PolicySet::None();
    for (const StateInstance& late : key.instances) {
      const PolicySet policies = PoliciesSharing(late.place.bank);
      if (told.HasAll(policies)) continue;
      // A method that stores the whole buffer and does not read it at entry repairs the damage of
      // its load.
      const bool harmless = late.writes && !late.reads;
      if (!late.initialised() || harmless) continue;
      const auto writer = std::ranges::find_if(key.instances, [&](const StateInstance& i) {
        return i.writes && i.method != late.method && i.place == late.place &&
               CanUndo(facts, key, i, late);
      });
      if (writer == key.instances.end()) continue;
      const Method& loaded = facts.MethodAt(late.method);
      Finding finding = FindingAt(rule::kInitialisedTwice, Severity::kError, loaded, -1,
                                  {late.value}, late.place);
      finding.policies = policies;
      finding.other_method = facts.MethodAt(writer->method).name;
      finding.other_bank = writer->place.bank;
      finding.explanation = fmt::format(
          "Loading method '{}' copies the initial value ({}) to {}.\n"
          "A call of '{}' before that load stores {} there.\n"
          "The load overwrites the stored value, and later calls read the initial one.",
          loaded.name,
          late.external ? std::string("external data") : fmt::format("data {}", late.initial),
          Words(late.place), facts.MethodAt(writer->method).name,
          key.name.empty() ? std::string("its state") : fmt::format("'{}'", key.name));
      finding.fix =
          "Load all methods before the first call (`--load all-first` states that), or export the "
          "initial value once.";
      findings.push_back(std::move(finding));
      told.AddAll(policies);
    }
  }
  return findings;
}

}  // namespace pteproof::checks
