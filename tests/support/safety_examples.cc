#include "tests/support/safety_examples.h"

#include <set>
#include <span>
#include <string_view>

#include "tests/support/counts.h"
#include "tests/support/safety_rows.h"

namespace pteproof {
namespace {

struct KindOfExamples {
  const char* kind;
  std::span<const safety::ExampleRow> rows;
};

}  // namespace

std::vector<SafetyExample> SafetyExamples() {
  const KindOfExamples kinds[] = {
      {"a view that its base does not hold", safety::ViewExamples()},
      {"a result that is an operand", safety::OverOperandExamples()},
      {"a result over the numbers that steer it", safety::SteeringExamples()},
      {"a list that changes between two calls", safety::SettledExamples()},
      {"memory of an earlier call", safety::DanglingExamples()},
      {"a number out of range", safety::NumberExamples()},
      {"no end", safety::EndlessExamples()}};
  std::vector<SafetyExample> examples;
  for (const auto& [kind, rows] : kinds) {
    for (const safety::ExampleRow& row : rows) {
      SafetyDraft draft;
      row.make(draft);
      examples.push_back({kind, row.name, ProgramOf({draft.builder().Build()})});
    }
  }
  return examples;
}

std::vector<SafetyExample> SafetyExamplesToRun() {
  static const std::set<std::string_view> kUntilTheLimit = {"sorts-in-a-loop",
                                                            "view-of-an-input-written-in-a-loop",
                                                            "rounds-over-nothing-in-a-loop",
                                                            "transform-of-a-large-prime",
                                                            "count-past-the-most",
                                                            "count-away-from-its-end",
                                                            "convolution-of-a-large-image",
                                                            "count-by-nothing"};
  std::vector<SafetyExample> examples = SafetyExamples();
  if (!IsCampaign()) {
    std::erase_if(examples, [](const SafetyExample& e) { return kUntilTheLimit.contains(e.name); });
  }
  return examples;
}

std::string SafetyKindsFolder() {
  return PTEPROOF_CORPUS_DIR "/safety/kinds/";
}

}  // namespace pteproof
