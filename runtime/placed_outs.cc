// Idea: an out has the bytes of a whole operand if it has the operand's place, those of a slice if
// slice_form.h says so, and those of a concatenation if the parts fill its place in their order and
// no dimension before theirs has more than one element.
//
//   cat_nop(parts = [v1 [0,128), v2 [128,256)], dim = 0, out = v3 [0,256))       v3 is v1, v2
//   slice_nop(self = v3 [0,256), dim = 0, start = 2, ..., out = v4 [64,128))     v4 is v3[2:4]
//
// Cost: O(operands x rank).
#include "runtime/placed_outs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "reference/kept_operand.h"
#include "runtime/literal_bools.h"
#include "runtime/slice_form.h"

namespace pteproof {
namespace {

constexpr std::array<std::string_view, 3> kMovers = {"aten::cat.out", "aten::select_copy.int_out",
                                                     "aten::slice_copy.Tensor_out"};

std::vector<int32_t> TensorsAt(const Method& method, int32_t v) {
  const Value& value = method.values[static_cast<size_t>(v)];
  if (value.kind == ValueKind::kTensor) return {v};
  std::vector<int32_t> tensors;
  if (!IsTensorLike(value.kind)) return tensors;
  for (const int32_t item : method.Ints(value.items)) {
    if (item >= 0) tensors.push_back(item);
  }
  return tensors;
}

// Of a call: its operator's schema and its arguments.
class PlacedCall {
 public:
  PlacedCall(const Method& method, const OpSchema& schema, std::span<const int32_t> args)
      : method_(method), schema_(schema), args_(args) {}

  // The operands of a copy: those of a list, or one.
  [[nodiscard]] PlacedOut CopyTo(size_t position, size_t operand) const {
    PlacedOut placed = {args_[position], TensorsAt(method_, args_[operand]), PlacedFit::kElsewhere};
    if (!placed.operands.empty() && HasFittingSizes(placed)) placed.fit = FitOf(placed);
    return placed;
  }

  [[nodiscard]] PlacedOut OutAt(size_t position) const {
    PlacedOut placed = {args_[position], {}, PlacedFit::kFits};
    for (size_t a = 0; a < schema_.args.size(); ++a) {
      if (a == position || schema_.args[a].set != schema_.args[position].set) continue;
      const auto more = TensorsAt(method_, args_[a]);
      placed.operands.insert(placed.operands.end(), more.begin(), more.end());
    }
    placed.fit = FitOf(placed);
    return placed;
  }

 private:
  [[nodiscard]] const Tensor& TensorOf(int32_t v) const { return *method_.TensorOf(v); }

  [[nodiscard]] PlacedFit FitOf(const PlacedOut& placed) const {
    const auto varies = [&](int32_t v) {
      const Tensor& t = TensorOf(v);
      return t.dynamism != Dynamism::kStatic || !std::ranges::is_sorted(method_.Ints(t.dim_order));
    };
    if (varies(placed.out) || std::ranges::any_of(placed.operands, varies))
      return PlacedFit::kVaries;
    const bool fits = placed.operands.size() == 1 ? IsPartOf(placed.out, placed.operands.front())
                                                  : IsMadeOf(placed.out, placed.operands);
    return fits ? PlacedFit::kFits : PlacedFit::kElsewhere;
  }

  [[nodiscard]] bool IsPartOf(int32_t out, int32_t whole) const {
    const Tensor& o = TensorOf(out);
    const Tensor& w = TensorOf(whole);
    const bool same = o.planned && w.planned && o.bank == w.bank && o.offset == w.offset &&
                      o.nbytes == w.nbytes && o.dtype == w.dtype;
    if (same) return IsWhole(out, whole);
    const std::optional<SliceForm> form = SliceFormOf(method_, out, whole);
    return form.has_value() && IsAsked(*form, whole);
  }

