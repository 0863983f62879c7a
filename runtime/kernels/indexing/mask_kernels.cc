// Operators whose results are as long as the data says: selections by a mask, lists of places,
// repeats. Under mixed bytes, which say nothing, results have the largest sizes that there may be.
#include <algorithm>
#include <array>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/indexing/index.h"

namespace pteproof::kernels {
namespace {

// Under the result lies what says how long it is.
constexpr KernelStatus kOtherCount =
    "the data selects another number of elements than the result has";

// Self and the mask, both spread to the sizes of both.
struct Masked {
  Region self;
  Region mask;
};

KernelStatus MaskedOf(const KernelCall& call, Masked& masked) {
  masked = {WholeOf(TensorAt(call, 0)), WholeOf(TensorAt(call, 1))};
  if (masked.mask.dtype != ScalarType::kBool) return "the mask is not bool";
  Region common = masked.self.rank < masked.mask.rank ? masked.mask : masked.self;
  const Region& shorter = masked.self.rank < masked.mask.rank ? masked.self : masked.mask;
  for (size_t back = 1; back <= shorter.rank; ++back) {
    int64_t& size = common.sizes[common.rank - back];
    if (size == 1) size = shorter.sizes[shorter.rank - back];
  }
  const bool fits = Spread(masked.self, common) && Spread(masked.mask, common);
  return fits ? nullptr : "the operands' sizes do not match";
}

int64_t CountTrue(const Region& mask) {
  int64_t count = 0;
  ForEachPlace(Walked<1>({mask}), [&](const auto& at) { count += IsTrue(at[0]) ? 1 : 0; });
  return count;
}

// The mask's flags in memory of their own, for elements in row-major order: a result that lies over
// the mask changes none. No memory: none are given.
LentNumbers<bool> FlagsOf(const Region& mask, Scratch& scratch) {
  const LentNumbers<bool> flags = RoomFor<bool>(CountIn(mask), scratch);
  int64_t next = 0;
  if (!flags.given()) return flags;
  ForEachPlace(Walked<1>({mask}), [&](const auto& at) { flags[next++] = IsTrue(at[0]); });
  return flags;
}

KernelStatus SizesOfMaskedSelect(const KernelCall& call) {
  Masked masked;
  if (const KernelStatus status = MaskedOf(call, masked)) return status;
  const std::array<int64_t, 1> sizes = {call.wraps_indices ? CountIn(masked.mask)
                                                           : CountTrue(masked.mask)};
  return Resize(OutOf(call), sizes);
}

KernelStatus MaskedSelect(const KernelCall& call) {
  Masked masked;
  if (const KernelStatus status = MaskedOf(call, masked)) return status;
  const LentNumbers<bool> flags = FlagsOf(masked.mask, *call.scratch);
  if (!flags.given()) return kNoMemory;
  const Region out = WholeOf(OutOf(call));
  if (std::ranges::count(flags, true) > out.sizes[0]) return kOtherCount;
  CheckedPointer next = out.data;
  int64_t i = 0;
  ForEachPlace(Walked<1>({masked.self}), [&](const auto& at) {
    if (!flags[i++]) return;
    CopyConverted(masked.self.dtype, at[0], out.dtype, next);
    next += out.strides[0];
  });
  return nullptr;
}

KernelStatus SizesOfMaskedScatter(const KernelCall& call) {
  Masked masked;
  const KernelStatus status = MaskedOf(call, masked);
  return status != nullptr ? status : ResizeTo(OutOf(call), masked.self);
}

// Where the mask is true, the elements of source, one by one.
KernelStatus MaskedScatter(const KernelCall& call) {
  Masked masked;
  if (const KernelStatus status = MaskedOf(call, masked)) return status;
  const Region source = WholeOf(TensorAt(call, 2));
  const Region out = WholeOf(OutOf(call));
  const LentNumbers<bool> flags = FlagsOf(masked.mask, *call.scratch);
  if (!flags.given()) return kNoMemory;
  if (std::ranges::count(flags, true) > ElementCount(TensorAt(call, 2))) {
    return "the source has fewer elements than the mask selects";
  }
  CopyRegion(masked.self, out);
  // The source's places one by one, as the mask asks for them.
  std::array<int64_t, kMaxRank> index = {};
  CheckedPointer from = source.data;
  int64_t i = 0;
  ForEachPlace(Walked<1>({out}), [&](const auto& at) {
    if (!flags[i++]) return;
    CopyConverted(source.dtype, from, out.dtype, at[0]);
    for (size_t d = source.rank; d-- > 0;) {
      from += source.strides[d];
      if (++index[d] < source.sizes[d]) break;
      from -= source.sizes[d] * source.strides[d];
      index[d] = 0;
    }
  });
  return nullptr;
}

// Whether an element is not zero; NaN is not.
bool IsNonzero(ScalarType dtype, CheckedPointer at) {
  const ElementNumber number = LoadElement(dtype, at);
  if (!number.is_real) return number.integer != 0;
  return number.real != 0 || number.imaginary != 0;
}

KernelStatus SizesOfNonzero(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  int64_t count = call.wraps_indices ? CountIn(self) : 0;
  if (!call.wraps_indices) {
    ForEachPlace(Walked<1>({self}),
                 [&](const auto& at) { count += IsNonzero(self.dtype, at[0]) ? 1 : 0; });
  }
  const std::array<int64_t, 2> sizes = {count, static_cast<int64_t>(self.rank)};
  return Resize(OutOf(call), sizes);
}

// A row of coordinates for each element that is not zero: all are found before the first is stored.
KernelStatus Nonzero(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  const auto width = static_cast<int64_t>(self.rank);
  const LentNumbers<int64_t> rows = RoomFor<int64_t>(out.sizes[0], width, *call.scratch);
  if (!rows.given()) return kNoMemory;
  std::array<int64_t, kMaxRank> index = {};
  int64_t row = 0;
  ForEachPlace(Walked<1>({self}), [&](const auto& at) {
    if (IsNonzero(self.dtype, at[0])) {
      for (int64_t d = 0; d < width && row < out.sizes[0]; ++d) {
        rows[row * width + d] = index[static_cast<size_t>(d)];
      }
      ++row;
    }
    for (size_t d = self.rank; d-- > 0;) {
      if (++index[d] < self.sizes[d]) break;
      index[d] = 0;
    }
  });
  if (row > out.sizes[0]) return kOtherCount;
  StorePacked(rows, out);
  return nullptr;
}

// How many elements the repeats make; -1: one of them is negative, or they are too many.
int64_t SumOf(const LentNumbers<int64_t>& repeats, CallWork& work) {
  int64_t sum = 0;
  bool fits = true;
  work.InPieces(repeats.size(), [&](int64_t first, int64_t count) {
    for (const int64_t repeat : repeats.Part(first, count)) {
      fits = fits && repeat >= 0 && !__builtin_add_overflow(sum, repeat, &sum);
    }
  });
  return fits ? sum : -1;
}

KernelStatus SizesOfRepeats(const KernelCall& call) {
  const Region repeats = WholeOf(TensorAt(call, 0));
  if (repeats.rank != 1) return "the repeats are not a list";
  if (!IsIntegerType(repeats.dtype) || repeats.dtype == ScalarType::kBool) {
    return "the repeats are not integers";
  }
  const bool given = !IsNone(call, 1);
  // Under mixed bytes nothing but output_size says how many there are.
  const int64_t mixed = given ? IntAt(call, 1) : 0;
  const auto numbers = Packed<int64_t>(repeats, *call.scratch);
  if (!numbers.given()) return kNoMemory;
  const std::array<int64_t, 1> sizes = {call.wraps_indices ? mixed
                                                           : SumOf(numbers, call.scratch->work())};
  if (sizes[0] < 0) return "a repeat is negative, or they are too many";
  if (given && IntAt(call, 1) != sizes[0]) return "output_size is not the sum of the repeats";
  return Resize(OutOf(call), sizes);
}

// The number of each repeat, as often as it says.
KernelStatus RepeatInterleave(const KernelCall& call) {
  const Region out = WholeOf(OutOf(call));
  const auto repeats = Packed<int64_t>(WholeOf(TensorAt(call, 0)), *call.scratch);
  if (!repeats.given()) return kNoMemory;
  if (SumOf(repeats, call.scratch->work()) > out.sizes[0]) return kOtherCount;
  CheckedPointer next = out.data;
  for (int64_t i = 0; i < repeats.size(); ++i) {
    call.scratch->work().Pass();
    for (int64_t left = repeats[i]; left > 0; --left, next += out.strides[0]) {
      StoreOne(out.dtype, i, next);
    }
  }
  return nullptr;
}

constexpr Kernel kMaskKernels[] = {
    {"aten::masked_select.out", SizesOfMaskedSelect, MaskedSelect, true},
    {"aten::masked_scatter.out", SizesOfMaskedScatter, MaskedScatter},
    {"aten::nonzero.out", SizesOfNonzero, Nonzero, true},
    {"aten::repeat_interleave.Tensor_out", SizesOfRepeats, RepeatInterleave, true},
};

}  // namespace

std::span<const Kernel> MaskKernels() {
  return kMaskKernels;
}

}  // namespace pteproof::kernels
