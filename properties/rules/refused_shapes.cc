// Idea: each of these kernels asks a few questions of types, sizes and numbers, and gives its
// result other sizes if those may vary. The questions are asked here in the same order, of what is
// known; one that some admitted size would pass is passed.
//
//   et_view(v0 float32[4, 8], [8, -1], v1 float32[8, 4])    taken
//   et_view(v0 float32[4, 8], [8, -1], v1 int8[8, 4])       refused: another type
//   et_view(v0 float32[n<=4, 8], [s, 8], v1 [2, 8])         taken with n = s = 2
//   et_view(v0 float32[n<=4, 8], [s, 8], v1 [5, 8])         refused: n * 8 is never 40
//
// A size is 32 bits wide in a tensor: the kernels cut off the rest of a larger number.
#include "properties/rules/refused_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked_math.h"
#include "properties/rules/wording.h"
#include "runtime/number_types.h"

namespace pteproof::checks {
namespace {

using MaybeRefusal = std::optional<Refusal>;
using Ranges = std::vector<IntRange>;

constexpr const char* kCorrectThePass =
    "No exporter of ExecuTorch's makes such a call: correct the pass that wrote it.";

// A tensor of a call, under the name that the file gives it there.
struct NamedTensor {
  int32_t name = 0;
  const Tensor* tensor = nullptr;  // null: one of several
  bool fixed = false;              // it has the file's sizes whenever the call is made
  bool fixed_rows = false;         // but for the first