  // Whether the kernel takes a copy of these sizes: a concatenation of parts that are alike but in
  // one dimension, or what has as many elements as its operand, or fewer.
  [[nodiscard]] bool HasFittingSizes(const PlacedOut& placed) const {
    const auto out = method_.Ints(TensorOf(placed.out).sizes);
    const auto of = [&](int32_t v) { return method_.Ints(TensorOf(v).sizes); };
    const bool is_list = placed.operands.size() > 1 || !IsTensor(args_.front());
    if (!is_list) {
      const bool is_part = TensorOf(placed.operands.front()).nbytes > TensorOf(placed.out).nbytes;
      return is_part || std::ranges::equal(of(placed.operands.front()), out) || HasAskedSizes(out);
    }
    const std::optional<int64_t> dim = Dim("dim", out.size());
    if (!dim.has_value()) return false;
    int64_t along = 0;
    for (const int32_t part : placed.operands) {
      const auto sizes = of(part);
      if (sizes.size() != out.size()) return false;
      for (size_t d = 0; d < out.size(); ++d) {
        if (d != static_cast<size_t>(*dim) && sizes[d] != out[d]) return false;
      }
      along += sizes[static_cast<size_t>(*dim)];
    }
    return along == out[static_cast<size_t>(*dim)];
  }

  [[nodiscard]] bool IsTensor(int32_t v) const { return method_.TensorOf(v) != nullptr; }

  // Those of a list of numbers, as a view has one.
  [[nodiscard]] bool HasAskedSizes(std::span<const int32_t> out) const {
    const auto arg = std::ranges::find(schema_.args, "size", &ArgSchema::name);
    if (arg == schema_.args.end()) return false;
    const int32_t v = args_[static_cast<size_t>(arg - schema_.args.begin())];
    const Value& list = method_.values[static_cast<size_t>(v)];
    if (list.kind != ValueKind::kIntList) return false;
    const auto items = method_.Ints(list.items);
    return std::ranges::equal(items, out, [&](int32_t item, int32_t size) {
      const Value& number = method_.values[static_cast<size_t>(item)];
      return number.kind == ValueKind::kInt && (number.integer == size || number.integer == -1);
    });
  }

  // A slice of all elements has the sizes of its base; a list of one part, its sizes.
  [[nodiscard]] bool IsWhole(int32_t out, int32_t whole) const {
    return !Number("index").has_value() || method_.Ints(TensorOf(out).sizes).size() + 1 ==
                                               method_.Ints(TensorOf(whole).sizes).size();
  }

  [[nodiscard]] bool IsMadeOf(int32_t out, std::span<const int32_t> parts) const {
    const Tensor& o = TensorOf(out);
    const auto sizes = method_.Ints(o.sizes);
    const std::optional<int64_t> dim = Dim("dim", sizes.size());
    uint64_t at = o.offset;
    for (const int32_t part : parts) {
      const Tensor& p = TensorOf(part);
      if (!p.planned || p.bank != o.bank || p.dtype != o.dtype || p.offset != at) return false;
      at += p.nbytes;
    }
    if (!o.planned || at != o.offset + o.nbytes) return false;
    return !dim.has_value() || std::ranges::all_of(sizes.first(static_cast<size_t>(*dim)),
                                                   [](int32_t size) { return size == 1; });
  }

  // Whether the slice is the one that the call's numbers ask for, as far as it has such numbers. A
  // dimension of one element more or less makes no difference to the bytes.
  [[nodiscard]] bool IsAsked(const SliceForm& form, int32_t whole) const {
    const auto sizes = method_.Ints(TensorOf(whole).sizes);
    const std::optional<int64_t> dim = Dim("dim", sizes.size());
    if (!dim.has_value()) return true;
    const int64_t size = sizes[static_cast<size_t>(*dim)];
    const auto bound = [&](std::string_view name, int64_t otherwise) {
      const int64_t at = Number(name).value_or(otherwise);
      return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
    };
    if (Number("index").has_value())
      return *dim == form.dim && bound("index", 0) == form.start && form.end == form.start + 1;
    return *dim == form.dim && bound("start", 0) == form.start && bound("end", size) == form.end &&
           Number("step").value_or(1) == 1;
  }

