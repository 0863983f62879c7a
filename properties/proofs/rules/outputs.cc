#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/facts/may_be_empty.h"
#include "properties/proofs/rules/lost_outputs.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

// The last store that replaces all of a value; -1: none.
int32_t LastReplacing(const MethodFacts& facts, int32_t v) {
  int32_t last = -1;
  for (const WriteEvent& w : facts.listing.writes) {
    const bool replaces = w.value == v && !w.result && w.replaces();
    if (replaces && !facts.IsSelfCopy(w.instruction)) last = w.instruction;
  }
  return last;
}

// Never holds: the value is a name of which the file does not tell enough.
void ObligeKnown(Obliger& obliger, const MethodFacts& facts, int32_t v, std::string_view why) {
  Obligation o = AboutMethod(*facts.method, rule::kNotProvable, -1, {v});
  o.severity = Severity::kNote;
  o.goal = None(1);
  o.refuted = fmt::format("No instruction makes {}{}", ValueText(*facts.method, v), why);
  obliger.Add(std::move(o));
}

void ObligeMade(Obliger& obliger, const MethodFacts& facts) {
  for (const auto& [name, reader] : facts.needs.at_entry) {
    if (facts.EndOf(name) >= 0 || ExtentOf(*facts.method, name).empty()) continue;
    const bool made =
        facts.parts.Of(name) != Part::kLocal ||
        (facts.parts.TouchedOf(name).filled && !MayBeEmpty(facts, facts.ValueOf(name), reader));
    const bool lost = std::ranges::binary_search(facts.names.lost, name);
    Obligation o = AboutMethod(*facts.method, rule::kReadBeforeWrite, reader, {name});
    if (!lost) o.severity = Severity::kNote;
    o.goal = None(made ? 0 : 1);
    o.refuted = fmt::format("On some path {} reads {} before any instruction writes it.",
                            InstructionText(*facts.method, reader), ValueText(*facts.method, name));
    obliger.Add(std::move(o));
  }
  for (const int32_t v : facts.names.unsure) {
    ObligeKnown(obliger, facts, v,
                ", and the numbering of values does not tell of which value it is a view.");
  }
  for (const int32_t v : facts.names.guessed) {
    ObligeKnown(obliger, facts, v,
                ", which lies inside an older value, and no literals of a slice follow it.");
  }
}

}  // namespace

std::vector<ReturnedStorage> ReturnedStorages(const MethodFacts& facts) {
  std::vector<ReturnedStorage> all;
  std::set<int32_t> inputs;
  std::set<int32_t> seen;
  for (size_t k = 0; k < facts.method->outputs.size(); ++k) {
    const int32_t v = facts.method->outputs[k];
    const Part part = facts.parts.Of(v);
    const bool is_named = facts.parts.BufferOf(v) >= 0 && !facts.method->NameOf(v).empty();
    if (part != Part::kBuffer && part != Part::kInput && !is_named) continue;
    // A mutated input comes back once of its own, before the user's outputs.
    if (part == Part::kInput && inputs.insert(v).second) continue;
    const Tensor* tensor = facts.method->TensorOf(v);
    if (tensor != nullptr && tensor->nbytes == 0) continue;
    if (seen.insert(v).second) all.push_back({k, v, LastReplacing(facts, v)});
  }
  return all;
}

void ObligeEnds(Obliger& obliger, int32_t method) {
  const MethodFacts& facts = obliger.facts().FactsAt(method);
  for (const ReturnedStorage& returned : ReturnedStorages(facts)) {
    Obligation o =
        AboutMethod(*facts.method, rule::kEntryValueLost, returned.store, {returned.value});
    o.goal = None(returned.store >= 0 ? 1 : 0);
    o.refuted = fmt::format("Output {} returns the storage {}, which {} has overwritten.",
                            returned.output, ValueText(*facts.method, returned.value),
                            InstructionText(*facts.method, returned.store));
    obliger.Add(std::move(o));
  }
  ObligeMade(obliger, facts);
  Obligation o = AboutMethod(*facts.method, rule::kNotProvable, -1, {});
  o.severity = Severity::kNote;
  o.goal = None(facts.needs.complete ? 0 : 1);
  o.refuted = "The control flow is beyond the limit on work.";
  obliger.Add(std::move(o));
  if (!facts.listing.moves_list) return;
  Obligation followed = AboutMethod(*facts.method, rule::kNotProvable, -1, {});
  followed.severity = Severity::kNote;
  followed.goal = None(1);
  followed.refuted =
      "A list of tensors is moved, and the tensors that it holds afterwards are not followed.";
  obliger.Add(std::move(followed));
}

}  // namespace pteproof::proofs
