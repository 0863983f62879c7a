// Calls that a hostile file can make: each ends soon, with results that have the bytes of their
// sizes, with a reason, or at a limit. That the operators compute right is said elsewhere.
#include <gmock/gmock.h>

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "base/work.h"
#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kHuge = std::numeric_limits<int32_t>::max();
using Longs = std::vector<int64_t>;

struct HostileCall {
  const char* name;
  std::vector<Operand> operands;
};

// A float32 tensor without elements, whose other sizes are as large as sizes get.
TensorValue Nothing(Sizes sizes) {
  return Zeros(ScalarType::kFloat32, std::move(sizes));
}

// How the call ends: "made", the reason why it is not, or the limit that it ran into.
std::string EndOf(const HostileCall& call, int64_t elements, int64_t bytes) {
  Work work(std::make_shared<MemoryCount>(bytes), elements);
  const DrawsOn limits(&work);
  try {
    const auto made = CallOp(call.name, call.operands);
    if (!made.ok()) {
      // A row of these tests that is not a call at all.
      EXPECT_THAT(made.error().explanation, testing::Not(HasSubstr("signature")));
      EXPECT_THAT(made.error().explanation, testing::Not(HasSubstr("is missing")));
      EXPECT_FALSE(made.error().unknown) << call.name;
      return made.error().explanation;
    }
    for (const TensorValue& result : made.value().results) {
      EXPECT_EQ(static_cast<int64_t>(result.bytes.size()),
                ElementCount(result) * ElementSize(result.dtype))
          << call.name;
    }
    return "made";
  } catch (const OverLimit& over) {
    return ExplanationOf(over);
  }
}

constexpr int64_t kFewElements = 1 << 16;
constexpr int64_t kFewBytes = 1 << 20;

TEST(HostileCalls, AreRefusedForSizesThatNoResultMayHave) {
  const TensorValue x = Counting({2, 3});
  const HostileCall calls[] = {
      {"aten::zeros.out", {Longs{int64_t{1} << 40}}},
      {"aten::zeros.out", {Longs{-2, -3}}},
      {"aten::zeros.out", {Longs{int64_t{1} << 32, int64_t{1} << 32}}},
      {"aten::zeros.out", {Longs{0, kMost}}},
      {"aten::ones.out", {Longs{kMost, kMost, 2}}},
      {"aten::full.out", {Longs{kLeast}, 1.0}},
      {"aten::arange.out", {int64_t{1} << 40}},
      {"aten::arange.start_out", {kLeast, kMost, int64_t{1}}},
      {"aten::repeat.out", {x, Longs{int64_t{1} << 40, 1}}},
      {"aten::repeat.out", {x, Longs{kMost, kMost}}},
      {"aten::expand_copy.out", {Counting({1}), Longs{int64_t{1} << 40}, false}},
      {"aten::expand_copy.out", {Counting({1}), Longs{-5}, false}},
      {"aten::constant_pad_nd.out", {x, Longs{int64_t{1} << 35, 0}, 0.0}},
      {"aten::constant_pad_nd.out", {x, Longs{-3, -1}, 0.0}},
      {"aten::as_strided_copy.out", {x, Longs{kMost}, Longs{1}, kNone}},
      {"aten::narrow_copy.out", {x, 0, 0, int64_t{1} << 40}},
      {"aten::_adaptive_avg_pool2d.out", {Counting({1, 2, 2}), Longs{-1, -1}}},
      {"aten::upsample_nearest2d.vec_out", {Counting({1, 1, 2, 2}), Longs{kHuge, kHuge}, kNone}},
  };
  for (const HostileCall& call : calls) {
    const std::string end = EndOf(call, kMostWork, kMostMemory);
    EXPECT_NE(end, "made") << call.name;
    EXPECT_THAT(end, testing::Not(HasSubstr("limit"))) << call.name;
  }
}

