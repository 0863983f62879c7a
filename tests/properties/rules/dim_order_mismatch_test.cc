// Verdicts from the dim orders of a call's tensors, with values that were worked out by hand: what
// ExecuTorch's kernels do is tests/executorch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

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

const std::vector<int32_t> kPlain = {0, 1, 2, 3};
const std::vector<int32_t> kLast = {0, 2, 3, 1};

// Images of float32[2, 3, 4, 5], 480 bytes each.
class DimOrderMismatch : public testing::Test {
 protected:
  int32_t Image(const std::vector<int32_t>& order) {
    const int32_t v = b_.Planned(1, 480 * images_++, {2, 3, 4, 5});
    Order(v, order);
    return v;
  }
  int32_t ImageIn(const std::vector<int32_t>& order) {
    const int32_t v = Image(order);
    b_.Input(v);
    return v;
  }
  void Order(int32_t v, const std::vector<int32_t>& order) {
    auto& ints = b_.method().ints;
    b_.TensorAt(v).dim_order = {static_cast<uint32_t>(ints.size()),
                                static_cast<uint32_t>(order.size())};
    ints.insert(ints.end(), order.begin(), order.end());
  }
  [[nodiscard]] Program Made() const { return ProgramOf({b_.Build()}); }

  [[nodiscard]] std::vector<std::string> Lines() const {
    return LinesOf(Check(Made()), rule::kDimOrderMismatch);
  }
  [[nodiscard]] std::string Proved() const {
    return std::string(Name(proofs::Prove(Made(), {}).verdicts.front()));
  }

  MethodBuilder b_;
  uint64_t images_ = 0;
};

TEST_F(DimOrderMismatch, TellsOfASumOfUnlikeImages) {
  const int32_t x = ImageIn(kPlain);
  const int32_t y = ImageIn(kLast);
  const int32_t sum = Image(kLast);
  b_.Add(x, y, sum);
  b_.Output(sum);
  EXPECT_THAT(Lines(), ElementsAre("error dim-order-mismatch forward#0 v1 v0 bank 1 [480,960)"));
  EXPECT_EQ(VerdictRow(Check(Made())), "unsafe unsafe unsafe");
  EXPECT_EQ(Proved(), "unsafe");
  EXPECT_EQ(
      ExplanationOf(Check(Made()), rule::kDimOrderMismatch),
      "Instruction 0 (aten::add.out) gets v1 bank 1 [480,960) with the dim order [0, 2, 3, 1] "
      "beside v0 bank 1 [0,480) with the dim order [0, 1, 2, 3].\n"
      "ExecuTorch's kernel takes these tensors only if all are in the default order, or all "
      "are channels-last.\n"
      "The call ends with an error at run time.");
}

TEST_F(DimOrderMismatch, TellsOfAVectorBesideChannelsLastImages) {
  const int32_t x = ImageIn(kLast);
  const int32_t y = b_.Planned(2, 0, {5});
  b_.Input(y);
  const int32_t sum = Image(kLast);
  b_.Add(x, y, sum);
  b_.Output(sum);
  EXPECT_THAT(Lines(), ElementsAre(HasSubstr("error dim-order-mismatch forward#0 v0 v1")));
  EXPECT_EQ(Proved(), "unsafe");
}

TEST_F(DimOrderMismatch, IsSilentIfAllAreChannelsLast) {
  const int32_t x = ImageIn(kLast);
  const int32_t sum = Image(kLast);
  b_.Add(x, x, sum);
  b_.Output(sum);
  EXPECT_THAT(Lines(), IsEmpty());
  EXPECT_EQ(Proved(), "safe");
}

