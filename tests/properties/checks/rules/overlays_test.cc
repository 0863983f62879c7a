#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pteproof/check.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// "v3 on v0" for each.
std::vector<std::string> OverlaysIn(const MethodBuilder& b) {
  std::vector<std::string> lines;
  for (const IoOverlay& overlay : Check(ProgramOf({b.Build()})).overlays) {
    lines.push_back("v" + std::to_string(overlay.output) + " on v" + std::to_string(overlay.input));
  }
  return lines;
}

// Reads its inputs in their order, and only then makes its outputs: from a planned value alone.
class CheckOverlays : public testing::Test {
 protected:
  int32_t In(std::vector<int32_t> sizes) {
    const int32_t x = b_.Unplanned(std::move(sizes));
    b_.Input(x);
    return x;
  }
  int32_t Read(int32_t x) { return b_.Add(x, x, local_); }
  int32_t ReadIn(std::vector<int32_t> sizes) {
    const int32_t x = In(std::move(sizes));
    Read(x);
    return x;
  }
  int32_t Out(std::vector<int32_t> sizes) {
    const int32_t z = b_.Unplanned(std::move(sizes));
    b_.Add(local_, local_, z);
    b_.Output(z);
    return z;
  }
  static std::string Line(int32_t out, int32_t in) {
    return "v" + std::to_string(out) + " on v" + std::to_string(in);
  }

  MethodBuilder b_;
  int32_t local_ = b_.Planned(1, 0, {8}, "");
};

TEST_F(CheckOverlays, OfferADeadInputsMemoryForAnOutput) {
  const int32_t x = ReadIn({8});
  const int32_t z = Out({8});
  const Report report = Check(ProgramOf({b_.Build()}));
  ASSERT_THAT(report.overlays, SizeIs(1));
  EXPECT_EQ(report.overlays[0].method, "forward");
  EXPECT_EQ(report.overlays[0].output, z);
  EXPECT_EQ(report.overlays[0].input, x);
}

