// Each pass on a Module of its own: the program without it, and with it.
#include "planner/passes/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "properties/oracles/diff_program.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/plan_text.h"
#include "tests/support/report_queries.h"

namespace pteproof::planner {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// What a method calls, and the bytes of its bank.
struct Seen {
  std::vector<std::string> calls;
  int64_t bytes = 0;
};

// With no other pass than `chosen`, or with none.
Seen Passed(const std::string& text, bool PassSwitches::* chosen, bool on) {
  PlanOptions options;
  options.passes = {false, false, false, false, false, false, false};
  options.passes.*chosen = on;
  const Planned planned = PlanOf(text, options);
  const Method& method = planned.program.methods[0];
  Seen seen;
  seen.bytes = planned.report[0].peak;
  for (const Instruction& instruction : method.instructions) {
    seen.calls.push_back(method.operators[static_cast<size_t>(instruction.target)].name);
  }
  return seen;
}

TEST(PassesTest, DropDeadLeavesOutWhatNobodyWants) {
  const std::string text = R"(
method f(%x: float32[64]) {
  %0: float32[64] = aten::neg.out(%x)
  %1: float32[64] = aten::exp.out(%0)
  return %0
}
)";
  const Seen before = Passed(text, &PassSwitches::drop_dead, false);
  EXPECT_THAT(before.calls, ElementsAre("aten::neg.out", "aten::exp.out"));
  EXPECT_EQ(before.bytes, 2 * 256);
  const Seen after = Passed(text, &PassSwitches::drop_dead, true);
  EXPECT_THAT(after.calls, ElementsAre("aten::neg.out"));
}

// The buffer holds what `x` is from the first instruction on, so `x` need not live to the end.
TEST(PassesTest, EarlyStoresComeBeforeWhatTheyDoNotTouch) {
  const std::string text = R"(
buffer @a: float32[64]
method f(%x: float32[64]) {
  %0: float32[64] = aten::exp.out(%x)
  %1: float32[64] = aten::tanh.out(%0)
  %2: float32[64] = aten::neg.out(%1)
  return %2
  store @a = %x
}
)";
  const Seen before = Passed(text, &PassSwitches::early_stores, false);
  EXPECT_THAT(before.calls,
              ElementsAre("aten::exp.out", "aten::tanh.out", "aten::neg.out", "aten::copy_"));
  EXPECT_EQ(before.bytes, 3 * 256);
  const Seen after = Passed(text, &PassSwitches::early_stores, true);
  EXPECT_THAT(after.calls,
              ElementsAre("aten::copy_", "aten::exp.out", "aten::tanh.out", "aten::neg.out"));
  EXPECT_EQ(after.bytes, 2 * 256);
}

TEST(PassesTest, ElideViewsNamesBytesAnew) {
  const std::string text = R"(
method f(%x: float32[64]) {
  %0: float32[64] = aten::exp.out(%x)
  %1: float32[8, 8] = aten::view_copy.out(%0, [8, 8])
  %2: float32[8] = aten::sum.IntList_out(%1, [1], false, None)
  return %2
}
)";
  const Seen before = Passed(text, &PassSwitches::elide_views, false);
  EXPECT_THAT(before.calls,
              ElementsAre("aten::exp.out", "aten::view_copy.out", "aten::sum.IntList_out"));
  const Seen after = Passed(text, &PassSwitches::elide_views, true);
  EXPECT_THAT(after.calls, ElementsAre("aten::exp.out", "aten::sum.IntList_out"));
}

// The view shows what the state held; it is read after the state is written.
TEST(PassesTest, ElideViewsKeepsAViewWithAWriteInBetween) {
  const std::string text = R"(
buffer @a: float32[64]
method f(%x: float32[64]) {
  %a = entry @a
  %0: float32[8, 8] = aten::view_copy.out(%a, [8, 8])
  return %0
  store @a = %x
}
)";
  PlanOptions all;
  const Planned planned = PlanOf(text, all);
  const Method& method = planned.program.methods[0];
  ASSERT_EQ(method.instructions.size(), 2U);
  EXPECT_EQ(method.operators[static_cast<size_t>(method.instructions[0].target)].name,
            "aten::view_copy.out");
}

