// Elided views in methods that branch: each is taken in every block that needs it, the ends of the
// method included.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "properties/agreement/judge_all_checkers.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

std::string VerdictOfAll(const MethodBuilder& b) {
  const CheckersVerdict checkers = JudgeAllCheckers(ProgramOf({b.Build()}), {});
  EXPECT_EQ(checkers.disagreement, "");
  return VerdictRow(checkers.check);
}

class ViewsInLoops : public testing::Test {
 protected:
  ViewsInLoops() {
    x_ = b_.Planned(1, 0, {8});
    b_.Input(x_);
    kept_ = b_.Planned(1, 64, {8});
    b_.Mul(x_, x_, kept_);
  }

  // A loop of six rounds, which writes one value in each. It ends the method, so that the block in
  // which the method may end is not the last one of the listing.
  void Loop(uint64_t offset) {
    const int32_t again = b_.Bool(false);
    const int32_t round = b_.Planned(1, 512, {}, {}, ScalarType::kInt64);
    b_.Call("aten::full.out", {b_.IntList({}), b_.Int(0), round, round});
    const int32_t head = b_.Next();
    const int32_t less = b_.Planned(1, 576, {}, {}, ScalarType::kBool);
    b_.Call("aten::lt.Scalar_out", {round, b_.Int(6), less, less});
    const int32_t out = b_.JumpFalse(less, 0);
    const int32_t one = b_.Int(1);
    b_.Call("aten::add.Scalar_out", {round, one, one, round, round});
    b_.Mul(x_, x_, b_.Planned(1, offset, {8}));
    b_.JumpFalse(again, head);
    b_.SetTarget(out, b_.Next());
  }

  MethodBuilder b_;
  int32_t x_ = 0;
  int32_t kept_ = 0;
};

TEST_F(ViewsInLoops, AreOutputsOfAMethodThatEndsInALoop) {
  b_.Output(b_.Planned(1, 64, {2, 4}));
  Loop(128);
  EXPECT_EQ(VerdictOfAll(b_), "safe safe safe");
}

TEST_F(ViewsInLoops, AreLostIfTheLoopOverwritesThem) {
  b_.Output(b_.Planned(1, 64, {2, 4}));
  Loop(64);
  EXPECT_EQ(VerdictOfAll(b_), "unsafe unsafe unsafe");
}

// The first view is wanted at the end only; the second one, of its bytes, at once.
TEST_F(ViewsInLoops, OfViewsAreTakenWithTheViewsThatTheyAreOf) {
  const int32_t first = b_.Planned(1, 64, {2, 4});
  const int32_t second = b_.Planned(1, 64, {4, 2});
  b_.Mul(second, second, b_.Planned(1, 128, {4, 2}));
  b_.Output(first);
  Loop(192);
  EXPECT_EQ(VerdictOfAll(b_), "safe safe safe");
}

}  // namespace
}  // namespace pteproof
