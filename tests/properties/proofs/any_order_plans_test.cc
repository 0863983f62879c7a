// Plans for every order that data allows hold in every such order, and as they are listed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "planner/plan.h"
#include "properties/differential/case_run.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/proofs/prove.h"
#include "reference/graph/parse.h"
#include "tests/support/files.h"

namespace pteproof::proofs {
namespace {

using graph::InPlaceOrder;

constexpr uint64_t kRandomModules = PTEPROOF_SANITIZED ? 60 : 400;

// The first instruction of which only the listing makes the plan right; empty: there is none.
std::string OrderedByTheListing(const Program& program) {
  ObligeOptions options;
  options.order = Order::kAny;
  const Proof proof = Prove(program, options);
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    const Obligation& obligation = proof.obligations.list[o];
    if (!obligation.any_order || proof.decisions[o].answer != Answer::kRefuted) continue;
    return obligation.method + ": " + obligation.refuted;
  }
  return "";
}

planner::PlanOptions InOrder(InPlaceOrder order) {
  planner::PlanOptions options;
  options.order = order;
  return options;
}

std::set<std::string> CorpusModules() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(PTEPROOF_CORPUS_DIR "/modules")) {
    if (entry.path().extension() == ".module") names.insert(entry.path().stem());
  }
  return names;
}

Program PlanOfModule(const std::string& name, InPlaceOrder order) {
  const auto module = graph::Parse(ReadText(PTEPROOF_CORPUS_DIR "/modules/" + name + ".module"));
  auto planned = planner::Plan(module.value(), InOrder(order));
  EXPECT_TRUE(planned.ok()) << name;
  return std::move(planned).value().program;
}

TEST(AnyOrderPlans, HoldForAllModulesOfTheCorpus) {
  for (const std::string& name : CorpusModules()) {
    for (const InPlaceOrder order : {InPlaceOrder::kAny, InPlaceOrder::kStrict}) {
      EXPECT_EQ(OrderedByTheListing(PlanOfModule(name, order)), "") << name;
    }
  }
}

// The names in the first column of the table.
std::set<std::string> NamesInThePage() {
  std::istringstream page(ReadText(PTEPROOF_CORPUS_DIR "/../docs/explanation/in-place.md"));
  std::set<std::string> names;
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| Module |")) in_table = true;
    if (!line.starts_with("|")) in_table = false;
    const size_t end = line.find('`', 3);
    if (in_table && line.starts_with("| `")) names.insert(line.substr(3, end - 3));
  }
  return names;
}

TEST(ListedPlans, OfThePageAloneHoldAsListedAlone) {
  std::set<std::string> listed;
  for (const std::string& name : CorpusModules()) {
    if (!OrderedByTheListing(PlanOfModule(name, InPlaceOrder::kListed)).empty()) {
      listed.insert(name);
    }
  }
  EXPECT_EQ(listed, NamesInThePage());
}

TEST(AnyOrderPlans, HoldForRandomModules) {
  size_t listed_alone = 0;
  for (uint64_t seed = 0; seed < kRandomModules; ++seed) {
    const auto random = generators::BuildCase(generators::DrawCase(seed));
    Setting setting = SettingOf(seed);
    setting.options.order = seed % 2 == 0 ? InPlaceOrder::kAny : InPlaceOrder::kStrict;
    const auto planned = planner::Plan(random.module, setting.options);
    if (!planned.ok()) continue;
    EXPECT_EQ(OrderedByTheListing(planned.value().program), "") << "seed " << seed;
    EXPECT_EQ(RunCase(random, setting.options).fault.explanation, "") << "seed " << seed;
    setting.options.order = InPlaceOrder::kListed;
    const auto listed = planner::Plan(random.module, setting.options);
    ASSERT_TRUE(listed.ok());
    listed_alone += OrderedByTheListing(listed.value().program).empty() ? 0 : 1;
  }
  EXPECT_GT(listed_alone, kRandomModules / 10);
}

}  // namespace
}  // namespace pteproof::proofs
