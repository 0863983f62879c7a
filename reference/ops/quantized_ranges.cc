// Choosing the scale and the zero point that hold a tensor's values.
#include <algorithm>
#include <cmath>

#include "base/work.h"
#include "reference/ops/quantized.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

constexpr std::string_view kRangeScale = "the range is divided in float32 or in float64";

// Smaller scales are raised to this one, whatever `eps` says: their reciprocals overflow where they
// are kept in 16 bits.
constexpr double kLeastScale = 6.1e-5F;

struct Affine {
  double scale = 0;
  int64_t zero_point = 0;
};

// Maps the least and the greatest element of [first, last), and 0, into the range. PyTorch takes
// `eps` where all elements are 0; the kernel takes 0.1, and the end of the range nearer to 0.
Result<Affine, std::string> Chosen(const TensorValue& input, int64_t first, int64_t last,
                                   QuantRange range) {
  if (first == last) return std::string("there are no values to choose a scale from");
  double least = 0;
  double greatest = 0;
  Paced pace(last - first);
  for (int64_t i = first; i < last; ++i) {
    pace.Step();
    const double value = RealAt(input, i);
    if (!std::isfinite(value)) return std::string("a scale cannot be chosen for NaN or infinity");
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  const auto lo = static_cast<double>(range.lo);
  const auto hi = static_cast<double>(range.hi);
  const double scale = (greatest - least) / (hi - lo);
  if (Float32(scale) == 0 || std::isinf(Float32(1 / Float32(scale)))) {
    return Affine{0.1, std::fabs(lo) < std::fabs(hi) ? range.lo : range.hi};
  }
  const double zero_point = std::clamp(lo - least / scale, lo, hi);
  return Affine{std::max(scale, kLeastScale),
                static_cast<int64_t>(std::nearbyint(Float32(zero_point)))};
}

Types PairOf(SizeList sizes) {
  return std::vector<TensorType>{{ScalarType::kFloat64, sizes}, {ScalarType::kInt64, sizes}};
}

Types OnePair(const TypeCall& /*call*/) {
  return PairOf({1});
}

Types PairPerToken(const TypeCall& call) {
  SizeList sizes = TensorAt(call, 0).sizes;
  if (sizes.empty()) return std::string("the input must have a dimension");
  sizes.back() = 1;
  return PairOf(std::move(sizes));
}

// One pair for each of equally many consecutive elements.
std::string Choose(const TensorValue& input, QuantRange range, std::span<TensorValue> results) {
  if (input.dtype != ScalarType::kFloat32) return "the input must be float32";
  const int64_t pairs = ElementCount(results[0]);
  const int64_t each = pairs == 0 ? 0 : ElementCount(input) / pairs;
  for (int64_t p = 0; p < pairs; ++p) {
    const auto chosen = Chosen(input, p * each, (p + 1) * each, range);
    if (!chosen.ok()) return chosen.error();
    SetReal(results[0], p, chosen.value().scale);
    SetInt(results[1], p, chosen.value().zero_point);
  }
  return {};
}

std::string ChooseOne(const Call& call, std::span<TensorValue> results) {
  const QuantRange range{IntAt(call, 1), IntAt(call, 2)};
  const auto most = *RangeOf(ScalarType::kInt32);
  if (range.lo >= range.hi || range.lo < most.lo || range.hi > most.hi) {
    return "the least quantised value must be below the greatest, both of 32 bits";
  }
  return Choose(TensorAt(call, 0), range, results);
}

std::string ChoosePerToken(const Call& call, std::span<TensorValue> results) {
  return Choose(TensorAt(call, 0), *RangeOf(ScalarType::kInt8), results);
}

constexpr OpMeaning kQuantizedRangeMeanings[] = {
    RoundedFor(kRangeScale, "quantized_decomposed::choose_qparams.Tensor_out", OnePair, ChooseOne),
    RoundedFor(kRangeScale, "quantized_decomposed::choose_qparams_per_token_asymmetric.out",
               PairPerToken, ChoosePerToken),
};

}  // namespace

std::span<const OpMeaning> QuantizedRangeMeanings() {
  return kQuantizedRangeMeanings;
}

}  // namespace pteproof
