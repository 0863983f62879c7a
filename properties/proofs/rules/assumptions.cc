#include <algorithm>

#include "properties/assumption_words.h"
#include "properties/proofs/rules/rules.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {
namespace {

bool KeepsBuffers(const MethodFacts& facts) {
  return !facts.parts.buffers.empty();
}

// A method without an entry in the manifest that runs nothing and keeps nothing was made from a
// plain value.
void AssumeStores(const ProgramFacts& facts, std::vector<std::string>& assumptions) {
  if (std::ranges::none_of(facts.methods, KeepsBuffers)) return;
  const auto is_stated = [](const MethodFacts& method) {
    return method.stated != nullptr && method.stated->mutates.has_value();
  };
  std::vector<std::string_view> unstated;
  for (const MethodFacts& method : facts.methods) {
    const bool plain_value =
        method.stated == nullptr && !KeepsBuffers(method) && method.method->instructions.empty();
    if (!is_stated(method) && !plain_value) unstated.push_back(method.method->name);
  }
  if (unstated.empty()) return;
  if (std::ranges::none_of(facts.methods, is_stated)) unstated.clear();
  assumptions.push_back(assumption::Stores(unstated));
}

// The protocol, and which methods no history of it calls.
void AssumeProtocol(const ProgramFacts& facts, std::vector<std::string>& assumptions) {
  if (facts.histories.all()) return;
  std::vector<std::string_view> never;
  for (int32_t m = 0; m < static_cast<int32_t>(facts.methods.size()); ++m) {
    if (!facts.histories.Call(m)) never.push_back(facts.MethodAt(m).name);
  }
  assumptions.push_back(assumption::Calls(facts.manifest->calls->text, never));
}

bool LeavesMemoryToCaller(const MethodFacts& facts) {
  const auto is_unplanned = [&](int32_t v) {
    const Tensor* tensor = facts.method->TensorOf(v);
    return tensor != nullptr && !tensor->planned && facts.parts.Of(v) != Part::kConstant;
  };
  return std::ranges::any_of(facts.method->inputs, is_unplanned) ||
         std::ranges::any_of(facts.method->outputs, is_unplanned);
}

// Some unplanned input is an output too.
bool LeavesMemoryTwice(const MethodFacts& facts) {
  for (const int32_t out : facts.method->outputs) {
    const Tensor* tensor = facts.method->TensorOf(out);
    if (tensor == nullptr || tensor->planned) continue;
    if (std::ranges::find(facts.method->inputs, out) != facts.method->inputs.end()) return true;
  }
  return false;
}

bool CollectsRows(const MethodFacts& facts) {
  for (int32_t i = 0; i < facts.instruction_count(); ++i) {
    const auto writes = facts.listing.WritesAt(i);
    const auto fills = [](const WriteEvent& w) { return w.access == Access::kFill; };
    if (std::ranges::any_of(writes, fills)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> AssumptionsOf(const ProgramFacts& facts) {
  std::vector<std::string> assumptions;
  const auto any = [&](auto test) { return std::ranges::any_of(facts.methods, test); };
  if (any([](const MethodFacts& m) { return m.listing.has_unknown_operator; })) {
    assumptions.emplace_back(assumption::kUnknownOperators);
  }
  if (any([](const MethodFacts& m) { return m.listing.has_guessed_delegate; })) {
    assumptions.emplace_back(assumption::kDelegates);
  }
  AssumeStores(facts, assumptions);
  if (any(LeavesMemoryToCaller)) {
    assumptions.emplace_back(any(LeavesMemoryTwice) ? assumption::kCallersMemoryTwice
                                                    : assumption::kCallersMemory);
  }
  if (any(CollectsRows)) assumptions.emplace_back(assumption::kRows);
  AssumeProtocol(facts, assumptions);
  return assumptions;
}

}  // namespace pteproof::proofs
