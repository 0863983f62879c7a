// Every Module is planned so that the check finds nothing and its calls give what the reference
// gives, under each algorithm, policy and choice of passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "properties/differential/case_run.h"
#include "properties/generators/draw.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

using placement::Algorithm;
using planner::PlanOptions;

struct Choice {
  std::string name;
  PlanOptions options;
};

void PrintTo(const Choice& choice, std::ostream* os) {
  *os << choice.name;
}

std::vector<Choice> Choices() {
  std::vector<Choice> choices;
  for (const Algorithm algorithm : placement::kAlgorithms) {
    PlanOptions options;
    options.algorithm = algorithm;
    choices.push_back({"algorithm_" + std::string(NameOf(algorithm)), options});
  }
  PlanOptions share_all;
  share_all.policy = Policy::kShareAll;
  choices.push_back({"share_all", share_all});
  PlanOptions plain;
  plain.passes = {false, false, false, false, false, false};
  choices.push_back({"without_passes", plain});
  PlanOptions unplanned;
  unplanned.plan_inputs = unplanned.plan_outputs = false;
  choices.push_back({"unplanned_inputs_and_outputs", unplanned});
  PlanOptions no_state;
  no_state.plan_buffers = false;
  choices.push_back({"unplanned_buffers", no_state});
  PlanOptions packed;
  packed.alignment = 1;
  choices.push_back({"alignment_1", packed});
  for (Choice& choice : choices) std::ranges::replace(choice.name, '-', '_');
  return choices;
}

class RandomModulesTest : public testing::TestWithParam<Choice> {};

TEST_P(RandomModulesTest, ArePlannedSafely) {
  uint64_t planned = 0;
  const uint64_t cases = Cases(60, 400);
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const CaseVerdict verdict = RunCase(c, GetParam().options);
    ASSERT_EQ(verdict.fault.explanation, "") << "seed " << seed;
    planned += verdict.refused ? 0 : 1;
  }
  // What mutates in a way that has no functional form is refused.
  EXPECT_GE(planned, cases * 97 / 100);
  RecordProperty("planned", std::to_string(planned));
}

// An output in the memory of an input is refused, or right.
TEST(RandomOverlaysTest, ArePlannedSafely) {
  const uint64_t cases = Cases(60, 400);
  uint64_t planned = 0;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    PlanOptions options;
    options.plan_inputs = options.plan_outputs = seed % 2 == 0;
    const graph::Method& method = c.module.methods[seed % c.module.methods.size()];
    const size_t pairs = method.body.results.size() * method.inputs.size();
    for (size_t pair = 0; pair < pairs; ++pair) {
      options.overlays = {{method.name, static_cast<int32_t>(pair / method.inputs.size()),
                           static_cast<int32_t>(pair % method.inputs.size())}};
      const CaseVerdict verdict = RunCase(c, options);
      ASSERT_EQ(verdict.fault.explanation, "") << "seed " << seed << ", pair " << pair;
      planned += verdict.refused ? 0 : 1;
    }
  }
  EXPECT_GE(planned, cases / 2);
  RecordProperty("planned", std::to_string(planned));
}

INSTANTIATE_TEST_SUITE_P(Choices, RandomModulesTest, testing::ValuesIn(Choices()),
                         [](const auto& choice) { return choice.param.name; });

}  // namespace
}  // namespace pteproof
