#include "properties/generators/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "reference/graph/method_uses.h"

namespace pteproof::generators {
namespace {

using graph::Module;
using graph::Node;
using graph::Region;
using graph::ValueId;

constexpr std::string_view kNames[kTraitCount] = {
    "shared buffer",
    "reader-only method",
    "region",
    "nested region",
    "sibling regions",
    "in-place, view or move",
    "view of state",
    "permuted store",
    "self update",
    "aliased output",
    "many readers",
    "one operand twice",
    "no elements",
    "one element",
    "equal initial bytes",
    "name clash",
    "ranged dim",
    "delegate",
    "unknown operator",
    "mixed types",
    "in-place node",
    "after edge",
    "pool",
    "delegate's buffer",
    "store only",
    "input store",
    "index_put_",
    "another update of a part",
    "delegate on a device",
};

// Of those that rows, indices, masks or positions choose, all but index_put_.
bool IsPartUpdate(std::string_view op) {
  constexpr std::string_view kSuch[] = {
      "aten::index_add_",          "aten::index_copy_",      "aten::index_fill_.int_Scalar",
      "aten::masked_fill_.Scalar", "aten::scatter_.src",     "aten::scatter_.value",
      "aten::scatter_add_",        "llama::update_cache.out"};
  return std::ranges::find(kSuch, op) != std::end(kSuch);
}

// The least share of cases, in percent, that the default distribution has of a trait.
struct Floor {
  Trait trait;
  double percent;
};
constexpr Floor kFloors[] = {
    {Trait::kSharedBuffer, 60},      {Trait::kRegion, 20},
    {Trait::kInPlaceViewOrMove, 50}, {Trait::kPermutedStore, 5},
    {Trait::kReaderOnly, 5},         {Trait::kAliasedOutput, 10},
    {Trait::kDelegate, 5},           {Trait::kUnknownOperator, 3},
    {Trait::kRangedDim, 10},         {Trait::kNameClash, 3},
    {Trait::kNoElements, 2},         {Trait::kOneElement, 5},
    {Trait::kMixedTypes, 35},        {Trait::kNestedRegion, 1},
    {Trait::kSiblingRegions, 3},     {Trait::kSelfUpdate, 5},
    {Trait::kEqualInitials, 5},      {Trait::kInPlaceNode, 5},
    {Trait::kAfterEdge, 2},          {Trait::kPool, 5},
    {Trait::kDelegateBuffer, 3},     {Trait::kStoreOnly, 5},
    {Trait::kInputStore, 2},         {Trait::kIndexPut, 1},
    {Trait::kDeviceDelegate, 1},     {Trait::kPartUpdate, 2},
};
constexpr uint64_t kLeastMedianNodes = 12;
constexpr uint64_t kLeastMedianMethods = 2;
constexpr uint64_t kLeastCalls = 4;
constexpr uint64_t kEnoughCases = 1000;

class Survey {
 public:
  explicit Survey(const Module& module) : module_(module) {
    OfBuffers();
    for (const graph::Method& method : module.methods) OfMethod(method);
  }
  [[nodiscard]] bool Has(Trait t) const { return has_[static_cast<size_t>(t)]; }
  [[nodiscard]] size_t nodes() const { return nodes_; }

 private:
  void Note(Trait t, bool when = true) {
    if (when) has_[static_cast<size_t>(t)] = true;
  }

  void OfBuffers() {
    for (size_t b = 0; b < module_.buffers.size(); ++b) {
      Note(Trait::kSharedBuffer, module_.buffers[b].shared);
      for (size_t a = 0; a < b && module_.buffers[b].initial; ++a) {
        Note(Trait::kEqualInitials,
             module_.buffers[a].initial &&
                 module_.buffers[a].initial->bytes == module_.buffers[b].initial->bytes);
      }
    }
  }

  void OfMethod(const graph::Method& method) {
    readers_.assign(method.values.size(), 0);
    entry_of_.assign(method.values.size(), -1);
    made_from_.assign(method.values.size(), 0);
    for (const graph::BufferEntry& entry : method.buffers) {
      entry_of_[static_cast<size_t>(entry.value)] = entry.buffer;
      if (entry.buffer < 64)
        made_from_[static_cast<size_t>(entry.value)] = uint64_t{1} << entry.buffer;
    }
    for (const graph::ValueType& type : method.values) OfType(type);
    Note(Trait::kRangedDim, !method.dims.empty());
    OfInputs(method);
    OfRegion(method, method.body, 0);
    for (const int count : readers_) Note(Trait::kManyReaders, count >= 3);
    OfExit(method);
  }

