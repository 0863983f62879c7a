// The calls of one program in every order: what earlier calls leave in common banks is all that a
// later one may see.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "meaning/method_meaning.h"
#include "planner/plan.h"
#include "planner/state/module_init.h"
#include "properties/differential/case_run.h"
#include "properties/differential/settings.h"
#include "properties/differential/trace.h"
#include "properties/generators/draw.h"
#include "properties/oracles/planned_run.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

// Every sequence of `count` methods, up to a length: 340 of 4 methods and length 4.
std::vector<std::vector<uint8_t>> OrdersOf(size_t count, size_t longest) {
  std::vector<std::vector<uint8_t>> orders = {{}};
  for (size_t first = 0; orders[first].size() < longest; ++first) {
    for (uint8_t m = 0; m < count; ++m) {
      std::vector<uint8_t> order = orders[first];
      order.push_back(m);
      orders.push_back(std::move(order));
    }
  }
  return orders;
}

TEST(OrdersTest, AreEverySequenceUpToALength) {
  EXPECT_EQ(OrdersOf(4, 4).size(), 1U + 4 + 16 + 64 + 256);
  EXPECT_EQ(OrdersOf(1, 4).size(), 5U);
}

// In as many settings as there are seeds. The longest orders contain the shorter ones.
TEST(OrdersTest, GiveWhatTheModuleGives) {
  constexpr size_t kLongest = 4;
  const uint64_t seeds = Cases(10, 60);
  int sequences = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const auto drawn = generators::BuildCase(generators::DrawCase(seed));
    if (drawn.module.methods.size() > 4) continue;
    Setting setting = SettingOf(seed);
    CaseWays ways = {.manifest = false, .tagged = false, .lazy = seed % 2 == 0};
    for (const auto& order : OrdersOf(drawn.module.methods.size(), kLongest)) {
      if (order.size() < kLongest) continue;
      generators::RandomCase c = {drawn.module, {}};
      for (const uint8_t m : order) {
        const auto inputs = static_cast<uint16_t>(seed * 16 + c.calls.size());
        c.calls.push_back(generators::BuildCall(c.module, {m, 0, inputs}));
      }
      const CaseVerdict verdict = RunCase(c, setting.options, ways);
      ASSERT_EQ(verdict.fault.explanation, "") << "seed " << seed << " (" << setting.name << ")";
      ++sequences;
    }
  }
  EXPECT_GE(sequences, 10 * seeds);
}

TEST(LongSequencesTest, GiveWhatTheModuleGives) {
  constexpr size_t kCalls = 20;
  const uint64_t seeds = Cases(60, 400);
  int64_t calls = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    generators::RandomCase c = generators::BuildCase(generators::DrawCase(seed));
    std::mt19937_64 random(seed);
    while (c.calls.size() < kCalls) {
      const uint64_t drawn = random();
      c.calls.push_back(generators::BuildCall(
          c.module, {static_cast<uint8_t>(drawn), static_cast<uint8_t>(drawn >> 8),
                     static_cast<uint16_t>(drawn >> 16)}));
    }
    const Setting setting = SettingOf(seed);
    const CaseVerdict verdict = RunCase(c, setting.options, setting.ways);
    ASSERT_EQ(verdict.fault.explanation, "") << "seed " << seed << " (" << setting.name << ")";
    calls += verdict.calls;
  }
  EXPECT_GE(calls, static_cast<int64_t>(10 * seeds));
}

bool AllStateIsShared(const Program& program) {
  return std::ranges::all_of(program.methods, [](const Method& method) {
    return std::ranges::all_of(
        meaning::MeaningOf(method, nullptr).roles.states,
        [](const meaning::StateSlot& slot) { return slot.place.bank == planner::kSharedBank; });
  });
}

// Makes the case's calls, and all of them once more after et_module_init, which is called before
// the first one, and after any of them.
std::string DifferenceAfterInit(const generators::RandomCase& c, const Program& program,
                                size_t after) {
  auto run = PlannedRun::Load(program, {.policy = Policy::kShare12, .semantics = Semantics::kHash});
  if (!run.ok()) return run.error().explanation;
  const auto init = std::ranges::find(program.methods, planner::kModuleInit, &Method::name);
  const auto init_index = static_cast<int32_t>(init - program.methods.begin());
  const Trace wanted = RunAll(c.module, c.calls, OptionsFor(Semantics::kHash));
  for (const size_t count : {after, c.calls.size()}) {
    if (!run.value().Call(init_index, {}).ok()) return "et_module_init fails";
    for (size_t k = 0; k < count && wanted.calls[k].ok(); ++k) {
      const auto got = run.value().Call(static_cast<int32_t>(c.calls[k].method), c.calls[k].inputs);
      if (!got.ok()) return got.error().explanation;
      const auto& outputs = wanted.calls[k].value().outputs;
      const auto own = std::span(got.value()).last(outputs.size());
      if (!SameData(outputs, own)) return "call " + std::to_string(k) + " differs";
    }
  }
  return "";
}

TEST(ModuleInitTest, StartsAnewBetweenAnyCalls) {
  const uint64_t seeds = Cases(60, 400);
  int tried = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    if (IsOpaque(c.module)) continue;
    planner::PlanOptions options;
    options.module_init = true;
    const auto planned = planner::Plan(c.module, options);
    if (!planned.ok() || !planner::HasModuleInit(planned.value().program)) continue;
    if (!AllStateIsShared(planned.value().program)) continue;
    for (size_t after = 0; after < c.calls.size(); ++after) {
      EXPECT_EQ(DifferenceAfterInit(c, planned.value().program, after), "")
          << "seed " << seed << ", after " << after << " calls";
      ++tried;
    }
  }
  EXPECT_GE(tried, static_cast<int>(seeds) / 2);
}

}  // namespace
}  // namespace pteproof
