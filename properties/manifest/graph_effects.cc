#include "properties/manifest/graph_effects.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <ranges>

#include "reference/graph/method_uses.h"
#include "reference/kept_operand.h"
#include "reference/op_schema.h"

namespace pteproof {
namespace {

using graph::Node;
using graph::NodeKind;
using graph::Operand;
using graph::Region;
using graph::ValueId;

size_t Index(ValueId v) {
  return static_cast<size_t>(v);
}

// A parameter's operand: a loop's parameters begin with the first, a branch's after the predicate.
size_t FirstGiven(const Node& node) {
  return node.kind == NodeKind::kCond ? 1 : 0;
}

// The oldest value that holds the same elements, as far as data movement tells. By ValueId.
class Origins {
 public:
  explicit Origins(const graph::Method& method) : method_(method), of_(method.values.size()) {
    std::iota(of_.begin(), of_.end(), 0);
    Follow(method.body);
  }

  [[nodiscard]] ValueId Of(ValueId v) const { return of_[Index(v)]; }

 private:
  void Follow(const Region& region) {
    for (const Node& node : region.nodes) {
      if (node.kind == NodeKind::kCond) {
        Branches(node);
      } else if (!node.regions.empty()) {
        Loop(node);
      } else if (const auto kept = Kept(node)) {
        of_[Index(node.results.front())] = Of(*kept);
      }
    }
  }

  [[nodiscard]] std::optional<ValueId> Kept(const Node& node) const {
    if (node.kind != NodeKind::kCall || node.results.empty()) return std::nullopt;
    const auto operand = KeptOperand(node.op);
    if (!operand) return std::nullopt;
    const auto kept = graph::ValueOfOperand(node.operands[*operand]);
    if (!kept) return std::nullopt;
    const TensorType& from = *TensorTypeOf(method_, *kept);
    const TensorType& to = *TensorTypeOf(method_, node.results.front());
    // For the operand that copy overwrites only the sizes matter: the stored value may be broadcast
    // or converted.
    const bool same = *operand == 0 ? from.dtype == to.dtype : from == to;
    return same ? kept : std::nullopt;
  }

  void Branches(const Node& node) {
    for (const Region& branch : node.regions) {
      for (size_t p = 0; p < branch.params.size(); ++p) {
        of_[Index(branch.params[p])] = Of(*graph::ValueOfOperand(node.operands[p + 1]));
      }
      Follow(branch);
    }
    for (size_t r = 0; r < node.results.size(); ++r) {
      const ValueId then = Of(node.regions[0].results[r]);
      if (then == Of(node.regions[1].results[r])) of_[Index(node.results[r])] = then;
    }
  }

  // A value that every round passes on unchanged was there before the loop.
  void Loop(const Node& node) {
    for (const Region& region : node.regions) Follow(region);
    const Region& body = node.regions.back();
    for (size_t c = 0; c < static_cast<size_t>(node.carried); ++c) {
      if (Of(body.results[c]) != body.params[c]) continue;
      of_[Index(node.results[c])] = Of(*graph::ValueOfOperand(node.operands[c]));
    }
  }

  const graph::Method& method_;
  std::vector<ValueId> of_;
};

bool HasOwnEffect(const Node& node) {
  const bool opaque =
      node.kind == NodeKind::kDelegate || (node.kind == NodeKind::kCall && node.schema == nullptr);
  const auto inside = [](const Region& region) {
    return std::ranges::any_of(region.nodes, HasOwnEffect);
  };
  return opaque || std::ranges::any_of(node.regions, inside);
}

// The values that show in the results of a method, backwards from its end.
class Wanted {
 public:
  explicit Wanted(const graph::Method& method) : wanted_(method.values.size()) {}

  void Want(ValueId v) { wanted_[Index(v)] = true; }
  [[nodiscard]] bool Has(ValueId v) const { return wanted_[Index(v)]; }