TEST(PassesTest, ElideCopiesMakesStateWhereItGoes) {
  const std::string text = R"(
buffer @a: float32[64]
method f(%x: float32[64]) {
  %0: float32[64] = aten::exp.out(%x)
  return
  store @a = %0
}
)";
  const Seen before = Passed(text, &PassSwitches::elide_copies, false);
  EXPECT_THAT(before.calls, ElementsAre("aten::exp.out", "aten::copy_"));
  EXPECT_EQ(before.bytes, 2 * 256);
  const Seen after = Passed(text, &PassSwitches::elide_copies, true);
  EXPECT_THAT(after.calls, ElementsAre("aten::exp.out"));
  EXPECT_EQ(after.bytes, 256);
}

TEST(PassesTest, InPlaceTakesAnOperandThatDies) {
  const std::string text = R"(
method f(%x: float32[64]) {
  %0: float32[64] = aten::exp.out(%x)
  %1: float32[64] = aten::neg.out(%0)
  return %1
}
)";
  EXPECT_EQ(Passed(text, &PassSwitches::in_place, false).bytes, 2 * 256);
  EXPECT_EQ(Passed(text, &PassSwitches::in_place, true).bytes, 256);
}

// A loop carries a view of the input and updates it in place.
TEST(PassesTest, InPlaceUpdatesAViewThatALoopCarries) {
  const std::string used_before = R"(
method m0(%x0: float32[4]) {
  %0: float32[1, 4] = aten::view_copy.out(%x0, [1, 4])
  %1: float32[1, 4] = aten::neg.out(%0)
  %2: float32[1, 4], %3: float32[1, 4] = scan carried 1 mapped 1 (%0, %1) {
    (%4: float32[1, 4], %5: float32[4]) {
      %6: bool[] = aten::any.all_out(%5)
      %7: float32[4], %8: float32[1, 4] = cond(%6, %5, %4) {
        (%9: float32[4], %10: float32[1, 4]) {
          return %9, %10
        }
        (%11: float32[4], %12: float32[1, 4]) {
          return %11, %12
        }
      }
      return %8, %7
    }
  }
  %13: int64[] = aten::full.out([], 0)
  %14: int64[], %15: float32[1, 4] = while carried 2 (%13, %2) {
    (%16: int64[], %17: float32[1, 4]) {
      %18: bool[] = aten::lt.Scalar_out(%16, 0)
      return %18
    }
    (%19: int64[], %20: float32[1, 4]) {
      %21: float32[1, 4] = aten::neg.out(%20)
      %22: int64[] = aten::add.Scalar_out(%19, 1, 1)
      return %22, %21
    }
  }
  return
}
)";
  const std::string used_inside_alone = R"(
method m0(%x0: float32[4]) {
  %0: float32[1, 4] = aten::view_copy.out(%x0, [1, 4])
  %1: float32[4] = aten::neg.out(%x0)
  %2: float32[1, 4], %3: float32[4] = scan carried 1 mapped 1 (%0, %1) {
    (%4: float32[1, 4], %5: float32[]) {
      %6: bool[] = aten::any.all_out(%5)
      %7: float32[], %8: float32[1, 4] = cond(%6, %5, %4) {
        (%9: float32[], %10: float32[1, 4]) {
          return %9, %10
        }
        (%11: float32[], %12: float32[1, 4]) {
          return %11, %12
        }
      }
      return %8, %7
    }
  }
  %13: int64[] = aten::full.out([], 0)
  %14: int64[], %15: float32[1, 4] = while carried 2 (%13, %2) {
    (%16: int64[], %17: float32[1, 4]) {
      %18: bool[] = aten::lt.Scalar_out(%16, 0)
      return %18
    }
    (%19: int64[], %20: float32[1, 4]) {
      %21: float32[1, 4] = aten::neg.out(%20)
      %22: int64[] = aten::add.Scalar_out(%19, 1, 1)
      return %22, %21
    }
  }
  return
}
)";
  PlanOptions options;
  options.algorithm = placement::Algorithm::kExact;
  for (const std::string& text : {used_before, used_inside_alone}) {
    EXPECT_EQ(VerdictRow(Check(PlanOf(text, options).program)), "safe safe safe");
  }
}