  [[nodiscard]] std::optional<int64_t> Dim(std::string_view name, size_t rank) const {
    std::optional<int64_t> dim = Number(name);
    const auto count = static_cast<int64_t>(rank);
    if (dim.has_value() && *dim < 0) *dim += count;
    return dim.has_value() && *dim >= 0 && *dim < count ? dim : std::nullopt;
  }

  // The argument of that name, if it is an integer.
  [[nodiscard]] std::optional<int64_t> Number(std::string_view name) const {
    const auto arg = std::ranges::find(schema_.args, name, &ArgSchema::name);
    if (arg == schema_.args.end()) return std::nullopt;
    const int32_t v = args_[static_cast<size_t>(arg - schema_.args.begin())];
    const Value& value = method_.values[static_cast<size_t>(v)];
    return value.kind == ValueKind::kInt ? std::optional(value.integer) : std::nullopt;
  }

  const Method& method_;
  const OpSchema& schema_;
  std::span<const int32_t> args_;
};

}  // namespace

std::vector<PlacedOut> PlacedOuts::LeftBy(const OpSchema& schema,
                                          std::span<const int32_t> args) const {
  std::vector<PlacedOut> placed;
  for (size_t a = 0; a < schema.args.size(); ++a) {
    const bool tensor = schema.IsPlaced(a) && method_.TensorOf(args[a]) != nullptr;
    if (!tensor) continue;
    placed.push_back(PlacedCall(method_, schema, args).OutAt(a));
    if (!AreLiteral(args)) placed.back().fit = PlacedFit::kVaries;
  }
  return placed;
}

std::optional<PlacedOut> PlacedOuts::CopiedBy(const OpSchema& schema,
                                              std::span<const int32_t> args) const {
  const bool moves = std::ranges::find(kMovers, schema.name) != kMovers.end();
  const std::optional<size_t> kept = moves ? std::optional<size_t>(0) : KeptOperand(schema.name);
  const auto out = std::ranges::find(schema.args, true, &ArgSchema::out);
  if (!kept || out == schema.args.end()) return std::nullopt;
  const auto position = static_cast<size_t>(out - schema.args.begin());
  const Tensor* to = method_.TensorOf(args[position]);
  if (to == nullptr || !to->planned || to->nbytes == 0) return std::nullopt;
  PlacedOut placed = PlacedCall(method_, schema, args).CopyTo(position, *kept);
  if (placed.fit != PlacedFit::kFits || !AreLiteral(args)) return std::nullopt;
  return placed;
}

std::vector<PlacedOut> PlacedOuts::UnchangedBy(const OpSchema& schema,
                                               std::span<const int32_t> args) const {
  if (IsNoOperation(schema)) return LeftBy(schema, args);
  const std::optional<PlacedOut> copied = CopiedBy(schema, args);
  return copied ? std::vector{*copied} : std::vector<PlacedOut>();
}

bool PlacedOuts::AreLiteral(std::span<const int32_t> args) const {
  if (literal_.empty()) literal_ = LiteralIntsOf(method_);
  const auto is_literal = [&](int32_t v) -> bool { return literal_[static_cast<size_t>(v)]; };
  return std::ranges::all_of(args, [&](int32_t v) -> bool {
    const Value& value = method_.values[static_cast<size_t>(v)];
    if (value.kind == ValueKind::kInt) return is_literal(v);
    return value.kind != ValueKind::kIntList ||
           std::ranges::all_of(method_.Ints(value.items), is_literal);
  });
}

bool IsNoOperation(const OpSchema& schema) {
  bool placed = false;
  for (size_t a = 0; a < schema.args.size(); ++a) {
    if (schema.IsPlaced(a)) {
      placed = true;
    } else if (schema.args[a].access != Access::kRead && schema.args[a].access != Access::kNone) {
      return false;
    }
  }
  return placed;
}

}  // namespace pteproof
