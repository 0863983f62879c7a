// Idea: an instruction that indexes a dimension bounds its index by the dimension's size, and what
// moves or shifts numbers hands the bound of its result on to its operands.
//
//   0: v3 = view_copy(v1)            v1 < 10, too
//   1: v4 = add(v3, 2)               v3 < 10, since v4 < 12
//   2: v5 = embedding(v0, v4)        v4 < 12: v0 has 12 rows
//
// The lowest bound is handed on first, so that without loops a value's bound is mostly the last one
// when its turn comes. A loop that shifts its own result would fall by the shift in each round,
// from a number that the file chooses: a value whose turn came kMostTurns times falls to 1 at once,
// where such loops end.
//
// A list is two nodes: what is read from it bounds its items, and the bound of an item that it
// receives is a bound of the list's makers. So the lists that calls share are walked once.
//
// Invariant: a bound is lowered only, and not below 1. Cost: O(log values) for each argument and
// item, kMostTurns times at most, and once or twice without loops.
#include "properties/oracles/index_bounds.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/checked_math.h"
#include "meaning/method_meaning.h"
#include "reference/op_schema.h"
#include "runtime/dense_layout.h"

namespace pteproof {
namespace {

// Operators whose result holds numbers of these operands, and none else. The first operand of each,
// unless it says otherwise.
constexpr std::array kMovers = {
    std::string_view("aten::view_copy"),
    std::string_view("aten::unsqueeze_copy"),
    std::string_view("aten::squeeze_copy"),
    std::string_view("aten::expand_copy"),
    std::string_view("aten::slice_copy"),
    std::string_view("aten::select_copy"),
    std::string_view("aten::narrow_copy"),
    std::string_view("aten::permute_copy"),
    std::string_view("aten::transpose_copy"),
    std::string_view("aten::t_copy"),
    std::string_view("aten::as_strided_copy"),
    std::string_view("aten::alias_copy"),
    std::string_view("aten::detach_copy"),
    std::string_view("aten::lift_fresh_copy"),
    std::string_view("aten::clone"),
    std::string_view("aten::_to_copy"),
    std::string_view("aten::to"),
    std::string_view("aten::repeat"),
    std::string_view("aten::repeat_interleave"),
    std::string_view("aten::flip"),
    std::string_view("aten::roll"),
    std::string_view("aten::gather"),
    std::string_view("aten::index_select"),
    std::string_view("aten::index"),
    std::string_view("aten::cat"),
    std::string_view("aten::stack"),
    std::string_view("aten::clamp"),
    std::string_view("aten::maximum"),
    std::string_view("aten::minimum"),
    std::string_view("aten::where"),
    std::string_view("aten::masked_fill"),
    std::string_view("aten::split_copy"),
    std::string_view("aten::split_with_sizes_copy"),
    std::string_view("aten::unbind_copy"),
    std::string_view("aten::copy"),
    std::string_view("aten::copy_"),
    std::string_view("aten::_local_scalar_dense"),
    std::string_view("dim_order_ops::_to_dim_order_copy"),
    std::string_view("dim_order_ops::_clone_dim_order"),
    std::string_view("dim_order_ops::_empty_dim_order"),
    std::string_view("executorch_prim::et_view"),
    std::string_view("executorch_prim::sym_int"),
    std::string_view("executorch_prim::sym_max"),
    std::string_view("executorch_prim::sym_min"),
};

std::string_view WithoutOverload(std::string_view name) {
  return name.substr(0, name.rfind('.'));
}

// A call with its schema, and its arguments by name.
struct KnownCall {
  const OpSchema& schema;
  std::span<const int32_t> args;
  std::string_view op;