// A call that nobody here can look into passes its operand through if the graph says so.
TEST(PassesTest, InPlaceFollowsTheWishOfAnUnknownOperator) {
  const std::string text = R"(
method f(%a: float32[8], %b: float32[8], %c: float32[8]) {
  %0: float32[24] = aten::empty.out([24], None)
  %1: float32[24] = my::put(%0, %a, 0) in_place(0)
  %2: float32[24] = my::put.out(%1, %b, 8) in_place(0)
  %3: float32[24] = my::put(%2, %c, 16) in_place(0)
  return %3
}
)";
  EXPECT_EQ(Passed(text, &PassSwitches::in_place, false).bytes, 3 * 32 + 2 * 96);
  EXPECT_EQ(Passed(text, &PassSwitches::in_place, true).bytes, 3 * 32 + 96);
  const Planned planned = PlanOf(text, {});
  EXPECT_THAT(planned.warnings, testing::IsEmpty());
  EXPECT_EQ(VerdictRow(Check(planned.program)), "safe safe safe");
  // Operand, result and return slot are one value of the file.
  const Method& method = planned.program.methods[0];
  for (size_t i = 1; i < method.instructions.size(); ++i) {
    const auto args = method.Ints(method.instructions[i].args);
    EXPECT_EQ(args.front(), method.outputs[0]);
    EXPECT_EQ(args.back(), method.outputs[0]);
  }
}

TEST(PassesTest, InPlaceUpdatesABufferByAnUnknownOperator) {
  const std::string text = R"(
buffer @cache: float32[64, 4]
method step(%k: float32[1, 4], %at: int64[1]) {
  %0 = entry @cache
  %1: float32[64, 4] = my::update_cache.out(%0, %k, %at) in_place(0)
  %2: float32[4] = aten::sum.IntList_out(%1, [0], false, None)
  return %2
  store @cache = %1
}
)";
  const Planned planned = PlanOf(text, {});
  EXPECT_EQ(planned.program.methods[0].instructions.size(), 2U);
  EXPECT_EQ(planned.program.methods[0].bank_sizes.back(), 64U * 16U);
  EXPECT_EQ(VerdictRow(Check(planned.program)), "safe safe safe");
}

// The old contents are read once more: no wish may be followed, and the plan says so.
TEST(PassesTest, InPlaceTellsOfAWishThatItCannotFollow) {
  const std::string text = R"(
method f(%a: float32[8]) {
  %0: float32[8] = aten::neg.out(%a)
  %1: float32[8] = my::put(%0, %a) in_place(0)
  %2: float32[8] = aten::exp.out(%0)
  return %1, %2
}
)";
  const Planned planned = PlanOf(text, {});
  ASSERT_EQ(planned.warnings.size(), 1U);
  EXPECT_EQ(planned.warnings[0],
            "method 'f': %1 = my::put is not made in the bytes of %0: the operand's bytes are "
            "needed longer, or shared with something else");
}

TEST(PassesTest, ElideConcatsMakesPartsInTheWhole) {
  const std::string text = R"(
method f(%x: float32[1, 64]) {
  %0: float32[1, 64] = aten::exp.out(%x)
  %1: float32[1, 64] = aten::neg.out(%x)
  %2: float32[2, 64] = aten::cat.out([%0, %1], 0)
  %3: float32[64] = aten::sum.IntList_out(%2, [0], false, None)
  return %3
}
)";
  const Seen before = Passed(text, &PassSwitches::elide_concats, false);
  EXPECT_THAT(before.calls, ElementsAre("aten::exp.out", "aten::neg.out", "aten::cat.out",
                                        "aten::sum.IntList_out"));
  EXPECT_EQ(before.bytes, 4 * 256);
  const Seen after = Passed(text, &PassSwitches::elide_concats, true);
  EXPECT_THAT(after.calls, ElementsAre("aten::exp.out", "aten::neg.out", "aten::sum.IntList_out"));
  EXPECT_EQ(after.bytes, 3 * 256);
}

