#include "fuzz/calls/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "fuzz/calls/recipe_rows.h"
#include "reference/op_schema.h"

namespace pteproof::fuzz {
namespace {

// A draw in which the recipe counts, as it does in most.
Recipe SomeRecipe(std::string_view op, Random& random) {
  for (;;) {
    Recipe recipe(op, random);
    if (recipe.exists()) return recipe;
  }
}

TEST(Recipe, GivesEqualLettersEqualNumbers) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    Recipe recipe = SomeRecipe("aten::mm.out", random);
    const auto self = recipe.For("self");
    const auto mat2 = recipe.For("mat2");
    ASSERT_TRUE(self && mat2);
    ASSERT_EQ(self->numbers.size(), 2U);
    ASSERT_EQ(mat2->numbers.size(), 2U);
    EXPECT_EQ(self->numbers[1], mat2->numbers[0]);
  }
}

TEST(Recipe, ReadsSumsTypesAndBounds) {
  Random random(2);
  Recipe recipe = SomeRecipe("llama::update_cache_with_indices.out", random);
  const auto value = recipe.For("value");
  const auto cache = recipe.For("cache");
  const auto indices = recipe.For("indices");
  ASSERT_TRUE(value && cache && indices);
  EXPECT_GE(cache->numbers[1], value->numbers[1]);
  EXPECT_EQ(indices->dtype, ScalarType::kInt64);
  EXPECT_EQ(indices->below, cache->numbers[1]);
}

TEST(Recipe, SaysNothingOfOtherArguments) {
  Random random(3);
  EXPECT_FALSE(SomeRecipe("aten::mm.out", random).For("dim"));
  EXPECT_FALSE(Recipe("aten::abs.out", random).For("self"));
}

TEST(Recipe, NamesArgumentsOfItsOperator) {
  for (const RecipeRow& row : RecipeRows()) {
    const OpSchema* op = FindOperator(row.op);
    ASSERT_NE(op, nullptr) << row.op;
    std::string_view rest = row.text;
    while (!rest.empty()) {
      const std::string_view item = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(item.size() + 1, rest.size()));
      const std::string_view name = item.substr(0, item.find('='));
      EXPECT_TRUE(std::ranges::any_of(
          op->args, [&](const ArgSchema& arg) { return arg.name == name && !arg.out; }))
          << row.op << " " << name;
    }
  }
}

}  // namespace
}  // namespace pteproof::fuzz
