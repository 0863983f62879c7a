// Idea: the exporter numbers a model's parameters and buffers in one order, ahead of the inputs. So
// two methods of one model give a buffer one number, wherever they plan it:
//
//   'put'    v0 constant 1, v1 bank 1 [64,80), v2 input       v1 may be one buffer of the model in
//   'get'    v0 constant 1, v1 bank 1 [32,48), v2 input       both, or one of each of two models
//
// A value that the one stores does not reach the other then. With a name, or a manifest, there is
// no question.
//
// Invariant: per number one finding, of the first store and read in two methods.
//
// Cost: O(methods^2) per number, times the values below it.
#include "properties/checks/rules/numbered_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/checks/rules/histories.h"
#include "properties/checks/rules/wording.h"

namespace pteproof::checks {
namespace {

bool AreOfOneForm(const Method& a, const Method& b, int32_t v) {
  const Tensor* one = a.TensorOf(v);
  const Tensor* other = b.TensorOf(v);
  if (one == nullptr || other == nullptr) return one == other;
  const bool constants = !one->planned && !other->planned;
  return one->dtype == other->dtype &&
         std::ranges::equal(a.Ints(one->sizes), b.Ints(other->sizes)) &&
         (!constants || one->data_index == other->data_index);
}

bool IsAheadOfInputs(const Method& method, int32_t v) {
  return !method.inputs.empty() && v < std::ranges::min(method.inputs);
}

struct Numbered {
  const StateKey* key = nullptr;
  const StateInstance* instance = nullptr;
};

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

Finding Tell(const ProgramFacts& facts, const StateInstance& from, const StateInstance& to) {
  const Method& writer = facts.MethodAt(from.method);
  const Method& reader = facts.MethodAt(to.method);
  Finding finding =
      FindingAt(rule::kSharedLayout, Severity::kNote, reader, -1, {to.value}, to.place);
  finding.undecided = true;
  finding.other_method = writer.name;
  finding.other_bank = from.place.bank;
  finding.explanation = fmt::format(
      "'{}' stores a buffer without a name in v{} {} ({}).\n"
      "'{}' reads v{} {}. The exporter gives a buffer of the model one number in all methods.\n"
      "If both are one buffer of the model, '{}' does not see the stored value.",
      writer.name, from.value, Words(from.place), Name(from.dtype), reader.name, to.value,
      Words(to.place), reader.name);
  finding.fix =
      "One buffer or two? Export with names (`emit_mutable_buffer_names`), or say in a manifest "
      "whether the buffer is `shared`.";
  return finding;
}

}  // namespace

bool AreNumberedAlike(const ProgramFacts& facts, const StateInstance& a, const StateInstance& b) {
  const Method& one = facts.MethodAt(a.method);
  const Method& other = facts.MethodAt(b.method);
  if (a.method == b.method || a.value != b.value || !a.possible.empty() || !b.possible.empty())
    return false;
  if (!IsAheadOfInputs(one, a.value) || !IsAheadOfInputs(other, b.value)) return false;
  const auto in_order = [&](const StateInstance& i) {
    return facts.methods[static_cast<size_t>(i.method)].order.holds;
  };
  if (!in_order(a) || !in_order(b)) return false;
  for (int32_t v = a.value; v >= 0; --v) {
    if (!AreOfOneForm(one, other, v)) return false;
  }
  return true;
}

std::vector<Finding> CheckNumberedBuffers(const ProgramFacts& facts) {
  std::map<int32_t, std::vector<Numbered>> of_number;
  for (const StateKey& key : facts.states.keys) {
    if (!key.name.empty()) continue;
    for (const StateInstance& i : key.instances) {
      if (!i.place.empty()) of_number[i.value].push_back({&key, &i});
    }
  }
  std::vector<Finding> findings;
  for (const auto& [number, buffers] : of_number) {
    const auto flow = FlowAmong(facts, buffers);
    if (flow) findings.push_back(Tell(facts, *flow->first.instance, *flow->second.instance));
  }
  return findings;
}

}  // namespace pteproof::checks