TEST(PassesTest, ElideSlicesLeavesPartsInTheirOperand) {
  const std::string text = R"(
method f(%x: float32[6, 64]) {
  %0: float32[6, 64] = aten::exp.out(%x)
  %1: float32[2, 64] = aten::slice_copy.Tensor_out(%0, 0, 1, 3, 1)
  %2: float32[64] = aten::select_copy.int_out(%0, 0, -1)
  %3: float32[6, 32] = aten::slice_copy.Tensor_out(%0, 1, 0, 32, 1)
  %4: float32[2, 64] = aten::mul.out(%1, %2)
  return %4, %3
}
)";
  const Seen before = Passed(text, &PassSwitches::elide_slices, false);
  EXPECT_THAT(before.calls, SizeIs(5));
  const Seen after = Passed(text, &PassSwitches::elide_slices, true);
  EXPECT_THAT(after.calls,
              ElementsAre("aten::exp.out", "aten::slice_copy.Tensor_out", "aten::mul.out"));
}

// The negation may lie over its operand only if no slice of the operand is wanted later.
TEST(PassesTest, ElideSlicesKeepsASliceOfAnOldValue) {
  const std::string text = R"(
method f(%x: float32[6, 64]) {
  %0: float32[6, 64] = aten::exp.out(%x)
  %1: float32[2, 64] = aten::slice_copy.Tensor_out(%0, 0, 1, 3, 1)
  %2: float32[6, 64] = aten::neg.out(%0)
  %3: float32[2, 64] = aten::slice_copy.Tensor_out(%2, 0, 1, 3, 1)
  %4: float32[2, 64] = aten::mul.out(%1, %3)
  return %4
}
)";
  PlanOptions options;
  options.passes.elide_slices = true;
  const Planned planned = PlanOf(text, options);
  const Method& method = planned.program.methods[0];
  const auto slices = std::ranges::count_if(method.instructions, [&](const Instruction& at) {
    return method.operators[static_cast<size_t>(at.target)].name == "aten::slice_copy.Tensor_out";
  });
  EXPECT_LE(slices, 1);
  EXPECT_EQ(VerdictRow(Check(planned.program)), "safe safe safe");
}

// The file says of rows that a loop collects that only a run knows their number, and an update in
// place returns the same value of the file.
TEST(PassesTest, ElideConcatsKeepsAPartThatWasStackedByRows) {
  const std::string text = R"(
method f(%x: float32[4]) {
  %0: float32[4] = map mapped 1 (%x, %x) {
    (%1: float32[], %2: float32[4]) {
      return %1
    }
  }
  %3: float32[4] = aten::neg.out(%0)
  %4: int64[1] = aten::full.out([1], 0)
  %5: float32[1] = aten::slice_copy.Tensor_out(%3, 0, 0, 1, 1)
  %6: float32[4] = aten::index_put_(%0, [%4], %5, false)
  %7: float32[8] = aten::cat.out([%3, %6], 0)
  return %7
}
)";
  using placement::Algorithm;
  for (const auto algorithm : {Algorithm::kNaive, Algorithm::kFirstFit, Algorithm::kBest}) {
    PlanOptions options;
    options.algorithm = algorithm;
    EXPECT_EQ(VerdictRow(Check(PlanOf(text, options).program)), "safe safe safe");
  }
}

TEST(PassesTest, ElideSlicesKeepsASliceOfRowsThatWereUpdatedInPlace) {
  const std::string text = R"(
method f(%x: float32[4]) {
  %0: float32[4] = map mapped 1 (%x, %x) {
    (%1: float32[], %2: float32[4]) {
      return %1
    }
  }
  %3: int64[1] = aten::full.out([1], 0)
  %4: float32[1] = aten::full.out([1], 2.5)
  %5: float32[4] = aten::index_put_(%0, [%3], %4, false)
  %6: float32[2] = aten::slice_copy.Tensor_out(%5, 0, 1, 3, 1)
  %7: float32[2] = aten::neg.out(%6)
  return %7, %5
}
)";
  PlanOptions options;
  options.passes.elide_slices = true;
  EXPECT_EQ(VerdictRow(Check(PlanOf(text, options).program)), "safe safe safe");
}

