// Lists that change, memory of earlier calls, numbers out of range, and loops without an end.
#include <functional>
#include <limits>

#include "tests/support/safety_rows.h"

namespace pteproof::safety {
namespace {

using enum ScalarType;
using D = SafetyDraft;

// The number `v` becomes `to` between two calls of `call`.
template <class Call>
void Changes(D& d, int32_t v, int64_t to, const Call& call) {
  call();
  d.builder().Call("executorch_prim::add.Scalar", {d.Int(to), d.Int(0), v});
  call();
}

constexpr ExampleRow kSettled[] = {
    {"repeat-with-a-moved-list",
     [](D& d) {
       const int32_t list = d.Ints({2});
       const int32_t self = d.Input(d.T({4}));
       const int32_t out = d.T({8});
       d.Call("aten::repeat.out", {{"self", self}, {"repeats", list}, {"out", out}});
       d.builder().Move(d.Ints({64}), list);
       d.Call("aten::repeat.out", {{"self", self}, {"repeats", list}, {"out", out}});
     }},
    {"pad-with-a-changed-item",
     [](D& d) {
       const int32_t item = d.Int(2);
       const int32_t pad = d.builder().IntList({item, item});
       const int32_t self = d.Input(d.T({4}));
       const int32_t out = d.T({8});
       Changes(d, item, 1000000, [&] {
         d.Call("aten::constant_pad_nd.out", {{"self", self}, {"pad", pad}, {"out", out}});
       });
     }},
    {"full-with-a-changed-item",
     [](D& d) {
       const int32_t item = d.Int(8);
       const int32_t size = d.builder().IntList({item});
       const int32_t out = d.T({8});
       Changes(d, item, kMost, [&] { d.Call("aten::full.out", {{"size", size}, {"out", out}}); });
     }},
    {"slice-with-a-changed-start",
     [](D& d) {
       const int32_t start = d.Int(4);
       const int32_t self = d.Input(d.T({8}));
       const int32_t out = d.T({4});
       Changes(d, start, -1000, [&] {
         d.Call("aten::slice_copy.Tensor_out", {{"self", self},
                                                {"start", start},
                                                {"end", d.Int(8)},
                                                {"step", d.Int(1)},
                                                {"out", out}});
       });
     }},
    {"select-with-a-changed-index",
     [](D& d) {
       const int32_t index = d.Int(1);
       const int32_t self = d.Input(d.T({4, 4}));
       const int32_t out = d.T({4});
       Changes(d, index, 1 << 30, [&] {
         d.Call("aten::select_copy.int_out", {{"self", self}, {"index", index}, {"out", out}});
       });
     }},
    {"strides-with-a-changed-item",
     [](D& d) {
       const int32_t stride = d.Int(1);
       const int32_t strides = d.builder().IntList({stride});
       const int32_t self = d.Input(d.T({8}));
       const int32_t out = d.T({8});
       Changes(d, stride, kMost, [&] {
         d.Call("aten::as_strided_copy.out",
                {{"self", self}, {"size", d.Ints({8})}, {"stride", strides}, {"out", out}});
       });
     }},
    {"dimensions-with-a-changed-item",
     [](D& d) {
       const int32_t dim = d.Int(0);
       const int32_t dims = d.builder().IntList({dim, d.Int(1)});
       const int32_t self = d.Input(d.T({4, 4}));
       const int32_t out = d.T({4, 4});
       Changes(d, dim, 1, [&] {
         d.Call("aten::permute_copy.out", {{"self", self}, {"dims", dims}, {"out", out}});
       });
     }},
    {"cat-of-a-moved-tensor",
     [](D& d) {
       const int32_t part = d.Input(d.T({2}));
       const int32_t list = d.builder().TensorList({part, part});
       const int32_t large = d.Full({64}, 1, kFloat32);
       const int32_t out = d.T({4});
       d.Call("aten::cat.out", {{"tensors", list}, {"out", out}});
       d.builder().Move(large, part);
       d.Call("aten::cat.out", {{"tensors", list}, {"out", out}});
     }},
    {"kernel-with-a-changed-item",
     [](D& d) {
       const int32_t side = d.Int(2);
       const int32_t kernel = d.builder().IntList({side, side});
       const int32_t self = d.Input(d.T({1, 1, 4, 4}));
       const int32_t out = d.T({1, 1, 2, 2});
       Changes(d, side, 1 << 20, [&] {
         d.Call("aten::avg_pool2d.out", {{"self", self},
                                         {"kernel_size", kernel},
                                         {"stride", d.Ints({2, 2})},
                                         {"padding", d.Ints({0, 0})},
                                         {"out", out}});
       });
     }},
    {"shifts-with-an-item-that-becomes-a-float",
     [](D& d) {
       const int32_t shift = d.Int(1);
       const int32_t shifts = d.builder().IntList({shift});
       const int32_t self = d.Input(d.T({8}));
       const int32_t out = d.T({8});
       const auto roll = [&] {
         d.Call("aten::roll.out",
                {{"self", self}, {"shifts", shifts}, {"dims", d.Ints({0})}, {"out", out}});
       };
       roll();
       d.builder().Call("executorch_prim::truediv.Scalar", {d.Int(1), d.Int(0), shift});
       roll();
     }},
    {"split-with-a-changed-size-in-a-loop",
     [](D& d) {
       const int32_t size = d.Int(2);
       const int32_t done = d.builder().Bool(false);
       const int32_t self = d.Input(d.T({4}));
       const int32_t outs = d.builder().TensorList({d.T({2}), d.T({2})});
       const int32_t head = d.builder().Next();
       d.Call("aten::split_copy.Tensor_out", {{"self", self}, {"split_size", size}, {"out", outs}});
       d.builder().Call("executorch_prim::sub.Scalar", {size, d.Int(3), size});
       d.builder().Call("executorch_prim::lt.Scalar", {size, d.Int(-9), done});
       d.builder().JumpFalse(done, head);
     }},
};

constexpr ExampleRow kDangling[] = {
    {"view-of-an-input-moved-to-a-buffer",
     [](D& d) {
       const int32_t in = d.Input(d.builder().Unplanned({8}));
       const int32_t view = d.T({8});
       const int32_t kept = d.T({8});
       d.builder().Output(kept);
       ViewAs(d, in, {8}, view);
       d.builder().Move(view, kept);
     }},
    {"output-that-is-a-view-of-an-input",
     [](D& d) {
       const int32_t view = d.builder().Unplanned({4, 2});
       ViewAs(d, d.Input(d.builder().Unplanned({8})), {4, 2}, view);
     }},
    {"view-made-in-one-branch-alone",
     [](D& d) {
       const int32_t flag = d.Input(d.T({1}, kBool));
       const int32_t in = d.Input(d.builder().Unplanned({8}));
       const int32_t view = d.T({8});
       const int32_t over = d.builder().JumpFalse(flag, 0);
       ViewAs(d, in, {8}, view);
       d.builder().SetTarget(over, d.builder().Next());
       d.Call("aten::flip.out", {{"self", view}, {"dims", d.Ints({0})}, {"out", d.T({8})}});
     }},
    {"input-moved-over-another-input",
     [](D& d) {
       const int32_t a = d.Input(d.builder().Unplanned({8}));
       const int32_t b = d.Input(d.builder().Unplanned({8}));
       d.builder().Move(a, b);
       d.Call("aten::flip.out", {{"self", b}, {"dims", d.Ints({0})}, {"out", d.T({8})}});
     }},
    {"view-of-an-output-of-the-caller",
     [](D& d) {
       const int32_t out = d.builder().Unplanned({8});
       d.Call("aten::flip.out", {{"self", d.Input(d.T({8}))}, {"dims", d.Ints({0})}, {"out", out}});
       ViewAs(d, out, {2, 4}, d.T({2, 4}));
     }},
    {"output-of-the-caller-read-first",
     [](D& d) {
       const int32_t out = d.builder().Unplanned({8});
       d.Call("aten::flip.out", {{"self", out}, {"dims", d.Ints({0})}, {"out", d.T({8})}});
       d.Call("aten::flip.out", {{"self", d.Input(d.T({8}))}, {"dims", d.Ints({0})}, {"out", out}});
     }},
    {"views-in-a-circle",
     [](D& d) {
       const int32_t a = d.Input(d.T({8}));
       const int32_t b = d.T({8});
       ViewAs(d, a, {8}, b);
       ViewAs(d, b, {8}, a);
       ViewAs(d, a, {8}, b);
     }},
    {"view-of-a-moved-input",
     [](D& d) {
       const int32_t in = d.Input(d.builder().Unplanned({8}));
       const int32_t name = d.T({8});
       const int32_t view = d.T({8});
       d.Call("aten::flip.out", {{"self", view}, {"dims", d.Ints({0})}, {"out", d.T({8})}});
       d.builder().Move(in, name);
       ViewAs(d, name, {8}, view);
     }},
    {"view-of-an-input-written-in-a-loop",
     [](D& d) {
       const int32_t in = d.Input(d.builder().Unplanned({8}));
       const int32_t done = d.Input(d.T({1}, kBool));
       const int32_t view = d.T({8});
       const int32_t head = d.builder().Next();
       WriteThrough(d, view, {8});
       ViewAs(d, in, {8}, view);
       d.builder().JumpFalse(done, head);
     }},
    {"slot-that-becomes-an-input",
     [](D& d) {
       const int32_t in = d.Input(d.builder().Unplanned({8}));
       const int32_t slot = d.T({8});
       d.builder().Call("aten::copy_",
                        {in, d.Full({8}, 1, kFloat32), d.builder().Bool(false), slot});
       d.builder().Output(slot);
     }},
    {"delegate-given-a-view",
     [](D& d) {
       const int32_t view = d.T({8});
       ViewAs(d, d.Input(d.builder().Unplanned({8})), {8}, view);
       const int32_t out = d.T({8});
       d.builder().Delegate({view, out});
       d.builder().Output(out);
     }},
};

constexpr ExampleRow kNumbers[] = {
    {"pad-by-the-most",
     [](D& d) {
       d.Call(
           "aten::constant_pad_nd.out",
           {{"self", d.Input(d.T({4}))}, {"pad", d.Ints({kMost, kMost})}, {"out", d.Upto({64})}});
     }},
    {"pad-by-the-least",
     [](D& d) {
       d.Call("aten::constant_pad_nd.out",
              {{"self", d.Input(d.T({4}))}, {"pad", d.Ints({kLeast, 1})}, {"out", d.Upto({64})}});
     }},
    {"stride-that-wraps",
     [](D& d) {
       d.Call("aten::as_strided_copy.out", {{"self", d.Input(d.T({4}))},
                                            {"size", d.Ints({4, 4})},
                                            {"stride", d.Ints({kMost, kMost})},
                                            {"storage_offset", d.Int(kLeast)},
                                            {"out", d.T({4, 4})}});
     }},
    {"arange-to-infinity",
     [](D& d) {
       d.Call("aten::arange.start_out", {{"start", d.Real(0)},
                                         {"end", d.Real(std::numeric_limits<double>::infinity())},
                                         {"step", d.Real(1)},
                                         {"out", d.Upto({64})}});
     }},
    {"arange-by-nothing",
     [](D& d) {
       d.Call("aten::arange.start_out", {{"start", d.Int(kLeast)},
                                         {"end", d.Int(kMost)},
                                         {"step", d.Int(0)},
                                         {"out", d.Upto({64}, kInt64)}});
     }},
    {"slice-by-the-most",
     [](D& d) {
       d.Call("aten::slice_copy.Tensor_out", {{"self", d.Input(d.T({8}))},
                                              {"start", d.Int(kLeast)},
                                              {"end", d.Int(kMost)},
                                              {"step", d.Int(kMost)},
                                              {"out", d.Upto({8})}});
     }},
    {"unfold-by-the-most",
     [](D& d) {
       d.Call("aten::unfold_copy.out", {{"self", d.Input(d.T({8}))},
                                        {"dimension", d.Int(0)},
                                        {"size", d.Int(kMost)},
                                        {"step", d.Int(kLeast)},
                                        {"out", d.Upto({8, 1})}});
     }},
    {"shuffle-by-the-most",
     [](D& d) {
       d.Call("aten::pixel_shuffle.out", {{"self", d.Input(d.T({4, 1, 1}))},
                                          {"upscale_factor", d.Int(int64_t{1} << 32)},
                                          {"out", d.Upto({1, 2, 2})}});
     }},
    {"roll-by-the-least",
     [](D& d) {
       d.Call("aten::roll.out", {{"self", d.Input(d.T({8}))},
                                 {"shifts", d.Ints({kLeast})},
                                 {"dims", d.Ints({0})},
                                 {"out", d.T({8})}});
     }},
    {"diagonal-at-the-least",
     [](D& d) {
       d.Call("aten::diagonal_copy.out", {{"self", d.Input(d.T({4, 4}))},
                                          {"offset", d.Int(kLeast)},
                                          {"dim2", d.Int(1)},
                                          {"out", d.Upto({4})}});
     }},
    {"triangle-at-the-most",
     [](D& d) {
       d.Call("aten::tril.out",
              {{"self", d.Input(d.T({4, 4}))}, {"diagonal", d.Int(kMost)}, {"out", d.T({4, 4})}});
     }},
    {"window-of-the-most",
     [](D& d) {
       d.Call("aten::avg_pool2d.out", {{"self", d.Input(d.T({1, 1, 4, 4}))},
                                       {"kernel_size", d.Ints({kMost, 1})},
                                       {"stride", d.Ints({kMost, kMost})},
                                       {"padding", d.Ints({kMost / 2, 0})},
                                       {"out", d.Upto({1, 1, 4, 4})}});
     }},
    {"shift-of-bits-by-a-thousand",
     [](D& d) {
       d.Call("aten::bitwise_left_shift.Tensor_out",
              {{"self", d.Full({8}, -1)}, {"other", d.Full({8}, 1000)}, {"out", d.T({8}, kInt64)}});
     }},
    {"groups-of-the-most",
     [](D& d) {
       d.Call("aten::native_group_norm.out", {{"input", d.Input(d.T({1, 4, 2}))},
                                              {"N", d.Int(kMost)},
                                              {"C", d.Int(4)},
                                              {"HxW", d.Int(kMost)},
                                              {"group", d.Int(kMost)},
                                              {"out0", d.T({1, 4, 2})},
                                              {"out1", d.Upto({1, 4})},
                                              {"out2", d.Upto({1, 4})}});
     }},
    {"integer-of-not-a-number",
     [](D& d) {
       const int32_t size = d.Int(1);
       d.builder().Call("executorch_prim::truediv.Scalar", {d.Real(0), d.Int(0), size});
       d.builder().Call("executorch_prim::sym_int.Scalar", {size, size});
       d.Call("aten::full.out", {{"size", d.builder().IntList({size})}, {"out", d.Upto({8})}});
     }},
};

void Loop(D& d, const std::function<void(int32_t)>& body, int64_t by, int64_t until) {
  const int32_t count = d.Int(0);
  const int32_t done = d.builder().Bool(false);
  const int32_t head = d.builder().Next();
  body(count);
  d.builder().Call("executorch_prim::add.Scalar", {count, d.Int(by), count});
  d.builder().Call("executorch_prim::ge.Scalar", {count, d.Int(until), done});
  d.builder().JumpFalse(done, head);
  d.builder().Output(d.Full({1}, 1));
}

constexpr ExampleRow kEndless[] = {
    {"rounds-over-nothing-in-a-loop",
     [](D& d) {
       const int32_t none = d.T({0, 1 << 30});
       Loop(
           d,
           [&](int32_t) {
             d.Call("aten::flip.out",
                    {{"self", none}, {"dims", d.Ints({1})}, {"out", d.T({0, 1 << 30})}});
           },
           0, 1);
     }},
    {"product-without-terms",
     [](D& d) {
       d.Call("aten::mm.out",
              {{"self", d.T({1 << 16, 0})}, {"mat2", d.T({0, 1 << 16})}, {"out", d.Upto({1, 1})}});
     }},
    {"windows-over-nothing",
     [](D& d) {
       d.Call("aten::avg_pool2d.out", {{"self", d.T({0, 1 << 9, 1 << 10, 1 << 10})},
                                       {"kernel_size", d.Ints({1 << 10, 1 << 10})},
                                       {"stride", d.Ints({1, 1})},
                                       {"padding", d.Ints({0, 0})},
                                       {"out", d.Upto({0, 1 << 9, 1, 1})}});
     }},
    {"jump-to-itself",
     [](D& d) {
       const int32_t never = d.builder().Bool(false);
       d.builder().JumpFalse(never, d.builder().Next());
       d.builder().Output(d.Full({1}, 1));
     }},
    {"two-jumps-to-each-other",
     [](D& d) {
       const int32_t never = d.builder().Bool(false);
       d.builder().JumpFalse(never, 1);
       d.builder().JumpFalse(never, 0);
       d.builder().Output(d.Full({1}, 1));
     }},
    {"count-by-nothing", [](D& d) { Loop(d, [](int32_t) {}, 0, 1); }},
    {"count-away-from-its-end", [](D& d) { Loop(d, [](int32_t) {}, -1, 1); }},
    {"count-past-the-most", [](D& d) { Loop(d, [](int32_t) {}, 2, kMost); }},
    {"sorts-in-a-loop",
     [](D& d) {
       const int32_t row = d.T({1 << 20});
       const int32_t values = d.T({1 << 20});
       const int32_t places = d.T({1 << 20}, kInt64);
       Loop(
           d,
           [&](int32_t) {
             d.Call("aten::sort.values", {{"self", row}, {"values", values}, {"indices", places}});
           },
           0, 1);
     }},
    {"transform-of-a-large-prime",
     [](D& d) {
       const int32_t line = d.Full({999983}, 1, kFloat32);
       d.Call("aten::_fft_r2c.out", {{"self", line},
                                     {"dim", d.Ints({0})},
                                     {"onesided", d.builder().Bool(true)},
                                     {"out", d.T({499992}, kComplex64)}});
     }},
    {"distances-of-many-rows",
     [](D& d) {
       const int32_t rows = d.Full({2048, 512}, 1, kFloat32);
       d.Call("aten::_cdist_forward.out",
              {{"x1", rows}, {"x2", rows}, {"p", d.Real(3)}, {"out", d.T({2048, 2048})}});
     }},
    {"convolution-of-a-large-image",
     [](D& d) {
       const int32_t image = d.Full({1, 1, 512, 512}, 1, kFloat32);
       const int32_t weight = d.Full({1, 1, 256, 256}, 1, kFloat32);
       d.Call("aten::convolution.out", {{"input", image},
                                        {"weight", weight},
                                        {"stride", d.Ints({1, 1})},
                                        {"padding", d.Ints({0, 0})},
                                        {"dilation", d.Ints({1, 1})},
                                        {"output_padding", d.Ints({0, 0})},
                                        {"groups", d.Int(1)},
                                        {"out", d.T({1, 1, 257, 257})}});
     }},
};

}  // namespace

std::span<const ExampleRow> SettledExamples() {
  return kSettled;
}
std::span<const ExampleRow> DanglingExamples() {
  return kDangling;
}
std::span<const ExampleRow> NumberExamples() {
  return kNumbers;
}
std::span<const ExampleRow> EndlessExamples() {
  return kEndless;
}

}  // namespace pteproof::safety
