// Views, moves and in-place updates of inputs and outputs that are not planned: each piece of the
// caller's memory is like a bank of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/finding_names.h"
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

std::string ProvedVerdict(const Program& program) {
  return std::string(Name(proofs::Prove(program, {}).verdicts.front()));
}

// An input x and an output, unplanned both, and a planned input y.
class CallersMemory : public testing::Test {
 protected:
  CallersMemory() : x_(b_.Unplanned({4})), y_(b_.Planned(1, 0, {4})) {
    b_.Input(x_);
    b_.Input(y_);
  }

  int32_t ViewOf(int32_t value) {
    const int32_t size = b_.Int(4);
    const int32_t view = b_.Unplanned({4});
    b_.Call("executorch_prim::et_view.default", {value, size, view});
    return view;
  }
  // A result that the caller gets.
  int32_t Returned(int32_t a, int32_t b) {
    const int32_t out = b_.Unplanned({4});
    b_.Add(a, b, out);
    b_.Output(out);
    return out;
  }
  [[nodiscard]] Program Made() const { return ProgramOf({b_.Build()}); }

  void ExpectSound() const {
    EXPECT_THAT(TroubleOf(Check(Made())), IsEmpty());
    EXPECT_EQ(ProvedVerdict(Made()), "safe");
  }
  void ExpectTrouble(const std::string& line) const {
    EXPECT_THAT(TroubleOf(Check(Made())), ElementsAre(line));
    EXPECT_EQ(ProvedVerdict(Made()), "unsafe");
  }

  MethodBuilder b_;
  int32_t x_;
  int32_t y_;
};

TEST_F(CallersMemory, OfAnInputIsReadThroughAView) {
  Returned(ViewOf(x_), y_);
  ExpectSound();
}

TEST_F(CallersMemory, OfAnOutputIsReadThroughAView) {
  const int32_t first = Returned(x_, y_);
  Returned(ViewOf(first), y_);
  ExpectSound();
}

// Two pieces: the write of the one leaves the other alone.
TEST_F(CallersMemory, IsWrittenBesideAViewOfAnotherPiece) {
  const int32_t view = ViewOf(x_);
  const int32_t first = Returned(y_, y_);
  const int32_t other = ViewOf(first);
  Returned(view, other);
  ExpectSound();
}

TEST_F(CallersMemory, IsLostIfItIsWrittenUnderAViewThatIsReadLater) {
  const int32_t view = ViewOf(x_);
  b_.Copy(x_, y_);
  Returned(view, y_);
  ExpectTrouble("error alias-lifetime forward#1 v3 v0 v0");
  EXPECT_THAT(ExplanationOf(Check(Made()), rule::kAliasLifetime), HasSubstr("unplanned memory"));
}

TEST_F(CallersMemory, IsLostIfAViewIsWrittenOverTheValueThatIsReadLater) {
  const int32_t view = ViewOf(x_);
  b_.Copy(view, y_);
  Returned(x_, y_);
  ExpectTrouble("error alias-lifetime forward#1 v0 v3");
}

TEST_F(CallersMemory, IsWrittenAfterTheLastReadOfTheView) {
  const int32_t view = ViewOf(x_);
  Returned(view, y_);
  b_.Copy(x_, y_);
  ExpectSound();
}

TEST_F(CallersMemory, IsWrittenBeforeTheViewIsMade) {
  b_.Copy(x_, y_);
  Returned(ViewOf(x_), y_);
  ExpectSound();
}

TEST_F(CallersMemory, IsLostThroughAChainOfViews) {
  const int32_t view = ViewOf(ViewOf(x_));
  b_.Copy(x_, y_);
  Returned(view, y_);
  EXPECT_EQ(VerdictRow(Check(Made())), "unsafe unsafe unsafe");
  EXPECT_EQ(ProvedVerdict(Made()), "unsafe");
}

// Under its new name the output's memory is read element by element while it is written anew.
TEST_F(CallersMemory, IsReadAndWrittenByOneInstruction) {
  const int32_t out = Returned(y_, y_);
  b_.Move(out, x_);
  b_.Add(x_, x_, out);
  ExpectSound();
}

TEST_F(CallersMemory, IsLostIfAnInstructionReadsWhatItHasOverwritten) {
  const int32_t out = Returned(y_, y_);
  b_.Move(out, x_);
  b_.Flip(x_, out);
  ExpectTrouble("error in-place-alias forward#2 v0 v2");
}

// On the path that skips the view, the output holds the caller's bytes; no write comes after it.
TEST_F(CallersMemory, IsMovedOnOnePathAndReadOnBoth) {
  const int32_t flag = b_.Planned(1, 64, {}, {}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t moved = b_.Unplanned({4});
  b_.Move(x_, moved);
  const int32_t jump = b_.JumpFalse(flag, 0);
  b_.Move(y_, moved);
  b_.SetTarget(jump, b_.Next());
  Returned(moved, y_);
  ExpectSound();
}

// The second time round, the write destroys what the move has named.
TEST_F(CallersMemory, IsLostInALoopThatWritesItAfterTheMove) {
  const int32_t flag = b_.Planned(1, 64, {}, {}, ScalarType::kBool);
  b_.Input(flag);
  const int32_t moved = b_.Unplanned({4});
  b_.Move(x_, moved);
  b_.Copy(x_, y_);
  const int32_t out = b_.Unplanned({4});
  b_.Add(moved, y_, out);
  b_.JumpFalse(flag, 1);
  b_.Output(out);
  EXPECT_EQ(VerdictRow(Check(Made())), "unsafe unsafe unsafe");
  EXPECT_EQ(ProvedVerdict(Made()), "unsafe");
}

}  // namespace
}  // namespace pteproof
