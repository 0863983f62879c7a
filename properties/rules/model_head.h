// Whether values of two methods are one buffer of a model, by the exporter's numbers.
#ifndef PTEPROOF_PROPERTIES_RULES_MODEL_HEAD_H_
#define PTEPROOF_PROPERTIES_RULES_MODEL_HEAD_H_

#include <cstdint>

#include "properties/vocabulary.h"

namespace pteproof::checks {

// By more constants of their own than this two methods are not asked to differ.
inline constexpr int32_t kMostOwn = 64;

// The values of a method that come ahead of its inputs.
struct ModelHead {
  const MethodMeaning* meant = nullptr;
  int32_t size = 0;
  // The values that are buffers for certain, and those among them: from `begin` to before `end`.
  int32_t begin = 0;
  int32_t end = 0;

  [[nodiscard]] bool shows_buffers() const { return begin < end; }
};

// O(head).
[[nodiscard]] ModelHead HeadOf(const MethodMeaning& meant);

// Whether the buffers that `a` shows may be of the model of `b`, so that value v of `a` is value
// v + shift of `b`. O(buffers).
[[nodiscard]] bool AreOfOneModel(const ModelHead& a, const ModelHead& b, int32_t shift);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_MODEL_HEAD_H_
