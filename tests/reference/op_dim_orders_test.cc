#include "reference/op_dim_orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "reference/op_element_orders.h"
#include "reference/op_schema.h"

namespace pteproof {
namespace {

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t blank = text.find(' ');
    words.push_back(text.substr(0, blank));
    text = blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
  }
  return words;
}

TEST(DimOrdersOfOperators, NameArgumentsOfTheTable) {
  for (const OpDimOrders& row : AllDimOrders()) {
    const OpSchema* schema = FindOperator(row.op);
    ASSERT_NE(schema, nullptr) << row.op;
    std::set<std::string_view> seen;
    for (const std::string_view list : {row.alike, row.plain, row.either}) {
      for (const std::string_view word : WordsOf(list)) {
        EXPECT_TRUE(std::ranges::find(schema->args, word, &ArgSchema::name) != schema->args.end())
            << row.op << word;
        EXPECT_TRUE(seen.insert(word).second) << row.op << word;
      }
    }
  }
}

TEST(ElementOrdersOfOperators, NameArgumentsOfTheTable) {
  for (const OpElementOrders& row : AllElementOrders()) {
    const OpSchema* schema = FindOperator(row.op);
    ASSERT_NE(schema, nullptr) << row.op;
    EXPECT_NE(FindDimOrders(row.op), nullptr) << row.op;
    EXPECT_FALSE(row.matched.empty() && row.rowwise.empty() && row.broadcast.empty()) << row.op;
    for (const std::string_view list : {row.matched, row.rowwise, row.broadcast}) {
      for (const std::string_view word : WordsOf(list)) {
        EXPECT_TRUE(std::ranges::find(schema->args, word, &ArgSchema::name) != schema->args.end())
            << row.op << word;
      }
    }
  }
}

TEST(ElementOrdersOfOperators, AreFoundByTheFullName) {
  ASSERT_NE(FindElementOrders("aten::exp.out"), nullptr);
  EXPECT_EQ(FindElementOrders("aten::exp.out")->matched, "self out");
  EXPECT_EQ(FindElementOrders("aten::relu.out"), nullptr);
  EXPECT_EQ(FindElementOrders(""), nullptr);
}

TEST(DimOrdersOfOperators, AreFoundByTheFullName) {
  ASSERT_NE(FindDimOrders("aten::add.out"), nullptr);
  EXPECT_EQ(FindDimOrders("aten::add.out")->alike, "self other out");
  EXPECT_EQ(FindDimOrders("aten::add"), nullptr);
  EXPECT_EQ(FindDimOrders(""), nullptr);
  EXPECT_EQ(FindDimOrders("zz::last.out"), nullptr);
}

TEST(DimOrdersOfOperators, KnowTheTwoFormats) {
  EXPECT_TRUE(IsDefaultOrder({}));
  EXPECT_TRUE(IsDefaultOrder(std::array{0}));
  EXPECT_TRUE(IsDefaultOrder(std::array{0, 1, 2, 3}));
  EXPECT_FALSE(IsDefaultOrder(std::array{1, 0}));
  EXPECT_TRUE(IsChannelsLast(std::array{0, 2, 3, 1}));
  EXPECT_TRUE(IsChannelsLast(std::array{0, 2, 3, 4, 1}));
  EXPECT_FALSE(IsChannelsLast(std::array{0, 2, 1}));
  EXPECT_FALSE(IsChannelsLast(std::array{0, 3, 2, 1}));
  EXPECT_FALSE(IsChannelsLast(std::array{0, 1, 2, 3}));
  EXPECT_FALSE(IsChannelsLast({}));
}

TEST(DimOrdersOfOperators, ListsAreReadWordByWord) {
  EXPECT_TRUE(ListsArgument("self other out", "other"));
  EXPECT_TRUE(ListsArgument("self", "self"));
  EXPECT_FALSE(ListsArgument("self other out", "the"));
  EXPECT_FALSE(ListsArgument("", "self"));
}

}  // namespace
}  // namespace pteproof
