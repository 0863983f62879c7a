#include "properties/oracles/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "reference/tensor_value.h"

namespace pteproof {
namespace {

bool Close(double expected, double got, Tolerance bound) {
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got);
  if (expected == got) return true;
  if (std::isinf(expected) || std::isinf(got)) return false;
  return std::fabs(expected - got) <= bound.atol + bound.rtol * std::fabs(expected);
}

Tolerance BoundsFor(ScalarType type, std::optional<Tolerance> stated) {
  const Tolerance of_type = ToleranceOf(type);
  if (!stated) return of_type;
  if (!stated->by_type) return *stated;
  Tolerance bounds = *stated;
  bounds.rtol = of_type.rtol;
  bounds.atol = of_type.atol;
  if (bounds.of_largest > 0) bounds.of_largest = std::max(bounds.of_largest, of_type.rtol);
  return bounds;
}

// The numbers of a float type in their order, so that neighbours differ by one; zeros are one.
template <class Bits>
int64_t PlaceAmongFloats(std::span<const std::byte> element) {
  Bits bits = 0;
  std::memcpy(&bits, element.data(), sizeof bits);
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  const auto magnitude = static_cast<int64_t>(bits & static_cast<Bits>(~kSign));
  return (bits & kSign) != 0 ? -magnitude : magnitude;
}

int64_t PlaceAmongFloats(const TensorValue& t, int64_t i) {
  switch (ElementSize(t.dtype)) {
    case 2:
      return PlaceAmongFloats<uint16_t>(ElementBytes(t, i));
    case 4:
      return PlaceAmongFloats<uint32_t>(ElementBytes(t, i));
    default:
      return PlaceAmongFloats<uint64_t>(ElementBytes(t, i));
  }
}

// |a - b|, as far as it is an int64.
int64_t DistanceOf(int64_t a, int64_t b) {
  int64_t distance = 0;
  const bool is_too_large = __builtin_sub_overflow(std::max(a, b), std::min(a, b), &distance);
  return is_too_large ? std::numeric_limits<int64_t>::max() : distance;
}

// Two tensors of one type and its bounds: those that depend on the whole tensor are numbers here.
class TensorBounds {
 public:
  TensorBounds(const TensorValue& expected, const TensorValue& got, Tolerance tolerance)
      : expected_(expected), got_(got), tolerance_(tolerance) {
    if (!IsFloat(expected.dtype)) return;
    if (tolerance.of_largest > 0) absolute_ = tolerance.of_largest * Largest();
    absolute_ = std::max(absolute_, tolerance.code_distance);
  }

  // Empty: the elements agree.
  [[nodiscard]] std::optional<std::string> DifferenceAt(int64_t i) const {
    if (IsComplex(expected_.dtype)) return ComplexDifference(i);
    if (!IsFloat(expected_.dtype)) return IntegerDifference(i);
    const double a = RealAt(expected_, i);
    const double b = RealAt(got_, i);
    if (Close(a, b, tolerance_) || Close(a, b, {.atol = absolute_}) || IsNear(i, a, b)) {
      return std::nullopt;
    }
    return fmt::format("expected {}, got {} (bound {} + {} * |expected|{})", a, b, tolerance_.atol,
                       tolerance_.rtol, OtherBounds());
  }

 private:
  [[nodiscard]] std::optional<std::string> ComplexDifference(int64_t i) const {
    const auto a = ComplexAt(expected_, i);
    const auto b = ComplexAt(got_, i);
    if (Close(a.real(), b.real(), tolerance_) && Close(a.imag(), b.imag(), tolerance_)) {
      return std::nullopt;
    }
    return fmt::format("expected {}{:+}i, got {}{:+}i", a.real(), a.imag(), b.real(), b.imag());
  }

  [[nodiscard]] std::optional<std::string> IntegerDifference(int64_t i) const {
    const int64_t a = IntAt(expected_, i);
    const int64_t b = IntAt(got_, i);
    const bool coded = ElementSize(expected_.dtype) == 1 && expected_.dtype != ScalarType::kBool;
    const bool counts = expected_.dtype != ScalarType::kBool;
    const int64_t bound =
        std::max(coded ? tolerance_.codes : 0, counts ? tolerance_.ulp : int64_t{0});
    if (DistanceOf(a, b) <= bound) return std::nullopt;
    return fmt::format("expected {}, got {}{}", a, b,
                       bound > 0 ? fmt::format(" (bound {})", bound) : "");
  }

  // Few numbers lie between them. Infinity and NaN are near to themselves alone.
  [[nodiscard]] bool IsNear(int64_t i, double a, double b) const {
    if (tolerance_.ulp == 0 || !std::isfinite(a) || !std::isfinite(b)) return false;
    return DistanceOf(PlaceAmongFloats(expected_, i), PlaceAmongFloats(got_, i)) <= tolerance_.ulp;
  }