TEST_F(DimOrderMismatch, TellsOfATransposedMatrix) {
  const int32_t x = b_.Planned(1, 0, {2, 3});
  const int32_t sum = b_.Planned(1, 32, {2, 3});
  Order(x, {1, 0});
  Order(sum, {1, 0});
  b_.Input(x);
  b_.Add(x, x, sum);
  b_.Output(sum);
  EXPECT_THAT(Lines(), ElementsAre("error dim-order-mismatch forward#0 v0 bank 1 [0,24)"));
  EXPECT_EQ(Proved(), "unsafe");
}

// Its operand must be in the default order, and that of the result.
TEST_F(DimOrderMismatch, TellsOfAPoolOfAChannelsLastImage) {
  const int32_t x = ImageIn(kLast);
  const int32_t out = Image(kLast);
  const int32_t none = b_.Bool(false);
  b_.Call("aten::avg_pool2d.out", {x, none, none, none, none, none, none, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre("error dim-order-mismatch forward#0 v0 bank 1 [0,480)"));
  EXPECT_THAT(ExplanationOf(Check(Made()), rule::kDimOrderMismatch),
              HasSubstr("only in the default order"));
  EXPECT_EQ(Proved(), "unsafe");
}

TEST_F(DimOrderMismatch, IsSilentAboutTheWeightsOfAConvolution) {
  const int32_t x = ImageIn(kLast);
  const int32_t weight = ImageIn(kPlain);
  const int32_t out = Image(kLast);
  const int32_t none = b_.Bool(false);
  b_.Call("aten::convolution.out", {x, weight, none, none, none, none, none, none, none, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), IsEmpty());
}

TEST_F(DimOrderMismatch, TellsOfAnImageInAList) {
  const int32_t x = ImageIn(kPlain);
  const int32_t y = ImageIn(kLast);
  const int32_t list = b_.TensorList({x, y});
  const int32_t out = b_.Planned(1, 960, {4, 3, 4, 5});
  b_.Call("aten::cat.out", {list, b_.Int(0), out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre(HasSubstr("error dim-order-mismatch forward#0 v1 v0")));
  EXPECT_EQ(Proved(), "unsafe");
}

// Its kernel takes each order of the two, and no other.
TEST_F(DimOrderMismatch, TellsOfAnOrderThatIsNeitherOfTheTwo) {
  const int32_t x = ImageIn({0, 3, 1, 2});
  const int32_t out = Image(kPlain);
  b_.Call("aten::_log_softmax.out", {x, b_.Int(1), b_.Bool(false), out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre("error dim-order-mismatch forward#0 v0 bank 1 [0,480)"));
  EXPECT_THAT(ExplanationOf(Check(Made()), rule::kDimOrderMismatch),
              HasSubstr("only in the default order or channels-last"));
  EXPECT_EQ(Proved(), "unsafe");
}

// Its kernel copies the bytes as they lie.
TEST_F(DimOrderMismatch, WarnsOfADimensionPutBeforeAChannelsLastImage) {
  const int32_t x = ImageIn(kLast);
  const int32_t out = b_.Planned(1, 480, {1, 2, 3, 4, 5});
  b_.Call("aten::unsqueeze_copy.out", {x, b_.Int(0), out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre("warning dim-order-mismatch forward#0 v0 v1 bank 1 [0,480)"));
  EXPECT_EQ(
      ExplanationOf(Check(Made()), rule::kDimOrderMismatch),
      "Instruction 0 (aten::unsqueeze_copy.out) gets v0 bank 1 [0,480) with the dim order "
      "[0, 2, 3, 1] beside v1 bank 1 [480,960) with the dim order [0, 1, 2, 3, 4].\n"
      "ExecuTorch's kernel takes the call, and goes through each tensor as its elements lie in "
      "memory.\n"
      "Elements can end up in wrong places.");
  EXPECT_EQ(VerdictRow(Check(Made())), "safe safe safe");
  EXPECT_EQ(Proved(), "safe");
}

TEST_F(DimOrderMismatch, WarnsOfASliceOfAChannelsLastImage) {
  const int32_t x = ImageIn(kLast);
  const int32_t out = b_.Planned(1, 480, {2, 2, 4, 5});
  Order(out, kLast);
  b_.Call("aten::slice_copy.Tensor_out", {x, b_.Int(1), b_.Int(0), b_.Int(2), b_.Int(1), out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre("warning dim-order-mismatch forward#0 v0 bank 1 [0,480)"));
  EXPECT_THAT(ExplanationOf(Check(Made()), rule::kDimOrderMismatch),
              HasSubstr("as if it were in the default order"));
}

// Whole images.
TEST_F(DimOrderMismatch, IsSilentAboutASliceOfTheOutermostDimension) {
  const int32_t x = ImageIn(kLast);
  const int32_t out = b_.Planned(1, 480, {1, 3, 4, 5});
  Order(out, kLast);
  b_.Call("aten::slice_copy.Tensor_out", {x, b_.Int(0), b_.Int(0), b_.Int(1), b_.Int(1), out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), IsEmpty());
}

// All are channels-last, and one number of each channel is repeated.
TEST_F(DimOrderMismatch, WarnsOfABroadcastOverChannelsLastImages) {
  const int32_t x = ImageIn(kLast);
  const int32_t gate = b_.Planned(2, 0, {2, 3, 1, 1});
  Order(gate, kLast);
  b_.Input(gate);
  const int32_t out = Image(kLast);
  b_.Call("aten::mul.out", {x, gate, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre("warning dim-order-mismatch forward#0 v0 bank 1 [0,480)"));
  EXPECT_THAT(ExplanationOf(Check(Made()), rule::kDimOrderMismatch), HasSubstr("broadcasts"));
  EXPECT_EQ(Proved(), "safe");
}

// One element for each channel: both orders are the same one.
TEST_F(DimOrderMismatch, IsSilentAboutAnOrderThatMovesNoElement) {
  const int32_t x = b_.Planned(1, 0, {2, 3, 1, 1});
  Order(x, kLast);
  b_.Input(x);
  const int32_t out = b_.Planned(1, 32, {2, 3, 1, 1});
  b_.Call("aten::exp.out", {x, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), IsEmpty());
}

TEST_F(DimOrderMismatch, IsSilentIfAllElementsLieInOneOrder) {
  const int32_t x = ImageIn(kLast);
  const int32_t out = Image(kLast);
  b_.Call("aten::exp.out", {x, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), IsEmpty());
}

// Nothing is known of its kernel.
TEST_F(DimOrderMismatch, NotesUnlikeOrdersOfAKernelThatWasNotRecorded) {
  const int32_t x = ImageIn(kLast);
  const int32_t out = Image(kPlain);
  b_.Call("llama::fast_hadamard_transform.out", {x, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre("note dim-order-mismatch forward#0 v0 v1 bank 1 [0,480)"));
  EXPECT_EQ(VerdictRow(Check(Made())), "safe safe safe");
  EXPECT_EQ(Proved(), "safe");
}

// An image of one channel: its elements lie alike in both orders, and the kernel compares the
// words.
TEST_F(DimOrderMismatch, TellsOfAConversionToAnotherOrderThanTheResultHas) {
  const int32_t x = ImageIn(kPlain);
  const int32_t out = Image({0, 2, 1, 3});
  const int32_t asked = b_.IntList({b_.Int(0), b_.Int(2), b_.Int(3), b_.Int(1)});
  b_.Call("dim_order_ops::_to_dim_order_copy.out", {x, b_.Bool(false), asked, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre("error dim-order-mismatch forward#0 v1 bank 1 [480,960)"));
  EXPECT_THAT(ExplanationOf(Check(Made()), rule::kDimOrderMismatch),
              HasSubstr("Its argument asks for the order [0, 2, 3, 1]"));
  EXPECT_EQ(Proved(), "unsafe");
}

TEST_F(DimOrderMismatch, TellsOfAConversionThatTheResultDoesNotShow) {
  const int32_t x = ImageIn(kPlain);
  const int32_t out = Image(kPlain);
  const int32_t asked = b_.IntList({b_.Int(0), b_.Int(2), b_.Int(3), b_.Int(1)});
  b_.Call("dim_order_ops::_clone_dim_order.out", {x, b_.Bool(false), asked, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre(HasSubstr("error dim-order-mismatch forward#0 v1")));
  EXPECT_EQ(Proved(), "unsafe");
}

TEST_F(DimOrderMismatch, IsSilentAboutAConversionToTheOrderOfTheResult) {
  const int32_t x = ImageIn(kPlain);
  const int32_t out = Image(kLast);
  const int32_t asked = b_.IntList({b_.Int(0), b_.Int(2), b_.Int(3), b_.Int(1)});
  b_.Call("dim_order_ops::_to_dim_order_copy.out", {x, b_.Bool(false), asked, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), IsEmpty());
  EXPECT_EQ(Proved(), "safe");
}

// The exporter left out the view: its bytes are those of the image.
TEST_F(DimOrderMismatch, WarnsOfAnElidedViewOfAChannelsLastImage) {
  const int32_t x = ImageIn(kLast);
  const int32_t view = b_.Planned(1, 0, {2, 3, 20});
  const int32_t out = b_.Planned(1, 480, {2, 3, 20});
  b_.Call("aten::relu.out", {view, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), ElementsAre("warning dim-order-mismatch forward v1 v0 bank 1 [0,480)"));
  EXPECT_EQ(
      ExplanationOf(Check(Made()), rule::kDimOrderMismatch),
      "v1 bank 1 [0,480) with the dim order [0, 1, 2] is a view of v0 bank 1 [0,480) with the "
      "dim order [0, 2, 3, 1].\n"
      "A view keeps the bytes, and these orders put elements at other places.\n"
      "Elements can end up in wrong places.");
  (void)x;
}

TEST_F(DimOrderMismatch, IsSilentAboutAViewThatDropsADimensionOfOne) {
  const int32_t x = b_.Planned(1, 0, {1, 3, 4, 5});
  Order(x, kLast);
  b_.Input(x);
  const int32_t view = b_.Planned(1, 0, {3, 4, 5});
  Order(view, {1, 2, 0});
  const int32_t out = b_.Planned(1, 480, {3, 4, 5});
  Order(out, {1, 2, 0});
  b_.Call("aten::exp.out", {view, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), IsEmpty());
}

TEST_F(DimOrderMismatch, IsSilentAboutAConversion) {
  const int32_t x = ImageIn(kPlain);
  const int32_t out = Image(kLast);
  const int32_t none = b_.Bool(false);
  b_.Call("dim_order_ops::_to_dim_order_copy.out", {x, none, none, out, out});
  b_.Output(out);
  EXPECT_THAT(Lines(), IsEmpty());
}

// At run time the value has the order of the moved one.
TEST_F(DimOrderMismatch, IsSilentAboutAValueThatAMoveRenames) {
  const int32_t x = ImageIn(kPlain);
  const int32_t moved = Image(kLast);
  b_.Move(x, moved);
  const int32_t sum = Image(kPlain);
  b_.Add(moved, x, sum);
  b_.Output(sum);
  EXPECT_THAT(Lines(), IsEmpty());
  EXPECT_EQ(Proved(), "safe");
}

TEST_F(DimOrderMismatch, IsSilentAboutACallThatNothingReaches) {
  const int32_t x = ImageIn(kPlain);
  const int32_t y = ImageIn(kLast);
  const int32_t sum = Image(kPlain);
  b_.JumpFalse(b_.Bool(false), 2);
  b_.Add(x, y, sum);
  const int32_t out = Image(kPlain);
  b_.Add(x, x, out);
  b_.Output(out);
  EXPECT_THAT(Lines(), IsEmpty());
}

}  // namespace
}  // namespace pteproof
