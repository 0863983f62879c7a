#include "fuzz/calls/recipe.h"

#include <charconv>
#include <utility>

#include "fuzz/calls/recipe_rows.h"

namespace pteproof::fuzz {
namespace {

// Up to `end`, which is taken away too.
std::string_view CutTo(std::string_view& text, char end) {
  const size_t at = text.find(end);
  const std::string_view cut = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return cut;
}

std::optional<ScalarType> TypeOfRecipe(std::string_view name) {
  if (name == "f32") return ScalarType::kFloat32;
  if (name == "i64") return ScalarType::kInt64;
  return ScalarTypeOf(name);
}

}  // namespace

Recipe::Recipe(std::string_view op, Random& random) : random_(random) {
  std::vector<std::string_view> texts;
  for (const RecipeRow& row : RecipeRows()) {
    if (row.op == op) texts.push_back(row.text);
  }
  constexpr size_t kWithout = 6;  // the reference takes more than recipes say
  if (!texts.empty() && !random.OneIn(kWithout)) text_ = random.Of(texts);
}

std::optional<RecipeItem> Recipe::For(std::string_view argument) {
  std::string_view rest = text_;
  while (!rest.empty()) {
    std::string_view item = CutTo(rest, ' ');
    if (CutTo(item, '=') == argument) return Read(item);
  }
  return std::nullopt;
}

RecipeItem Recipe::Read(std::string_view text) {
  RecipeItem item;
  if (text == "-") {
    item.none = true;
    return item;
  }
  if (text.starts_with('?')) {
    item.none = random_.OneIn(2);
    text.remove_prefix(1);
  }
  if (text.starts_with('\'')) {
    item.text = text.substr(1, text.size() - 2);
    return item;
  }
  if (text.find(':') != std::string_view::npos) {
    std::string_view type = CutTo(text, ':');
    item.dtype = TypeOfRecipe(CutTo(type, '<'));
    if (!type.empty()) item.below = Number(type);
  }
  item.is_list = text.starts_with('[');
  if (item.is_list) text = text.substr(1, text.size() - 2);
  while (!text.empty()) item.numbers.push_back(Number(CutTo(text, ',')));
  return item;
}

int64_t Recipe::Number(std::string_view sum) {
  int64_t number = 0;
  while (!sum.empty()) {
    std::string_view product = CutTo(sum, '+');
    int64_t term = 1;
    while (!product.empty()) term *= Factor(CutTo(product, '*'));
    number += term;
  }
  return number;
}

int64_t Recipe::Factor(std::string_view factor) {
  constexpr size_t kRarely = 16;
  const char first = factor.front();
  if (first < 'a' || first > 'z') {
    int64_t number = 0;
    std::from_chars(factor.data(), factor.data() + factor.size(), number);
    return number;
  }
  auto& letter = letters_[static_cast<size_t>(first - 'a')];
  if (!letter) {
    letter = static_cast<int64_t>(1 + random_.Below(4));
    if (random_.OneIn(kRarely)) letter = 0;
    if (random_.OneIn(kRarely)) letter = static_cast<int64_t>(1 + random_.Below(17));
  }
  return *letter;
}

}  // namespace pteproof::fuzz
