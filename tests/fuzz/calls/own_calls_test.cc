// Calls beside those of operators with a kernel.
#include "fuzz/calls/own_calls.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pteproof/check.h"
#include "pteproof/read.h"
#include "runtime/placed_outs.h"

namespace pteproof::fuzz {
namespace {

TEST(OwnCalls, HaveTheSignaturesThatTheFuzzersBring) {
  const auto& all = OwnCalls();
  EXPECT_EQ(all.size(), 4U);
  EXPECT_EQ(std::ranges::count_if(all, &OpSchema::is_view), 1);
  EXPECT_EQ(std::ranges::count_if(all, &OpSchema::in_place), 2);
  EXPECT_TRUE(std::ranges::none_of(all, IsNoOperation));
}

TEST(OwnCalls, AreBoundToTheProgramsThatHaveThem) {
  for (const OpSchema& op : OwnCalls()) {
    Draft draft;
    DraftValue value;
    value.kind = ValueKind::kTensor;
    value.tensor.bank = 1;
    DraftStep step;
    step.op = &op;
    for (size_t a = 0; a < op.ArgumentCount(); ++a) step.args.push_back(draft.Add(value));
    draft.steps.push_back(std::move(step));
    const WrittenDraft written = WriteDraft(draft);
    auto program = ReadProgram(written.file);
    ASSERT_TRUE(program.ok()) << op.name;
    EXPECT_EQ(program.value().methods[0].operators[0].schema, nullptr);
    EXPECT_TRUE(BindOwnCalls(program.value())) << op.name;
    EXPECT_EQ(program.value().methods[0].operators[0].schema, &op);
  }
}

TEST(OwnCalls, ThatAreNeedlessHaveTheirResultAtItsPlace) {
  for (size_t which = 0; which < kNeedlessCalls; ++which) {
    Draft draft;
    const DraftStep step = AddNeedlessCall(draft, which, 1);
    draft.steps.push_back(step);
    EXPECT_TRUE(IsNoOperation(*step.op));
    const WrittenDraft written = WriteDraft(draft);
    const auto program = ReadProgram(written.file);
    ASSERT_TRUE(program.ok());
    const Method& method = program.value().methods[0];
    const auto args = method.Ints(method.instructions[0].args);
    const auto outs = PlacedOuts(method).LeftBy(*step.op, args);
    ASSERT_EQ(outs.size(), 1U);
    EXPECT_EQ(outs[0].fit, PlacedFit::kFits) << which;
    EXPECT_EQ(Check(program.value()).verdicts[0], Verdict::kSafe) << which;
  }
}

}  // namespace
}  // namespace pteproof::fuzz