  // -1: there is none.
  [[nodiscard]] int32_t At(std::string_view name) const {
    const auto arg = std::ranges::find(schema.args, name, &ArgSchema::name);
    return arg == schema.args.end() ? -1 : args[static_cast<size_t>(arg - schema.args.begin())];
  }
};

class IndexBoundFinder {
 public:
  explicit IndexBoundFinder(const meaning::MethodMeaning& meant)
      : method_(*meant.method),
        sources_(method_.values.size()),
        makers_(2 * method_.values.size()),
        received_in_(method_.values.size()),
        largest_(method_.values.size()),
        bounds_(2 * method_.values.size()),
        turns_(2 * method_.values.size()) {
    NoteNames(meant.aliases);
    for (size_t i = 0; i < method_.instructions.size(); ++i) NoteResults(i);
    for (int32_t v = 0; v < static_cast<int32_t>(method_.values.size()); ++v) {
      if (makers_[NodeOf(Received(v))].empty()) continue;
      ForEachItem(v, [&](int32_t item) {
        if (item >= 0) received_in_[NodeOf(item)].push_back(v);
      });
    }
  }

  std::vector<std::optional<int64_t>> Find() {
    for (const Instruction& instruction : method_.instructions) {
      if (const auto call = CallOf(instruction)) BoundIndices(*call);
    }
    while (!open_.empty()) {
      const auto [count, v] = *open_.begin();
      open_.erase(open_.begin());
      ++turns_[NodeOf(v)];
      HandOn(v, count);
    }
    std::vector<std::optional<int64_t>> inputs;
    for (const int32_t v : method_.inputs) inputs.push_back(bounds_[NodeOf(v)]);
    return inputs;
  }

 private:
  static constexpr int32_t kMostTurns = 300;

  static size_t NodeOf(int32_t v) { return static_cast<size_t>(v); }
  // The node of a list of results.
  [[nodiscard]] int32_t Received(int32_t list) const {
    return list + static_cast<int32_t>(method_.values.size());
  }

  [[nodiscard]] std::optional<KnownCall> CallOf(const Instruction& instruction) const {
    if (instruction.kind != InstructionKind::kKernelCall) return std::nullopt;
    const OpSchema* schema = method_.operators[static_cast<size_t>(instruction.target)].schema;
    const auto args = method_.Ints(instruction.args);
    const bool whole = schema != nullptr && !args.empty() && args.size() >= schema->args.size();
    if (!whole) return std::nullopt;
    return KnownCall{*schema, args, WithoutOverload(schema->name)};
  }

  void NoteNames(const meaning::Aliases& aliases) {
    for (const meaning::Transfer& t : aliases.transfers) {
      if (t.phase != meaning::Phase::kBefore) continue;
      const auto sources = aliases.SourcesOf(t);
      auto& known = sources_[NodeOf(t.to)];
      known.insert(known.end(), sources.begin(), sources.end());
    }
  }

  void NoteResults(size_t i) {
    const Instruction& instruction = method_.instructions[i];
    const auto note = [&](int32_t v) {
      if (v < 0) return;
      makers_[NodeOf(IsList(v) ? Received(v) : v)].push_back(i);
    };
    if (instruction.kind == InstructionKind::kMove) return note(instruction.other);
    const auto call = CallOf(instruction);
    if (!call) return;
    for (size_t a = 0; a < call->args.size(); ++a) {
      const bool result = a >= call->schema.args.size() || call->schema.args[a].out ||
                          call->schema.args[a].access != Access::kRead;
      if (!result) continue;
      note(call->args[a]);
    }
  }

  [[nodiscard]] bool IsList(int32_t v) const {
    const ValueKind kind = method_.values[NodeOf(v)].kind;
    return kind == ValueKind::kTensorList || kind == ValueKind::kOptionalTensorList;
  }

  template <class Each>
  void ForEachItem(int32_t v, const Each& each) const {
    if (!IsList(v)) return;
    for (const int32_t item : method_.Ints(method_.values[NodeOf(v)].items)) each(item);
  }

  // The number that the file has for a value; nothing if a call replaces it.
  [[nodiscard]] std::optional<int64_t> NumberIn(int32_t v) const {
    if (v < 0 || !makers_[NodeOf(v)].empty()) return std::nullopt;
    const Value& value = method_.values[NodeOf(v)];
    return value.kind == ValueKind::kInt ? std::optional(value.integer) : std::nullopt;
  }