  void Go(const Region& region) {
    for (const Node& node : region.nodes | std::views::reverse) {
      const bool shows = std::ranges::any_of(node.results, [&](ValueId v) { return Has(v); });
      if (!shows && !HasOwnEffect(node)) continue;
      if (node.regions.empty()) {
        WantOperands(node);
      } else {
        Regions(node);
      }
    }
  }

 private:
  void WantOperands(const Node& node) {
    for (size_t o = 0; o < node.operands.size(); ++o) {
      const ArgSchema* arg = node.schema == nullptr ? nullptr : OperandSchema(*node.schema, o);
      if (arg != nullptr && arg->access == Access::kNone) continue;
      graph::ForEachValue(std::span(&node.operands[o], 1), [&](ValueId v) { Want(v); });
    }
  }

  // A carried value is wanted if a later round, or an instruction after the loop, wants it.
  void Regions(const Node& node) {
    const size_t first = FirstGiven(node);
    if (first == 1) Want(*graph::ValueOfOperand(node.operands.front()));
    if (node.kind == NodeKind::kWhile) Want(node.regions.front().results.front());
    const auto carried = static_cast<size_t>(node.carried);
    for (bool again = true; again;) {
      again = false;
      for (const Region& region : node.regions) {
        const bool is_test = node.kind == NodeKind::kWhile && &region == &node.regions.front();
        for (size_t r = 0; !is_test && r < node.results.size(); ++r) {
          const bool shows = Has(node.results[r]) || (r < carried && IsCarried(node, r));
          if (shows && !Has(region.results[r])) again = true;
          if (shows) Want(region.results[r]);
        }
        Go(region);
      }
      again = again && carried > 0;
    }
    for (const Region& region : node.regions) {
      for (size_t p = 0; p < region.params.size(); ++p) {
        const bool used = Has(region.params[p]) || (p < carried && Has(node.results[p]));
        if (used) Want(*graph::ValueOfOperand(node.operands[p + first]));
      }
    }
  }

  [[nodiscard]] bool IsCarried(const Node& node, size_t position) const {
    return std::ranges::any_of(node.regions,
                               [&](const Region& region) { return Has(region.params[position]); });
  }

  std::vector<bool> wanted_;
};

// Delegates are given the buffers that they do not own, whether the method names them or not.
void MarkGiven(const Region& region, std::vector<bool>& reads) {
  for (const Node& node : region.nodes) {
    for (const graph::DelegateBuffer& each : node.buffers) {
      if (each.role != graph::DelegateRole::kOwns) reads[static_cast<size_t>(each.buffer)] = true;
    }
    for (const Region& inner : node.regions) MarkGiven(inner, reads);
  }
}

}  // namespace

GraphEffects EffectsOf(const graph::Module& module, const graph::Method& method) {
  GraphEffects effects;
  effects.reads.resize(module.buffers.size());
  effects.mutates.resize(module.buffers.size());
  for (const int32_t buffer : graph::BuffersStoredBy(method)) {
    effects.mutates[static_cast<size_t>(buffer)] = true;
  }
  const Origins origins(method);
  Wanted wanted(method);
  for (const ValueId v : method.body.results) {
    wanted.Want(v);
    effects.origins.push_back(origins.Of(v));
  }
  for (const graph::InputStore& store : method.input_stores) wanted.Want(store.value);
  for (const graph::BufferStore& store : method.stores) {
    const auto entry = std::ranges::find(method.buffers, store.buffer, &graph::BufferEntry::buffer);
    const bool kept = entry != method.buffers.end() && origins.Of(store.value) == entry->value;
    effects.mutates[static_cast<size_t>(store.buffer)] = !kept;
    if (!kept) wanted.Want(store.value);
  }
  wanted.Go(method.body);
  MarkGiven(method.body, effects.reads);
  for (const graph::BufferEntry& entry : method.buffers) {
    if (wanted.Has(entry.value)) effects.reads[static_cast<size_t>(entry.buffer)] = true;
  }
  return effects;
}

}  // namespace pteproof
