#include "reference/ops/parts.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "reference/ops/elements.h"
#include "reference/ops/walk.h"

namespace pteproof {
namespace {

// What is wrong with a part of `whole` that holds the elements of `dense`. A stride that is never
// taken becomes 0, so that no walk computes with it.
std::string Check(Part& part, const TensorValue& whole, const TensorValue& dense) {
  // The product of a part's sizes, of which one is 0, might not fit 64 bits.
  const bool empty = std::ranges::find(part.sizes, 0) != part.sizes.end();
  if ((empty ? 0 : ElementCount(part.sizes)) != ElementCount(dense)) return "the sizes do not fit";
  if (empty) return {};
  int64_t lowest = part.offset;
  int64_t highest = part.offset;
  for (size_t d = 0; d < part.sizes.size(); ++d) {
    if (part.sizes[d] == 1) part.strides[d] = 0;
    int64_t span = 0;
    int64_t& end = part.strides[d] < 0 ? lowest : highest;
    if (__builtin_mul_overflow(part.sizes[d] - 1, part.strides[d], &span) ||
        __builtin_add_overflow(end, span, &end)) {
      return "an element lies outside of the tensor";
    }
  }
  const bool inside = lowest >= 0 && highest < ElementCount(whole);
  return inside ? "" : "an element lies outside of the tensor";
}

// Elements of one width, which are copied by planes of the last two dimensions, in tiles: large
// weights are turned in every call of a method, and neighbours of a column are far apart.
template <size_t kWidth>
std::string ReadPlanes(const TensorValue& from, Part part, TensorValue& to) {
  constexpr int64_t kTile = 32;
  while (part.sizes.size() < 2) {
    part.sizes.insert(part.sizes.begin(), 1);
    part.strides.insert(part.strides.begin(), 0);
  }
  const size_t last = part.sizes.size() - 1;
  const int64_t rows = part.sizes[last - 1];
  const int64_t columns = part.sizes[last];
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  const int64_t row_step = part.strides[last - 1] * kBytes;
  const int64_t step = part.strides[last] * kBytes;
  const int64_t tile = step == kBytes ? columns : kTile;  // rows that are runs are copied whole
  Paced pace(ElementCount(to));
  part.sizes[last - 1] = part.sizes[last] = 1;
  const std::byte* first = from.bytes.data() + part.offset * kBytes;
  std::byte* plane = to.bytes.data();
  Walk(part.sizes, part.strides, [&](int64_t, int64_t at) {
    const std::byte* source = first + at * kBytes;
    for (int64_t r0 = 0; r0 < rows; r0 += kTile) {
      for (int64_t c0 = 0; c0 < columns; c0 += tile) {
        pace.Step(kTile * std::min(tile, columns));
        for (int64_t r = r0; r < std::min(rows, r0 + kTile); ++r) {
          std::byte* next = plane + (r * columns + c0) * kBytes;
          const std::byte* element = source + r * row_step + c0 * step;
          for (int64_t c = c0; c < std::min(columns, c0 + tile); ++c) {
            std::memcpy(next, element, kWidth);
            next += kBytes;
            element += step;
          }
        }
      }
    }
    plane += rows * columns * kBytes;
  });
  return {};
}

}  // namespace

size_t DimensionIn(const Call& call, size_t i, size_t rank) {
  return DimensionAt(call, i, rank).value_or(0);
}

bool IsNeverNegative(const SizeExpr& size) {
  constexpr int64_t kLargest = int64_t{1} << 40;
  const std::vector<SizeRange> dims(static_cast<size_t>(size.HighestSymbol() + 1), {0, kLargest});
  return size.Over(dims).lo >= 0;
}

SizeExpr AtLeastZero(const SizeExpr& size) {
  return IsNeverNegative(size) ? size : Max(size, 0);
}

bool MayBeEqual(const SizeExpr& a, const SizeExpr& b) {
  return (a - b).Constant().value_or(0) == 0;
}

bool MayBeEqual(std::span<const SizeExpr> a, std::span<const SizeExpr> b) {
  if (a.size() != b.size()) return false;
  for (size_t d = 0; d < a.size(); ++d) {
    if (!MayBeEqual(a[d], b[d])) return false;
  }
  return true;
}

void Fill(TensorValue& t, const Number& number) {
  ForEachElement(ElementCount(t), [&](int64_t i) {
    number.is_real() ? SetReal(t, i, number.real) : SetInt(t, i, number.integer);
  });
}

void AddElement(const TensorValue& source, int64_t from, TensorValue& target, int64_t to) {
  WithNumbers(target.dtype, [&]<class T>(T) {
    SetElement(target, to, Element<T>(target, to) + Element<T>(source, from));
  });
}

Part WholeOf(const TensorValue& t) {
  const bool empty = ElementCount(t) == 0;
  return {0, t.sizes, empty ? Sizes(t.sizes.size(), 0) : RowMajorStrides(t.sizes)};
}

void Narrow(Part& part, size_t d, int64_t start, int64_t length, int64_t step) {
  part.sizes[d] = length;
  if (length == 0) return;
  // Such numbers come from the caller, and step only matters between two coordinates.
  part.offset += start * part.strides[d];
  part.strides[d] *= length == 1 ? 1 : step;
}

void Select(Part& part, size_t d, int64_t index) {
  part.offset += index * part.strides[d];
  part.sizes.erase(part.sizes.begin() + static_cast<std::ptrdiff_t>(d));
  part.strides.erase(part.strides.begin() + static_cast<std::ptrdiff_t>(d));
}

Part Permuted(const Part& part, std::span<const size_t> order) {
  Part permuted{part.offset, {}, {}};
  for (const size_t d : order) {
    permuted.sizes.push_back(part.sizes[d]);
    permuted.strides.push_back(part.strides[d]);
  }
  return permuted;
}

void Split(Part& part, size_t d, int64_t inner) {
  const auto at = static_cast<std::ptrdiff_t>(d);
  part.sizes.insert(part.sizes.begin() + at, part.sizes[d] / inner);
  part.strides.insert(part.strides.begin() + at, part.strides[d] * inner);
  part.sizes[d + 1] = inner;
}

std::string ReadPart(const TensorValue& from, Part part, TensorValue& to) {
  const std::string fault = Check(part, from, to);
  if (!fault.empty() || ElementCount(to) == 0) return fault;
  if (from.dtype == to.dtype) {
    const size_t width = ElementSize(to.dtype);
    if (width == 4) return ReadPlanes<4>(from, part, to);
    if (width == 2) return ReadPlanes<2>(from, part, to);
    if (width == 1) return ReadPlanes<1>(from, part, to);
  }
  Walk(part.sizes, part.strides,
       [&](int64_t i, int64_t at) { CopyElement(from, part.offset + at, to, i); });
  return {};
}

std::string WritePart(const TensorValue& from, TensorValue& to, Part part) {
  const std::string fault = Check(part, to, from);
  if (!fault.empty() || ElementCount(from) == 0) return fault;
  Walk(part.sizes, part.strides,
       [&](int64_t i, int64_t at) { CopyElement(from, i, to, part.offset + at); });
  return {};
}

std::string CopyAll(const TensorValue& from, TensorValue& to) {
  const int64_t count = ElementCount(to);
  if (ElementCount(from) != count) return "the sizes do not fit";
  if (from.dtype == to.dtype) {
    Spend(count);
    std::copy(from.bytes.begin(), from.bytes.end(), to.bytes.data());
    return {};
  }
  ForEachElement(count, [&](int64_t i) { CopyElement(from, i, to, i); });
  return {};
}

}  // namespace pteproof
