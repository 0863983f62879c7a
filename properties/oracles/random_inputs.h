// Inputs for a program that nobody recorded any for.
#ifndef PTEPROOF_PROPERTIES_ORACLES_RANDOM_INPUTS_H_
#define PTEPROOF_PROPERTIES_ORACLES_RANDOM_INPUTS_H_

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "meaning/method_meaning.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "reference/datum.h"

namespace pteproof {

using Random = std::mt19937_64;  // the standard says which numbers it gives

// A number below `count`, which is not 0.
[[nodiscard]] uint64_t Below(Random& random, uint64_t count);

// Whether every tensor has the sizes of the file.
[[nodiscard]] bool AreAtBounds(const Method& method, std::span<const Datum> inputs);

// The inputs with each tensor's elements repeated up to the sizes of the file. Of calls whose
// results' sizes nobody knows, where sizes that are below their bounds would not fit together.
[[nodiscard]] std::vector<Datum> AtBounds(const Method& method, std::span<const Datum> inputs);

// Which sizes to draw for dimensions that may vary.
enum class InputSizes : uint8_t {
  kAny,       // the upper bounds in half of the calls, else up to them
  kAtBounds,  // the upper bounds
  kSmall,     // at most 16, unless a manifest demands more
};

// What the inputs of a method depend on, the same in all calls.
struct InputNature {
  bool has_opaque_call = false;
  uint64_t largest = 0;  // size of a method that takes numbers from tensors; 0: any numbers will do
  std::vector<std::optional<int64_t>> bounds;  // IndexBounds
};

[[nodiscard]] InputNature InputNatureOf(const meaning::MethodMeaning& meant);

// Random bytes for tensors (bools are 0 or 1), the file's own values for all else. Numbers that
// the program indexes with are drawn from the positions that exist (IndexBounds). If a method takes
// numbers from tensors, other whole numbers are small enough to be positions in its values. Sizes
// that may vary are as `sizes` says, and the upper bounds wherever there is an opaque call. Smaller
// ones are from 2 on, and equal where bounds are equal. What a manifest states of the inputs,
// which may be null, tells which sizes vary, and from where on, and the numbers that elements may
// be.
[[nodiscard]] std::vector<Datum> RandomInputs(const Method& method, Random& random,
                                              const ManifestMethod* stated = nullptr,
                                              InputSizes sizes = InputSizes::kAny);
// The same for many calls: the nature is that of the method.
[[nodiscard]] std::vector<Datum> RandomInputs(const Method& method, const InputNature& nature,
                                              Random& random,
                                              const ManifestMethod* stated = nullptr,
                                              InputSizes sizes = InputSizes::kAny);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_RANDOM_INPUTS_H_
