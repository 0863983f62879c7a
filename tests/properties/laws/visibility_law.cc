// No byte that a method reads may be without effect. The inputs that must show in an output are
// found backwards from the outputs, through nodes that pass every byte on.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tests/properties/laws/breaches.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/method_uses.h"
#include "reference/op_movement.h"
#include "reference/run/hash_semantics.h"

namespace pteproof {

using graph::Node;
using graph::ValueId;

namespace {

// Movements that leave out no element of operand 0.
bool MovesAll(const Node& node) {
  static constexpr auto kOps = std::to_array<std::string_view>(
      {"aten::clone.out", "aten::view_copy.out", "aten::transpose_copy.int_out",
       "aten::unsqueeze_copy.out", "aten::t_copy.out", "aten::cat.out"});
  return std::ranges::find(kOps, node.op) != kOps.end();
}

// Bytes that a digest cannot be expected to meet again by chance, at the smallest dims.
bool IsWide(const graph::Method& method, ValueId v) {
  const TensorType* type = TensorTypeOf(method, v);
  if (type == nullptr || ElementSize(type->dtype) < 4) return false;
  std::vector<int64_t> least;
  for (const graph::DimSymbol& dim : method.dims) least.push_back(dim.lo);
  return std::ranges::all_of(type->sizes, [&](const SizeExpr& s) { return s.At(least) > 0; });
}

bool PassesOn(const graph::Method& method, const Node& node) {
  if (node.kind == graph::NodeKind::kDelegate) return true;
  if (node.kind != graph::NodeKind::kCall || Mutates(node)) return false;
  if (node.schema != nullptr && KeepsMeaning(*node.schema)) return MovesAll(node);
  return std::ranges::all_of(node.results, [&](ValueId v) { return IsWide(method, v); });
}

// By value: every byte of it shows in an output.
std::vector<bool> Visible(const graph::Method& method) {
  std::vector<bool> visible(method.values.size());
  const auto mark = [&](ValueId v) { visible[static_cast<size_t>(v)] = IsWide(method, v); };
  std::ranges::for_each(method.body.results, mark);
  for (auto node = method.body.nodes.rbegin(); node != method.body.nodes.rend(); ++node) {
    const bool seen = std::ranges::any_of(
        node->results, [&](ValueId v) { return visible[static_cast<size_t>(v)]; });
    if (seen && PassesOn(method, *node)) graph::ForEachValue(node->operands, mark);
  }
  return visible;
}

}  // namespace

Breach ShowsEveryByte(const RandomCase& c, uint64_t pick) {
  const RunOptions options = OptionsFor(Semantics::kHash);
  for (const generators::RandomCall& call : c.calls) {
    const graph::Method& method = c.module.methods[call.method];
    if (graph::HasMutation(method.body)) continue;
    const std::vector<bool> visible = Visible(method);
    for (size_t i = 0; i < method.inputs.size(); ++i) {
      const auto* tensor = std::get_if<TensorValue>(&call.inputs[i]);
      if (!visible[static_cast<size_t>(method.inputs[i].value)] || tensor->bytes.empty()) continue;
      generators::RandomCall changed = call;
      auto& bytes = std::get<TensorValue>(changed.inputs[i]).bytes;
      bytes[pick % bytes.size()] ^= std::byte{1} << (pick / 8 % 8);
      const Trace before = RunAll(c.module, {&call, 1}, options);
      const Trace after = RunAll(c.module, {&changed, 1}, options);
      if (!before.calls[0].ok() || !after.calls[0].ok()) continue;
      if (SameData(before.calls[0].value().outputs, after.calls[0].value().outputs)) {
        return fmt::format("a byte of input %{} does not show", method.inputs[i].name);
      }
    }
  }
  return std::nullopt;
}

}  // namespace pteproof