// The stored value has another name by then, with other sizes than those that were sliced.
TEST(PassesTest, ElideSlicesOfAValueThatHasAYoungerName) {
  const std::string text = R"(
method m0(%x0: float32[4]) {
  %0: float32[1, 4] = view aten::unsqueeze_copy.out(%x0, 0)
  %1: float32[1, 4] = aten::add_.Tensor(%0, %0, 1)
  %2: float32[1] = aten::select_copy.int_out(%1, 1, 0)
  %3: float32[1] = aten::neg.out(%2)
  return %3
}
)";
  PlanOptions options;
  options.passes.elide_slices = true;
  options.plan_inputs = false;
  options.plan_outputs = false;
  options.policy = Policy::kPrivate;
  const Report report = Check(PlanOf(text, options).program);
  EXPECT_EQ(report.verdicts[static_cast<size_t>(Policy::kPrivate)], Verdict::kSafe);
}

// The updated value is the input's, and a value in the same place is younger: the view of it takes
// an instruction.
TEST(PassesTest, ElideViewsNamesAViewOfAValueThatIsUpdatedAndStored) {
  const std::string text = R"(
method m0(%x0: float32[4]) {
  %0: float32[4] = aten::add_.Tensor(%x0, %x0, 1)
  %1: float32[4] = aten::add_.Tensor(%0, %0, 1)
  %2: float32[1, 4] = aten::view_copy.out(%1, [1, 4])
  %3: float32[1, 4] = aten::neg.out(%2)
  %4: int64[1] = aten::full.out([1], 0)
  %5: float32[1] = aten::slice_copy.Tensor_out(%1, 0, 0, 1, 1)
  %6: float32[4] = aten::index_put_(%1, [%4], %5, false)
  %7: float32[1, 4] = aten::add.out(%6, %3, 1)
  return %7
}
)";
  PlanOptions options;
  options.algorithm = placement::Algorithm::kGreedy;
  EXPECT_EQ(VerdictRow(Check(PlanOf(text, options).program)), "safe safe safe");
}

// The value that was sliced has a name with other sizes, and another value was in its place before.
TEST(PassesTest, ElideSlicesOfTheValueThatWasWrittenLast) {
  const std::string text = R"(
method m0(%x0: float32[4]) {
  %0: float32[4] = aten::add_.Tensor(%x0, %x0, 1)
  %1: float32[4] = aten::neg.out(%0)
  %2: float32[4] = aten::add_.Tensor(%0, %1, 1)
  %3: float32[1, 4] = aten::view_copy.out(%2, [1, 4])
  %4: float32[1, 4] = aten::neg.out(%3)
  %5: float32[1] = aten::slice_copy.Tensor_out(%2, 0, 0, 1, 1)
  %6: float32[1, 4] = aten::add.out(%5, %4, 1)
  return %6
}
)";
  PlanOptions options;
  options.algorithm = placement::Algorithm::kGreedy;
  options.passes.elide_slices = true;
  const Program program = PlanOf(text, options).program;
  EXPECT_EQ(VerdictRow(Check(program)), "safe safe safe");
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kSafe);
}

// In the other branch a value is made in the place of the one that is sliced in this branch.
TEST(PassesTest, ElideSlicesOfAValueThatTheOtherBranchReplaces) {
  const std::string text = R"(
method m(%x0: float32[2, 3]) {
  %1: float32[1, 2, 3] = view aten::unsqueeze_copy.out(%x0, 0)
  %2: float32[2, 3] = aten::maximum.out(%x0, %x0)
  %4: bool[] = aten::any.all_out(%1)
  %5: float32[2, 3] = cond(%4, %2) {
    (%7: float32[2, 3]) {
      %9: float32[2, 3] = aten::add.out(%7, %7, 1)
      return %9
    }
    (%10: float32[2, 3]) {
      %12: float32[1, 3] = aten::slice_copy.Tensor_out(%10, 0, 1, 2, 1)
      %13: float32[2, 3] = aten::slice_scatter.out(%10, %12, 0, 1, 2, 1)
      return %13
    }
  }
  return %5, %1
}
)";
  PlanOptions options;
  options.passes.elide_slices = true;
  options.plan_inputs = options.plan_outputs = false;
  const Program program = PlanOf(text, options).program;
  EXPECT_EQ(VerdictRow(Check(program)), "safe safe safe");
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kSafe);
  EXPECT_FALSE(DiffProgram(program, {}).disagreement.has_value());
}

