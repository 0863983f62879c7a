// Idea: a random case is a draft of small numbers, each of which means something whatever its
// value: it is taken modulo the number of choices at that point. So every draft is a well-formed
// case, drawing has no constraints, and a shrinker may cut and lower anything.
//
//   node {kind 17, a 2, b 0}   kind: Kind list [17 mod 46]   a: third youngest value that fits
//   values  %0 input  %1 buffer  %2 = relu  %3 = add         -> %1
//
// Invariant: values are offered oldest first, and a node uses only values made before it. A node
// for which nothing fits is left out.
//
// Cost: O(nodes x values) at most; microseconds for a case.
#include "properties/generators/build_module.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ranges>
#include <string>

#include "properties/generators/node_maker.h"
#include "reference/graph/builder.h"
#include "reference/graph/in_place.h"

namespace pteproof::generators {
namespace {

using graph::Module;

// Sizes that recur, so that values fit each other. -1: the method's dim.
struct Shape {
  size_t rank;
  int64_t sizes[3];
};
constexpr Shape kPlainShapes[] = {{1, {4}},    {2, {2, 3}},    {1, {4}},
                                  {2, {2, 3}}, {3, {2, 2, 2}}, {2, {3, 4}}};
constexpr Shape kOddShapes[] = {{1, {4}}, {1, {1}}, {0, {}}, {2, {0, 3}}, {2, {2, 3}}, {1, {0}}};
constexpr Shape kRangedShapes[] = {{1, {-1}}, {1, {4}}, {2, {-1, 3}}, {2, {2, 3}}, {2, {2, -1}}};

std::span<const Shape> ShapesFor(bool ranged, bool odd) {
  if (ranged) return kRangedShapes;
  if (odd) return kOddShapes;
  return kPlainShapes;
}

ScalarType TypeFor(const CaseDraft& draft, uint8_t number) {
  static constexpr ScalarType kTypes[] = {
      ScalarType::kFloat32, ScalarType::kFloat32, ScalarType::kInt64, ScalarType::kBool,
      ScalarType::kFloat64, ScalarType::kUInt8,   ScalarType::kInt32, ScalarType::kFloat16};
  return draft.Has(Feature::kMixedTypes) ? kTypes[number % std::size(kTypes)]
                                         : ScalarType::kFloat32;
}

TensorType TypeOf(const CaseDraft& draft, uint8_t shape, uint8_t dtype, bool ranged) {
  const bool odd = draft.Has(Feature::kOddSizes) && (shape & 0x80) != 0;
  const std::span<const Shape> shapes = ShapesFor(ranged, odd);
  const Shape& chosen = shapes[(shape & 0x7FU) % shapes.size()];
  TensorType type;
  type.dtype = TypeFor(draft, dtype);
  type.sizes.reserve(chosen.rank);
  for (const int64_t size : std::span(chosen.sizes).first(chosen.rank)) {
    type.sizes.push_back(size < 0 ? SizeExpr::Symbol(0) : SizeExpr(size));
  }
  return type;
}

// Small numbers from a seed; equal seeds give equal bytes.
TensorValue Numbers(const TensorType& type, std::span<const int64_t> dims, uint64_t seed) {
  Sizes sizes;
  sizes.reserve(type.rank());
  for (const SizeExpr& size : type.sizes) sizes.push_back(size.At(dims));
  TensorValue tensor = Zeros(type.dtype, std::move(sizes));
  const int64_t count = ElementCount(tensor);
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    const auto number = static_cast<int64_t>(seed >> 59) - 16;
    if (IsFloat(type.dtype)) {
      SetReal(tensor, i, static_cast<double>(number) * 0.25);
    } else {
      SetInt(tensor, i, number & 7);
    }
  }
  return tensor;
}

graph::Buffer BufferOf(const CaseDraft& draft, const BufferDraft& d, size_t index) {
  graph::Buffer buffer;
  buffer.name = "b" + std::to_string(index);
  buffer.type = TypeOf(draft, d.shape, d.dtype, false);
  buffer.shared = (d.flags & 3) != 0;
  // Few different seeds, so that some initial values have equal bytes.
  if (d.initial % 2 == 1) buffer.initial = Numbers(buffer.type, {}, d.initial / 2 % 3);
  return buffer;
}

class MethodMaker {
 public:
  MethodMaker(const CaseDraft& draft, const Module& module, graph::Method& method)
      : draft_(draft), module_(module), builder_(method), maker_(draft, module, builder_) {}