  [[nodiscard]] std::string OtherBounds() const {
    std::string text;
    if (absolute_ > 0) text += fmt::format(", or {}", absolute_);
    if (tolerance_.ulp > 0) text += fmt::format(", or {} ulp", tolerance_.ulp);
    return text;
  }

  [[nodiscard]] double Largest() const {
    double largest = 0;
    for (int64_t i = 0; i < ElementCount(expected_); ++i) {
      const double size = std::fabs(RealAt(expected_, i));
      if (std::isfinite(size)) largest = std::max(largest, size);
    }
    return largest;
  }

  const TensorValue& expected_;
  const TensorValue& got_;
  Tolerance tolerance_;
  double absolute_ = 0;
};

std::optional<std::string> TensorDifference(const TensorValue& expected, const TensorValue& got,
                                            std::optional<Tolerance> tolerance, bool values) {
  if (expected.dtype != got.dtype) {
    return fmt::format(": expected {}, got {}", Name(expected.dtype), Name(got.dtype));
  }
  if (expected.sizes != got.sizes) {
    return fmt::format(": expected sizes [{}], got [{}]", fmt::join(expected.sizes, ", "),
                       fmt::join(got.sizes, ", "));
  }
  if (!values) return std::nullopt;
  const TensorBounds bounds(expected, got, BoundsFor(expected.dtype, tolerance));
  const int64_t count = ElementCount(expected);
  for (int64_t i = 0; i < count; ++i) {
    if (auto why = bounds.DifferenceAt(i)) return fmt::format(" element {}: {}", i, *why);
  }
  return std::nullopt;
}

struct ToText {
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(const TensorValue&) const { return "a tensor"; }
  std::string operator()(const auto& number) const { return fmt::format("{}", number); }
};

std::optional<std::string> DatumDifference(const Datum& expected, const Datum& got,
                                           std::optional<Tolerance> tolerance, bool values) {
  const auto* a = std::get_if<TensorValue>(&expected);
  const auto* b = std::get_if<TensorValue>(&got);
  if (a != nullptr && b != nullptr) return TensorDifference(*a, *b, tolerance, values);
  const auto* x = std::get_if<double>(&expected);
  const auto* y = std::get_if<double>(&got);
  const bool same = x != nullptr && y != nullptr
                        ? !values || Close(*x, *y, BoundsFor(ScalarType::kFloat64, tolerance))
                        : expected.index() == got.index() && (!values || expected == got);
  if (same) return std::nullopt;
  return fmt::format(": expected {}, got {}", std::visit(ToText{}, expected),
                     std::visit(ToText{}, got));
}

}  // namespace

Tolerance ToleranceOf(ScalarType type) {
  switch (type) {
    case ScalarType::kFloat32:
    case ScalarType::kFloat64:
    case ScalarType::kComplex64:
    case ScalarType::kComplex128:
      return {.rtol = 1e-4, .atol = 1e-5};
    case ScalarType::kFloat16:
    case ScalarType::kComplex32:
      return {.rtol = 4e-3, .atol = 1e-3};
    case ScalarType::kBFloat16:
      return {.rtol = 3e-2, .atol = 1e-2};
    default:
      return {};
  }
}

std::optional<std::string> FirstDifference(std::span<const Datum> expected,
                                           std::span<const Datum> got,
                                           std::optional<Tolerance> tolerance, bool values) {
  if (expected.size() != got.size()) {
    return fmt::format("expected {} outputs, got {}", expected.size(), got.size());
  }
  for (size_t o = 0; o < expected.size(); ++o) {
    if (auto why = DatumDifference(expected[o], got[o], tolerance, values)) {
      return fmt::format("output {}{}", o, *why);
    }
  }
  return std::nullopt;
}

std::optional<std::string> DifferenceFromTruth(const RecordedCall& call, std::span<const Datum> got,
                                               std::optional<Tolerance> tolerance) {
  const auto against = [&](const std::optional<std::vector<Datum>>& expected, bool values) {
    if (!expected) return std::optional<std::string>("the recording has no value to compare with");
    return FirstDifference(*expected, got, tolerance, values);
  };
  switch (call.truth.value_or(Truth::kExecutorch)) {
    case Truth::kExecutorch:
      return against(call.executorch, true);
    case Truth::kEager:
      return against(call.eager, true);
    case Truth::kEither: {
      const auto difference = against(call.executorch, true);
      return difference && against(call.eager, true) ? difference : std::nullopt;
    }
    case Truth::kShape:
      return against(call.executorch ? call.executorch : call.eager, false);
    case Truth::kSkip:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<RecordedSides> SidesOf(const RecordedCall& call, std::span<const Datum> got,
                                     std::optional<Tolerance> tolerance) {
  if (!call.executorch || !call.eager) return std::nullopt;
  if (!FirstDifference(*call.eager, *call.executorch, tolerance, true)) return std::nullopt;
  return RecordedSides{!FirstDifference(*call.executorch, got, tolerance, true),
                       !FirstDifference(*call.eager, got, tolerance, true)};
}

}  // namespace pteproof
