#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/read.h"
#include "runtime/data_rules.h"
#include "runtime/read_bundle.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A program whose one input is of that kind.
Program Taking(ValueKind kind) {
  MethodBuilder b;
  const int32_t in = b.Int(0);
  b.method().values[static_cast<size_t>(in)].kind = kind;
  b.Input(in);
  return ProgramOf({b.Build()});
}

Bundle Giving(BundleValue value, size_t cases = 1) {
  Bundle bundle;
  bundle.suites.push_back({"forward", std::vector(cases, BundleCase{{std::move(value)}, {}})});
  return bundle;
}

std::vector<std::string_view> Misfits(ValueKind taken, BundleValue given) {
  std::vector<std::string_view> rules;
  for (const Finding& f : CheckBundle(Taking(taken), Giving(std::move(given))))
    rules.push_back(f.rule);
  return rules;
}

TEST(CheckBundleValues, FitTheirOwnKindOnly) {
  const std::vector<std::pair<ValueKind, BundleValue>> plain = {
      {ValueKind::kInt, int64_t{1}}, {ValueKind::kBool, true}, {ValueKind::kDouble, 0.5}};
  for (const auto& [taken, taken_value] : plain) {
    for (const auto& [kind, value] : plain) {
      if (taken == kind) {
        EXPECT_THAT(Misfits(taken, value), IsEmpty());
      } else {
        EXPECT_THAT(Misfits(taken, value), ElementsAre(rule::kBundleMismatch));
      }
    }
    EXPECT_THAT(Misfits(taken, BundleTensor{}), ElementsAre(rule::kBundleMismatch));
  }
}

TEST(CheckBundleValues, AreToldUpToTheLimit) {
  const Program program = Taking(ValueKind::kInt);
  const auto of_cases = CheckBundle(program, Giving(true, 1000));
  ASSERT_EQ(of_cases.size(), static_cast<size_t>(kMaxFileFindings));
  EXPECT_THAT(of_cases.back().explanation, testing::HasSubstr("There are more findings"));

  MethodBuilder b;
  const int32_t in = b.Int(0);
  for (int i = 0; i < 1000; ++i) b.Input(in);
  Bundle bundle;
  bundle.suites.push_back({"forward", {BundleCase{std::vector<BundleValue>(1000, true), {}}}});
  EXPECT_EQ(CheckBundle(ProgramOf({b.Build()}), bundle).size(),
            static_cast<size_t>(kMaxFileFindings));
}

TEST(CheckBundleValues, AreAsManyAsTheMethodTakes) {
  Bundle bundle = Giving(int64_t{1});
  bundle.suites[0].cases[0].inputs.emplace_back(int64_t{2});
  const auto findings = CheckBundle(Taking(ValueKind::kInt), bundle);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, rule::kBundleArity);
}

}  // namespace
}  // namespace pteproof
