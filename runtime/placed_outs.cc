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

#include "runtime/slice_form.h"

namespace pteproof {
namespace {

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

std::vector<PlacedOut> PlacedOutsOf(const Method& method, const OpSchema& schema,
                                    std::span<const int32_t> args) {
  std::vector<PlacedOut> placed;
  for (size_t a = 0; a < schema.args.size(); ++a) {
    const bool tensor = schema.IsPlaced(a) && method.TensorOf(args[a]) != nullptr;
    if (tensor) placed.push_back(PlacedCall(method, schema, args).OutAt(a));
  }
  return placed;
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