  void OfType(const graph::ValueType& value) {
    const auto* type = std::get_if<TensorType>(&value);
    if (type == nullptr) return;
    Note(Trait::kMixedTypes,
         type->dtype != ScalarType::kFloat32 && type->dtype != ScalarType::kBool);
    const SizeExpr count = Product(type->sizes);
    Note(Trait::kNoElements, count.Is(0));
    Note(Trait::kOneElement, count.Is(1));
  }

  void OfInputs(const graph::Method& method) {
    for (const graph::Input& input : method.inputs) {
      Note(Trait::kNameClash, std::ranges::find(module_.buffers, input.name,
                                                &graph::Buffer::name) != module_.buffers.end());
    }
  }

  void OfRegion(const graph::Method& method, const Region& region, int depth) {
    nodes_ += region.nodes.size();
    int regions = 0;
    for (const Node& node : region.nodes) {
      OfNode(node);
      regions += node.regions.empty() ? 0 : 1;
      Note(Trait::kRegion, !node.regions.empty());
      Note(Trait::kNestedRegion, depth > 0 && !node.regions.empty());
      for (const Region& inner : node.regions) {
        Note(Trait::kInPlaceViewOrMove, !inner.results.empty());
        OfRegion(method, inner, depth + 1);
      }
    }
    Note(Trait::kSiblingRegions, regions > 1);
  }

  void OfNode(const Node& node) {
    Note(Trait::kInPlaceViewOrMove, node.view || Mutates(node) || node.in_place);
    Note(Trait::kInPlaceNode, node.in_place.has_value());
    Note(Trait::kAfterEdge, !node.after.empty());
    Note(Trait::kPool, !node.pool.empty());
    Note(Trait::kIndexPut, node.op == "aten::index_put_");
    Note(Trait::kPartUpdate, IsPartUpdate(node.op));
    Note(Trait::kDelegateBuffer, !node.buffers.empty());
    Note(Trait::kDelegate, node.kind == graph::NodeKind::kDelegate);
    Note(Trait::kDeviceDelegate,
         node.kind == graph::NodeKind::kDelegate && node.pool == kDevicePool);
    Note(Trait::kUnknownOperator, node.kind == graph::NodeKind::kCall && node.schema == nullptr);
    uint64_t from = 0;
    std::vector<ValueId> used;
    graph::ForEachValue(node.operands, [&](ValueId v) { used.push_back(v); });
    for (const ValueId v : used) {
      ++readers_[static_cast<size_t>(v)];
      from |= made_from_[static_cast<size_t>(v)];
      Note(Trait::kViewOfState, node.view && entry_of_[static_cast<size_t>(v)] >= 0);
    }
    std::ranges::sort(used);
    Note(Trait::kSameOperandTwice, std::ranges::adjacent_find(used) != used.end());
    for (const ValueId v : node.results) made_from_[static_cast<size_t>(v)] |= from;
  }

  void OfExit(const graph::Method& method) {
    bool uses_shared = false;
    for (const graph::BufferEntry& entry : method.buffers) {
      uses_shared = uses_shared || module_.buffers[static_cast<size_t>(entry.buffer)].shared;
    }
    Note(Trait::kReaderOnly, uses_shared && method.stores.empty());
    Note(Trait::kInputStore, !method.input_stores.empty());
    for (const graph::BufferStore& store : method.stores) {
      Note(Trait::kStoreOnly,
           std::ranges::find(method.buffers, store.buffer, &graph::BufferEntry::buffer) ==
               method.buffers.end());
      const int32_t entry = entry_of_[static_cast<size_t>(store.value)];
      Note(Trait::kPermutedStore, entry >= 0 && entry != store.buffer);
      Note(Trait::kSelfUpdate,
           entry < 0 && store.buffer < 64 &&
               (made_from_[static_cast<size_t>(store.value)] >> store.buffer & 1) != 0);
    }
    std::vector<ValueId> outputs = method.body.results;
    for (const ValueId v : outputs) {
      const bool input =
          std::ranges::find(method.inputs, v, &graph::Input::value) != method.inputs.end();
      Note(Trait::kAliasedOutput, input || entry_of_[static_cast<size_t>(v)] >= 0);
    }
    std::ranges::sort(outputs);
    Note(Trait::kAliasedOutput, std::ranges::adjacent_find(outputs) != outputs.end());
  }

