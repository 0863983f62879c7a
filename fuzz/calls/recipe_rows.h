// The recipes that there are (recipe.h).
#ifndef PTEPROOF_FUZZ_CALLS_RECIPE_ROWS_H_
#define PTEPROOF_FUZZ_CALLS_RECIPE_ROWS_H_

#include <span>
#include <string_view>

namespace pteproof::fuzz {

struct RecipeRow {
  std::string_view op;
  std::string_view text;
};

[[nodiscard]] std::span<const RecipeRow> RecipeRows();

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_CALLS_RECIPE_ROWS_H_
