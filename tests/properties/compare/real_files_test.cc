// Every real file computes what it computes, however its values are numbered.
#include <gtest/gtest.h>

#include <filesystem>

#include "properties/compare/computation.h"
#include "tests/support/collection.h"
#include "tests/support/real_file.h"
#include "tests/support/renumber.h"

namespace pteproof::compare {
namespace {

class RealComputation : public testing::TestWithParam<std::filesystem::path> {};

INSTANTIATE_TEST_SUITE_P(Own, RealComputation, testing::Values(OwnRealRoot()), NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, RealComputation,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

std::string Told(const MethodComparison& answer) {
  std::string text = answer.method + ": " + std::string(Name(answer.answer)) + " " + answer.reason;
  if (!answer.difference) return text;
  const Difference& found = *answer.difference;
  return text + found.where + " | " + std::to_string(found.old_side.instruction) + " " +
         found.old_side.term + " | " + std::to_string(found.new_side.instruction) + " " +
         found.new_side.term;
}

TEST_P(RealComputation, EqualsItself) {
  for (const auto& file : ReadAllReal(GetParam())) {
    if (!file->program) continue;
    const ComparedSide side = {&*file->program, nullptr, nullptr};
    for (const MethodComparison& answer : CompareComputation(side, side, {})) {
      EXPECT_EQ(answer.answer, Answer::kSame) << file->name << " " << Told(answer);
    }
  }
}

TEST_P(RealComputation, EqualsItselfRenumbered) {
  for (const auto& file : ReadAllReal(GetParam())) {
    if (!file->program) continue;
    const Program renumbered = Renumbered(*file->program, 1);
    const ComparedSide side = {&*file->program, nullptr, nullptr};
    const ComparedSide other = {&renumbered, nullptr, nullptr};
    for (const MethodComparison& answer : CompareComputation(side, other, {})) {
      EXPECT_EQ(answer.answer, Answer::kSame) << file->name << " " << Told(answer);
    }
  }
}

}  // namespace
}  // namespace pteproof::compare
