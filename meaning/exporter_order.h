// Inferences from the exporter's numbering of values: values are numbered in graph order, so a
// value that no instruction makes can still be placed in time. Each inference is a function of its
// own, and says when it does not apply.
#ifndef PTEPROOF_MEANING_EXPORTER_ORDER_H_
#define PTEPROOF_MEANING_EXPORTER_ORDER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "meaning/effects.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

struct ExporterOrder {
  bool unbroken = false;         // the listing introduces values in ascending order
  bool holds = false;            // and enough of them
  std::vector<int32_t> highest;  // per instruction: the highest value index used up to and with it

  // The instruction before which a value that no instruction makes was made: the first that uses a
  // later value (the instruction count, when none does). Only where the order holds.
  [[nodiscard]] int32_t MadeBefore(int32_t value) const;
};

// Per instruction: the highest value index used up to and with it. O(arguments).
[[nodiscard]] std::vector<int32_t> HighestUsed(const Method& method);

// Values of a method that are numbered as the exporter numbers them: inputs ascend and come first,
// then each instruction's results and literals, in listing order. None if one breaks the order.
// O(arguments).
[[nodiscard]] std::optional<int> OrderedValues(const Method& method, const Effects& effects);

// Of how many equally likely numberings of all methods the order is one: one exporter numbers them
// all. 0 if a method breaks the order. O(arguments).
[[nodiscard]] double NumberingsOf(const Program& program);

// With fewer values in order than this, chance explains the order as well as the exporter does.
inline constexpr int kEnoughOrderedValues = 4;
// The like of all methods together, in numberings: some method will have its few values in order.
inline constexpr double kEnoughNumberings = 100;

// Whether the values of a method are in order, and enough of them; with `numberings` of the
// program, its other methods count too. O(arguments).
[[nodiscard]] ExporterOrder ExporterOrderOf(const Method& method, const Effects& effects,
                                            double numberings = 0);

struct OrderedEffects {
  Effects effects;
  ExporterOrder order;
};

// The effects by the values' numbers, if these are in the exporter's order; else numbers tell
// nothing of calls that the file leaves open. `numberings` changes no effect: it counts for methods
// without such calls alone. O(arguments). `stated` and `reading` may be null.
[[nodiscard]] OrderedEffects OrderedEffectsOf(const Method& method, const ManifestMethod* stated,
                                              const Reading* reading = nullptr,
                                              double numberings = 0);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_EXPORTER_ORDER_H_
