// Random small methods as recipes: steps that can be left out one by one, so that a failing method
// can be made smaller.
#ifndef PTEPROOF_TESTS_SUPPORT_METHOD_RECIPE_H_
#define PTEPROOF_TESTS_SUPPORT_METHOD_RECIPE_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "pteproof/program.h"
#include "tests/support/brute_flow.h"

namespace pteproof {

struct RecipeValue {
  uint32_t bank = 1;
  uint64_t offset = 0;
  int32_t elements = 1;  // float32
  bool is_input = false;
  bool is_state = false;
  bool is_handle = false;  // moves make it; kernels do not
};

enum class StepKind : uint8_t { kAdd, kMul, kFlip, kCopy, kPut, kMove, kJump };

// Values by their number in the recipe; targets by step.
struct RecipeStep {
  StepKind kind = StepKind::kAdd;
  int32_t a = 0;
  int32_t b = 0;
  int32_t to = 0;
  int32_t slot = 0;    // the returned name: `to`, or another value
  int32_t target = 0;  // jumps: the step to go on with
};

struct Recipe {
  std::vector<RecipeValue> values;
  std::vector<RecipeStep> steps;
  std::vector<int32_t> outputs;
};

struct RecipeLimits {
  bool jumps = false;
  bool jumps_back = false;
  bool moves = true;
  bool other_slots = true;  // returned names that are other values
  bool writes_to_handles =
      false;  // moves and kernels make the same values, which no exporter emits
};

// 1 to 12 steps over 2 to 8 values at a few offsets, so that collisions are common. In listing
// order, each value is made before it is read.
[[nodiscard]] Recipe RandomRecipe(std::mt19937& random, const RecipeLimits& limits);
// Whether each value is made before it is read, in listing order.
[[nodiscard]] bool IsWellFormed(const Recipe& recipe);
[[nodiscard]] Recipe WithoutStep(const Recipe& recipe, size_t step);
[[nodiscard]] Method MethodOf(const Recipe& recipe);
[[nodiscard]] std::string Words(const Recipe& recipe);

// A straight listing numbered as the exporter numbers it, with elided views and when each was made.
struct OrderedMethod {
  Method method;
  std::vector<BruteView> views;
};
[[nodiscard]] OrderedMethod RandomOrderedMethod(std::mt19937& random);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_METHOD_RECIPE_H_
