// How the sizes of an operator's operands hang together, where trying does not find it. A recipe is
// a text, and an operator may have several:
//
//   self=[a,b] mat2=[b,c]                each letter is a small number, the same wherever it occurs
//   indices=i64<a:[n]                    an element type, and a bound below which the elements are
//   bias=?[g*o] groups=g padding=[p,0]   None half of the time; numbers; lists of numbers
//   score_func='softmax' scale=-         a text; None
//
// Arguments that a recipe leaves out are drawn as for other operators.
#ifndef PTEPROOF_FUZZ_CALLS_RECIPE_H_
#define PTEPROOF_FUZZ_CALLS_RECIPE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/mutate/random.h"
#include "pteproof/scalar_type.h"

namespace pteproof::fuzz {

// What a recipe says of one argument.
struct RecipeItem {
  bool none = false;
  bool is_list = false;
  std::optional<ScalarType> dtype;
  std::optional<int64_t> below;  // bound of the elements
  std::string_view text;         // in the recipe
  std::vector<int64_t> numbers;  // sizes, items, or the number
};

class Recipe {
 public:
  // One of the operator's; without any, none says anything of an argument.
  Recipe(std::string_view op, Random& random);

  [[nodiscard]] bool exists() const { return !text_.empty(); }
  [[nodiscard]] std::optional<RecipeItem> For(std::string_view argument);

 private:
  [[nodiscard]] RecipeItem Read(std::string_view text);
  [[nodiscard]] int64_t Number(std::string_view sum);
  [[nodiscard]] int64_t Factor(std::string_view factor);

  std::string_view text_;
  Random& random_;
  std::array<std::optional<int64_t>, 26> letters_;
};

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_RECIPE_H_