  [[nodiscard]] bool known() const { return tensor != nullptr; }
  [[nodiscard]] bool is_static() const { return tensor->dynamism == Dynamism::kStatic; }
};

NamedTensor TensorAt(const RuntimeCall& call, size_t a) {
  NamedTensor named = {.name = call.args[a]};
  const int32_t v = call.held.At(named.name).stands_for;
  if (v < 0) return named;
  named.tensor = call.method.TensorOf(v);
  const bool varies = call.resized.any[static_cast<size_t>(v)];
  named.fixed_rows = !varies;
  named.fixed = !varies && !call.resized.rows[static_cast<size_t>(v)];
  return named;
}

std::string WordsOf(const RuntimeCall& call, const NamedTensor& named) {
  return ValueWords(call.method, named.name);
}

std::span<const int32_t> SizesIn(const RuntimeCall& call, const Tensor& tensor) {
  return call.method.Ints(tensor.sizes);
}

int64_t CountOf(const Tensor& tensor) {
  return static_cast<int64_t>(tensor.nbytes / ElementSize(tensor.dtype));
}

// The elements that it may have.
IntRange CountsOf(const NamedTensor& named) {
  const int64_t most = CountOf(*named.tensor);
  return {named.fixed ? most : 0, most};
}

// The numbers of a list, or nothing: the list is one of several, or a number is not an integer.
std::optional<Ranges> NumbersOf(const RuntimeCall& call, int32_t list) {
  const int32_t v = call.held.At(list).stands_for;
  if (v < 0) return std::nullopt;
  Ranges numbers;
  for (const int32_t item : call.method.Ints(call.method.values[static_cast<size_t>(v)].items)) {
    const HeldValue held = call.held.At(item);
    if (!held.IsOnly(kIntBit)) return std::nullopt;
    numbers.push_back(held.range);
  }
  return numbers;
}

std::string Text(const Ranges& numbers) {
  std::vector<std::string> words;
  for (const IntRange& number : numbers) {
    words.push_back(number.IsOne() ? std::to_string(number.least) : "?");
  }
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string Text(std::span<const int32_t> sizes) {
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

bool AreKnown(const Ranges& numbers) {
  return std::ranges::all_of(numbers, &IntRange::IsOne);
}

// As a tensor keeps a size.
int64_t Cut(int64_t size) {
  return static_cast<int32_t>(static_cast<uint64_t>(size) & 0xffffffff);
}
bool FitsIn(const IntRange& range) {
  return Cut(range.least) == range.least && Cut(range.most) == range.most;
}

// The product of sizes that are known; nothing: one is not, or it is out of range.
std::optional<int64_t> ProductOf(const Ranges& sizes) {
  std::optional<int64_t> product = 1;
  for (const IntRange& size : sizes) {
    if (!size.IsOne()) return std::nullopt;
    product = CheckedMul(*product, size.least);
    if (!product) return std::nullopt;
  }
  return product;
}

// Why a result cannot be given these sizes. Of numbers that are not known nothing is asked but
// whether one may be the size that a static result has.
MaybeRefusal ResizeFault(const RuntimeCall& call, const NamedTensor& out, const Ranges& sizes) {
  const auto own = SizesIn(call, *out.tensor);
  const auto refused = [&](const std::string& has, const char* takes) {
    return Refusal{{out.name}, has, takes, kCorrectThePass};
  };
  if (sizes.size() != own.size()) {
    return refused(fmt::format("gives {} of {} dimensions the sizes {}", WordsOf(call, out),
                               own.size(), Text(sizes)),
                   "does not change the number of dimensions of a result");
  }
  if (own.empty()) return std::nullopt;
  if (out.is_static()) {
    for (size_t d = 0; d < own.size(); ++d) {
      const bool may = FitsIn(sizes[d]) ? sizes[d].Has(own[d])
                                        : !sizes[d].IsOne() || Cut(sizes[d].least) == own[d];
      if (may) continue;
      return refused(fmt::format("gives {} with the sizes {}, which do not vary, the sizes {}",
                                 WordsOf(call, out), Text(own), Text(sizes)),
                     "leaves the sizes of such a result as they are");
    }
    return std::nullopt;
  }
  Ranges cut = sizes;
  for (IntRange& size : cut) {
    if (size.IsOne()) size = {Cut(size.least), Cut(size.least)};
    if (size.most < 0) {
      return refused(fmt::format("gives {} the sizes {}", WordsOf(call, out), Text(sizes)),
                     "takes no negative size");
    }
  }
  const auto count = ProductOf(cut);
  if (!AreKnown(cut) || (count && *count <= CountOf(*out.tensor))) return std::nullopt;
  return refused(fmt::format("gives {}, which has room for {} elements, the sizes {}",
                             WordsOf(call, out), CountOf(*out.tensor), Text(sizes)),
                 "gives a result as many elements as the file's sizes have, or less");
}

MaybeRefusal TypeFault(const RuntimeCall& call, const NamedTensor& from, const NamedTensor& to,
                       std::string_view does) {
  if (!from.known() || !to.known() || from.tensor->dtype == to.tensor->dtype) return std::nullopt;
  return Refusal{{to.name, from.name},
                 fmt::format("{} {} of {} as {} of {}", does, WordsOf(call, from),
                             Name(from.tensor->dtype), WordsOf(call, to), Name(to.tensor->dtype)),
                 "takes a result only if it has the element type of its operand",
                 kCorrectThePass};
}

// Of the sizes that a view is asked for, by themselves: one may be -1, the others are not negative.
std::optional<std::string_view> AskedFault(const Ranges& asked) {
  const auto is_deduced = [](const IntRange& size) { return size == IntRange{-1, -1}; };
  const auto deduced = std::ranges::count_if(asked, is_deduced);
  if (deduced > 1) return "deduces one size (-1) at most";
  if (std::ranges::any_of(asked, [](const IntRange& size) { return size.most < -1; })) {
    return "takes no negative size but one -1";
  }
  const auto is_none = [](const IntRange& size) { return size == IntRange{0, 0}; };
  if (deduced == 1 && std::ranges::any_of(asked, is_none)) {
    return "deduces no size (-1) beside a size of 0";
  }
  return std::nullopt;
}

// The sizes that the kernel makes of those asked for. A deduced one is rounded down.
Ranges MadeOf(const Ranges& asked, const IntRange& counts) {
  Ranges made = asked;
  IntRange* deduced = nullptr;
  std::optional<int64_t> rest = 1;
  for (IntRange& size : made) {
    if (size == IntRange{-1, -1}) {
      deduced = &size;
    } else if (size.Has(-1)) {
      rest = std::nullopt;  // which one is deduced is not known
      size = {};
    } else if (rest) {
      rest = size.IsOne() ? CheckedMul(*rest, size.least) : std::nullopt;
    }
  }
  if (deduced != nullptr) {
    *deduced = rest && *rest > 0 ? IntRange{counts.least / *rest, counts.most / *rest} : IntRange{};
  }
  return made;
}

// Whether the view may have as many elements as its base.
bool MayCountAlike(const NamedTensor& out, const Ranges& made, const IntRange& counts) {
  if (out.is_static() || out.tensor->sizes.count == 0) return counts.Has(CountOf(*out.tensor));
  const auto count = ProductOf(made);
  return !count || counts.Has(*count);
}

MaybeRefusal OfView(const RuntimeCall& call) {
  const NamedTensor self = TensorAt(call, 0);
  const NamedTensor out = TensorAt(call, 2);
  if (auto fault = TypeFault(call, self, out, "views")) return fault;
  const auto asked = NumbersOf(call, call.args[1]);
  if (!out.known() || !asked) return std::nullopt;
  if (asked->size() != out.tensor->sizes.count) {
    return Refusal{{out.name},
                   fmt::format("asks for the sizes {} of {}, which has {} dimensions", Text(*asked),
                               WordsOf(call, out), out.tensor->sizes.count),
                   "takes one size for each dimension of the view",
                   kCorrectThePass};
  }
  if (const auto takes = AskedFault(*asked)) {
    return Refusal{{out.name},
                   fmt::format("asks for the sizes {} of {}", Text(*asked), WordsOf(call, out)),
                   std::string(*takes),
                   kCorrectThePass};
  }
  const IntRange counts = self.known() ? CountsOf(self) : IntRange{0, IntRange{}.most};
  const Ranges made = MadeOf(*asked, counts);
  if (auto fault = ResizeFault(call, out, made)) return fault;
  if (!self.known() || MayCountAlike(out, made, counts)) return std::nullopt;
  return Refusal{
      {out.name, self.name},
      fmt::format("views {} with {}{} elements as {} with the sizes {}", WordsOf(call, self),
                  counts.IsOne() ? "" : "up to ", counts.most, WordsOf(call, out), Text(made)),
      "takes a view only if it has as many elements as its base",
      kCorrectThePass};
}

// A row of another number of elements, or one that has no place.
MaybeRefusal RowFault(const RuntimeCall& call, const NamedTensor& whole, const NamedTensor& row) {
  const auto all = SizesIn(call, *whole.tensor);
  const auto one = SizesIn(call, *row.tensor);
  bool fits = all.size() == one.size() + 1;
  for (size_t d = 0; fits && d < one.size(); ++d) {
    fits = !whole.fixed_rows || !row.fixed || all[d + 1] == one[d];
  }
  if (fits) return std::nullopt;
  return Refusal{{whole.name, row.name},
                 fmt::format("copies {} with the sizes {} into {} with the sizes {}",
                             WordsOf(call, row), Text(one), WordsOf(call, whole), Text(all)),
                 "takes what has the sizes of one row",
                 kCorrectThePass};
}

MaybeRefusal OfCopyIndex(const RuntimeCall& call) {
  const NamedTensor whole = TensorAt(call, 0);
  const NamedTensor row = TensorAt(call, 1);
  const HeldValue held = call.held.At(call.args[2]);
  const IntRange index = held.IsOnly(kIntBit) ? held.range : IntRange{};
  if (index.most < 0) {
    return Refusal{{whole.name},
                   fmt::format("copies to row {} of {}", index.most, WordsOf(call, whole)),
                   "takes only indices from 0 on",
                   kCorrectThePass};
  }
  if (!whole.known() || !row.known()) return std::nullopt;
  if (auto fault = RowFault(call, whole, row)) return fault;
  const auto one = SizesIn(call, *row.tensor);
  const int64_t first = std::max<int64_t>(index.least, 0);
  const auto least = CheckedAdd(first, int64_t{1});
  const auto most = CheckedAdd(index.most, int64_t{1});
  Ranges made = {least && most ? IntRange{*least, *most} : IntRange{1, IntRange{}.most}};
  for (const int32_t size : one) {
    made.push_back(row.fixed ? IntRange{size, size}
                             : IntRange{0, std::numeric_limits<int32_t>::max()});
  }
  if (auto fault = ResizeFault(call, whole, made)) return fault;
  const bool wider = ElementSize(row.tensor->dtype) > ElementSize(whole.tensor->dtype);
  if (!wider || !row.fixed || CountOf(*row.tensor) == 0) return std::nullopt;
  return Refusal{
      {whole.name, row.name},
      fmt::format("copies {} of {} into {} of {}", WordsOf(call, row), Name(row.tensor->dtype),
                  WordsOf(call, whole), Name(whole.tensor->dtype)),
      "takes a row only if its bytes have room",
      kCorrectThePass};
}

MaybeRefusal OfSize(const RuntimeCall& call) {
  const NamedTensor self = TensorAt(call, 0);
  const HeldValue dim = call.held.At(call.args[1]);
  if (!self.known() || !dim.IsOnly(kIntBit)) return std::nullopt;
  const int64_t rank = self.tensor->sizes.count;
  if (dim.range.most >= 0 && dim.range.least < rank) return std::nullopt;
  return Refusal{{self.name},
                 fmt::format("asks for the size of dimension {} of {}, which has {} dimensions",
                             dim.range.IsOne() ? std::to_string(dim.range.least) : "?",
                             WordsOf(call, self), rank),
                 "counts dimensions from 0, and takes only those that exist",
                 kCorrectThePass,
                 /*aborts=*/true};
}

MaybeRefusal OfElement(const RuntimeCall& call) {
  const NamedTensor self = TensorAt(call, 0);
  if (!self.known()) return std::nullopt;
  const auto refused = [&](const std::string& of, const char* takes) {
    return Refusal{{self.name},
                   fmt::format("reads the first element of {} {}", WordsOf(call, self), of),
                   takes,
                   kCorrectThePass};
  };
  if (CountsOf(self).most == 0) {
    return refused("with the sizes " + Text(SizesIn(call, *self.tensor)),
                   "takes only tensors that have an element");
  }
  if (IsReadAsNumber(self.tensor->dtype)) return std::nullopt;
  return refused(fmt::format("of {}", Name(self.tensor->dtype)),
                 "takes tensors of uint8, int8 to int64, float32, float64 and bool only");
}

Ranges SizesAsRanges(const RuntimeCall& call, const NamedTensor& named) {
  Ranges ranges;
  for (const int32_t size : SizesIn(call, *named.tensor)) {
    ranges.push_back(named.fixed ? IntRange{size, size}
                                 : IntRange{0, std::numeric_limits<int32_t>::max()});
  }
  return ranges;
}

// Copies in a dim order. The dim orders themselves are another rule's.
MaybeRefusal OfOrderedCopy(const RuntimeCall& call) {
  const NamedTensor self = TensorAt(call, 0);
  const NamedTensor out = TensorAt(call, call.op.schema->args.size() - 1);
  if (!self.known() || !out.known()) return std::nullopt;
  if (call.op.name == "dim_order_ops::_clone_dim_order.out") {
    if (auto fault = TypeFault(call, self, out, "copies")) return fault;
  }
  return ResizeFault(call, out, SizesAsRanges(call, self));
}

MaybeRefusal OfEmpty(const RuntimeCall& call) {
  const NamedTensor out = TensorAt(call, call.op.schema->args.size() - 1);
  const auto sizes = NumbersOf(call, call.args[0]);
  return out.known() && sizes ? ResizeFault(call, out, *sizes) : std::nullopt;
}

struct ShapeRow {
  std::string_view name;
  MaybeRefusal (*of)(const RuntimeCall&);
};

constexpr ShapeRow kShapeRows[] = {
    {"executorch_prim::et_view.default", OfView},
    {"executorch_prim::et_copy_index.tensor", OfCopyIndex},
    {"aten::sym_size.int", OfSize},
    {"aten::_local_scalar_dense", OfElement},
    {"dim_order_ops::_clone_dim_order.out", OfOrderedCopy},
    {"dim_order_ops::_to_dim_order_copy.out", OfOrderedCopy},
    {"dim_order_ops::_empty_dim_order.out", OfEmpty},
};

const ShapeRow* RowOf(const Operator& op) {
  const auto* row = std::ranges::find(kShapeRows, op.name, &ShapeRow::name);
  return row == std::end(kShapeRows) ? nullptr : row;
}

}  // namespace

bool IsJudgedByShapes(const Operator& op) {
  return op.schema != nullptr && RowOf(op) != nullptr;
}

std::optional<Refusal> RefusalByShapes(const RuntimeCall& call) {
  const ShapeRow* row = RowOf(call.op);
  return row == nullptr ? std::nullopt : row->of(call);
}

}  // namespace pteproof::checks
