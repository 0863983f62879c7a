#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/properties/laws/breaches.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/method_uses.h"

namespace pteproof {

using graph::Module;
using graph::Node;
using graph::ValueId;

namespace {

bool Uses(const Node& node, std::span<const ValueId> values) {
  bool uses = false;
  const auto look = [&](ValueId v) { uses = uses || std::ranges::find(values, v) != values.end(); };
  graph::ForEachValue(node.operands, look);
  std::ranges::for_each(node.after, look);
  return uses;
}

// Neither depends on the other.
bool AreIndependent(const Node& first, const Node& second) {
  const auto touches = [](const Node& node) {
    return Mutates(node) || node.view || std::ranges::any_of(node.regions, graph::HasMutation);
  };
  const bool pure = !touches(first) && !touches(second);
  return pure && first.buffers.empty() && second.buffers.empty() && !Uses(second, first.results);
}

}  // namespace

Breach IsDeterministic(const RandomCase& c, uint64_t) {
  return Compare(c.module, c);
}

Breach IgnoresNames(const RandomCase& c, uint64_t pick) {
  Module renamed = c.module;
  for (graph::Method& method : renamed.methods) {
    for (size_t i = 0; i < method.inputs.size(); ++i) {
      const bool as_buffer = (pick >> i & 1) != 0 && i < renamed.buffers.size();
      method.inputs[i].name = as_buffer ? renamed.buffers[i].name : fmt::format("argument{}", i);
    }
  }
  return Compare(renamed, c);
}

Breach IgnoresOrder(const RandomCase& c, uint64_t pick) {
  Module reordered = c.module;
  for (graph::Method& method : reordered.methods) {
    auto& nodes = method.body.nodes;
    for (size_t n = pick % 2; n + 1 < nodes.size(); ++n) {
      if (AreIndependent(nodes[n], nodes[n + 1])) std::swap(nodes[n], nodes[n + 1]);
    }
  }
  return Compare(reordered, c);
}

// A copy of a method that works on shared buffers alone may be called in its stead.
Breach AdmitsCopies(const RandomCase& c, uint64_t pick) {
  const size_t original = pick % c.module.methods.size();
  for (const int32_t buffer : graph::BuffersOf(c.module.methods[original])) {
    if (!c.module.buffers[static_cast<size_t>(buffer)].shared) return std::nullopt;
  }
  RandomCase copied = c;
  copied.module.methods.push_back(copied.module.methods[original]);
  copied.module.methods.back().name = "copy";
  for (size_t n = 0; n < copied.calls.size(); ++n) {
    if (copied.calls[n].method == original && (pick >> n & 1) != 0) {
      copied.calls[n].method = copied.module.methods.size() - 1;
    }
  }
  Trace with = RunAll(copied.module, copied.calls, OptionsFor(Semantics::kHash));
  Trace without = RunAll(c.module, c.calls, OptionsFor(Semantics::kHash));
  with.state = without.state;  // has more methods; outputs tell of the buffers
  return Difference(with, without);
}

Breach IgnoresOutputOrder(const RandomCase& c, uint64_t) {
  Module permuted = c.module;
  for (graph::Method& method : permuted.methods) std::ranges::reverse(method.body.results);
  Trace other = RunAll(permuted, c.calls, OptionsFor(Semantics::kHash));
  for (auto& call : other.calls) {
    if (call.ok()) std::ranges::reverse(call.value().outputs);
  }
  return Difference(RunAll(c.module, c.calls, OptionsFor(Semantics::kHash)), other);
}

}  // namespace pteproof
