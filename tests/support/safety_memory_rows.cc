// Views, results over operands, and results over the numbers that steer them.
#include <string_view>

#include "tests/support/safety_rows.h"

namespace pteproof::safety {
namespace {

using enum ScalarType;
using D = SafetyDraft;

constexpr ExampleRow kViews[] = {
    {"view-complex-of-bytes",
     [](D& d) { ViewAs(d, d.Input(d.T({8}, kUInt8)), {8}, d.T({8}, kComplex128)); }},
    {"view-half-of-double",
     [](D& d) { ViewAs(d, d.Input(d.T({4, 4}, kFloat64)), {16}, d.T({16}, kFloat16)); }},
    {"view-bool-of-int64-written",
     [](D& d) {
       const int32_t view = d.T({8}, kInt64);
       ViewAs(d, d.Input(d.T({8}, kBool)), {8}, view);
       WriteThrough(d, view, {8}, kInt64);
     }},
    {"view-of-16-dimensions",
     [](D& d) { ViewAs(d, d.Input(d.T({4})), std::vector<int64_t>(16, -1), d.T(D::Dims(16, 1))); }},
    {"view-product-wraps",
     [](D& d) {
       ViewAs(d, d.Input(d.T({4})), {int64_t{1} << 32, int64_t{1} << 32, 4}, d.Upto({2, 2, 1}));
     }},
    {"view-least-size", [](D& d) { ViewAs(d, d.Input(d.T({4})), {kLeast, -1}, d.Upto({4, 1})); }},
    {"view-minus-one-twice-negative",
     [](D& d) { ViewAs(d, d.Input(d.T({2, 2})), {-2, -2}, d.Upto({2, 2})); }},
    {"view-of-a-view-of-another-type",
     [](D& d) {
       const int32_t middle = d.T({16}, kInt8);
       ViewAs(d, d.Input(d.T({4})), {16}, middle);
       ViewAs(d, middle, {2}, d.T({2}, kFloat64));
     }},
    {"view-of-itself-grown",
     [](D& d) {
       const int32_t self = d.Input(d.Upto({8}));
       ViewAs(d, self, {16}, self);
     }},
    {"view-of-an-empty-base",
     [](D& d) {
       const int32_t view = d.T({0, 3});
       ViewAs(d, d.Input(d.T({0})), {0, 3}, view);
       d.Call("aten::flip.out", {{"self", view}, {"dims", d.Ints({0})}, {"out", d.T({0, 3})}});
     }},
    {"view-of-a-row-read-wide",
     [](D& d) {
       const int32_t view = d.T({4}, kComplex64);
       ViewAs(d, d.Input(d.T({4})), {4}, view);
       d.Call("aten::clone.out", {{"self", view}, {"out", d.T({4}, kComplex64)}});
     }},
};

// One value as operand and result, of sizes that change.
void Grows(D& d, std::string_view op, std::string_view out_name, D::Named args, int32_t self,
           const char* self_name) {
  args[self_name] = self;
  args[out_name] = self;
  d.Call(op, args);
}

constexpr ExampleRow kOverOperands[] = {
    {"stack-into-an-item",
     [](D& d) {
       const int32_t a = d.Input(d.Upto({4, 4}));
       d.Call("aten::stack.out", {{"tensors", d.builder().TensorList({a, a, a})}, {"out", a}});
     }},
    {"pad-itself",
     [](D& d) {
       Grows(d, "aten::constant_pad_nd.out", "out", {{"pad", d.Ints({64, 64})}},
             d.Input(d.Upto({4})), "self");
     }},
    {"narrow-itself",
     [](D& d) {
       Grows(d, "aten::narrow_copy.out", "out", {{"start", d.Int(3)}, {"length", d.Int(1)}},
             d.Input(d.Upto({4, 4})), "self");
     }},
    {"bmm-into-its-operand",
     [](D& d) {
       const int32_t a = d.Input(d.Upto({2, 8, 2}));
       d.Call("aten::bmm.out",
              {{"self", a}, {"mat2", d.Full({2, 2, 64}, 1, kFloat32)}, {"out", a}});
     }},
    {"addmm-into-its-bias",
     [](D& d) {
       const int32_t a = d.Input(d.Upto({1, 8}));
       d.Call("aten::addmm.out", {{"self", a},
                                  {"mat1", d.Full({16, 2}, 1, kFloat32)},
                                  {"mat2", d.Full({2, 8}, 1, kFloat32)},
                                  {"out", a}});
     }},
    {"gather-into-its-index",
     [](D& d) {
       const int32_t index = d.Input(d.Upto({2, 2}, kInt64));
       d.Call("aten::gather.out", {{"self", d.Full({4, 4}, 1)}, {"index", index}, {"out", index}});
     }},
    {"sort-values-are-indices",
     [](D& d) {
       const int32_t both = d.T({8}, kInt64);
       d.Call("aten::sort.values", {{"self", d.Full({8}, 3)}, {"values", both}, {"indices", both}});
     }},
    {"topk-values-are-its-operand",
     [](D& d) {
       const int32_t self = d.Input(d.Upto({16}));
       d.Call(
           "aten::topk.values",
           {{"self", self}, {"k", d.Int(2)}, {"values", self}, {"indices", d.Upto({16}, kInt64)}});
     }},
    {"split-into-one-tensor-twice",
     [](D& d) {
       const int32_t out = d.Upto({8});
       d.Call("aten::split_with_sizes_copy.out", {{"self", d.Input(d.T({8}))},
                                                  {"split_sizes", d.Ints({2, 6})},
                                                  {"out", d.builder().TensorList({out, out})}});
     }},
    {"unbind-into-its-operand",
     [](D& d) {
       const int32_t self = d.Input(d.Upto({2, 8}));
       d.Call("aten::unbind_copy.int_out",
              {{"self", self}, {"out", d.builder().TensorList({self, self})}});
     }},
    {"pixel-shuffle-itself",
     [](D& d) {
       Grows(d, "aten::pixel_shuffle.out", "out", {{"upscale_factor", d.Int(2)}},
             d.Input(d.Upto({4, 2, 2})), "self");
     }},
    {"transform-itself",
     [](D& d) {
       const int32_t self = d.Input(d.UptoAt(0, {8}));
       d.Call("aten::_fft_r2c.out", {{"self", self},
                                     {"dim", d.Ints({0})},
                                     {"onesided", d.builder().Bool(true)},
                                     {"out", d.UptoAt(8, {5}, kComplex64)}});
     }},
    {"distance-over-its-rows",
     [](D& d) {
       const int32_t rows = d.Input(d.Upto({8, 2}));
       d.Call("aten::_cdist_forward.out",
              {{"x1", rows}, {"x2", rows}, {"p", d.Real(2)}, {"out", rows}});
     }},
};

// A result that begins some bytes behind the numbers that steer it.
template <class Make>
void Steered(D& d, int64_t first, Make make) {
  const int32_t steering = d.At(0, {8}, kInt64);
  d.Call("aten::full.out",
         {{"size", d.Ints({8})}, {"fill_value", d.Int(first)}, {"out", steering}});
  make(steering);
}

constexpr ExampleRow kSteering[] = {
    {"gather-over-its-index",
     [](D& d) {
       Steered(d, 1, [&](int32_t s) {
         d.Call("aten::gather.out",
                {{"self", d.Full({8}, kMost)}, {"index", s}, {"out", d.At(8, {8}, kInt64)}});
       });
     }},
    {"index-select-over-its-index",
     [](D& d) {
       Steered(d, 2, [&](int32_t s) {
         d.Call("aten::index_select.out",
                {{"self", d.Full({4}, kLeast)}, {"index", s}, {"out", d.At(4, {8}, kInt64)}});
       });
     }},
    {"embedding-over-its-indices",
     [](D& d) {
       Steered(d, 1, [&](int32_t s) {
         d.Call(
             "aten::embedding.out",
             {{"weight", d.Full({4, 1}, kMost)}, {"indices", s}, {"out", d.At(0, {8, 1}, kInt64)}});
       });
     }},
    {"scatter-over-its-index",
     [](D& d) {
       Steered(d, 0, [&](int32_t s) {
         d.Call("aten::scatter.src_out", {{"self", d.Full({8}, 7)},
                                          {"index", s},
                                          {"src", d.Full({8}, -9)},
                                          {"out", d.At(16, {8}, kInt64)}});
       });
     }},
    {"scatter-add-over-its-index",
     [](D& d) {
       Steered(d, 3, [&](int32_t s) {
         d.Call("aten::scatter_add.out", {{"self", d.Full({8}, kMost)},
                                          {"index", s},
                                          {"src", d.Full({8}, kMost)},
                                          {"out", d.At(0, {8}, kInt64)}});
       });
     }},
    {"index-put-over-its-index",
     [](D& d) {
       Steered(d, 1, [&](int32_t s) {
         const int32_t self = d.At(8, {8}, kInt64);
         d.builder().Call("aten::index_put_", {self, d.builder().OptionalTensorList({s}),
                                               d.Full({8}, kMost), d.builder().Bool(true), self});
         d.builder().Output(self);
       });
     }},
    {"index-over-its-indices",
     [](D& d) {
       Steered(d, 3, [&](int32_t s) {
         d.Call("aten::index.Tensor_out", {{"self", d.Full({4}, kLeast)},
                                           {"indices", d.builder().OptionalTensorList({s})},
                                           {"out", d.UptoAt(8, {8}, kInt64)}});
       });
     }},
    {"remainder-over-its-divisor",
     [](D& d) {
       Steered(d, 7, [&](int32_t s) {
         d.Call("aten::remainder.Tensor_out",
                {{"self", d.Full({8}, 14)}, {"other", s}, {"out", d.At(8, {8}, kInt64)}});
       });
     }},
    {"fmod-of-the-least-over-its-divisor",
     [](D& d) {
       Steered(d, -1, [&](int32_t s) {
         d.Call("aten::fmod.Tensor_out",
                {{"self", d.Full({8}, kLeast)}, {"other", s}, {"out", d.At(4, {8}, kInt64)}});
       });
     }},
    {"masked-select-over-its-mask",
     [](D& d) {
       Steered(d, -1, [&](int32_t) {
         d.Call("aten::masked_select.out", {{"self", d.Full({64}, 0, kBool)},
                                            {"mask", d.At(0, {64}, kBool)},
                                            {"out", d.UptoAt(1, {64}, kBool)}});
       });
     }},
    {"masked-scatter-over-its-mask",
     [](D& d) {
       Steered(d, 1, [&](int32_t) {
         d.Call("aten::masked_scatter.out", {{"self", d.Full({64}, 1, kBool)},
                                             {"mask", d.At(0, {64}, kBool)},
                                             {"source", d.Full({9}, 1, kBool)},
                                             {"out", d.At(1, {64}, kBool)}});
       });
     }},
    {"repeats-over-themselves",
     [](D& d) {
       Steered(d, 2, [&](int32_t s) {
         d.Call("aten::repeat_interleave.Tensor_out",
                {{"repeats", s}, {"out", d.UptoAt(0, {16}, kInt64)}});
       });
     }},
    {"nonzero-over-its-operand",
     [](D& d) {
       Steered(d, 5, [&](int32_t s) {
         d.Call("aten::nonzero.out", {{"self", s}, {"out", d.UptoAt(16, {8, 1}, kInt64)}});
       });
     }},
};

}  // namespace

std::span<const ExampleRow> ViewExamples() {
  return kViews;
}
std::span<const ExampleRow> OverOperandExamples() {
  return kOverOperands;
}
std::span<const ExampleRow> SteeringExamples() {
  return kSteering;
}

}  // namespace pteproof::safety
