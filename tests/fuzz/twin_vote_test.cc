// The certificate's checker, by its twin in C++, confirms what the check calls safe: plans of
// random Modules, sound and damaged. What it may refuse has a class of its own.
#include "fuzz/twin_vote.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "properties/agreement/drawn_plan.h"
#include "pteproof/check.h"
#include "pteproof/read.h"
#include "pteproof/write.h"
#include "tests/support/counts.h"

namespace pteproof::fuzz {
namespace {

struct Votes {
  uint64_t confirmed = 0;
  std::vector<std::string> refused;
};

void AskAbout(const Program& program, const std::string& name, Votes& votes) {
  const auto bytes = WriteProgram(program);
  const auto read = bytes.ok() ? ReadProgram(bytes.value()) : std::vector<Finding>();
  if (!read.ok()) return;
  const Report report = Check(read.value());
  for (const Policy policy : kAllPolicies) {
    const TwinAnswer answer = AskTwin(read.value(), bytes.value(), report, policy);
    if (answer.vote == TwinVote::kConfirmed) ++votes.confirmed;
    if (answer.vote == TwinVote::kRefuses) votes.refused.push_back(name + ": " + answer.why);
  }
}

TEST(TwinVote, ConfirmsWhatTheCheckCallsSafe) {
  RecordProperty("slow", "plans and judges many random cases");
  const uint64_t cases = Cases(200, 8000);
  Votes votes;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const auto drawn = DrawPlan(seed);
    if (!drawn) continue;
    const Program& program = drawn->planned.program;
    AskAbout(program, "plan " + std::to_string(seed), votes);
    for (uint64_t damage = 0; damage < 3; ++damage) {
      const auto damaged = DrawDamage(program, 16 * seed + damage);
      if (!damaged) continue;
      AskAbout(damaged->program, "plan " + std::to_string(seed) + ", " + damaged->what, votes);
    }
  }
  EXPECT_GT(votes.confirmed, 4 * cases);
  for (size_t i = 0; i < std::min<size_t>(votes.refused.size(), 5); ++i) {
    ADD_FAILURE() << votes.refused[i];
  }
}

}  // namespace
}  // namespace pteproof::fuzz
