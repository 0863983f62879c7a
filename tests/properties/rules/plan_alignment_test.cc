#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Method OneResult(std::vector<int32_t> input_sizes, ScalarType input_type, uint64_t offset,
                 ScalarType type) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, std::move(input_sizes), {}, input_type);
  b.Input(a);
  const int32_t out = b.Planned(1, offset, {4}, {}, type);
  b.Call("aten::abs.out", {a, out, out});
  b.Output(out);
  return b.Build();
}

TEST(PlanAlignment, TellsOfElementsThatStraddleTheirAlignment) {
  const Report report =
      Check(ProgramOf({OneResult({4}, ScalarType::kFloat32, 18, ScalarType::kFloat32)}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error plan-alignment forward v1 bank 1 [18,34)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kPlanAlignment), HasSubstr("its element size, 4 bytes"));
}

TEST(PlanAlignment, OnlyWarnsWhereThePlanIsPackedWithoutGaps) {
  const Report report =
      Check(ProgramOf({OneResult({3}, ScalarType::kUInt8, 3, ScalarType::kFloat32)}));
  EXPECT_THAT(LinesOf(report), ElementsAre("warning plan-alignment forward v1 bank 1 [3,19)"));
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
}

TEST(PlanAlignment, IsProvedOfAPackedPlanOnlyWhereItMayBePacked) {
  const Program program = ProgramOf({OneResult({3}, ScalarType::kUInt8, 3, ScalarType::kFloat32)});
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kSafe);
  EXPECT_EQ(proofs::Prove(program, {.packed = false}).verdicts[0], Verdict::kUnsafe);
}

TEST(PlanAlignment, GoesByTheElementsOwnSize) {
  const Report wide =
      Check(ProgramOf({OneResult({4}, ScalarType::kFloat32, 20, ScalarType::kFloat64)}));
  EXPECT_THAT(TroubleOf(wide), ElementsAre("error plan-alignment forward v1 bank 1 [20,52)"));
  const Report narrow =
      Check(ProgramOf({OneResult({4}, ScalarType::kFloat32, 20, ScalarType::kFloat32)}));
  EXPECT_THAT(TroubleOf(narrow), IsEmpty());
  const Report bytes = Check(ProgramOf({OneResult({4}, ScalarType::kUInt8, 7, ScalarType::kBool)}));
  EXPECT_THAT(TroubleOf(bytes), IsEmpty());
}

}  // namespace
}  // namespace pteproof
