// A new plan of a random Module's program is shown right, whatever made the old one and whatever
// may move.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "planner/plan.h"
#include "properties/certify/shown_replan.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "reference/op_schema.h"

namespace pteproof::certify {
namespace {

uint64_t NumberFrom(const char* variable, uint64_t otherwise) {
  const char* asked = std::getenv(variable);
  return asked == nullptr ? otherwise : std::strtoull(asked, nullptr, 10);
}

planner::PlanOptions OptionsOf(uint64_t seed) {
  planner::PlanOptions options;
  const auto count = std::size(placement::kAlgorithms);
  options.algorithm = placement::kAlgorithms[seed % count];
  if (seed / count % 2 == 1) options.passes = {false, false, false, false, false, false};
  if (seed / count % 3 == 1) options.alignment = 1;
  options.policy = kAllPolicies[seed % kAllPolicies.size()];
  options.plan_inputs = seed % 5 != 1;
  options.plan_outputs = seed % 5 != 2;
  return options;
}

struct MayMove {
  std::string name;
  bool in_place = false;  // results over operands, stores
  bool state = false;
  std::vector<Operator> operators = {};  // of the runtime
};

std::vector<Operator> IndexPut() {
  return {{"aten::index_put_", FindOperator("aten::index_put_")}};
}

class RandomReplans : public testing::TestWithParam<MayMove> {};

uint64_t BytesOf(const Program& program) {
  uint64_t bytes = 0;
  for (const Method& method : program.methods) {
    for (const uint64_t size : method.bank_sizes) bytes += size;
  }
  return bytes;
}

TEST_P(RandomReplans, AreShownRight) {
  uint64_t shown_right = 0;
  uint64_t smaller = 0;
  uint64_t early = 0;
  uint64_t updated = 0;
  uint64_t open = 0;
  // The variables make a campaign of it, in parts.
  const uint64_t first = NumberFrom("PTEPROOF_RANDOM_FIRST", 0);
  const uint64_t cases = NumberFrom("PTEPROOF_RANDOM_CASES", PTEPROOF_SANITIZED ? 10 : 150);
  for (uint64_t seed = first; seed < first + cases; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    const auto planned = planner::Plan(c.module, OptionsOf(seed));
    if (!planned.ok()) continue;
    const Program& before = planned.value().program;
    const ShownReplan after =
        ReplanShown({&before, nullptr, nullptr},
                    {.plan = {.in_place = GetParam().in_place, .operators = GetParam().operators},
                     .move_state = GetParam().state,
                     .certify = {.calls = 4, .seed = seed}});
    EXPECT_EQ(after.unwritable, "") << "seed " << seed;
    if (after.certificate.open) {
      ++open;
      continue;
    }
    EXPECT_EQ(after.certificate.failure, "") << "seed " << seed;
    if (!after.certificate.holds()) continue;
    ++shown_right;
    early += after.replanned.now_at.empty() ? 0 : 1;
    updated += after.replanned.updates.empty() ? 0 : 1;
    smaller += BytesOf(after.replanned.program) < BytesOf(before) ? 1 : 0;
    for (const auto& bank : after.replanned.banks) {
      EXPECT_LE(bank.after, bank.before) << "seed " << seed;
    }
  }
  EXPECT_GE(shown_right, cases * 8 / 10);
  EXPECT_GE(smaller, cases / 10);
  RecordProperty("shown_right", std::to_string(shown_right));
  RecordProperty("open", std::to_string(open));
  RecordProperty("smaller", std::to_string(smaller));
  RecordProperty("early", std::to_string(early));
  RecordProperty("updated", std::to_string(updated));
}

INSTANTIATE_TEST_SUITE_P(MayMove, RandomReplans,
                         testing::Values(MayMove{"Values"}, MayMove{"Stores", true},
                                         MayMove{"State", false, true},
                                         MayMove{"StoresAndState", true, true, IndexPut()}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pteproof::certify
