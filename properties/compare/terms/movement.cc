// Idea: a movement is a list of boxes. A box names elements of a source and of a result by strides;
// element (i, j, ...) of one goes to element (i, j, ...) of the other.
//
//     slice_copy(x, dim 1, 2:4)     result box: all of it     source box: x from column 2 on
//     cat(x, y, dim 0)              two result boxes          each source: all of it
//
// The boxes of one result are disjoint and fill it, or lie over a first box that does. A result
// that one box fills in memory order is read piece by piece, the innermost dims in one go; other
// results are put together in a map of bytes.
//
// Cost: O(pieces) of the boxes; dims that are adjacent in both are joined first.
#include "properties/compare/terms/movement.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

#include "properties/compare/terms/memory.h"

namespace pteproof::compare {
namespace {

// Elements of a tensor: (i0, i1, ...) lies `first` + the sum of i * stride bytes from its start.
struct Box {
  int64_t first = 0;
  Sizes sizes;
  std::vector<int64_t> strides;
};

struct BoxCopy {
  ContentId source = kNoBytes;
  Box from;
  Box to;  // of the same sizes
};
using ResultCopies = std::vector<BoxCopy>;  // one after the other

Box WholeBox(const TensorShape& shape) {
  return {0, shape.sizes, StridesOf(shape)};
}

void NarrowBox(Box& box, size_t dim, int64_t start, int64_t length, int64_t step = 1) {
  box.first += start * box.strides[dim];
  box.sizes[dim] = length;
  box.strides[dim] *= step;
}

void SelectFromBox(Box& box, size_t dim, int64_t index) {
  box.first += index * box.strides[dim];
  box.sizes.erase(box.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  box.strides.erase(box.strides.begin() + static_cast<std::ptrdiff_t>(dim));
}

// --- From boxes to contents.

struct Axis {
  int64_t size = 0;
  int64_t from = 0;
  int64_t to = 0;
};

// The dims of a copy in the order of the result's memory, outermost first, as few as can be.
std::vector<Axis> AxesOf(const BoxCopy& copy) {
  std::vector<Axis> axes;
  for (size_t d = 0; d < copy.to.sizes.size(); ++d) {
    if (copy.to.sizes[d] != 1) {
      axes.push_back({copy.to.sizes[d], copy.from.strides[d], copy.to.strides[d]});
    }
  }
  std::ranges::sort(axes, std::ranges::greater(), &Axis::to);
  for (size_t a = axes.size(); a-- > 1;) {
    Axis& outer = axes[a - 1];
    const Axis& inner = axes[a];
    if (outer.to != inner.to * inner.size || outer.from != inner.from * inner.size) continue;
    outer = {outer.size * inner.size, inner.from, inner.to};
    axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(a));
  }
  return axes;
}

// Calls each(from, to, innermost axis) for each innermost row of the copy.
template <class Each>
void ForEachRow(const BoxCopy& copy, const std::vector<Axis>& axes, int64_t element,
                const Each& each) {
  const Axis inner = axes.empty() ? Axis{1, element, element} : axes.back();
  const size_t outer = axes.empty() ? 0 : axes.size() - 1;
  std::vector<int64_t> index(outer, 0);
  int64_t from = copy.from.first;
  int64_t to = copy.to.first;
  while (true) {
    each(from, to, inner);
    size_t d = outer;
    for (; d > 0; --d) {
      const Axis& axis = axes[d - 1];
      from += axis.from;
      to += axis.to;
      if (++index[d - 1] < axis.size) break;
      from -= axis.from * axis.size;
      to -= axis.to * axis.size;
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

// Whether the copy writes the result from its first byte to its last, without a gap.
bool FillsInOrder(const BoxCopy& copy, const std::vector<Axis>& axes, const TensorShape& result) {
  if (copy.to.first != 0) return false;
  auto next = static_cast<int64_t>(ElementSize(result.dtype));
  for (size_t a = axes.size(); a-- > 0;) {
    if (axes[a].to != next) return false;
    next *= axes[a].size;
  }
  return static_cast<uint64_t>(next) == result.nbytes();
}

ContentId Filled(TermTable& table, const BoxCopy& copy, const std::vector<Axis>& axes,
                 int64_t element) {
  ContentBuilder builder;
  const Content& source = table[copy.source];
  ForEachRow(copy, axes, element, [&](int64_t from, int64_t, const Axis& row) {
    source.ReadPieces(static_cast<uint64_t>(from), row.from, static_cast<uint64_t>(element),
                      static_cast<uint64_t>(row.size), builder);
  });
  return table.Intern(builder.Take());
}

void PutInto(Memory& memory, TermTable& table, const BoxCopy& copy, const std::vector<Axis>& axes,
             int64_t element) {
  ForEachRow(copy, axes, element, [&](int64_t from, int64_t to, const Axis& row) {
    ContentBuilder builder;
    const auto size = static_cast<uint64_t>(element);
    table[copy.source].ReadPieces(static_cast<uint64_t>(from), row.from, size,
                                  static_cast<uint64_t>(row.size), builder);
    const ContentId pieces = table.Intern(builder.Take());
    if (row.to == element || row.size == 1) {
      memory.Write(static_cast<uint64_t>(to), pieces);
      return;
    }
    for (int64_t k = 0; k < row.size; ++k) {
      memory.Write(static_cast<uint64_t>(to + k * row.to),
                   table.Part(pieces, static_cast<uint64_t>(k) * size, size));
    }
  });
}

ContentId ContentOf(TermTable& table, const ResultCopies& copies, const TensorShape& result) {
  const auto element = static_cast<int64_t>(ElementSize(result.dtype));
  if (result.nbytes() == 0) return kNoBytes;
  Memory memory(table, kZeroTerm);
  for (const BoxCopy& copy : copies) {
    if (ElementCount(copy.to.sizes) == 0) continue;
    const std::vector<Axis> axes = AxesOf(copy);
    const bool only = copies.size() == 1;
    if (only && FillsInOrder(copy, axes, result)) return Filled(table, copy, axes, element);
    PutInto(memory, table, copy, axes, element);
  }
  return memory.Read(0, result.nbytes());
}

// Beyond that a movement is a term like any other: a content is to be no longer than is useful.
constexpr int64_t kMostRows = int64_t{1} << 22;

bool IsTooFine(const ResultCopies& copies) {
  int64_t rows = 0;
  for (const BoxCopy& copy : copies) {
    if (ElementCount(copy.to.sizes) == 0) continue;
    const std::vector<Axis> axes = AxesOf(copy);
    const int64_t inner = axes.empty() ? 1 : axes.back().size;
    rows += ElementCount(copy.to.sizes) / inner;
  }
  return rows > kMostRows;
}

// --- From operators to boxes.

class Call {
 public:
  Call(std::span<const SymbolicArgument> args, std::span<const TensorShape> results)
      : args_(args), results_(results) {}

  using Copies = std::optional<std::vector<ResultCopies>>;

  // All elements in row-major order.
  [[nodiscard]] Copies Copy() const {
    const SymbolicTensor* self = TensorAt(0);
    if (self == nullptr || !IsOf(*self, 0)) return std::nullopt;
    const TensorShape& to = results_[0];
    if (self->shape.nbytes() != to.nbytes()) return std::nullopt;
    if (self->shape.sizes == to.sizes) return One(*self, WholeBox(self->shape));
    // Other sizes: element by element only if both lie row by row.
    if (!IsRowMajor(self->shape) || !IsRowMajor(to)) return std::nullopt;
    return One(*self, WholeBox({to.dtype, to.sizes, {}}));
  }

  [[nodiscard]] Copies Expand(size_t operand) const {
    const SymbolicTensor* from = TensorAt(operand);
    if (from == nullptr || !IsOf(*from, 0)) return std::nullopt;
    const Box whole = WholeBox(from->shape);
    const Sizes& sizes = results_[0].sizes;
    Box box{0, sizes, std::vector<int64_t>(sizes.size(), 0)};
    if (whole.sizes.size() > sizes.size()) return std::nullopt;
    for (size_t back = 1; back <= whole.sizes.size(); ++back) {
      const size_t d = whole.sizes.size() - back;
      const size_t to = sizes.size() - back;
      if (whole.sizes[d] != 1) box.strides[to] = whole.strides[d];
      if (whole.sizes[d] != 1 && whole.sizes[d] != sizes[to]) return std::nullopt;
    }
    return One(*from, std::move(box));
  }

  [[nodiscard]] Copies Permute() const {
    const SymbolicTensor* self = TensorAt(0);
    const auto dims = IntsAt(1);
    if (self == nullptr || !dims || dims->size() != self->shape.sizes.size()) return std::nullopt;
    std::vector<size_t> order;
    for (const int64_t dim : *dims) {
      const auto d = DimOf(dim, dims->size());
      if (!d) return std::nullopt;
      order.push_back(*d);
    }
    return InOrder(*self, order);
  }

  [[nodiscard]] Copies Transpose(bool is_named) const {
    const SymbolicTensor* self = TensorAt(0);
    if (self == nullptr) return std::nullopt;
    const size_t rank = self->shape.sizes.size();
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), size_t{0});
    if (rank == 0 || (!is_named && rank < 2)) return InOrder(*self, order);
    const auto a = is_named ? DimAt(1, rank) : std::optional<size_t>(0);
    const auto b = is_named ? DimAt(2, rank) : std::optional<size_t>(1);
    if (!a || !b || (!is_named && rank > 2)) return std::nullopt;
    std::swap(order[*a], order[*b]);
    return InOrder(*self, order);
  }

  [[nodiscard]] Copies Select() const {
    const SymbolicTensor* self = TensorAt(0);
    if (self == nullptr || !IsOf(*self, 0)) return std::nullopt;
    auto box = Selected(self->shape, 1);
    return box ? One(*self, *std::move(box)) : std::nullopt;
  }

  [[nodiscard]] Copies Slice() const {
    const SymbolicTensor* self = TensorAt(0);
    if (self == nullptr || !IsOf(*self, 0)) return std::nullopt;
    auto box = Sliced(self->shape, 1, results_[0].sizes);
    return box ? One(*self, *std::move(box)) : std::nullopt;
  }

  // The first operand with a part that is replaced by the second.
  [[nodiscard]] Copies Scatter(bool is_select) const {
    const SymbolicTensor* self = TensorAt(0);
    const SymbolicTensor* src = TensorAt(1);
    if (self == nullptr || src == nullptr || !IsOf(*self, 0) || !IsOf(*src, 0)) return std::nullopt;
    auto box = is_select ? Selected(results_[0], 2) : Sliced(results_[0], 2, src->shape.sizes);
    if (!box || box->sizes != src->shape.sizes || self->shape.sizes != results_[0].sizes) {
      return std::nullopt;
    }
    const BoxCopy old = {self->content, WholeBox(self->shape), WholeBox(results_[0])};
    const BoxCopy part = {src->content, WholeBox(src->shape), *std::move(box)};
    return std::vector<ResultCopies>{{old, part}};
  }

  [[nodiscard]] Copies Split() const {
    const SymbolicTensor* self = TensorAt(0);
    if (self == nullptr) return std::nullopt;
    const auto dim = DimAt(2, self->shape.sizes.size());
    if (!dim) return std::nullopt;
    std::vector<ResultCopies> copies;
    int64_t start = 0;
    for (size_t r = 0; r < results_.size(); ++r) {
      if (!IsOf(*self, r) || results_[r].sizes.size() != self->shape.sizes.size()) {
        return std::nullopt;
      }
      const int64_t length = results_[r].sizes[*dim];
      Box box = WholeBox(self->shape);
      NarrowBox(box, *dim, start, length);
      start += length;
      if (box.sizes != results_[r].sizes) return std::nullopt;
      copies.push_back({{self->content, std::move(box), WholeBox(results_[r])}});
    }
    if (start != self->shape.sizes[*dim]) return std::nullopt;
    return copies;
  }

  [[nodiscard]] Copies Unbind() const {
    const SymbolicTensor* self = TensorAt(0);
    if (self == nullptr) return std::nullopt;
    const auto dim = DimAt(1, self->shape.sizes.size());
    if (!dim || self->shape.sizes[*dim] != static_cast<int64_t>(results_.size())) {
      return std::nullopt;
    }
    std::vector<ResultCopies> copies;
    for (size_t r = 0; r < results_.size(); ++r) {
      Box box = WholeBox(self->shape);
      SelectFromBox(box, *dim, static_cast<int64_t>(r));
      if (!IsOf(*self, r) || box.sizes != results_[r].sizes) return std::nullopt;
      copies.push_back({{self->content, std::move(box), WholeBox(results_[r])}});
    }
    return copies;
  }

  [[nodiscard]] Copies Join(bool is_stack) const {
    const auto* tensors = std::get_if<std::vector<std::optional<SymbolicTensor>>>(&args_[0]);
    const auto dim = DimAt(1, results_[0].sizes.size());
    if (tensors == nullptr || !dim) return std::nullopt;
    ResultCopies copies;
    int64_t start = 0;
    for (const auto& tensor : *tensors) {
      if (!tensor || !IsOf(*tensor, 0)) return std::nullopt;
      const Sizes& sizes = tensor->shape.sizes;
      if (!is_stack && sizes.size() == 1 && sizes[0] == 0) continue;
      Box to = WholeBox(results_[0]);
      if (!is_stack && sizes.size() != to.sizes.size()) return std::nullopt;
      const int64_t length = is_stack ? 1 : sizes[*dim];
      if (start + length > to.sizes[*dim]) return std::nullopt;
      if (is_stack) {
        SelectFromBox(to, *dim, start);
      } else {
        NarrowBox(to, *dim, start, length);
      }
      start += length;
      if (to.sizes != sizes) return std::nullopt;
      copies.push_back({tensor->content, WholeBox(tensor->shape), std::move(to)});
    }
    if (start != results_[0].sizes[*dim]) return std::nullopt;
    return std::vector<ResultCopies>{std::move(copies)};
  }

  [[nodiscard]] Copies Zeros() const { return std::vector<ResultCopies>(results_.size()); }

 private:
  static bool IsRowMajor(const TensorShape& shape) {
    return std::ranges::is_sorted(shape.order) || shape.sizes.size() < 2;
  }
  [[nodiscard]] bool IsOf(const SymbolicTensor& tensor, size_t result) const {
    return tensor.shape.dtype == results_[result].dtype;
  }
  [[nodiscard]] const SymbolicTensor* TensorAt(size_t i) const {
    return std::get_if<SymbolicTensor>(&args_[i]);
  }
  // None as `otherwise`.
  [[nodiscard]] std::optional<int64_t> IntAt(size_t i,
                                             std::optional<int64_t> otherwise = {}) const {
    if (std::holds_alternative<std::monostate>(args_[i])) return otherwise;
    const auto* number = std::get_if<SymbolicNumber>(&args_[i]);
    return number == nullptr || !number->is_known() ? std::nullopt : std::optional(IntOf(*number));
  }
  [[nodiscard]] std::optional<std::vector<int64_t>> IntsAt(size_t i) const {
    const auto* list = std::get_if<std::vector<SymbolicNumber>>(&args_[i]);
    if (list == nullptr) return std::nullopt;
    std::vector<int64_t> ints;
    for (const SymbolicNumber& number : *list) {
      if (!number.is_known()) return std::nullopt;
      ints.push_back(IntOf(number));
    }
    return ints;
  }
  static std::optional<size_t> DimOf(int64_t dim, size_t rank) {
    if (dim < 0) dim += static_cast<int64_t>(rank);
    if (dim < 0 || dim >= static_cast<int64_t>(rank)) return std::nullopt;
    return static_cast<size_t>(dim);
  }
  [[nodiscard]] std::optional<size_t> DimAt(size_t i, size_t rank) const {
    const auto dim = IntAt(i, 0);
    return dim ? DimOf(*dim, rank) : std::nullopt;
  }

  // Arguments from `first` on: the dim and the index.
  [[nodiscard]] std::optional<Box> Selected(const TensorShape& whole, size_t first) const {
    const auto dim = DimAt(first, whole.sizes.size());
    auto index = IntAt(first + 1);
    if (!dim || !index) return std::nullopt;
    if (*index < 0) *index += whole.sizes[*dim];
    if (*index < 0 || *index >= whole.sizes[*dim]) return std::nullopt;
    Box box = WholeBox(whole);
    SelectFromBox(box, *dim, *index);
    return box;
  }

  // Arguments from `first` on: dim, start, end and step, as Python counts.
  [[nodiscard]] std::optional<Box> Sliced(const TensorShape& whole, size_t first,
                                          const Sizes& sizes) const {
    const auto dim = DimAt(first, whole.sizes.size());
    if (!dim) return std::nullopt;
    const int64_t size = whole.sizes[*dim];
    const auto held = [&](int64_t at) {
      return std::clamp(at < 0 ? at + size : at, int64_t{0}, size);
    };
    const auto start = IntAt(first + 1, 0);
    const auto end = IntAt(first + 2, size);
    const auto step = IntAt(first + 3);
    if (!start || !end || !step || *step < 1) return std::nullopt;
    const int64_t length = std::max<int64_t>(0, held(*end) - held(*start));
    Box box = WholeBox(whole);
    const int64_t count = length == 0 ? 0 : (length - 1) / *step + 1;
    NarrowBox(box, *dim, held(*start), count, count < 2 ? 1 : *step);
    return box.sizes == sizes ? std::optional(std::move(box)) : std::nullopt;
  }

  [[nodiscard]] Copies InOrder(const SymbolicTensor& self, std::span<const size_t> order) const {
    if (!IsOf(self, 0)) return std::nullopt;
    const Box whole = WholeBox(self.shape);
    Box box;
    for (const size_t d : order) {
      box.sizes.push_back(whole.sizes[d]);
      box.strides.push_back(whole.strides[d]);
    }
    return One(self, std::move(box));
  }

  // The box fills the only result.
  [[nodiscard]] Copies One(const SymbolicTensor& from, Box box) const {
    if (box.sizes != results_[0].sizes) return std::nullopt;
    return std::vector<ResultCopies>{{{from.content, std::move(box), WholeBox(results_[0])}}};
  }

  std::span<const SymbolicArgument> args_;
  std::span<const TensorShape> results_;
};

using Rule = Call::Copies (*)(const Call& call);
struct MovementRow {
  std::string_view name;
  Rule rule;
};

Call::Copies CopyRule(const Call& call) {
  return call.Copy();
}

constexpr auto kMovementRules = std::to_array<MovementRow>({
    {"aten::_to_copy.out", CopyRule},
    {"aten::alias_copy.out", CopyRule},
    {"aten::cat.out", [](const Call& call) { return call.Join(false); }},
    {"aten::clone.out", CopyRule},
    {"aten::copy.out", [](const Call& call) { return call.Expand(1); }},
    {"aten::detach_copy.out", CopyRule},
    {"aten::expand_copy.out", [](const Call& call) { return call.Expand(0); }},
    {"aten::lift_fresh_copy.out", CopyRule},
    {"aten::permute_copy.out", [](const Call& call) { return call.Permute(); }},
    {"aten::select_copy.int_out", [](const Call& call) { return call.Select(); }},
    {"aten::select_scatter.out", [](const Call& call) { return call.Scatter(true); }},
    {"aten::slice_copy.Tensor_out", [](const Call& call) { return call.Slice(); }},
    {"aten::slice_scatter.out", [](const Call& call) { return call.Scatter(false); }},
    {"aten::split_copy.Tensor_out", [](const Call& call) { return call.Split(); }},
    {"aten::split_with_sizes_copy.out", [](const Call& call) { return call.Split(); }},
    {"aten::squeeze_copy.dim_out", CopyRule},
    {"aten::squeeze_copy.dims_out", CopyRule},
    {"aten::stack.out", [](const Call& call) { return call.Join(true); }},
    {"aten::t_copy.out", [](const Call& call) { return call.Transpose(false); }},
    {"aten::transpose_copy.int_out", [](const Call& call) { return call.Transpose(true); }},
    {"aten::unbind_copy.int_out", [](const Call& call) { return call.Unbind(); }},
    {"aten::unsqueeze_copy.out", CopyRule},
    {"aten::view_copy.out", CopyRule},
    {"aten::zeros.out", [](const Call& call) { return call.Zeros(); }},
    {"dim_order_ops::_clone_dim_order.out", CopyRule},
    {"dim_order_ops::_to_dim_order_copy.out", CopyRule},
    {"et_copy::_d2h_copy.out", CopyRule},
    {"et_copy::_h2d_copy.out", CopyRule},
});

}  // namespace

std::optional<std::vector<ContentId>> Moved(TermTable& table, const OpSchema& schema,
                                            std::span<const SymbolicArgument> args,
                                            std::span<const TensorShape> results) {
  const auto* const row = std::ranges::find(kMovementRules, schema.name, &MovementRow::name);
  if (row == kMovementRules.end() || results.empty()) return std::nullopt;
  const Call::Copies copies = row->rule(Call(args, results));
  if (!copies || std::ranges::any_of(*copies, IsTooFine)) return std::nullopt;
  std::vector<ContentId> contents;
  for (size_t r = 0; r < results.size(); ++r) {
    contents.push_back(ContentOf(table, (*copies)[r], results[r]));
  }
  return contents;
}

ContentId Reordered(TermTable& table, const SymbolicTensor& tensor, const TensorShape& as) {
  if (tensor.shape.order == as.order) return tensor.content;
  return ContentOf(table, {{tensor.content, WholeBox(tensor.shape), WholeBox(as)}}, as);
}

}  // namespace pteproof::compare