TEST_F(CheckOverlays, OfferNoInputThatIsReadLater) {
  const int32_t x = ReadIn({8});
  Out({8});
  Read(x);
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

// It is read by the instruction that makes the output.
TEST_F(CheckOverlays, OfferNoInputThatDiesInTheOutput) {
  const int32_t x = In({8});
  const int32_t z = b_.Unplanned({8});
  b_.Add(x, x, z);
  b_.Output(z);
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferNoInputThatIsTooSmall) {
  ReadIn({7});
  Out({8});
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferNothingWhereTheInputIsPlanned) {
  const int32_t x = b_.Planned(1, 32, {8});
  b_.Input(x);
  Read(x);
  Out({8});
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferNothingForAPlannedOutput) {
  ReadIn({8});
  b_.Output(local_);
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferNoInputThatIsReturned) {
  b_.Output(ReadIn({8}));
  Out({8});
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferNoInputThatTheMethodStoresTo) {
  b_.Copy(ReadIn({8}), local_);
  Out({8});
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

// Both outputs live to the end.
TEST_F(CheckOverlays, GiveAnInputToOneOutputOnly) {
  const int32_t x = ReadIn({8});
  const int32_t first = Out({8});
  Out({8});
  EXPECT_THAT(OverlaysIn(b_), ElementsAre(Line(first, x)));
}

// The first output takes the smallest input that holds it, whatever the order of the inputs.
TEST_F(CheckOverlays, LeaveTheLargeInputForTheLargeOutput) {
  const int32_t large = ReadIn({16});
  const int32_t small = ReadIn({8});
  const int32_t little = Out({6});
  const int32_t big = Out({12});
  EXPECT_THAT(OverlaysIn(b_), ElementsAre(Line(little, small), Line(big, large)));
}

// The second input dies after the first output is made.
TEST_F(CheckOverlays, LetALaterOutputTakeWhatDiesLater) {
  const int32_t early = ReadIn({16});
  const int32_t late = In({8});
  const int32_t first = Out({8});
  Read(late);
  const int32_t second = Out({8});
  EXPECT_THAT(OverlaysIn(b_), UnorderedElementsAre(Line(first, early), Line(second, late)));
}

TEST_F(CheckOverlays, OfferAnOutputThatIsReturnedTwiceOneInput) {
  ReadIn({8});
  ReadIn({8});
  b_.Output(Out({8}));
  EXPECT_THAT(OverlaysIn(b_), SizeIs(1));
}

// Its memory may be as small as the sizes of one call.
TEST_F(CheckOverlays, OfferNoDynamicInput) {
  b_.TensorAt(ReadIn({64})).dynamism = Dynamism::kBounded;
  Out({8});
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

// An output is never larger than its bound.
TEST_F(CheckOverlays, OfferAStaticInputForADynamicOutput) {
  const int32_t x = ReadIn({8});
  const int32_t z = Out({8});
  b_.TensorAt(z).dynamism = Dynamism::kBounded;
  EXPECT_THAT(OverlaysIn(b_), ElementsAre(Line(z, x)));
}

TEST_F(CheckOverlays, OfferNoInputOfAnotherDevice) {
  b_.TensorAt(ReadIn({8})).device_type = 1;
  Out({8});
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

// The view lies in the input's bytes, and is read after the output is made.
TEST_F(CheckOverlays, OfferNoInputThatIsReadUnderAnotherName) {
  const int32_t x = In({8});
  const int32_t view = b_.Unplanned({2, 4});
  b_.Call("executorch_prim::et_view.default", {x, b_.Int(2), view});
  Out({8});
  Read(view);
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

// The view is the output: it lies where its base lies.
TEST_F(CheckOverlays, OfferNothingForAnOutputThatIsAView) {
  ReadIn({8});
  const int32_t view = b_.Unplanned({2, 4});
  b_.Call("executorch_prim::et_view.default", {local_, b_.Int(2), view});
  b_.Output(view);
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

// The output's own bytes are added to: what the caller put there counts.
TEST_F(CheckOverlays, OfferNothingForAnOutputThatIsReadFirst) {
  ReadIn({8});
  const int32_t z = b_.Unplanned({8});
  b_.Add(z, local_, z);
  b_.Output(z);
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferAnInputThatNobodyReadsToTheVeryFirstResult) {
  const int32_t x = In({8});
  const int32_t z = Out({8});
  EXPECT_THAT(OverlaysIn(b_), ElementsAre(Line(z, x)));
}

TEST_F(CheckOverlays, OfferNoInputThatTheVeryFirstInstructionStoresTo) {
  const int32_t x = In({8});
  b_.Copy(x, local_);
  Read(x);
  Out({8});
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferNothingForAnOutputWithoutBytes) {
  ReadIn({8});
  Out({0});
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferNoInputOfAnotherDeviceOfTheSameType) {
  const int32_t x = ReadIn({8});
  const int32_t z = Out({8});
  for (const int32_t v : {x, z}) b_.TensorAt(v).device_type = 1;
  EXPECT_THAT(OverlaysIn(b_), ElementsAre(Line(z, x)));
  b_.TensorAt(x).device_index = 1;
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

// Neither the order of the inputs counts nor that of the outputs, but when they die and are made.
TEST_F(CheckOverlays, GoByTheTimesAtWhichInputsDieAndOutputsAreMade) {
  const int32_t late = In({8});
  const int32_t early = ReadIn({8});
  const int32_t first = Out({8});
  Read(late);
  const int32_t second = Out({8});
  EXPECT_THAT(OverlaysIn(b_), UnorderedElementsAre(Line(first, early), Line(second, late)));
  b_.method().outputs = {second, first};
  EXPECT_THAT(OverlaysIn(b_), UnorderedElementsAre(Line(first, early), Line(second, late)));
}

TEST_F(CheckOverlays, OfferNothingForAnInputThatIsReturned) {
  ReadIn({8});
  const int32_t y = In({8});
  b_.Copy(y, local_);
  b_.Output(y);
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST_F(CheckOverlays, OfferNothingWhereTheCodeBranches) {
  const int32_t flag = b_.Planned(2, 0, {}, "", ScalarType::kBool);
  b_.Input(flag);
  ReadIn({8});
  const int32_t jump = b_.JumpFalse(flag, 0);
  Out({8});
  b_.SetTarget(jump, b_.Next());
  EXPECT_THAT(OverlaysIn(b_), IsEmpty());
}

TEST(FirstValueOverlay, IsOfferedToo) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  const int32_t local = b.Planned(1, 0, {8});
  b.Mul(x, x, local);
  const int32_t z = b.Unplanned({8});
  b.Mul(local, local, z);
  b.Output(z);
  EXPECT_THAT(OverlaysIn(b), ElementsAre("v2 on v0"));
}

// The first output is made while the second input is still read, however outputs are numbered.
TEST_F(CheckOverlays, GoByTheTimesAtWhichOutputsAreMadeAlone) {
  for (const bool numbered_late : {false, true}) {
    MethodBuilder b;
    const int32_t local = b.Planned(1, 0, {8});
    const int32_t early = b.Unplanned({8});
    const int32_t late = b.Unplanned({8});
    b.Input(early);
    b.Input(late);
    int32_t first = b.Unplanned({8});
    int32_t second = b.Unplanned({8});
    if (numbered_late) std::swap(first, second);
    b.Mul(early, early, local);
    b.Mul(local, local, first);
    b.Mul(late, late, local);
    b.Mul(local, local, second);
    b.Output(second);
    b.Output(first);
    EXPECT_THAT(OverlaysIn(b), UnorderedElementsAre(Line(first, early), Line(second, late)));
  }
}

}  // namespace
}  // namespace pteproof
