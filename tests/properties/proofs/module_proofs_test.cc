// Plans of random Modules are proved for every size that their dims admit, and refuted where they
// are made for too small a size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/plan.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/manifest/of_plan.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "reference/graph/parse.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"

namespace pteproof::proofs {
namespace {

const uint64_t kModules = Cases(80, 400);

size_t CountOver(const ValueSizes& sizes) {
  size_t known = 0;
  for (const auto& method : sizes.bytes) {
    known += static_cast<size_t>(
        std::ranges::count_if(method, [](const auto& bytes) { return bytes.has_value(); }));
  }
  return known;
}

TEST(ModuleProofs, HoldForEverySizeThatDimsAdmit) {
  size_t known = 0;
  size_t from_bounds = 0;
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    const auto random = generators::BuildCase(generators::DrawCase(seed));
    const Setting setting = SettingOf(seed);
    const auto planned = planner::Plan(random.module, setting.options);
    if (!planned.ok()) continue;
    const Program& program = planned.value().program;
    const ValueSizes sizes = ValueSizesOf(program, random.module);
    const auto manifest = ManifestOfPlan(random.module, setting.options, program);
    ObligeOptions options;
    options.sizes = &sizes;
    options.manifest = manifest.ok() ? &manifest.value() : nullptr;
    const Proof proof = Prove(program, options);
    known += CountOver(sizes);
    EXPECT_EQ(Count(proof).unknown, 0U) << "seed " << seed;
    EXPECT_NE(proof.verdicts[static_cast<size_t>(setting.options.policy)], Verdict::kUnsafe)
        << "seed " << seed;
    EXPECT_EQ(proof.verdicts, Check(program, {.manifest = options.manifest}).verdicts)
        << "seed " << seed;
    from_bounds += static_cast<size_t>(std::ranges::count_if(
        proof.decisions, [](const Decision& d) { return d.how == How::kLemmas; }));
  }
  EXPECT_GT(known, kModules / 4);
  EXPECT_GT(from_bounds, 0U);
}

TEST(ModuleProofs, RefuteAPlanForTheExampleOnly) {
  const auto module = graph::Parse(ReadText(std::filesystem::path(PTEPROOF_CORPUS_DIR) / "modules" /
                                            "catalogue_43_range_above_the_example.module"));
  ASSERT_TRUE(module.ok());
  for (const bool range : {true, false}) {
    planner::PlanOptions plan;
    plan.bounds = range ? planner::Bounds::kRange : planner::Bounds::kHint;
    const auto planned = planner::Plan(module.value(), plan);
    ASSERT_TRUE(planned.ok());
    const ValueSizes sizes = ValueSizesOf(planned.value().program, module.value());
    ObligeOptions options;
    options.sizes = &sizes;
    const Proof proof = Prove(planned.value().program, options);
    EXPECT_EQ(proof.verdicts.front(), range ? Verdict::kSafe : Verdict::kUnsafe);
    const auto refuted = std::ranges::find(proof.decisions, Answer::kRefuted, &Decision::answer);
    if (range) continue;
    ASSERT_NE(refuted, proof.decisions.end());
    EXPECT_FALSE(refuted->model.empty());  // the dims at which it is too small
  }
}

}  // namespace
}  // namespace pteproof::proofs
