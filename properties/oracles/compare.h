// Whether two outputs agree: sizes and types always, numbers within a bound that depends on the
// element type.
#ifndef PTEPROOF_PROPERTIES_ORACLES_COMPARE_H_
#define PTEPROOF_PROPERTIES_ORACLES_COMPARE_H_

#include <optional>
#include <span>
#include <string>

#include "properties/oracles/recorded_calls.h"
#include "reference/datum.h"

namespace pteproof {

// |a - b| <= atol + rtol * |b| for the type: float32, float64 and their complex types 1e-4 and
// 1e-5; float16 4e-3 and 1e-3; bfloat16 3e-2 and 1e-2; everything else exact. NaN equals NaN, the
// sign of zero is free.
[[nodiscard]] Tolerance ToleranceOf(ScalarType type);

// The first difference: "output 0 element 3: expected 1, got 2 (bound 1e-05)"; nothing if the
// outputs agree. `tolerance` replaces the bounds of the types; `values` false compares sizes and
// types only.
[[nodiscard]] std::optional<std::string> FirstDifference(std::span<const Datum> expected,
                                                         std::span<const Datum> got,
                                                         std::optional<Tolerance> tolerance,
                                                         bool values);

// The call's own statement of truth.
[[nodiscard]] std::optional<std::string> DifferenceFromTruth(const RecordedCall& call,
                                                             std::span<const Datum> got,
                                                             std::optional<Tolerance> tolerance);

// Which of the recorded outputs a result equals.
struct RecordedSides {
  bool executorch = false;
  bool eager = false;
};

// None unless both sides are recorded, and differ.
[[nodiscard]] std::optional<RecordedSides> SidesOf(const RecordedCall& call,
                                                   std::span<const Datum> got,
                                                   std::optional<Tolerance> tolerance);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_COMPARE_H_
