// Plans for every order that data allows hold in every such order, and as they are listed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "planner/plan.h"
#include "properties/differential/case_run.h"
#include "properties/differential/settings.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "properties/proofs/prove.h"
#include "reference/graph/lint.h"
#include "reference/graph/parse.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"

namespace pteproof::proofs {
namespace {

using graph::InPlaceOrder;

const uint64_t kRandomModules = Cases(60, 400);

// The first instruction of which only the listing makes the plan right, or which the strict rule
// refuses; empty: there is none.
std::string OrderedByTheListing(const Program& program, Order order = Order::kAny) {
  ObligeOptions options;
  options.order = order;
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
  RecordProperty("slow", "plans and proves all Modules of the corpus twice");
  for (const std::string& name : CorpusModules()) {
    EXPECT_EQ(OrderedByTheListing(PlanOfModule(name, InPlaceOrder::kAny)), "") << name;
    EXPECT_EQ(OrderedByTheListing(PlanOfModule(name, InPlaceOrder::kStrict), Order::kStrict), "")
        << name;
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
    const bool any = seed % 2 == 0;
    setting.options.order = any ? InPlaceOrder::kAny : InPlaceOrder::kStrict;
    const auto planned = planner::Plan(random.module, setting.options);
    if (!planned.ok()) continue;
    EXPECT_EQ(OrderedByTheListing(planned.value().program, any ? Order::kAny : Order::kStrict), "")
        << "seed " << seed;
    EXPECT_EQ(RunCase(random, setting.options).fault.explanation, "") << "seed " << seed;
    setting.options.order = InPlaceOrder::kListed;
    const auto listed = planner::Plan(random.module, setting.options);
    ASSERT_TRUE(listed.ok());
    listed_alone += OrderedByTheListing(listed.value().program).empty() ? 0 : 1;
  }
  EXPECT_GT(listed_alone, kRandomModules / 10);
}

// --- The strict rule.

Program PlanOfText(const std::string& text) {
  auto planned = planner::Plan(graph::Parse(text).value());
  EXPECT_TRUE(planned.ok()) << text;
  return std::move(planned).value().program;
}

// %1 needs %0, and %2 needs %1: data orders the read before the update.
constexpr std::string_view kReadBefore = R"(
method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::exp.out(%0)
  %2: float32[4] = aten::mul.out(%0, %1) in_place(0)
  return %2
}
)";

TEST(StrictOrder, RefusesASecondReaderThatDataOrdersBefore) {
  const Program program = PlanOfText(std::string(kReadBefore));
  EXPECT_EQ(OrderedByTheListing(program, Order::kAny), "");
  EXPECT_THAT(OrderedByTheListing(program, Order::kStrict),
              testing::AllOf(testing::HasSubstr("Instruction 2 (aten::mul.out)"),
                             testing::HasSubstr("instruction 1 (aten::exp.out) reads"),
                             testing::HasSubstr("no other reader")));
}

TEST(StrictOrder, AdmitsTheOnlyReader) {
  EXPECT_EQ(OrderedByTheListing(PlanOfText(R"(
method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::mul.out(%0, %0) in_place(0)
  %2: float32[4] = aten::exp.out(%1) in_place(0)
  return %2
}
)"),
                                Order::kStrict),
            "");
}

// The branch reads %0 in another stretch of instructions.
TEST(StrictOrder, SeesAReaderInABranch) {
  EXPECT_THAT(OrderedByTheListing(PlanOfText(R"(
method f(%x: float32[4], %p: bool) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = cond(%p, %0) {
    (%2: float32[4]) {
      %3: float32[4] = aten::exp.out(%2)
      return %3
    }
    (%4: float32[4]) {
      %5: float32[4] = aten::abs.out(%4)
      return %5
    }
  }
  %6: float32[4] = aten::mul.out(%0, %1)
  return %6
}
)"),
                                  Order::kStrict),
              testing::HasSubstr("no other reader"));
}

// A Module of one chain of calls, one of which wishes to be made in place of its first operand.
struct Wishing {
  std::string text;
  int32_t wish = 0;  // the call
};

Wishing DrawWish(uint64_t seed) {
  std::mt19937 random(static_cast<uint32_t>(seed));
  constexpr int32_t kCalls = 6;
  Wishing drawn;
  drawn.text = "method f(%x: float32[4]) {\n";
  drawn.wish = 1 + static_cast<int32_t>(random() % (kCalls - 1));
  const auto value = [&](int32_t before) {
    const auto v = static_cast<int32_t>(random() % static_cast<uint32_t>(before + 1)) - 1;
    return v < 0 ? std::string("%x") : "%" + std::to_string(v);
  };
  for (int32_t n = 0; n < kCalls; ++n) {
    // Each call needs the one before: nothing is left out.
    const std::string last = n == 0 ? "%x" : "%" + std::to_string(n - 1);
    const bool is_wish = n == drawn.wish;
    const std::string first = is_wish ? value(n) : last;
    drawn.text += "  %" + std::to_string(n) + ": float32[4] = aten::mul.out(" + first + ", " +
                  (is_wish ? last : value(n)) + ")" + (is_wish ? " in_place(0)" : "") + "\n";
  }
  drawn.text += "  return %" + std::to_string(kCalls - 1) + "\n}\n";
  return drawn;
}

// Whether the strict rule refutes that this call writes over its first operand.
bool IsRefuted(const Program& program, int32_t call) {
  ObligeOptions options;
  options.order = Order::kStrict;
  const Proof proof = Prove(program, options);
  const Method& method = program.methods.front();
  const int32_t operand = method.Ints(method.instructions[static_cast<size_t>(call)].args).front();
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    const Obligation& obligation = proof.obligations.list[o];
    const bool is_it = obligation.any_order && obligation.instruction == call &&
                       obligation.values.front() == operand;
    if (is_it && proof.decisions[o].answer == Answer::kRefuted) return true;
  }
  return false;
}

TEST(StrictOrder, AgreesWithLintOnWishesThatThePlanFollows) {
  uint64_t refused = 0;
  uint64_t admitted = 0;
  for (uint64_t seed = 0; seed < kRandomModules; ++seed) {
    const Wishing drawn = DrawWish(seed);
    const auto module = graph::Parse(drawn.text);
    ASSERT_TRUE(module.ok()) << drawn.text;
    if (!graph::Lint(module.value(), InPlaceOrder::kListed).empty()) continue;
    const Program program = PlanOfText(drawn.text);
    const Method& method = program.methods.front();
    ASSERT_EQ(method.instructions.size(), 6U) << drawn.text;
    const auto args = method.Ints(method.instructions[static_cast<size_t>(drawn.wish)].args);
    const Tensor& operand = *method.TensorOf(args[0]);
    const Tensor& result = *method.TensorOf(args[2]);
    if (operand.bank != result.bank || operand.offset != result.offset) continue;
    const bool is_right = graph::Lint(module.value(), InPlaceOrder::kStrict).empty();
    EXPECT_EQ(IsRefuted(program, drawn.wish), !is_right) << drawn.text;
    ++(is_right ? admitted : refused);
  }
  EXPECT_GT(refused, kRandomModules / 50);
  EXPECT_GT(admitted, kRandomModules / 50);
}

}  // namespace
}  // namespace pteproof::proofs
