// Operators on quantised weights: looking rows up, and products with floats.
#include <utility>

#include "base/work.h"
#include "reference/ops/quantized.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr std::string_view kQuantizedProductSum = "float sums in any order and precision";

// A matrix of integers, whose rows have a scale and a zero point each, or one for each of equally
// many consecutive columns.
struct Weight {
  const TensorValue* codes = nullptr;
  const TensorValue* scales = nullptr;
  const TensorValue* zero_points = nullptr;  // null: all 0
  int64_t columns = 0;                       // unpacked
  int64_t group = 1;                         // columns that share a scale
  int64_t groups = 1;

  [[nodiscard]] double Scale(int64_t row, int64_t column) const {
    return RealAt(*scales, row * groups + column / group);
  }
  [[nodiscard]] double ZeroPoint(int64_t row, int64_t column) const {
    return zero_points == nullptr ? 0 : RealAt(*zero_points, row * groups + column / group);
  }
};

// Operands `at` to `at` + 2. The codes have two dimensions.
Result<Weight, std::string> WeightAt(const Call& call, size_t at, int64_t columns) {
  Weight weight{&TensorAt(call, at), &TensorAt(call, at + 1), TensorOrNull(call, at + 2), columns};
  const Sizes& scales = weight.scales->sizes;
  if (scales.empty() || scales.size() > 2 || scales[0] != weight.codes->sizes[0]) {
    return std::string("the scales must have a row for each row of the weight");
  }
  if (!IsFloat(weight.scales->dtype)) return std::string("the scales must be floats");
  if (weight.zero_points != nullptr && weight.zero_points->sizes != scales) {
    return std::string("there must be as many zero points as scales");
  }
  weight.groups = scales.size() == 2 ? scales[1] : 1;
  if (weight.groups <= 0 || columns % weight.groups != 0) {
    return std::string("the groups must divide the columns of the weight");
  }
  weight.group = columns / weight.groups;
  return weight;
}

// The integer in a row and column of codes of kBits bits. Of 4 bits, the high ones of a byte come
// first; of 2 bits, the low ones. Both are stored with half their range added.
template <int kBits>
int64_t CodeAt(const Weight& weight, int64_t row, int64_t column) {
  constexpr int64_t kPerByte = 8 / kBits;
  const int64_t i = row * (weight.columns / kPerByte) + column / kPerByte;
  const int64_t byte = IntAt(*weight.codes, i);
  if constexpr (kBits == 8) return byte;
  const int64_t place = kBits == 4 ? 1 - column % kPerByte : column % kPerByte;
  return ((byte >> (place * kBits)) & ((1 << kBits) - 1)) - (1 << (kBits - 1));
}

// Operands: weight, scales, zero points, least and greatest code, indices, perhaps an element type.
constexpr size_t kIndices = 5;

template <int kBits>
Types EmbeddingTypes(const TypeCall& call) {
  const TensorType& weight = TensorAt(call, 0);
  const ScalarType scales = TensorAt(call, 1).dtype;
  const bool packed = kBits < 8;
  if (weight.rank() != 2) return std::string("the weight must have two dimensions");
  if (weight.dtype != ScalarType::kUInt8 && (packed || weight.dtype != ScalarType::kInt8)) {
    return std::string("the weight must be bytes");
  }
  const auto dtype =
      call.args.size() > kIndices + 1 ? DtypeOperand(call, kIndices + 1, scales) : scales;
  if (!dtype) return std::string("the dtype is not an element type");
  SizeList sizes = TensorAt(call, kIndices).sizes;
  sizes.push_back(weight.sizes[1] * SizeExpr(8 / kBits));
  return OneResult(*dtype, std::move(sizes));
}

