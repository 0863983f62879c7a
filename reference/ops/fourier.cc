// Discrete Fourier transforms between real and complex tensors, term by term as they are defined.
#include <cmath>
#include <numbers>

#include "reference/ops/elements.h"
#include "reference/ops/parts.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

using Complex = std::complex<double>;

constexpr std::string_view kFourierOrder = "kernels use fast transforms in the type";

ScalarType ComplexOf(ScalarType type) {
  if (type == ScalarType::kFloat64) return ScalarType::kComplex128;
  return type == ScalarType::kFloat16 ? ScalarType::kComplex32 : ScalarType::kComplex64;
}

ScalarType PartTypeOf(ScalarType type) {
  if (type == ScalarType::kComplex128) return ScalarType::kFloat64;
  return type == ScalarType::kComplex32 ? ScalarType::kFloat16 : ScalarType::kFloat32;
}

// The dimensions to transform, as they count from the front. Empty: one is none, or named twice.
std::vector<size_t> DimensionsOf(std::span<const int64_t> named, size_t rank) {
  std::vector<size_t> dims;
  if (rank == 0 || !MarkedDimensions(named, static_cast<int64_t>(rank))) return {};
  for (const int64_t dim : named) {
    dims.push_back(static_cast<size_t>(Dimension(dim, static_cast<int64_t>(rank)).value_or(0)));
  }
  return dims;
}

// Checks the dimensions and the normalization; gives the last dimension named.
Result<size_t, std::string> LastDimension(const TypeCall& call) {
  const auto named = ConstantsAt(call, 1);
  const auto normalization = ConstantAt(call, 2);
  const auto dims = named ? DimensionsOf(*named, TensorAt(call, 0).rank()) : std::vector<size_t>();
  if (dims.empty()) return std::string("dim is empty or names a dimension twice");
  if (!normalization || *normalization < 0 || *normalization > 2) {
    return std::string("the normalization is unknown");
  }
  return dims.back();
}

Types RealToComplexType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto last = LastDimension(call);
  if (!last.ok()) return last.error();
  if (!IsFloat(self.dtype)) return std::string("self must be of floats");
  SizeList sizes = self.sizes;
  SizeExpr& size = sizes[last.value()];
  if (size.Is(0)) return std::string("a dimension to transform is empty");
  if (BoolAt(call, 3)) size = FloorDiv(size, 2) + 1;
  return OneResult(ComplexOf(self.dtype), std::move(sizes));
}

Types ComplexToRealType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const SizeExpr& wanted = IntAt(call, 3);
  const auto last = LastDimension(call);
  if (!last.ok()) return last.error();
  if (!IsComplex(self.dtype)) return std::string("self must be of complex numbers");
  SizeList sizes = self.sizes;
  const auto number = wanted.Constant();
  if ((number && *number < 1) || !MayBeEqual(sizes[last.value()], FloorDiv(wanted, 2) + 1)) {
    return std::string("last_dim_size does not fit self");
  }
  sizes[last.value()] = wanted;
  return OneResult(PartTypeOf(self.dtype), std::move(sizes));
}

// Numbers with sizes, in row-major order.
struct Signal {
  Sizes sizes;
  Numbers<Complex> numbers;
};

// exp(sign * 2 pi i k / size) for k from 0.
Numbers<Complex> RootsOfUnity(int64_t size, double sign) {
  Numbers<Complex> roots;
  ForEachElement(size, [&](int64_t k) {
    const double turn = static_cast<double>(k) / static_cast<double>(size);
    roots.push_back(std::polar(1.0, sign * 2 * std::numbers::pi * turn));
  });
  return roots;
}

