// Random Modules that are planned in two ways compute the same.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "planner/plan.h"
#include "properties/compare/computation.h"
#include "properties/compare/module_computation.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/manifest/of_plan.h"
#include "tests/support/counts.h"
#include "tests/support/renumber.h"

namespace pteproof::compare {
namespace {

using placement::Algorithm;
using planner::PlanOptions;

const uint64_t kCompared = Cases(60, 400);

// Another plan of the same policy, by the seed.
PlanOptions OtherOptions(uint64_t seed) {
  PlanOptions options;
  const auto count = std::size(placement::kAlgorithms);
  options.algorithm = placement::kAlgorithms[seed % count];
  if (seed / count % 2 == 1) options.passes = {false, false, false, false, false, false};
  if (seed / count % 3 == 1) options.alignment = 1;
  return options;
}

std::string TextOf(const MethodComparison& answer) {
  std::string text = answer.method + ": " + std::string(Name(answer.answer)) + " " + answer.reason;
  if (!answer.difference) return text;
  const Difference& found = *answer.difference;
  return text + found.where + " | " + std::to_string(found.old_side.instruction) + " " +
         found.old_side.term + " | " + std::to_string(found.new_side.instruction) + " " +
         found.new_side.term;
}

TEST(RandomModules, PlannedInTwoWaysAreTheSame) {
  std::map<std::string, int64_t> reasons;
  int64_t same = 0;
  for (uint64_t seed = 0; seed < kCompared; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const auto one = planner::Plan(c.module);
    const auto two = planner::Plan(c.module, OtherOptions(seed));
    if (!one.ok() || !two.ok()) continue;
    const Program renumbered = Renumbered(two.value().program, static_cast<uint32_t>(seed));
    const ComparedSide old_side = {&one.value().program, nullptr, nullptr};
    const ComparedSide new_side = {&renumbered, nullptr, nullptr};
    for (const MethodComparison& answer :
         CompareComputation(old_side, new_side, {.policies = {Policy::kShare12}})) {
      EXPECT_NE(answer.answer, Answer::kDiffers) << "seed " << seed << " " << TextOf(answer);
      same += answer.answer == Answer::kSame ? 1 : 0;
      if (answer.answer == Answer::kOpen) ++reasons[answer.reason];
    }
  }
  int64_t open = 0;
  for (const auto& [reason, count] : reasons) {
    RecordProperty(reason, std::to_string(count));
    open += count;
    if (IsCampaign()) printf("%ld %s\n", count, reason.c_str());
  }
  if (IsCampaign()) printf("%ld same, %ld open\n", same, open);
  EXPECT_GE(same, 9 * open);
}

TEST(RandomModules, AreTheSameAsTheirPlans) {
  std::map<std::string, int64_t> reasons;
  int64_t same = 0;
  for (uint64_t seed = 0; seed < kCompared; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const auto planned = planner::Plan(c.module, OtherOptions(seed));
    if (!planned.ok()) continue;
    const ComparedSide side = {&planned.value().program, nullptr, nullptr};
    for (const MethodComparison& answer :
         CompareWithModule(c.module, side, {.policies = {Policy::kShare12}})) {
      EXPECT_NE(answer.answer, Answer::kDiffers) << "seed " << seed << " " << TextOf(answer);
      same += answer.answer == Answer::kSame ? 1 : 0;
      if (answer.answer == Answer::kOpen) ++reasons[answer.reason];
    }
  }
  for (const auto& [reason, count] : reasons) {
    if (IsCampaign()) printf("%ld %s\n", count, reason.c_str());
  }
  if (IsCampaign()) printf("%ld same\n", same);
}

TEST(RandomModules, AreWhatTheirPlansMean) {
  int64_t same = 0;
  int64_t open = 0;
  for (uint64_t seed = 0; seed < kCompared; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const auto planned = planner::Plan(c.module, OtherOptions(seed));
    if (!planned.ok()) continue;
    const Program& program = planned.value().program;
    const ComparedSide meant = {&program, nullptr, nullptr, ReadAs::kMeant};
    for (const MethodComparison& answer : CompareComputation(meant, {&program, nullptr, nullptr},
                                                             {.policies = {Policy::kShare12}})) {
      EXPECT_NE(answer.answer, Answer::kDiffers) << "seed " << seed << " " << TextOf(answer);
      same += answer.answer == Answer::kSame ? 1 : 0;
      open += answer.answer == Answer::kOpen ? 1 : 0;
    }
  }
  EXPECT_GE(same, 9 * open);
  if (IsCampaign()) printf("%ld same, %ld open\n", same, open);
}

}  // namespace
}  // namespace pteproof::compare
