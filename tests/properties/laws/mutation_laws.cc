#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/properties/laws/breaches.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/method_uses.h"
#include "reference/graph/validate.h"
#include "reference/op_schema.h"

namespace pteproof {

using graph::Module;
using graph::Node;
using graph::ValueId;

namespace {

// Nodes in place write their operand: `r = op(a, b) in place of a` is `t = op(a, b); r = copy_(a,
// t)`.
void Overwrite(graph::Method& method, graph::Region& region) {
  static const OpSchema* const copy = FindOperator("aten::copy_");
  std::vector<Node> nodes;
  for (Node& node : region.nodes) {
    for (graph::Region& inner : node.regions) Overwrite(method, inner);
    const auto operand = std::exchange(node.in_place, std::nullopt);
    nodes.push_back(std::move(node));
    if (!operand) continue;
    Node& last = nodes.back();
    Node store;
    store.op = copy->name;
    store.schema = copy;
    const auto made = static_cast<ValueId>(method.values.size());
    method.values.push_back(method.values[static_cast<size_t>(last.results.front())]);
    store.results = {std::exchange(last.results.front(), made)};
    store.operands = {
        last.operands[static_cast<size_t>(*operand)], {graph::Operand::Value{made}}, {false}};
    nodes.push_back(std::move(store));
  }
  region.nodes = std::move(nodes);
}

bool IsStoredTo(const graph::Method& method, size_t input) {
  return std::ranges::find(method.input_stores, static_cast<int32_t>(input),
                           &graph::InputStore::input) != method.input_stores.end();
}

}  // namespace

Breach FunctionalizesAlike(const RandomCase& c, uint64_t) {
  const auto functional = graph::Functionalize(c.module);
  if (!functional.ok()) return std::nullopt;
  const auto problems = graph::Validate(functional.value());
  if (!problems.empty()) return fmt::format("the result is invalid: {}", problems[0].explanation);
  if (const Breach breach = Compare(functional.value(), c)) return *breach + " (hash)";
  return Difference(RunAll(c.module, c.calls, OptionsFor(Semantics::kReal)),
                    RunAll(functional.value(), c.calls, OptionsFor(Semantics::kReal)));
}

Breach TakesOperandsRightly(const RandomCase& c, uint64_t) {
  Module overwriting = c.module;
  for (graph::Method& method : overwriting.methods) Overwrite(method, method.body);
  Trace with = RunAll(overwriting, c.calls, OptionsFor(Semantics::kHash));
  const Trace without = RunAll(c.module, c.calls, OptionsFor(Semantics::kHash));
  // The content of an input that may be overwritten is unspecified after the call, except for a
  // store to it.
  for (size_t n = 0; n < with.calls.size(); ++n) {
    if (!with.calls[n].ok() || !without.calls[n].ok()) continue;
    const auto& inputs = c.module.methods[c.calls[n].method].inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].in_place || IsStoredTo(c.module.methods[c.calls[n].method], i)) continue;
      with.calls[n].value().inputs_after[i] = without.calls[n].value().inputs_after[i];
    }
  }
  return Difference(with, without);
}

Breach LeavesOthersAlone(const RandomCase& c, uint64_t) {
  State state(c.module);
  for (const generators::RandomCall& call : c.calls) {
    const State before = state;
    static_cast<void>(
        CallMethod(c.module, call.method, state, call.inputs, OptionsFor(Semantics::kHash)));
    const std::vector<int32_t> used = graph::BuffersOf(c.module.methods[call.method]);
    for (size_t b = 0; b < c.module.buffers.size(); ++b) {
      const bool is_used = std::ranges::binary_search(used, static_cast<int32_t>(b));
      if (!is_used && before.Get(call.method, b) != state.Get(call.method, b)) {
        return fmt::format("buffer @{} changed", c.module.buffers[b].name);
      }
    }
  }
  return std::nullopt;
}

}  // namespace pteproof