// The first `count` terms of the transform along one dimension.
Signal Transformed(const Signal& signal, size_t dim, int64_t count, double sign) {
  const int64_t size = signal.sizes[dim];
  const int64_t inner = RowMajorStrides(signal.sizes)[dim];
  const auto roots = RootsOfUnity(size, sign);
  Signal out = {signal.sizes, {}};
  out.sizes[dim] = count;
  out.numbers.resize(static_cast<size_t>(ElementCount(out.sizes)));
  Paced pace(CappedProduct({ElementCount(out.sizes), size + 1}));
  for (size_t i = 0; i < out.numbers.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t first = at / (count * inner) * size * inner + at % inner;
    const int64_t k = at / inner % count;
    for (int64_t j = 0; j < size; ++j) {
      pace.Step();
      const Complex& x = signal.numbers[static_cast<size_t>(first + j * inner)];
      out.numbers[i] += x * roots[static_cast<size_t>(j * k % size)];
    }
  }
  return out;
}

// The whole of a line whose second half is the first's mirror image, conjugated. What a real
// signal's transform cannot have, imaginary parts of the first and the middle term, is left out.
Signal Completed(const Signal& half, size_t dim, int64_t size) {
  const int64_t inner = RowMajorStrides(half.sizes)[dim];
  Signal out = {half.sizes, {}};
  out.sizes[dim] = size;
  out.numbers.resize(static_cast<size_t>(ElementCount(out.sizes)));
  Paced pace(ElementCount(out.sizes));
  for (size_t i = 0; i < out.numbers.size(); ++i) {
    pace.Step();
    const auto at = static_cast<int64_t>(i);
    const int64_t k = at / inner % size;
    const bool mirrored = k > size / 2;
    const int64_t line = at / (size * inner) * half.sizes[dim];
    const int64_t from = (line + (mirrored ? size - k : k)) * inner + at % inner;
    const Complex x = half.numbers[static_cast<size_t>(from)];
    out.numbers[i] = k == 0 || 2 * k == size ? x.real() : mirrored ? std::conj(x) : x;
  }
  return out;
}

// 1, 1 / sqrt(n) or 1 / n for a transform of n numbers.
double Norm(const Call& call, const Sizes& sizes, std::span<const size_t> dims) {
  double count = 1;
  for (const size_t dim : dims) count *= static_cast<double>(sizes[dim]);
  const int64_t normalization = IntAt(call, 2);
  return normalization == 0 ? 1 : normalization == 1 ? 1 / std::sqrt(count) : 1 / count;
}

void StoreScaled(const Signal& signal, double norm, TensorValue& result) {
  ForEachElement(ElementCount(result), [&](int64_t i) {
    SetComplex(result, i, signal.numbers[static_cast<size_t>(i)] * norm);
  });
}

std::string RealToComplex(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  if (ElementCount(results[0]) == 0) return {};
  const auto dims = DimensionsOf(IntsAt(call, 1), self.sizes.size());
  Signal signal = {self.sizes, Elements<Complex>(self)};
  for (size_t d = dims.size(); d-- > 0;) {
    signal = Transformed(signal, dims[d], results[0].sizes[dims[d]], -1);
  }
  StoreScaled(signal, Norm(call, self.sizes, dims), results[0]);
  return {};
}

std::string ComplexToReal(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  if (ElementCount(results[0]) == 0) return {};
  const auto dims = DimensionsOf(IntsAt(call, 1), self.sizes.size());
  Signal signal = {self.sizes, Elements<Complex>(self)};
  for (size_t d = 0; d + 1 < dims.size(); ++d) {
    signal = Transformed(signal, dims[d], self.sizes[dims[d]], 1);
  }
  const size_t last = dims.back();
  signal = Completed(signal, last, results[0].sizes[last]);
  signal = Transformed(signal, last, results[0].sizes[last], 1);
  StoreScaled(signal, Norm(call, results[0].sizes, dims), results[0]);
  return {};
}

constexpr OpMeaning kFourierMeanings[] = {
    RoundedFor(kFourierOrder, "aten::_fft_c2r.out", ComplexToRealType, ComplexToReal),
    RoundedFor(kFourierOrder, "aten::_fft_r2c.out", RealToComplexType, RealToComplex),
};

}  // namespace

std::span<const OpMeaning> FourierMeanings() {
  return kFourierMeanings;
}

}  // namespace pteproof