TEST(HostileCalls, AreStoppedForWorkBeforeItBegins) {
  const TensorValue line = Counting({1000});
  const TensorValue square = Counting({200, 200});
  const TensorValue image = Counting({1, 1, 60, 60});
  const HostileCall calls[] = {
      {"aten::_fft_r2c.out", {line, Longs{0}, int64_t{0}, true}},
      {"aten::mm.out", {square, square}},
      {"aten::bmm.out", {Counting({2, 150, 150}), Counting({2, 150, 150})}},
      {"aten::linear.out", {square, square, kNone}},
      {"aten::addmm.out", {square, square, square, 1, 1}},
      {"aten::_cdist_forward.out", {Counting({100, 9}), Counting({100, 9}), 2.0, kNone}},
      {"aten::_pdist_forward.out", {Counting({300, 9}), 2.0}},
      {"aten::convolution.out",
       {image, Counting({9, 1, 40, 40}), kNone, Longs{1}, Longs{20}, Longs{1}, false, Longs{0},
        1}},
      {"aten::avg_pool2d.out",
       {image, Longs{30, 30}, Longs{1, 1}, Longs{0}, false, true, kNone}},
      {"aten::max_pool2d_with_indices.out",
       {image, Longs{30, 30}, Longs{1, 1}, Longs{0}, Longs{1}, false}},
      {"aten::index_fill.int_Scalar_out",
       {Counting({400}), 0, Zeros(ScalarType::kInt64, {100'000}), 1.0}},
      {"aten::sort.values", {Counting({8000}), 0, false}},
      {"aten::zeros.out", {Longs{4}}},  // and one that is made
  };
  for (const HostileCall& call : calls) {
    const bool small = std::string_view(call.name) == "aten::zeros.out";
    EXPECT_THAT(EndOf(call, kFewElements, kMostMemory),
                HasSubstr(small ? "made" : "elements; the limit is 65536"))
        << call.name;
  }
}

TEST(HostileCalls, AreStoppedForMemoryBeforeItIsTaken) {
  const TensorValue flags = Zeros(ScalarType::kBool, {200'000});
  const HostileCall calls[] = {
      {"aten::zeros.out", {Longs{1 << 20}}},
      {"aten::full.out", {Longs{1 << 20}, 1.0}},
      {"aten::arange.out", {int64_t{1} << 20}},
      {"aten::repeat.out", {Counting({4}), Longs{1 << 18}}},
      {"aten::eq.Scalar_out", {flags, int64_t{1}}},
      {"aten::sum.IntList_out", {flags, kNone, false, kNone}},
      {"aten::any.all_out", {flags}},
      {"aten::sort.values", {flags, 0, false}},
      {"aten::nonzero.out", {Zeros(ScalarType::kBool, {1 << 18})}},
      {"aten::constant_pad_nd.out", {Counting({4}), Longs{1 << 19, 0}, 0.0}},
      {"aten::repeat_interleave.Tensor_out", {Tensor<int64_t>({1}, {1 << 20}), kNone}},
  };
  for (const HostileCall& call : calls) {
    EXPECT_THAT(EndOf(call, kMostWork, kFewBytes), HasSubstr("bytes; the limit is 1048576"))
        << call.name;
  }
}

// Sizes whose product is nothing, although most of them are as large as sizes get.
TEST(HostileCalls, DoNotGoRoundOverNothing) {
  const TensorValue planes = Nothing({kHuge, kHuge, 0});
  const TensorValue batches = Nothing({0, kHuge, kHuge});
  const TensorValue images = Nothing({0, kHuge, kHuge, kHuge});
  const TensorValue flat = Nothing({kHuge, kHuge, 0, kHuge});
  const TensorValue one = Counting({1});
  const HostileCall calls[] = {
      {"aten::bmm.out", {Nothing({kHuge, 0, kHuge}), Nothing({kHuge, kHuge, 0})}},
      {"aten::mm.out", {Nothing({0, kHuge}), Nothing({kHuge, 0})}},
      {"aten::linear.out", {Nothing({kHuge, 0, kHuge}), Nothing({0, kHuge}), kNone}},
      {"aten::convolution.out",
       {Nothing({kHuge, 0, 4, 4}), Nothing({0, 0, 3, 3}), kNone, Longs{1}, Longs{0}, Longs{1},
        false, Longs{0}, 1}},
      {"aten::convolution.out",
       {Nothing({3, 200, 0, 4}), Counting({200, 2, 3, 3}), kNone, Longs{1, 1}, Longs{0, 0},
        Longs{1, 1}, true, Longs{0, 0}, 1}},
      {"aten::_native_batch_norm_legit.no_stats_out",
       {Nothing({kHuge, 2, 0}), kNone, kNone, true, 0.1, 1e-5}},
      {"aten::native_layer_norm.out", {planes, Longs{0}, kNone, kNone, 1e-5}},
      {"aten::native_layer_norm.out", {batches, Longs{kHuge, kHuge}, kNone, kNone, 1e-5}},
      {"aten::_softmax.out", {planes, 1, false}},
      {"aten::cumsum.out", {batches, 1, kNone}},
      {"aten::sort.values", {planes, 0, false}},
      {"aten::index_fill.int_Scalar_out", {planes, 0, Tensor<int64_t>({1}, {0}), 1.0}},
      {"aten::index.Tensor_out",
       {planes, std::vector<std::optional<TensorValue>>{Tensor<int64_t>({1}, {0})}}},
      {"aten::cat.out", {std::vector<TensorValue>{planes, planes}, 2}},
      {"aten::permute_copy.out", {images, Longs{3, 1, 2, 0}}},
      {"aten::avg_pool2d.out",
       {images, Longs{2, 2}, Longs{1, 1}, Longs{0}, false, true, kNone}},
      {"aten::pixel_shuffle.out", {flat, 1}},
      {"aten::mul.out", {planes, one}},
      {"aten::flip.out", {flat, Longs{0, 1}}},
      {"aten::where.self_out", {Zeros(ScalarType::kBool, {0, 1}), one, one}},
      {"aten::_cdist_forward.out",
       {Nothing({0, kHuge}), Nothing({0, kHuge}), 2.0, kNone}},
  };
  for (const HostileCall& call : calls) {
    EXPECT_THAT(EndOf(call, 1 << 20, 1 << 24), testing::Not(HasSubstr("limit"))) << call.name;
  }
}

TEST(HostileCalls, TakeNumbersThatNoIntegerIs) {
  const TensorValue image = Counting({1, 1, 2, 2});
  const TensorValue numbers = Tensor<int64_t>({2}, {1, 2});
  const TensorValue bytes = Tensor<uint8_t>({1, 1, 2, 2}, {1, 2, 3, 4});
  using Factors = std::vector<double>;
  const HostileCall calls[] = {
      {"aten::arange.out", {kInf}},
      {"aten::arange.out", {kNan}},
      {"aten::arange.start_out", {0.0, 1.0, 0.0}},
      {"aten::arange.start_out", {-1e300, 1e300, 1e-300}},
      {"aten::full.out", {Longs{2}, kInf}},
      {"aten::clamp.out", {numbers, kNan, kInf}},
      {"aten::upsample_nearest2d.vec_out", {image, kNone, Factors{kNan, kInf}}},
      {"aten::upsample_nearest2d.vec_out", {image, kNone, Factors{1e300, 1e-300}}},
      {"aten::upsample_bilinear2d.vec_out", {bytes, kNone, false, Factors{-1.0, 0.0}}},
      {"aten::_upsample_bilinear2d_aa.out", {bytes, Longs{1, 1}, false, 1e-300, kNan}},
      {"aten::addmm.out", {Tensor<int64_t>({1, 1}, {1}), Tensor<int64_t>({1, 1}, {1}),
                           Tensor<int64_t>({1, 1}, {1}), kNan, kInf}},
      {"aten::fill.Scalar_out", {numbers, -kInf}},
      {"aten::index_fill.int_Scalar_out", {numbers, 0, Tensor<int64_t>({1}, {0}), 1e300}},
      {"quantized_decomposed::quantize_per_tensor.out",
       {image, 0.0, kLeast, int64_t{-128}, int64_t{127}, int64_t{1}}},
      {"executorch_prim::sym_int.Scalar", {kInf}},
      {"executorch_prim::ceil.Scalar", {1e19}},
      {"executorch_prim::trunc.Scalar", {kNan}},
  };
  for (const HostileCall& call : calls) {
    EXPECT_NE(EndOf(call, kMostWork, kFewBytes), "") << call.name;
  }
}

TEST(HostileCalls, TakeTheEndsOfIntegers) {
  const TensorValue x = Counting({2, 3});
  const TensorValue image = Counting({1, 2, 2, 2});
  const TensorValue index = Tensor<int64_t>({2}, {kLeast, kMost});
  const HostileCall calls[] = {
      {"aten::roll.out", {x, Longs{kLeast}, Longs{0}}},
      {"aten::roll.out", {x, Longs{kMost}, Longs{}}},
      {"aten::slice_copy.Tensor_out", {x, 0, kLeast, kMost, kMost}},
      {"aten::slice_copy.Tensor_out", {x, kLeast, kNone, kNone, 1}},
      {"aten::select_copy.int_out", {x, 0, kLeast}},
      {"aten::diagonal_copy.out", {x, kLeast, 0, 1}},
      {"aten::diagonal_copy.out", {x, kMost, 1, 0}},
      {"aten::tril.out", {x, kLeast}},
      {"aten::unfold_copy.out", {x, 0, 1, kMost}},
      {"aten::constant_pad_nd.out", {x, Longs{kLeast, kMost}, 0.0}},
      {"aten::reflection_pad1d.out", {x, Longs{kLeast, kMost}}},
      {"aten::as_strided_copy.out", {x, Longs{2, 2}, Longs{kMost, kMost}, kMost}},
      {"aten::topk.values", {x, kMost, 0, true, true}},
      {"aten::index_select.out", {x, 0, index}},
      {"aten::gather.out", {Counting({2}), 0, index, false}},
      {"aten::embedding.out", {x, index, -1, false, false}},
      {"aten::native_group_norm.out", {image, kNone, kNone, 1, 2, 4, kLeast, 1e-5}},
      {"aten::convolution.out",
       {image, Counting({2, 1, 1, 1}), kNone, Longs{1}, Longs{0}, Longs{1}, false, Longs{0},
        kLeast}},
      {"aten::convolution.out",
       {image, Counting({2, 2, 1, 1}), kNone, Longs{kMost}, Longs{kMost}, Longs{kMost}, false,
        Longs{0}, 1}},
      {"aten::avg_pool2d.out",
       {image, Longs{2, 2}, Longs{1, 1}, Longs{0}, false, true, kLeast}},
      {"aten::pixel_shuffle.out", {image, kMost}},
      {"aten::floor_divide.out",
       {Tensor<int64_t>({1}, {kLeast}), Tensor<int64_t>({1}, {-1})}},
      {"executorch_prim::floordiv.Scalar", {kLeast, int64_t{-1}}},
      {"executorch_prim::mod.Scalar", {kLeast, int64_t{-1}}},
      {"executorch_prim::neg.Scalar", {kLeast}},
  };
  for (const HostileCall& call : calls) {
    EXPECT_THAT(EndOf(call, kMostWork, kFewBytes), testing::Not(HasSubstr("limit"))) << call.name;
  }
}

TEST(HostileCalls, AreRefusedWhereAnOperandHasOtherBytesThanItsSizesSay) {
  for (const Sizes& sizes : {Sizes{-2, -3}, Sizes{7}, Sizes{2, 2}, Sizes{}, Sizes{0}, Sizes{-6},
                             Sizes{kMost}, Sizes{kMost, kMost}, Sizes{int64_t{1} << 62, 4},
                             Sizes{-1, -6}, Sizes{2, 3, 0}}) {
    TensorValue x = Counting({2, 3});
    x.sizes = sizes;
    for (const char* name : {"aten::neg.out", "aten::detach_copy.out", "aten::relu.out"}) {
      EXPECT_THAT(EndOf({name, {x}}, kMostWork, kMostMemory), HasSubstr("bytes of an operand"));
    }
  }
}

TEST(HostileCalls, EndSoonAfterTheStopIsAskedFor) {
  const std::atomic<bool> stop = true;
  const WorksFor flag(&stop);
  const TensorValue x = Counting({64, 64});
  const HostileCall calls[] = {{"aten::mul.out", {x, x}},
                               {"aten::mm.out", {x, x}},
                               {"aten::sort.values", {x, 0, false}},
                               {"aten::sum.IntList_out", {x, kNone, false, kNone}},
                               {"aten::permute_copy.out", {x, Longs{1, 0}}},
                               {"aten::_softmax.out", {x, 0, false}},
                               {"aten::_fft_r2c.out", {x, Longs{0}, int64_t{0}, true}},
                               {"aten::flip.out", {x, Longs{0}}},
                               {"aten::full_like.out", {x, 1.0, kNone}},
                               {"aten::clone.out", {x, kNone}}};
  for (const HostileCall& call : calls) {
    EXPECT_THROW(static_cast<void>(CallOp(call.name, call.operands)), Stopped) << call.name;
  }
}

}  // namespace
}  // namespace pteproof