  void Make(const MethodDraft& d) {
    // Most nodes make one value, some two.
    const size_t entries = d.inputs.size() + d.buffers.size() + 1;
    builder_.method().values.reserve(entries + 2 * d.nodes.size());
    builder_.method().inputs.reserve(d.inputs.size() + 1);
    builder_.method().buffers.reserve(d.buffers.size());
    scope_.tensors.reserve(entries + d.nodes.size());
    if (draft_.Has(Feature::kRanges)) {
      const int64_t least = draft_.Has(Feature::kOddSizes) ? 0 : 1;
      builder_.method().dims = {{"n", least, 4, 3}};
    }
    for (size_t i = 0; i < d.inputs.size(); ++i) AddInput(d.inputs[i], i);
    for (const uint8_t number : d.buffers) AddEntry(number);
    if (scope_.tensors.empty()) AddInput({}, 0);
    entries_ = scope_.tensors.size();
    maker_.MakeAll(d.nodes, scope_);
    for (const StoreDraft& store : d.stores) AddStore(store);
    builder_.method().body.results.reserve(d.outputs.size());
    for (const uint8_t number : d.outputs) AddOutput(number);
  }

 private:
  void AddInput(const InputDraft& d, size_t index) {
    const bool ranged = draft_.Has(Feature::kRanges) && (d.flags & 1) != 0;
    const bool clashes = draft_.Has(Feature::kClashes) && index < module_.buffers.size();
    const bool in_place = draft_.Has(Feature::kInPlace) && (d.flags & 2) != 0;
    scope_.tensors.push_back(
        builder_.AddInput(clashes ? module_.buffers[index].name : "x" + std::to_string(index),
                          TypeOf(draft_, d.shape, d.dtype, ranged), in_place));
  }

  void AddEntry(uint8_t number) {
    if (module_.buffers.empty()) return;
    const auto buffer = static_cast<int32_t>(number % module_.buffers.size());
    const auto& known = builder_.method().buffers;
    if (std::ranges::find(known, buffer, &graph::BufferEntry::buffer) != known.end()) return;
    scope_.tensors.push_back(
        builder_.AddEntry(buffer, module_.buffers[static_cast<size_t>(buffer)].type));
  }

  void AddStore(const StoreDraft& d) {
    if (IsToInput(draft_, d)) return AddInputStore(d);
    if (module_.buffers.empty()) return;
    const auto buffer = static_cast<int32_t>(d.buffer % module_.buffers.size());
    auto& stores = builder_.method().stores;
    const bool stored =
        std::ranges::find(stores, buffer, &graph::BufferStore::buffer) != stores.end();
    if (stored || maker_.IsWritten(buffer)) return;
    const auto value = ValueFor(module_.buffers[static_cast<size_t>(buffer)].type, d, buffer);
    if (value) stores.push_back({buffer, *value});
  }

  void AddInputStore(const StoreDraft& d) {
    graph::Method& method = builder_.method();
    if (method.inputs.empty()) return;
    const auto input = static_cast<int32_t>(d.buffer % method.inputs.size());
    auto& stores = method.input_stores;
    if (std::ranges::find(stores, input, &graph::InputStore::input) != stores.end()) return;
    const TensorType& type = *builder_.TypeOf(method.inputs[static_cast<size_t>(input)].value);
    if (const auto value = ValueFor(type, d, -1)) stores.push_back({input, *value});
  }

  // The stored value. In a case with many stores, every second one stores another buffer's entry
  // value: swaps, chains, shift registers.
  std::optional<ValueId> ValueFor(const TensorType& wanted, const StoreDraft& d, int32_t buffer) {
    const auto fits = [&](ValueId v) { return *builder_.TypeOf(v) == wanted; };
    std::optional<ValueId> found;
    if (draft_.Has(Feature::kStores) && (d.flags & 1) != 0) {
      const auto others = [&](const graph::BufferEntry& entry) { return entry.buffer != buffer; };
      found = Youngest(builder_.method().buffers | std::views::filter(others) |
                           std::views::transform(&graph::BufferEntry::value),
                       d.value, fits);
    }
    return found ? found : Youngest(scope_.tensors, d.value, fits);
  }

  // The youngest that fits after so many younger ones; of fewer the oldest.
  template <class Values, class Fits>
  static std::optional<ValueId> Youngest(Values&& values, int after, const Fits& fits) {
    std::optional<ValueId> found;
    for (const ValueId v : values | std::views::reverse) {
      if (!fits(v)) continue;
      found = v;
      if (after-- == 0) break;
    }
    return found;
  }

  // Results before entry values, unless outputs may be other names of those.
  void AddOutput(uint8_t number) {
    const size_t count = scope_.tensors.size();
    const bool any = draft_.Has(Feature::kAliases) || count == entries_;
    const size_t choices = any ? count : count - entries_;
    const ValueId v = scope_.tensors[count - 1 - std::min<size_t>(number, choices - 1)];
    auto& outputs = builder_.method().body.results;
    if (!any && std::ranges::find(outputs, v) != outputs.end()) return;
    outputs.push_back(v);
  }