  [[nodiscard]] std::optional<int64_t> SizeOf(int32_t v, int64_t dim) const {
    const Tensor* tensor = v < 0 ? nullptr : method_.TensorOf(v);
    if (tensor == nullptr) return std::nullopt;
    const auto sizes = method_.Ints(tensor->sizes);
    if (dim < 0) dim += static_cast<int64_t>(sizes.size());
    if (dim < 0 || dim >= static_cast<int64_t>(sizes.size())) return std::nullopt;
    return sizes[static_cast<size_t>(dim)];
  }

  void Bound(int32_t v, std::optional<int64_t> count) {
    if (v < 0 || !count) return;
    auto& known = bounds_[NodeOf(v)];
    int64_t least = std::max<int64_t>(*count, 1);
    if (known && *known <= least) return;
    if (turns_[NodeOf(v)] >= kMostTurns) least = 1;
    if (known) open_.erase({*known, v});
    known = least;
    open_.emplace(least, v);
  }

  // --- Calls that index.

  void BoundIndices(const KnownCall& call) {
    const int32_t self = call.args[0];
    if (call.op == "aten::embedding" || call.op.starts_with("quantized_decomposed::embedding")) {
      return Bound(call.At("indices"), SizeOf(self, 0));
    }
    if (call.op == "aten::index" || call.op.starts_with("aten::index_put")) {
      return BoundPlaces(self, call.At("indices"));
    }
    if (call.op.starts_with("llama::")) return BoundPositions(call);
    const auto dim = NumberIn(call.At("dim"));
    if (!dim) return;
    Bound(call.At("index"), SizeOf(self, *dim));
    if (call.At("start") >= 0) BoundSlice(call, *dim);
  }

  void BoundPlaces(int32_t self, int32_t indices) {
    const bool listed =
        indices >= 0 && IsList(indices) && method_.values[NodeOf(indices)].items.count <= kMaxRank;
    if (!listed) return;
    bool has_mask = false;  // which stands for several dimensions
    ForEachItem(indices, [&](int32_t item) {
      const Tensor* tensor = item < 0 ? nullptr : method_.TensorOf(item);
      has_mask |= tensor != nullptr && tensor->dtype == ScalarType::kBool;
    });
    if (has_mask) return;
    int64_t dim = 0;
    ForEachItem(indices, [&](int32_t item) {
      if (item >= 0 && method_.TensorOf(item) != nullptr) Bound(item, SizeOf(self, dim));
      ++dim;
    });
  }

  // A slice begins where all of its result, or of what is put there, follows.
  void BoundSlice(const KnownCall& call, int64_t dim) {
    const auto size = SizeOf(call.args[0], dim);
    if (!size) return;
    const bool scatters = call.op == "aten::slice_scatter";
    const auto length = SizeOf(scatters ? call.At("src") : call.At("out"), dim).value_or(1);
    Bound(call.At("start"), *size - length + 1);
    if (call.At("end") >= 0) Bound(call.At("end"), *size + 1);
  }

  // A cache has a row for each position from the start on.
  void BoundPositions(const KnownCall& call) {
    const bool turned = call.At("is_seq_at_dim_2") >= 0 && IsTrue(call.At("is_seq_at_dim_2"));
    const int64_t dim = turned ? 2 : 1;
    int32_t cache = call.At("cache");
    if (cache < 0) cache = call.At("key_cache");
    if (cache < 0) cache = call.At("key");
    const auto rows = SizeOf(cache, dim);
    const auto added = SizeOf(call.args[0], dim);
    if (!rows || !added) return;
    Bound(call.At("start_pos"), *rows - *added + 1);
    Bound(call.At("indices"), rows);
  }

  [[nodiscard]] bool IsTrue(int32_t v) const {
    const Value& value = method_.values[NodeOf(v)];
    return value.kind == ValueKind::kBool && value.integer != 0;
  }

  // --- From results to operands.

