// What must not matter: names, the order of buffers and methods, methods that come and go, and what
// was planned before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "planner/plan.h"
#include "planner/state/module_init.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "pteproof/write.h"
#include "reference/graph/parse.h"
#include "runtime/same_program.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using planner::Plan;
using planner::Planned;
using planner::PlanOptions;

const uint64_t kCases = Cases(100, 1000);

graph::Module ModuleNamed(const std::string& name) {
  return graph::Parse(ReadText(PTEPROOF_CORPUS_DIR "/modules/" + name + ".module")).value();
}

// Calls `test` with Modules that have a plan, and the plan.
template <class Test>
void ForEachPlanned(const Test& test) {
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    const graph::Module module = generators::BuildModule(generators::DrawCase(seed));
    const auto planned = Plan(module);
    if (!planned.ok()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    test(module, planned.value());
    if (testing::Test::HasFailure()) return;
  }
}

// By method and name of a buffer: bank, offset and bytes.
using Places = std::map<std::pair<std::string, std::string>, std::tuple<uint32_t, uint64_t>>;

Places PlacesOf(const Program& program) {
  Places places;
  for (const Method& method : program.methods) {
    for (const Tensor& tensor : method.tensors) {
      if (tensor.name.count == 0 || !tensor.planned) continue;
      places[{method.name, std::string(method.Text(tensor.name))}] = {tensor.bank, tensor.offset};
    }
  }
  return places;
}

std::map<std::string, std::vector<uint64_t>> BanksOf(const Program& program) {
  std::map<std::string, std::vector<uint64_t>> banks;
  for (const Method& method : program.methods) banks[method.name] = method.bank_sizes;
  return banks;
}

void EraseNames(Program& program) {
  for (Method& method : program.methods) {
    method.name = "";
    for (Tensor& tensor : method.tensors) tensor.name = {};
  }
}

TEST(PlanInvarianceTest, NamesChangeNamesOnly) {
  ForEachPlanned([](graph::Module module, const Planned& before) {
    for (graph::Buffer& buffer : module.buffers) buffer.name = "layers.0." + buffer.name;
    for (graph::Method& method : module.methods) {
      method.name = "run_" + method.name;
      for (graph::Input& input : method.inputs) input.name += "_1";
    }
    Planned after = Plan(module).value();
    Program& renamed = after.program;
    Program original = before.program;
    EraseNames(renamed);
    EraseNames(original);
    EXPECT_EQ(ProgramDifference(original, renamed), "");
  });
}

TEST(PlanInvarianceTest, TheOrderOfMethodsMovesNothing) {
  ForEachPlanned([](graph::Module module, const Planned& before) {
    std::ranges::reverse(module.methods);
    Planned after = Plan(module).value();
    Program& reversed = after.program;
    const bool has_init = planner::HasModuleInit(reversed);
    std::reverse(reversed.methods.begin(), reversed.methods.end() - (has_init ? 1 : 0));
    EXPECT_EQ(ProgramDifference(before.program, reversed), "");
  });
}

// Buffers in reverse, and their entries with them.
graph::Module WithBuffersReversed(graph::Module module) {
  const auto last = static_cast<int32_t>(module.buffers.size()) - 1;
  std::ranges::reverse(module.buffers);
  const auto turn = [&](int32_t& buffer) { buffer = last - buffer; };
  const auto turn_nodes = [&](auto&& self, graph::Region& region) -> void {
    for (graph::Node& node : region.nodes) {
      for (graph::DelegateBuffer& each : node.buffers) turn(each.buffer);
      for (graph::Region& inner : node.regions) self(self, inner);
    }
  };
  for (graph::Method& method : module.methods) {
    for (graph::BufferEntry& entry : method.buffers) turn(entry.buffer);
    for (graph::BufferStore& store : method.stores) turn(store.buffer);
    std::ranges::reverse(method.buffers);
    turn_nodes(turn_nodes, method.body);
  }
  return module;
}

TEST(PlanInvarianceTest, TheOrderOfBuffersMovesNoState) {
  ForEachPlanned([](const graph::Module& module, const Planned& before) {
    const Planned reversed = Plan(WithBuffersReversed(module)).value();
    EXPECT_EQ(PlacesOf(reversed.program), PlacesOf(before.program));
  });
}

// A buffer that only the dropped method stored to is a constant of the others now.
TEST(PlanInvarianceTest, MethodsThatGoMoveNoSharedState) {
  ForEachPlanned([](const graph::Module& module, const Planned& before) {
    const Places all = PlacesOf(before.program);
    for (size_t gone = 0; gone < module.methods.size() && module.methods.size() > 1; ++gone) {
      graph::Module fewer = module;
      fewer.methods.erase(fewer.methods.begin() + static_cast<int64_t>(gone));
      for (const auto& [key, place] : PlacesOf(Plan(fewer).value().program)) {
        if (std::get<0>(place) != planner::kSharedBank) continue;
        const auto known = all.find(key);
        if (known == all.end()) continue;
        EXPECT_EQ(known->second, place) << key.first << " " << key.second;
      }
    }
  });
}

TEST(PlanInvarianceTest, WhatWasPlannedBeforeDoesNotMatter) {
  std::optional<graph::Module> other;
  ForEachPlanned([&](const graph::Module& module, const Planned& before) {
    if (other) (void)Plan(*other);
    const Planned again = Plan(module).value();
    EXPECT_EQ(WriteProgram(before.program).value(), WriteProgram(again.program).value());
    other = module;
  });
}

// Catalogue 9 and 10: one pass object for two programs, after a failure and after a success.
TEST(PlanInvarianceTest, ARefusalLeavesNothingBehind) {
  const graph::Module counter = ModuleNamed("counter");
  PlanOptions tight;
  tight.banks = {{{"tiny", 1, 1}, 1}};
  const auto fresh = WriteProgram(Plan(counter).value().program).value();
  EXPECT_FALSE(Plan(ModuleNamed("translator"), tight).ok());
  EXPECT_EQ(WriteProgram(Plan(counter).value().program).value(), fresh);
  EXPECT_TRUE(Plan(ModuleNamed("translator")).ok());
  EXPECT_EQ(WriteProgram(Plan(counter).value().program).value(), fresh);
}

// Catalogue 39 and 75: what one method shares does not depend on who is planned with it, nor on
// which of its buffers it uses first.
TEST(PlanInvarianceTest, FirstUsesOfTwentyBuffersDoNotMatter) {
  graph::Module module = ModuleNamed("translator");
  const Planned before = Plan(module).value();
  ASSERT_EQ(std::ranges::count_if(module.buffers, &graph::Buffer::shared), 20);
  for (graph::Method& method : module.methods) {
    std::ranges::reverse(method.buffers);
    std::ranges::rotate(method.stores, method.stores.begin() + method.stores.size() / 2);
  }
  const Planned after = Plan(module).value();
  EXPECT_EQ(PlacesOf(after.program), PlacesOf(before.program));
  EXPECT_EQ(BanksOf(after.program)["decode"][planner::kSharedBank],
            BanksOf(before.program)["decode"][planner::kSharedBank]);
}

}  // namespace
}  // namespace pteproof
