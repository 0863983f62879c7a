#include "tests/properties/laws/laws.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <string>

#include "properties/generators/draw.h"
#include "reference/graph/builder.h"
#include "tests/support/arbitrary_case.h"

namespace pteproof {
namespace {

using generators::ArbitraryCase;
using generators::BuildCase;
using generators::CaseDraft;

// RC_PARAMS sets the number of cases and the seed: RC_PARAMS="max_success=100000 seed=7".
class LawHolds : public testing::TestWithParam<Law> {};

TEST_P(LawHolds, OnRandomCases) {
  const Law& law = GetParam();
  const auto result = rc::detail::checkTestable([&] {
    const CaseDraft draft = *ArbitraryCase();
    const auto breach = law.breach(BuildCase(draft), draft.features);
    if (breach) RC_FAIL(std::string(law.name) + ": " + *breach);
  });
  std::ostringstream explanation;
  rc::detail::printResultMessage(result, explanation);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << law.states << "\n"
                                                               << explanation.str();
}

INSTANTIATE_TEST_SUITE_P(All, LawHolds, testing::ValuesIn(AllLaws().begin(), AllLaws().end()),
                         [](const testing::TestParamInfo<Law>& info) {
                           std::string name;
                           bool upper = true;
                           for (const char c : info.param.name) {
                             if (c != '-') name += upper ? static_cast<char>(c - 32) : c;
                             upper = c == '-';
                           }
                           return name;
                         });

const Law& LawNamed(std::string_view name) {
  for (const Law& law : AllLaws()) {
    if (law.name == name) return law;
  }
  std::abort();
}

// A method that returns its one input through one node.
RandomCase OneNode() {
  RandomCase c;
  c.module.methods.resize(1);
  c.module.methods[0].name = "m";
  graph::Builder builder(c.module.methods[0]);
  const auto x = builder.AddInput("x", TensorType{ScalarType::kFloat32, {2}});
  const auto y = builder.CallOne("aten::neg.out", {graph::Of(x)});
  c.module.methods[0].body.results = {y.value()};
  c.calls.push_back({0, {Zeros(ScalarType::kFloat32, {2})}});
  return c;
}

TEST(ValidLaw, IsBrokenByAValueThatNothingDefines) {
  RandomCase c = OneNode();
  c.module.methods[0].body.nodes.clear();
  EXPECT_TRUE(LawNamed("valid").breach(c, 0).has_value());
}

TEST(ValidLaw, IsKeptByOneNode) {
  EXPECT_EQ(LawNamed("valid").breach(OneNode(), 0), std::nullopt);
}

TEST(TypesLaw, IsBrokenByADeclaredSizeThatIsNotTheResults) {
  RandomCase c = OneNode();
  std::get<TensorType>(c.module.methods[0].values[1]).sizes = {SizeExpr(3)};
  EXPECT_TRUE(LawNamed("types").breach(c, 0).has_value());
}

TEST(TypesLaw, IsKeptByOneNode) {
  EXPECT_EQ(LawNamed("types").breach(OneNode(), 0), std::nullopt);
}

// y = -x, z = -y in place of y.
RandomCase InPlaceOfY() {
  RandomCase c = OneNode();
  graph::Method& method = c.module.methods[0];
  graph::Builder builder(method);
  const auto z = builder.CallOne("aten::neg.out", {graph::Of(1)});
  builder.last().in_place = 0;
  method.body.results = {z.value()};
  return c;
}

TEST(InPlaceLaw, IsBrokenByAnotherReader) {
  RandomCase c = InPlaceOfY();
  c.module.methods[0].body.results.push_back(1);
  EXPECT_EQ(LawNamed("in-place").breach(c, 0), "call 0 has other outputs");
}

TEST(InPlaceLaw, IsKeptByALastUse) {
  EXPECT_EQ(LawNamed("in-place").breach(InPlaceOfY(), 0), std::nullopt);
}

}  // namespace
}  // namespace pteproof
