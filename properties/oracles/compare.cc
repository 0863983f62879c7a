#include "properties/oracles/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace pteproof {
namespace {

bool Close(double expected, double got, Tolerance bound) {
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got);
  if (expected == got) return true;
  if (std::isinf(expected) || std::isinf(got)) return false;
  return std::fabs(expected - got) <= bound.atol + bound.rtol * std::fabs(expected);
}

std::optional<std::string> ElementDifference(const TensorValue& expected, const TensorValue& got,
                                             int64_t i, Tolerance bound) {
  if (IsComplex(expected.dtype)) {
    const auto a = ComplexAt(expected, i);
    const auto b = ComplexAt(got, i);
    if (Close(a.real(), b.real(), bound) && Close(a.imag(), b.imag(), bound)) return std::nullopt;
    return fmt::format("expected {}{:+}i, got {}{:+}i", a.real(), a.imag(), b.real(), b.imag());
  }
  if (!IsFloat(expected.dtype)) {
    const int64_t a = IntAt(expected, i);
    const int64_t b = IntAt(got, i);
    return a == b ? std::nullopt : std::optional(fmt::format("expected {}, got {}", a, b));
  }
  const double a = RealAt(expected, i);
  const double b = RealAt(got, i);
  if (Close(a, b, bound)) return std::nullopt;
  return fmt::format("expected {}, got {} (bound {} + {} * |expected|)", a, b, bound.atol,
                     bound.rtol);
}

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
  const Tolerance bound = tolerance.value_or(ToleranceOf(expected.dtype));
  const int64_t count = ElementCount(expected);
  for (int64_t i = 0; i < count; ++i) {
    if (auto why = ElementDifference(expected, got, i, bound)) {
      return fmt::format(" element {}: {}", i, *why);
    }
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
  const bool same =
      x != nullptr && y != nullptr
          ? !values || Close(*x, *y, tolerance.value_or(ToleranceOf(ScalarType::kFloat64)))
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
      return {1e-4, 1e-5};
    case ScalarType::kFloat16:
    case ScalarType::kComplex32:
      return {4e-3, 1e-3};
    case ScalarType::kBFloat16:
      return {3e-2, 1e-2};
    default:
      return {0, 0};
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