  const Module& module_;
  bool has_[kTraitCount] = {};
  size_t nodes_ = 0;
  std::vector<int> readers_;         // per value
  std::vector<int32_t> entry_of_;    // per value: the buffer whose entry value it is, or -1
  std::vector<uint64_t> made_from_;  // per value: buffers whose entry values it is made of
};

void Count(std::vector<uint64_t>& histogram, size_t at) {
  if (histogram.size() <= at) histogram.resize(at + 1);
  ++histogram[at];
}

double Percent(const Statistics& s, Trait t) {
  return s.cases == 0 ? 0
                      : 100.0 * static_cast<double>(s.with[static_cast<size_t>(t)]) /
                            static_cast<double>(s.cases);
}

}  // namespace

void Statistics::Add(const RandomCase& c, bool valid) {
  ++cases;
  if (!valid) {
    ++invalid;
    return;
  }
  const Survey survey(c.module);
  for (int t = 0; t < kTraitCount; ++t) with[t] += survey.Has(static_cast<Trait>(t)) ? 1 : 0;
  Count(nodes, survey.nodes());
  Count(methods, c.module.methods.size());
  Count(calls, c.calls.size());
}

uint64_t Statistics::Median(const std::vector<uint64_t>& histogram) {
  uint64_t all = 0;
  for (const uint64_t count : histogram) all += count;
  uint64_t below = 0;
  for (size_t at = 0; at < histogram.size(); ++at) {
    below += histogram[at];
    if (2 * below > all) return at;
  }
  return 0;
}

std::string TableOf(const Statistics& s) {
  std::string table = fmt::format("{:<24} {:>8}\n", "cases", s.cases);
  table += fmt::format("{:<24} {:>8}\n", "invalid", s.invalid);
  table += fmt::format("{:<24} {:>8}\n", "nodes, median", Statistics::Median(s.nodes));
  table += fmt::format("{:<24} {:>8}\n", "methods, median", Statistics::Median(s.methods));
  table += fmt::format("{:<24} {:>8}\n", "calls, median", Statistics::Median(s.calls));
  for (int t = 0; t < kTraitCount; ++t) {
    table += fmt::format("{:<24} {:>7.1f}%\n", kNames[t], Percent(s, static_cast<Trait>(t)));
  }
  return table;
}

std::string JsonLinesOf(const Statistics& s) {
  std::string lines;
  for (int t = 0; t < kTraitCount; ++t) {
    lines += fmt::format("{{\"trait\":\"{}\",\"share\":{:.4f}}}\n", kNames[t],
                         Percent(s, static_cast<Trait>(t)) / 100);
  }
  lines += fmt::format(
      "{{\"cases\":{},\"invalid\":{},\"median_nodes\":{},\"median_methods\":{},"
      "\"median_calls\":{}}}\n",
      s.cases, s.invalid, Statistics::Median(s.nodes), Statistics::Median(s.methods),
      Statistics::Median(s.calls));
  return lines;
}

std::vector<std::string> HealthProblems(const Statistics& s) {
  std::vector<std::string> problems;
  if (s.cases < kEnoughCases) return problems;
  if (s.invalid * 100 > s.cases) {
    problems.push_back(fmt::format("{} of {} cases are invalid", s.invalid, s.cases));
  }
  if (Statistics::Median(s.nodes) < kLeastMedianNodes) problems.emplace_back("too few nodes");
  if (Statistics::Median(s.methods) < kLeastMedianMethods) problems.emplace_back("too few methods");
  for (size_t n = 0; n < s.calls.size() && n < kLeastCalls; ++n) {
    if (s.calls[n] > 0) problems.push_back(fmt::format("sequences of {} calls", n));
  }
  for (const Floor& floor : kFloors) {
    const double share = Percent(s, floor.trait);
    if (share >= floor.percent) continue;
    problems.push_back(fmt::format("{}: {:.1f}% of cases, must be {}% or more",
                                   kNames[static_cast<size_t>(floor.trait)], share, floor.percent));
  }
  return problems;
}

}  // namespace pteproof::generators
