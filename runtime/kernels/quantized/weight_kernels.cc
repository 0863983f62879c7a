// Operators on quantised weights: rows that are looked up, and products with floats. A row of a
// weight has a scale and a zero point, or one of each for equally many consecutive columns.
#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/indexing/index.h"

namespace pteproof::kernels {
namespace {

struct QuantWeight {
  Region codes;   // two dimensions
  Region scales;  // [rows, groups]
  Region zero_points;
  bool has_zero_points = false;
  int64_t columns = 0;  // of numbers, not of bytes
  int64_t groups = 1;
};

// A row's scales by group, as a matrix.
Region AsGroups(Region region) {
  if (region.rank == 1) region.sizes[region.rank++] = 1;
  return region;
}

// From arguments `a` to `a` + 2.
KernelStatus QuantWeightAt(const KernelCall& call, size_t a, int64_t columns, QuantWeight& weight) {
  const TensorRef& scales = TensorAt(call, a + 1);
  const TensorRef* zero_points = TensorOrNull(call, a + 2);
  weight.codes = WholeOf(TensorAt(call, a));
  weight.columns = columns;
  if (scales.rank() < 1 || scales.rank() > 2 || scales.sizes[0] != weight.codes.sizes[0]) {
    return "the scales must have a row for each row of the weight";
  }
  if (!IsRealType(scales.dtype)) return "the scales must be floats";
  weight.scales = AsGroups(WholeOf(scales));
  weight.groups = weight.scales.sizes[1];
  if (zero_points != nullptr) {
    if (!std::ranges::equal(zero_points->sizes, scales.sizes)) {
      return "there must be as many zero points as scales";
    }
    weight.zero_points = AsGroups(WholeOf(*zero_points));
    weight.has_zero_points = true;
  }
  if (weight.groups <= 0 || columns % weight.groups != 0) {
    return "the groups must divide the columns of the weight";
  }
  return nullptr;
}

// The codes of a row from a column on. Of 4 bits the first lies in the upper half of a byte, of 2
// bits in the lowest ones; both are stored with half their range added.
template <int kBits>
void LoadCodes(const Region& codes, int64_t row, int64_t column, int64_t count, double* to) {
  constexpr int64_t kPerByte = 8 / kBits;
  const CheckedPointer bytes = codes.data + row * codes.strides[0];
  if constexpr (kBits == 8) {
    LoadBlock(codes.dtype, bytes + column * codes.strides[1], codes.strides[1], count, to);
  } else {
    for (int64_t i = 0; i < count; ++i, ++column) {
      const CheckedPointer place_of_byte = bytes + column / kPerByte * codes.strides[1];
      const auto byte = static_cast<unsigned>(*place_of_byte.Read(1));
      const int64_t place = column % kPerByte;
      const int64_t shift = kBits * (kBits == 4 ? kPerByte - 1 - place : place);
      const auto code = static_cast<int>(byte >> shift & ((1U << kBits) - 1));
      to[i] = code - (1 << (kBits - 1));
    }
  }
}

// Dequantises a row block by block: each(numbers, count, column). kSingle: in float32's steps.
template <int kBits, bool kSingle, class Each>
void ForEachDequantized(const QuantWeight& weight, int64_t row, const Each& each) {
  std::array<double, kBlock> numbers;
  const int64_t group = weight.columns / weight.groups;
  for (int64_t g = 0; g < weight.groups; ++g) {
    const auto of_group = [&](const Region& region) {
      return LoadOne<double>(region.dtype,
                             region.data + row * region.strides[0] + g * region.strides[1]);
    };
    const double scale = of_group(weight.scales);
    const double zero_point = weight.has_zero_points ? of_group(weight.zero_points) : 0;
    for (int64_t first = 0; first < group; first += kBlock) {
      const int64_t count = std::min(kBlock, group - first);
      LoadCodes<kBits>(weight.codes, row, g * group + first, count, numbers.data());
      for (double& number : std::span(numbers).first(static_cast<size_t>(count))) {
        number -= zero_point;
        if (kSingle) number = static_cast<double>(static_cast<float>(number));
        number *= scale;
        if (kSingle) number = static_cast<double>(static_cast<float>(number));
      }
      each(numbers.data(), count, g * group + first);
    }
  }
}

// --- Rows that are looked up.

constexpr size_t kRowIndices = 5;

template <int kBits>
KernelStatus SizesOfQuantEmbedding(const KernelCall& call) {
  const TensorRef& weight = TensorAt(call, 0);
  Region sizes = WholeOf(TensorAt(call, kRowIndices));
  if (weight.rank() != 2) return "the weight must have two dimensions";
  if (sizes.rank == kMaxRank) return kTooManyDimensions;
  sizes.sizes[sizes.rank++] = weight.sizes[1] * int64_t{8 / kBits};
  return ResizeTo(OutOf(call), sizes);
}

template <int kBits>
KernelStatus QuantEmbedding(const KernelCall& call) {
  const Region indices = WholeOf(TensorAt(call, kRowIndices));
  Region out = WholeOf(OutOf(call));
  const ScalarType codes = TensorAt(call, 0).dtype;
  if (codes != ScalarType::kUInt8 && (kBits < 8 || codes != ScalarType::kInt8)) {
    return "the weight must be bytes";
  }
  QuantWeight weight;
  const int64_t columns = out.sizes[--out.rank];
  if (const KernelStatus status = QuantWeightAt(call, 0, columns, weight)) return status;
  if (!IsIntegerType(indices.dtype)) return "the indices must be integers";
  const int64_t rows = weight.codes.sizes[0];
  CheckedPlaces places;
  if (const auto status = ReadPlaces(call, indices, rows, false, places)) return status;
  const int64_t stride = out.strides[out.rank];
  int64_t i = 0;
  ForEachPlace(Walked<1>({out}), [&](const auto& at) {
    ForEachDequantized<kBits, true>(
        weight, places[i++], [&](const double* numbers, int64_t count, int64_t column) {
          StoreBlock(out.dtype, numbers, count, at[0] + column * stride, stride);
        });
  });
  return nullptr;
}

// --- Products. kInner: the dimension of the weight that the sum goes over.

template <size_t kInner>
KernelStatus SizesOfMixed(const KernelCall& call) {
  const TensorRef& input = TensorAt(call, 0);
  const TensorRef& weight = TensorAt(call, 1);
  if (input.rank() != 2 || weight.rank() != 2) {
    return "the input and the weight must have two dimensions";
  }
  if (input.sizes[1] != weight.sizes[kInner]) {
    return "the input's rows are not as long as the weight asks for";
  }
  const std::array<int64_t, 2> sizes = {input.sizes[0], weight.sizes[1 - kInner]};
  return Resize(OutOf(call), sizes);
}

// Each row of the weight is dequantised once, and taken by all rows of the input.
template <size_t kInner>
KernelStatus MixedProduct(const KernelCall& call) {
  const Region input = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  QuantWeight weight;
  const KernelStatus status = QuantWeightAt(call, 1, TensorAt(call, 1).sizes[1], weight);
  if (status != nullptr) return status;
  if (!IsRealType(input.dtype) || weight.codes.dtype != ScalarType::kInt8) {
    return "the input must be a float and the weight int8";
  }
  const auto factors = Packed<double>(input, *call.scratch);
  const auto sums = RoomFor<double>(CountIn(out), *call.scratch);
  if (!factors.given() || !sums.given()) return kNoMemory;
  FillNumbers(sums, 0.0, call.scratch->work());
  const int64_t terms = input.sizes[1];
  const int64_t width = out.sizes[1];
  for (int64_t row = 0; row < weight.codes.sizes[0]; ++row) {
    ForEachDequantized<8, false>(
        weight, row, [&](const double* numbers, int64_t count, int64_t column) {
          call.scratch->work().TakeProduct(input.sizes[0], count);
          for (int64_t m = 0; m < input.sizes[0]; ++m) {
            if constexpr (kInner == 0) {
              const double factor = factors[m * terms + row];
              double* to = sums.Part(m * width + column, count).data();
              for (int64_t i = 0; i < count; ++i) to[i] += factor * numbers[i];
            } else {
              const double* from = factors.Part(m * terms + column, count).data();
              double sum = 0;
              for (int64_t i = 0; i < count; ++i) sum += from[i] * numbers[i];
              sums[m * width + row] += sum;
            }
          }
        });
  }
  StorePacked(sums, out);
  return nullptr;
}

template <int kBits>
constexpr Kernel EmbeddingRow(std::string_view name) {
  return {name, SizesOfQuantEmbedding<kBits>, QuantEmbedding<kBits>};
}

constexpr Kernel kQuantizedWeightKernels[] = {
    EmbeddingRow<8>("quantized_decomposed::embedding_byte.out"),
    EmbeddingRow<8>("quantized_decomposed::embedding_byte.dtype_out"),
    EmbeddingRow<4>("quantized_decomposed::embedding_4bit.out"),
    EmbeddingRow<4>("quantized_decomposed::embedding_4bit.dtype_out"),
    EmbeddingRow<2>("quantized_decomposed::embedding_2bit.out"),
    EmbeddingRow<2>("quantized_decomposed::embedding_2bit.dtype_out"),
    {"quantized_decomposed::mixed_mm.out", SizesOfMixed<0>, MixedProduct<0>},
    {"quantized_decomposed::mixed_linear.out", SizesOfMixed<1>, MixedProduct<1>},
};

}  // namespace

std::span<const Kernel> QuantizedWeightKernels() {
  return kQuantizedWeightKernels;
}

}  // namespace pteproof::kernels