  void HandOn(int32_t v, int64_t count) {
    if (NodeOf(v) < method_.values.size()) {
      for (const int32_t source : sources_[NodeOf(v)]) Bound(source, count);
      ForEachItem(v, [&](int32_t item) { Bound(item, count); });
      for (const int32_t list : received_in_[NodeOf(v)]) Bound(Received(list), count);
    }
    for (const size_t i : makers_[NodeOf(v)]) {
      const Instruction& maker = method_.instructions[i];
      if (maker.kind == InstructionKind::kMove) {
        Bound(maker.target, count);
      } else if (const auto call = CallOf(maker)) {
        HandOnIn(*call, count);
      }
    }
  }

  void HandOnIn(const KnownCall& call, int64_t count) {
    if (call.op == "aten::add" || call.op == "executorch_prim::add") return HandOnSum(call, count);
    const auto number = call.args.size() > 1 ? NumberIn(call.args[1]) : std::nullopt;
    const bool scales = number && *number > 0;
    if (call.op == "aten::sub" || call.op == "executorch_prim::sub") {
      Bound(call.args[0], CheckedAdd(count, number.value_or(0)));
    } else if ((call.op == "aten::mul" || call.op == "executorch_prim::mul") && scales) {
      Bound(call.args[0], (count - 1) / *number + 1);
    } else if (std::ranges::find(kMovers, call.op) != kMovers.end()) {
      for (size_t a = 0; a < call.schema.args.size(); ++a) HandOnOperand(call, a, count);
    }
  }

  // Of a mover: all tensors and numbers that it may take elements from, but not those that say
  // which.
  void HandOnOperand(const KnownCall& call, size_t a, int64_t count) {
    const ArgSchema& arg = call.schema.args[a];
    constexpr std::array kHolders = {std::string_view("self"), std::string_view("other"),
                                     std::string_view("src"),  std::string_view("tensors"),
                                     std::string_view("a"),    std::string_view("b")};
    if (arg.out || std::ranges::find(kHolders, arg.name) == kHolders.end()) return;
    if (arg.access == Access::kWrite) return;  // the destination of copy_
    if (NumberIn(call.args[a])) return;
    Bound(call.args[a], count);
  }

  // What is added takes its largest number from the bound, if that is known.
  void HandOnSum(const KnownCall& call, int64_t count) {
    const int32_t a = call.args[0];
    const int32_t b = call.args[1];
    Bound(a, count - LargestIn(b));
    Bound(b, count - LargestIn(a));
  }

  // Of a number, or of `arange` from 0 on; else 0.
  [[nodiscard]] int64_t LargestIn(int32_t v) {
    if (v < 0) return 0;
    auto& known = largest_[NodeOf(v)];
    if (!known) known = FindLargestIn(v);
    return *known;
  }
  [[nodiscard]] int64_t FindLargestIn(int32_t v) const {
    if (const auto number = NumberIn(v)) return std::max<int64_t>(*number, 0);
    for (const size_t i : makers_[NodeOf(v)]) {
      const auto call = CallOf(method_.instructions[i]);
      if (call && call->op == "aten::arange") return SizeOf(v, 0).value_or(1) - 1;
    }
    return 0;
  }

  const Method& method_;
  std::vector<std::vector<int32_t>> sources_;      // per value: those whose bytes it names
  std::vector<std::vector<size_t>> makers_;        // per node: instructions
  std::vector<std::vector<int32_t>> received_in_;  // per value: lists of results with it
  std::vector<std::optional<int64_t>> largest_;    // per value: LargestIn, once it was asked for
  // Per node: values, then lists of results.
  std::vector<std::optional<int64_t>> bounds_;
  std::vector<int32_t> turns_;                  // how often its bound was handed on
  std::set<std::pair<int64_t, int32_t>> open_;  // nodes whose bound was lowered, by bound
};

}  // namespace

std::vector<std::optional<int64_t>> IndexBounds(const meaning::MethodMeaning& meant) {
  return IndexBoundFinder(meant).Find();
}

}  // namespace pteproof