  const CaseDraft& draft_;
  const Module& module_;
  graph::Builder builder_;
  NodeMaker maker_;
  Scope scope_;
  size_t entries_ = 0;
};

Datum InputOf(const graph::Method& method, const graph::Input& input, std::span<const int64_t> dims,
              uint64_t seed) {
  const TensorType& type = *TensorTypeOf(method, input.value);
  TensorValue tensor = Numbers(type, dims, seed);
  static constexpr double kSpecial[] = {0.0,    -0.0,     1.0,       1e30,
                                        -1e-30, HUGE_VAL, -HUGE_VAL, static_cast<double>(NAN)};
  const int64_t count = ElementCount(tensor);
  if (IsFloat(type.dtype) && count > 0 && seed % 4 == 0) {
    const auto at = static_cast<int64_t>(seed / 4 % static_cast<uint64_t>(count));
    SetReal(tensor, at, kSpecial[seed / 64 % std::size(kSpecial)]);
  }
  return tensor;
}

// A delegate that alone has to do with its buffer may own it.
void GiveToOwners(Module& module) {
  std::vector<int> uses(module.buffers.size());
  std::vector<graph::DelegateBuffer*> delegates(module.buffers.size());
  for (graph::Method& method : module.methods) {
    for (const graph::BufferEntry& entry : method.buffers)
      ++uses[static_cast<size_t>(entry.buffer)];
    for (const graph::BufferStore& store : method.stores) ++uses[static_cast<size_t>(store.buffer)];
    for (graph::Node& node : method.body.nodes) {
      for (graph::DelegateBuffer& each : node.buffers) {
        ++uses[static_cast<size_t>(each.buffer)];
        delegates[static_cast<size_t>(each.buffer)] = &each;
      }
    }
  }
  for (size_t b = 0; b < uses.size(); ++b) {
    if (uses[b] == 1 && delegates[b] != nullptr) delegates[b]->role = graph::DelegateRole::kOwns;
  }
}

void GiveOwnResult(graph::Region& region, ValueId result) {
  for (graph::Node& node : region.nodes) {
    if (!node.results.empty() && node.results.front() == result) node.in_place.reset();
    for (graph::Region& inner : node.regions) GiveOwnResult(inner, result);
  }
}

// Nodes that may not take their operand are given results of their own.
void KeepRightInPlace(const Module& module, graph::Method& method) {
  for (;;) {
    const auto findings = graph::CheckInPlace(module, method, graph::InPlaceOrder::kAny);
    if (findings.empty()) return;
    for (const graph::InPlaceFinding& finding : findings) {
      GiveOwnResult(method.body, finding.result);
    }
  }
}

}  // namespace

Module BuildModule(const CaseDraft& draft) {
  Module module;
  module.buffers.reserve(draft.buffers.size());
  for (const BufferDraft& d : draft.buffers) {
    module.buffers.push_back(BufferOf(draft, d, module.buffers.size()));
  }
  module.methods.resize(std::max<size_t>(draft.methods.size(), 1));
  for (size_t m = 0; m < module.methods.size(); ++m) {
    module.methods[m].name = "m" + std::to_string(m);
    static const MethodDraft kNothing;
    MethodMaker(draft, module, module.methods[m])
        .Make(draft.methods.empty() ? kNothing : draft.methods[m]);
  }
  if (draft.Has(Feature::kDelegates)) GiveToOwners(module);
  if (draft.Has(Feature::kInPlace)) {
    for (graph::Method& method : module.methods) KeepRightInPlace(module, method);
  }
  return module;
}

RandomCall BuildCall(const Module& module, const CallDraft& draft) {
  RandomCall call;
  call.method = draft.method % module.methods.size();
  const graph::Method& method = module.methods[call.method];
  std::vector<int64_t> dims;
  for (const graph::DimSymbol& dim : method.dims) {
    dims.push_back(dim.lo + draft.dims % (dim.hi - dim.lo + 1));
  }
  uint64_t seed = draft.seed;
  call.inputs.reserve(method.inputs.size());
  for (const graph::Input& input : method.inputs) {
    call.inputs.push_back(InputOf(method, input, dims, seed++));
  }
  return call;
}

RandomCase BuildCase(const CaseDraft& draft) {
  RandomCase made;
  made.module = BuildModule(draft);
  made.calls.reserve(draft.calls.size());
  for (const CallDraft& call : draft.calls) made.calls.push_back(BuildCall(made.module, call));
  return made;
}

}  // namespace pteproof::generators