// The loop hands on, as it is, a value that another loop has made row by row: no instruction writes
// all of it, and a reader of the file cannot tell of what a part is a slice.
TEST(PassesTest, ElideSlicesKeepsThoseOfRowsThatALoopHandsOn) {
  const std::string text = R"(
method m0(%x0: float32[4]) {
  %0: float32[4] = map mapped 1 (%x0, %x0) {
    (%1: float32[], %2: float32[4]) {
      %3: float32[4] = aten::neg.out(%2)
      return %1
    }
  }
  %4: float32[4] = aten::neg.out(%0)
  %5: float32[4], %6: float32[4] = scan carried 1 mapped 1 (%0, %4) {
    (%7: float32[4], %8: float32[]) {
      %9: float32[] = aten::neg.out(%8)
      %10: bool[] = aten::any.all_out(%9)
      %11: float32[4] = cond(%10, %7, %9) {
        (%12: float32[4], %13: float32[]) {
          return %12
        }
        (%14: float32[4], %15: float32[]) {
          return %14
        }
      }
      %16: float32[] = aten::neg.out(%9)
      %17: float32[] = aten::neg.out(%16)
      return %11, %17
    }
  }
  %18: float32[1] = aten::slice_copy.Tensor_out(%5, 0, 0, 1, 1)
  return %18
}
)";
  PlanOptions options;
  options.passes.elide_slices = true;
  EXPECT_EQ(VerdictRow(Check(PlanOf(text, options).program)), "safe safe safe");
}

// As above, but what the loop hands on is stored: the store is the only write to all of the buffer.
TEST(PassesTest, ElideCopiesKeepsTheStoreOfRowsThatALoopHandsOn) {
  const std::string text = R"(
buffer @b: float32[4] shared

method put(%x: float32[4], %y: float32[2, 3]) {
  %0: float32[4] = map mapped 1 (%x) {
    (%1: float32[]) {
      return %1
    }
  }
  %2: float32[4], %3: float32[2, 3] = scan carried 1 mapped 1 (%0, %y) {
    (%4: float32[4], %5: float32[3]) {
      %6: bool[] = aten::any.all_out(%5)
      %7: float32[3], %8: float32[4] = cond(%6, %5, %4) {
        (%9: float32[3], %10: float32[4]) {
          return %9, %10
        }
        (%11: float32[3], %12: float32[4]) {
          return %11, %12
        }
      }
      return %8, %7
    }
  }
  return
  store @b = %2
}

method get() {
  %0 = entry @b
  return %0
}
)";
  const Planned planned = PlanOf(text, {});
  const Method& put = planned.program.methods.front();
  const auto stores = std::ranges::count_if(put.instructions, [&](const Instruction& each) {
    return each.kind == InstructionKind::kKernelCall &&
           put.operators[static_cast<size_t>(each.target)].name == "aten::copy_";
  });
  EXPECT_EQ(stores, 1);
}

// A buffer that nobody stores to is a constant, which lies in the file.
TEST(PassesTest, ElideConcatsKeepsAPartThatLivesElsewhere) {
  const std::string text = R"(
buffer @a: float32[1, 64]
method f(%x: float32[1, 64]) {
  %a = entry @a
  %0: float32[1, 64] = aten::exp.out(%x)
  %1: float32[2, 64] = aten::cat.out([%a, %0], 0)
  return %1
}
)";
  const Seen after = Passed(text, &PassSwitches::elide_concats, true);
  EXPECT_THAT(after.calls, ElementsAre("aten::exp.out", "aten::cat.out"));
}

}  // namespace
}  // namespace pteproof::planner
