// One walk over a method's nodes in the order of the listing, regions included, notes for each
// value the node that makes it and the places that read it. The carried results of a loop may
// always be other names of operands (no round may run); those of a branch may be, if a region
// returns a parameter, a value of which that is open, or one storage twice. Cost: O(nodes +
// operands).
#include "reference/graph/method_uses.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "reference/operand_written.h"

namespace pteproof::graph {
namespace {

using UseKind = ValueUse::Kind;
using MakerKind = ValueMaker::Kind;

class Collector {
 public:
  explicit Collector(const Method& method) : method_(method), root_(method.values.size(), -1) {
    uses_.nodes.reserve(method.body.nodes.size());
    uses_.makers.resize(method.values.size());
    uses_.uses.resize(method.values.size());
    uses_.may_be_alias.resize(method.values.size());
  }

  MethodUses Go() {
    for (size_t n = 0; n < method_.inputs.size(); ++n) {
      Make(method_.inputs[n].value, MakerKind::kInput, n);
    }
    for (size_t n = 0; n < method_.buffers.size(); ++n) {
      Make(method_.buffers[n].value, MakerKind::kEntry, n);
      entries_[method_.buffers[n].buffer] = method_.buffers[n].value;
    }
    Collect(method_.body);
    for (size_t n = 0; n < method_.stores.size(); ++n) {
      Use(method_.stores[n].value, UseKind::kStore, n);
    }
    for (size_t n = 0; n < method_.input_stores.size(); ++n) {
      Use(method_.input_stores[n].value, UseKind::kInputStore, n);
    }
    return std::move(uses_);
  }

 private:
  static size_t Index(ValueId value) { return static_cast<size_t>(value); }

  void Make(ValueId value, MakerKind kind, size_t index) {
    uses_.makers[Index(value)] = {kind, static_cast<int32_t>(index)};
    root_[Index(value)] = value;
  }

  void Use(ValueId value, UseKind kind, size_t index) {
    uses_.uses[Index(value)].push_back({kind, static_cast<int32_t>(index)});
  }

  void Collect(const Region& region) {
    for (size_t p = 0; p < region.params.size(); ++p) {
      Make(region.params[p], MakerKind::kParam, p);
    }
    for (const Node& node : region.nodes) Collect(node);
    for (size_t r = 0; r < region.results.size(); ++r) {
      Use(region.results[r], UseKind::kResult, r);
    }
  }

  void Collect(const Node& node) {
    const size_t index = uses_.nodes.size();
    uses_.nodes.push_back(&node);
    if (depth_ == 0) outermost_ = index;
    ForEachValue(node.operands, [&](ValueId v) { Use(v, UseKind::kNode, index); });
    for (const DelegateBuffer& use : node.buffers) {
      const auto entry = entries_.find(use.buffer);
      if (entry != entries_.end()) Use(entry->second, UseKind::kNode, outermost_);
    }
    ++depth_;
    for (const Region& region : node.regions) Collect(region);
    --depth_;
    for (const ValueId result : node.results) Make(result, MakerKind::kNode, index);
    if (const auto operand = AliasedOperand(node)) {
      root_[Index(node.results.front())] = root_[Index(*operand)];
    }
    for (size_t r = 0; r < node.results.size(); ++r) MarkRegionResult(node, r);
  }

  void MarkRegionResult(const Node& node, size_t result) {
    if (node.regions.empty()) return;
    const auto carried = static_cast<size_t>(node.carried);
    const bool stacked = node.kind != NodeKind::kCond && result >= carried;
    if (stacked) return;
    bool alias = node.kind != NodeKind::kCond;
    for (const Region& region : node.regions) {
      alias = alias || IsParamOrShared(region, result);
    }
    uses_.may_be_alias[Index(node.results[result])] = alias;
  }

  // Whether the region's result has the storage of a parameter or of another result.
  bool IsParamOrShared(const Region& region, size_t result) {
    const ValueId root = root_[Index(region.results[result])];
    if (uses_.makers[Index(root)].kind == MakerKind::kParam) return true;
    if (uses_.may_be_alias[Index(root)]) return true;
    int same = 0;
    for (const ValueId v : region.results) same += root_[Index(v)] == root ? 1 : 0;
    return same > 1;
  }

  const Method& method_;
  MethodUses uses_;
  std::vector<ValueId> root_;  // the value that its storage was made with
  std::unordered_map<int32_t, ValueId> entries_;
  int depth_ = 0;
  size_t outermost_ = 0;
};

// Those of delegates that `counts`.
template <class Counts>
void CollectBuffers(const Region& region, const Counts& counts, std::vector<int32_t>& buffers) {
  for (const Node& node : region.nodes) {
    for (const DelegateBuffer& each : node.buffers) {
      if (counts(each)) buffers.push_back(each.buffer);
    }
    for (const Region& inner : node.regions) CollectBuffers(inner, counts, buffers);
  }
}

std::vector<int32_t> SortedOnce(std::vector<int32_t> buffers) {
  std::ranges::sort(buffers);
  buffers.erase(std::ranges::unique(buffers).begin(), buffers.end());
  return buffers;
}

}  // namespace

std::vector<int32_t> BuffersOf(const Method& method) {
  std::vector<int32_t> buffers;
  for (const BufferEntry& entry : method.buffers) buffers.push_back(entry.buffer);
  for (const BufferStore& store : method.stores) buffers.push_back(store.buffer);
  CollectBuffers(method.body, [](const DelegateBuffer&) { return true; }, buffers);
  return SortedOnce(std::move(buffers));
}

std::vector<int32_t> BuffersStoredBy(const Method& method) {
  std::vector<int32_t> buffers;
  for (const BufferStore& store : method.stores) buffers.push_back(store.buffer);
  const auto written = [](const DelegateBuffer& each) {
    return each.writes && each.role != DelegateRole::kOwns;
  };
  CollectBuffers(method.body, written, buffers);
  return SortedOnce(std::move(buffers));
}

std::optional<ValueId> AliasedOperand(const Node& node) {
  if (node.operands.empty() || node.results.empty()) return std::nullopt;
  if (node.view) return ValueOfOperand(node.operands.front());
  if (Mutates(node)) {
    const auto written = OperandWritten(*node.schema, 0);
    const bool is_given = written && *written < node.operands.size();
    return is_given ? ValueOfOperand(node.operands[*written]) : std::nullopt;
  }
  if (!node.in_place) return std::nullopt;
  const auto operand = static_cast<size_t>(*node.in_place);
  if (*node.in_place < 0 || operand >= node.operands.size()) return std::nullopt;
  return ValueOfOperand(node.operands[operand]);
}

MethodUses UsesOf(const Method& method) {
  return Collector(method).Go();
}

}  // namespace pteproof::graph
