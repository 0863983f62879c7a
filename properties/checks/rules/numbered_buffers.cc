// Idea: two methods of one model give a buffer one number, wherever they plan it (model_head.h). A
// method that only reads the buffer may hold it as data of the file:
//
//   'put'     v1 bank 1 [64,80)      stored to
//   'get'     v1 bank 1 [32,48)      read: one buffer of the model, or one of each of two models?
//   'peek'    v1 constant 2          read: the buffer as it was at export, or a parameter? Only a
//                                    constant that holds what the buffer starts with is in
//                                    question, and only beside plans that keep no bank for state.
//
// A value that the one stores does not reach the others then. A manifest leaves no question; names
// leave the last one, as a constant has none.
//
// Invariant: per number, and per constant, one finding: of the first store and read.
//
// Cost: O(methods^2) per number, times the values ahead of the inputs.
#include "properties/checks/rules/numbered_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/checks/rules/histories.h"
#include "properties/checks/rules/model_head.h"
#include "properties/checks/rules/state_matching.h"
#include "properties/checks/rules/wording.h"

namespace pteproof::checks {
namespace {

struct Numbered {
  const StateKey* key = nullptr;
  const StateInstance* instance = nullptr;
};

const MethodCheck& CheckAt(const ProgramFacts& facts, int32_t method) {
  return facts.methods[static_cast<size_t>(method)];
}

// The first store that a read in another method, of another place, may be meant to see.
std::optional<std::pair<Numbered, Numbered>> FlowAmong(const ProgramFacts& facts,
                                                       const std::vector<Numbered>& buffers) {
  for (const Numbered& from : buffers) {
    if (!from.instance->writes) continue;
    for (const Numbered& to : buffers) {
      if (to.key != from.key && to.instance->reads &&
          StoreReaches(facts, *to.key, *from.instance, *to.instance) &&
          AreNumberedAlike(facts, *from.instance, *to.instance)) {
        return std::pair(from, to);
      }
    }
  }
  return std::nullopt;
}

Finding Open(const ProgramFacts& facts, std::string_view rule, const StateInstance& from,
             const MethodCheck& reader, int32_t value, const Place& place) {
  Finding finding = FindingAt(rule, Severity::kNote, *reader.method, -1, {value}, place);
  finding.undecided = true;
  finding.other_method = facts.MethodAt(from.method).name;
  finding.other_bank = from.place.bank;
  return finding;
}

Finding TellApart(const ProgramFacts& facts, const StateInstance& from, const StateInstance& to) {
  const MethodCheck& reader = CheckAt(facts, to.method);
  Finding finding = Open(facts, rule::kSharedLayout, from, reader, to.value, to.place);
  finding.explanation = fmt::format(
      "'{}' stores a buffer without a name in v{} {} ({}).\n"
      "'{}' reads v{} {}. The exporter gives a buffer of the model one number in all methods.\n"
      "If both are one buffer of the model, '{}' does not see the stored value.",
      finding.other_method, from.value, Words(from.place), Name(from.dtype), reader.method->name,
      to.value, Words(to.place), reader.method->name);
  finding.fix =
      "One buffer or two? Export with names (`emit_mutable_buffer_names`), or say in a manifest "
      "whether the buffer is `shared`.";
  return finding;
}

Finding TellConstant(const ProgramFacts& facts, const StateInstance& from,
                     const MethodCheck& reader, int32_t value) {
  Finding finding = Open(facts, rule::kMutabilityMismatch, from, reader, value, {});
  finding.explanation = fmt::format(
      "'{}' stores to the buffer v{} {} ({}).\n"
      "'{}' reads the constant v{}. The exporter gives a buffer of the model one number in all "
      "methods.\n"
      "If both are one buffer of the model, '{}' always reads the value of the time of export.",
      finding.other_method, from.value, Words(from.place), Name(from.dtype), reader.method->name,
      value, reader.method->name);
  finding.fix =
      "Export the methods with `share_mutable_buffers=True`, or say in a manifest which buffers "
      "they read.";
  return finding;
}

using StoredForm = std::pair<ScalarType, uint64_t>;  // bytes
using Stores = std::map<StoredForm, std::vector<StateInstance>>;

StoredForm StoredFormOf(const StateInstance& i) {
  return {i.dtype, i.place.hi - i.place.lo};
}

// Whether the method has the buffer as state.
bool Keeps(const ProgramFacts& facts, int32_t method, const StateInstance& buffer) {
  const auto& keys = facts.states.key_of[static_cast<size_t>(buffer.method)];
  const int32_t key = keys[static_cast<size_t>(buffer.state)];
  return std::ranges::find(facts.states.keys[static_cast<size_t>(key)].instances, method,
                           &StateInstance::method) !=
         facts.states.keys[static_cast<size_t>(key)].instances.end();
}

// Whether the constant is what the buffer holds at export: what it starts with, by the file, or
// zeros. Data outside of the file may be.
bool HoldsTheStart(const Program& program, const StateInstance& buffer, const Tensor& constant) {
  if (constant.external || buffer.external) return true;
  if (constant.data_index == 0 || constant.data_index >= program.constants.size()) return false;
  const auto data = [&](Bytes all) { return all.first(std::min(all.size(), constant.nbytes)); };
  const Bytes frozen = data(program.constants[constant.data_index]);
  if (buffer.initial > 0)
    return std::ranges::equal(frozen, data(program.initial_values[buffer.initial]));
  return std::ranges::all_of(frozen, [](std::byte b) { return b == std::byte{0}; });
}

// A plan that keeps a bank for state was made for methods that share buffers: they have one as
// state if they read it.
bool IsForState(const ProgramFacts& facts, uint32_t bank) {
  return std::ranges::all_of(facts.methods,
                             [&](const MethodCheck& check) { return HoldsStateOnly(check, bank); });
}

// The first store to a buffer that may be this constant.
const StateInstance* StoreTo(const ProgramFacts& facts, const Stores& of_form, int32_t method,
                             int32_t constant) {
  const Tensor& tensor = *facts.MethodAt(method).TensorOf(constant);
  const auto stores = of_form.find({tensor.dtype, tensor.nbytes});
  if (stores == of_form.end()) return nullptr;
  const auto is_it = [&](const StateInstance& from) {
    const bool comes_later = facts.calls.IsAny() || facts.calls.Has({{from.method}, {method, {}}});
    return from.method != method && comes_later && !Keeps(facts, method, from) &&
           StandAlike({&CheckAt(facts, from.method), from.value},
                      {&CheckAt(facts, method), constant}) &&
           HoldsTheStart(facts.program, from, tensor);
  };
  const auto found = std::ranges::find_if(stores->second, is_it);
  return found == stores->second.end() ? nullptr : &*found;
}

}  // namespace

bool AreNumberedAlike(const ProgramFacts& facts, const StateInstance& a, const StateInstance& b) {
  if (a.method == b.method || !a.possible.empty() || !b.possible.empty()) return false;
  const MethodCheck& one = CheckAt(facts, a.method);
  const MethodCheck& other = CheckAt(facts, b.method);
  return one.order.holds && other.order.holds && StandAlike({&one, a.value}, {&other, b.value});
}

std::vector<Finding> CheckNumberedBuffers(const ProgramFacts& facts) {
  std::map<StoredForm, std::vector<Numbered>> of_form;
  for (const StateKey& key : facts.states.keys) {
    if (!key.name.empty()) continue;
    for (const StateInstance& i : key.instances) {
      if (!i.place.empty()) of_form[StoredFormOf(i)].push_back({&key, &i});
    }
  }
  std::vector<Finding> findings;
  for (const auto& [form, buffers] : of_form) {
    const auto flow = FlowAmong(facts, buffers);
    if (flow) findings.push_back(TellApart(facts, *flow->first.instance, *flow->second.instance));
  }
  return findings;
}

std::vector<Finding> CheckNumberedConstants(const ProgramFacts& facts) {
  Stores stores;
  std::map<uint32_t, bool> of_state;  // by bank
  for (const StateKey& key : facts.states.keys) {
    for (const StateInstance& i : key.instances) {
      if (!i.writes) continue;
      const auto [bank, fresh] = of_state.try_emplace(i.place.bank, false);
      if (fresh) bank->second = IsForState(facts, i.place.bank);
      if (!bank->second) stores[StoredFormOf(i)].push_back(i);
    }
  }
  std::vector<Finding> findings;
  if (stores.empty()) return findings;
  for (size_t m = 0; m < facts.methods.size(); ++m) {
    const MethodCheck& check = facts.methods[m];
    if (check.stated != nullptr) continue;
    for (size_t v = 0; v < check.roles.of.size(); ++v) {
      const Usage& usage = check.roles.usage[v];
      const bool is_read = usage.first_read >= 0 || usage.is_output;
      if (check.roles.of[v] != Role::kConstant || !is_read) continue;
      const StateInstance* store =
          StoreTo(facts, stores, static_cast<int32_t>(m), static_cast<int32_t>(v));
      if (store != nullptr) {
        findings.push_back(TellConstant(facts, *store, check, static_cast<int32_t>(v)));
        break;
      }
    }
  }
  return findings;
}

}  // namespace pteproof::checks
