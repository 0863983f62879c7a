// The graphs of the catalogue's mistakes, and the other Modules of the corpus: planned, none of the
// mistakes is made, and calls give what the Modules mean.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "properties/differential/case_run.h"
#include "reference/graph/functionalize.h"
#include "reference/graph/parse.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

std::vector<std::string> ModuleNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(PTEPROOF_CORPUS_DIR "/modules")) {
    if (entry.path().extension() == ".module") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

graph::Module Load(const std::string& name) {
  return graph::Parse(ReadText(PTEPROOF_CORPUS_DIR "/modules/" + name + ".module")).value();
}

// Every method after every other, with different inputs.
generators::RandomCase CaseOf(const std::string& name) {
  generators::RandomCase c;
  c.module = Load(name);
  const auto methods = static_cast<uint8_t>(c.module.methods.size());
  for (uint8_t first = 0; first < methods; ++first) {
    for (uint8_t second = 0; second < methods; ++second) {
      for (const uint8_t method : {first, second}) {
        const auto seed = static_cast<uint16_t>(c.calls.size() + 1);
        c.calls.push_back(generators::BuildCall(c.module, {method, first, seed}));
      }
    }
  }
  return c;
}

class CorpusModulesTest : public testing::TestWithParam<std::string> {};

TEST_P(CorpusModulesTest, ArePlannedSafely) {
  const generators::RandomCase c = CaseOf(GetParam());
  const bool mutates_an_input =
      std::ranges::any_of(graph::Functionalize(c.module).value().methods,
                          [](const graph::Method& m) { return !m.input_stores.empty(); });
  for (const Policy policy : {Policy::kShare12, Policy::kShareAll}) {
    planner::PlanOptions options;
    options.policy = policy;
    for (const bool planned : {true, false}) {
      options.plan_inputs = options.plan_outputs = planned;
      const CaseVerdict verdict = RunCase(c, options);
      EXPECT_EQ(verdict.fault.explanation, "");
      // The Python Runtime replaces an unplanned input that is an output too.
      const bool loses_input = !planned && policy == Policy::kShareAll && mutates_an_input;
      EXPECT_EQ(verdict.refused, loses_input);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusModulesTest, testing::ValuesIn(ModuleNames()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace pteproof