template <int kBits>
std::string QuantizedEmbedding(const Call& call, std::span<TensorValue> results) {
  const TensorValue& indices = TensorAt(call, kIndices);
  const int64_t columns = results[0].sizes.back();
  const auto weight = WeightAt(call, 0, columns);
  if (!weight.ok()) return weight.error();
  if (!IsInteger(indices.dtype)) return "the indices must be integers";
  const int64_t rows = weight.value().codes->sizes[0];
  const int64_t count = ElementCount(indices);
  Paced pace(CappedProduct({count, columns + 1}));
  for (int64_t i = 0; i < count; ++i) {
    pace.Step();
    const int64_t row = IntAt(indices, i);
    if (row < 0 || row >= rows)
      return "index " + std::to_string(row) + " is not a row of the weight";
    for (int64_t c = 0; c < columns; ++c) {
      pace.Step();
      const auto code = static_cast<double>(CodeAt<kBits>(weight.value(), row, c));
      const double moved = Float32(code - weight.value().ZeroPoint(row, c));
      SetReal(results[0], i * columns + c, Float32(moved * weight.value().Scale(row, c)));
    }
  }
  return {};
}

// Operands: input, weight, scales, zero points, perhaps an element type. kInner: the dimension of
// the weight that the sum goes over.
template <size_t kInner>
Types ProductTypes(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  const TensorType& weight = TensorAt(call, 1);
  if (input.rank() != 2 || weight.rank() != 2) {
    return std::string("the input and the weight must have two dimensions");
  }
  if (input.sizes[1] != weight.sizes[kInner]) {
    return std::string("the input's rows are not as long as the weight asks for");
  }
  const auto dtype = call.args.size() > 4 ? DtypeOperand(call, 4, input.dtype) : input.dtype;
  if (!dtype) return std::string("the dtype is not an element type");
  return OneResult(*dtype, {input.sizes[0], weight.sizes[1 - kInner]});
}

template <size_t kInner>
std::string Product(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  const TensorValue& codes = TensorAt(call, 1);
  const auto weight = WeightAt(call, 1, codes.sizes[1]);
  if (!weight.ok()) return weight.error();
  if (!IsFloat(input.dtype) || codes.dtype != ScalarType::kInt8) {
    return "the input must be a float and the weight int8";
  }
  const int64_t terms = input.sizes[1];
  const int64_t columns = results[0].sizes[1];
  const int64_t count = ElementCount(results[0]);
  Paced pace(CappedProduct({count, terms + 1}));
  for (int64_t i = 0; i < count; ++i) {
    pace.Step();
    double sum = 0;
    for (int64_t k = 0; k < terms; ++k) {
      pace.Step();
      const int64_t row = kInner == 0 ? k : i % columns;
      const int64_t column = kInner == 0 ? i % columns : k;
      const auto code = static_cast<double>(CodeAt<8>(weight.value(), row, column));
      sum += RealAt(input, i / columns * terms + k) *
             (code - weight.value().ZeroPoint(row, column)) * weight.value().Scale(row, column);
    }
    SetReal(results[0], i, sum);
  }
  return {};
}

constexpr OpMeaning kQuantizedProductMeanings[] = {
    Exact("quantized_decomposed::embedding_byte.out", EmbeddingTypes<8>, QuantizedEmbedding<8>),
    Exact("quantized_decomposed::embedding_byte.dtype_out", EmbeddingTypes<8>,
          QuantizedEmbedding<8>),
    Exact("quantized_decomposed::embedding_4bit.out", EmbeddingTypes<4>, QuantizedEmbedding<4>),
    Exact("quantized_decomposed::embedding_4bit.dtype_out", EmbeddingTypes<4>,
          QuantizedEmbedding<4>),
    Exact("quantized_decomposed::embedding_2bit.out", EmbeddingTypes<2>, QuantizedEmbedding<2>),
    Exact("quantized_decomposed::embedding_2bit.dtype_out", EmbeddingTypes<2>,
          QuantizedEmbedding<2>),
    RoundedFor(kQuantizedProductSum, "quantized_decomposed::mixed_mm.out", ProductTypes<0>,
               Product<0>),
    RoundedFor(kQuantizedProductSum, "quantized_decomposed::mixed_linear.out", ProductTypes<1>,
               Product<1>),
};

}  // namespace

std::span<const OpMeaning> QuantizedProductMeanings() {
  return kQuantizedProductMeanings;
}

}  // namespace pteproof
