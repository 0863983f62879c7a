// What the file does not say, and a run as the program is meant needs to know.
#ifndef PTEPROOF_PROPERTIES_ORACLES_UNSURE_STATE_H_
#define PTEPROOF_PROPERTIES_ORACLES_UNSURE_STATE_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "meaning/method_meaning.h"
#include "properties/oracles/replay.h"

namespace pteproof {

// Why a method has no meaning to run: too many values share places, or one that nothing explains
// lies within an input. Empty: it has one. O(values that nothing explains x inputs).
[[nodiscard]] std::string_view WhyNoMeaning(const meaning::MethodMeaning& meant);

// A value that lives from call to call, has no name, and shares bytes with another such value. The
// check takes the two for one, but the file does not tell their initial content. If there is such a
// pair, the result names it, and the program is not run. O(n log n) in values.
[[nodiscard]] std::optional<std::string> UnsureState(
    std::span<const meaning::MethodMeaning> methods, const ReplayOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_UNSURE_STATE_H_
