#include "tests/support/runtime_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <utility>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr const char* kView = "executorch_prim::et_view.default";
constexpr const char* kCopyIndex = "executorch_prim::et_copy_index.tensor";

using Dims = std::vector<int32_t>;

// One method; each tensor has bytes of its own.
class Draft {
 public:
  int32_t Made(const Dims& sizes, ScalarType dtype = ScalarType::kFloat32, bool varies = false) {
    const int32_t v = b_.Planned(1, next_, sizes, {}, dtype);
    if (varies) b_.TensorAt(v).dynamism = Dynamism::kBounded;
    next_ += (b_.TensorAt(v).nbytes + 15) / 16 * 16;
    return v;
  }
  int32_t Varying(const Dims& sizes, ScalarType dtype = ScalarType::kFloat32) {
    return Made(sizes, dtype, true);
  }
  int32_t Input(const Dims& sizes, ScalarType dtype = ScalarType::kFloat32) {
    const int32_t v = Made(sizes, dtype);
    b_.Input(v);
    inputs_.push_back(sizes);
    return v;
  }
  // The caller brings a tensor of the sizes `brought`.
  int32_t VaryingInput(const Dims& sizes, const Dims& brought) {
    const int32_t v = Varying(sizes);
    b_.Input(v);
    inputs_.push_back(brought);
    return v;
  }
  int32_t Int(int64_t number) { return b_.Int(number); }
  int32_t Bool(bool flag) { return b_.Bool(flag); }
  int32_t Double(double real) {
    const int32_t v = b_.Int(0);
    Value& value = b_.method().values[static_cast<size_t>(v)];
    value.kind = ValueKind::kDouble;
    value.real = real;
    return v;
  }
  int32_t Ints(const std::vector<int64_t>& numbers) {
    std::vector<int32_t> items;
    for (const int64_t number : numbers) items.push_back(Int(number));
    return b_.IntList(items);
  }
  int32_t List(const std::vector<int32_t>& items) { return b_.IntList(items); }
  int32_t None() { return b_.None(); }
  // A call whose return slot is its last argument, which the method returns.
  void Returns(std::string_view op, std::vector<int32_t> args) {
    b_.Output(args.back());
    b_.Call(op, std::move(args));
  }
  // A call that returns the out before its return slot.
  void Writes(std::string_view op, std::vector<int32_t> args) {
    args.push_back(args.back());
    Returns(op, std::move(args));
  }
  MethodBuilder& builder() { return b_; }
  [[nodiscard]] RuntimeCallCase Finish(std::string name) const {
    return {std::move(name), inputs_, ProgramOf({b_.Build()})};
  }

 private:
  MethodBuilder b_;
  uint64_t next_ = 0;
  std::vector<Dims> inputs_;
};

struct CallRow {
  const char* name;
  std::function<void(Draft&)> make;
};

void ViewOf(Draft& d, int32_t self, const std::vector<int64_t>& sizes, int32_t out) {
  d.Returns(kView, {self, d.Ints(sizes), out});
}

const std::vector<CallRow>& Views() {
  static const std::vector<CallRow> rows = {
      {"view", [](Draft& d) { ViewOf(d, d.Input({4, 8}), {8, 4}, d.Made({8, 4})); }},
      {"view-of-another-type",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {4, 8}, d.Made({4, 8}, ScalarType::kInt32)); }},
      {"view-of-a-narrower-type",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {4, 8}, d.Made({4, 8}, ScalarType::kInt8)); }},
      {"view-with-three-sizes-of-two",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {4, 4, 2}, d.Made({4, 8})); }},
      {"view-with-a-deduced-size",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {8, -1}, d.Made({8, 4})); }},
      {"view-with-two-deduced-sizes",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {-1, -1}, d.Made({8, 4})); }},
      {"view-with-negative-sizes",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {-8, -4}, d.Made({8, 4})); }},
      {"view-with-a-deduced-size-beside-0",
       [](Draft& d) { ViewOf(d, d.Input({0, 4}), {0, -1}, d.Made({0, 4})); }},
      {"view-without-elements",
       [](Draft& d) { ViewOf(d, d.Input({0, 4}), {4, 0}, d.Made({4, 0})); }},
      {"view-with-other-sizes-than-the-files",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {8, 4}, d.Made({4, 8})); }},
      {"view-of-fewer-elements",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {4, 4}, d.Made({4, 4})); }},
      {"view-of-more-elements",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {8, 8}, d.Made({8, 8})); }},
      {"view-with-a-deduced-size-that-is-not-whole",
       [](Draft& d) { ViewOf(d, d.Input({5}), {2, -1}, d.Made({2, 2})); }},
      {"view-of-one-element-as-a-scalar",
       [](Draft& d) { ViewOf(d, d.Input({1}), {}, d.Made({})); }},
      {"view-of-two-elements-as-a-scalar",
       [](Draft& d) { ViewOf(d, d.Input({2}), {}, d.Made({})); }},
      {"view-with-a-size-of-33-bits",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {(int64_t{1} << 32) + 8, 4}, d.Made({8, 4})); }},
      {"view-that-varies",
       [](Draft& d) { ViewOf(d, d.VaryingInput({4, 8}, {2, 8}), {-1, 4}, d.Varying({8, 4})); }},
      {"view-that-varies-of-other-sizes-than-the-files",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {16, 2}, d.Varying({4, 8})); }},
      {"view-that-varies-without-room",
       [](Draft& d) { ViewOf(d, d.Input({4, 8}), {4, 8}, d.Varying({4, 4})); }},
      {"view-that-varies-of-a-negative-size",
       [](Draft& d) {
         ViewOf(d, d.Input({4, 8}), {(int64_t{1} << 32) - 4, -8}, d.Varying({4, 8}));
       }},
      {"view-of-some-rows",
       [](Draft& d) { ViewOf(d, d.VaryingInput({4, 8}, {2, 8}), {2, 8}, d.Made({2, 8})); }},
      {"view-of-all-rows-as-some",
       [](Draft& d) { ViewOf(d, d.VaryingInput({4, 8}, {4, 8}), {2, 8}, d.Made({2, 8})); }},
      {"view-of-more-rows-than-there-can-be",
       [](Draft& d) { ViewOf(d, d.VaryingInput({4, 8}, {4, 8}), {5, 8}, d.Made({5, 8})); }},
  };
  return rows;
}

// A view whose first size is computed by `op`, and held by `slot`.
void ComputedView(Draft& d, std::string_view op, std::vector<int32_t> args, int32_t out) {
  const int32_t self = d.Input({4, 8});
  const int32_t slot = args.back();
  d.builder().Call(op, std::move(args));
  d.Returns(kView, {self, d.List({slot, d.Int(4)}), out});
}

const std::vector<CallRow>& ComputedViews() {
  static const std::vector<CallRow> rows = {
      {"view-with-a-computed-size",
       [](Draft& d) {
         ComputedView(d, "executorch_prim::mul.Scalar", {d.Int(2), d.Int(4), d.Int(0)},
                      d.Made({8, 4}));
       }},
      {"view-with-another-computed-size",
       [](Draft& d) {
         ComputedView(d, "executorch_prim::mul.Scalar", {d.Int(3), d.Int(4), d.Int(0)},
                      d.Made({8, 4}));
       }},
      {"view-with-a-float-as-a-size",
       [](Draft& d) {
         ComputedView(d, "executorch_prim::truediv.Scalar", {d.Int(16), d.Int(2), d.Int(8)},
                      d.Made({8, 4}));
       }},
      {"view-with-the-size-of-an-input",
       [](Draft& d) {
         const int32_t self = d.VaryingInput({4, 8}, {2, 8});
         const int32_t size = d.Int(0);
         d.builder().Call("aten::sym_size.int", {self, d.Int(0), size});
         d.Returns(kView, {self, d.List({size, d.Int(2), d.Int(4)}), d.Varying({4, 2, 4})});
       }},
      {"view-in-a-tensor-of-another-type-after-a-move",
       [](Draft& d) {
         const int32_t self = d.Input({4, 8});
         const int32_t other = d.Input({4, 8}, ScalarType::kInt32);
         const int32_t out = d.Made({4, 8});
         d.builder().Move(other, out);
         ViewOf(d, self, {4, 8}, out);
       }},
      {"view-of-a-tensor-of-another-type-after-a-move",
       [](Draft& d) {
         const int32_t self = d.Made({4, 8});
         d.builder().Move(d.Input({4, 8}, ScalarType::kInt32), self);
         ViewOf(d, self, {4, 8}, d.Made({4, 8}));
       }},
      {"view-of-the-right-type-after-a-move",
       [](Draft& d) {
         const int32_t self = d.Made({4, 8}, ScalarType::kInt32);
         d.builder().Move(d.Input({4, 8}), self);
         ViewOf(d, self, {4, 8}, d.Made({4, 8}));
       }},
      {"view-with-the-sizes-of-another-list-after-a-move",
       [](Draft& d) {
         const int32_t list = d.Ints({8, 8});
         d.builder().Move(d.Ints({8, 4}), list);
         d.Returns(kView, {d.Input({4, 8}), list, d.Made({8, 4})});
       }},
  };
  return rows;
}

void RowInto(Draft& d, int32_t whole, int32_t row, int64_t index) {
  d.builder().Output(whole);
  d.builder().Call(kCopyIndex, {whole, row, d.Int(index)});
}

// Rows 0 to 2 of a table, one a round: the shape that the exporter gives to `map`.
void Loop(Draft& d, int32_t whole) {
  const int32_t row = d.Input({4});
  const int32_t index = d.Int(0);
  const int32_t done = d.Bool(false);
  const int32_t begin = d.builder().Next();
  d.builder().Call(kCopyIndex, {whole, row, index});
  d.builder().Call("executorch_prim::add.Scalar", {index, d.Int(1), index});
  d.builder().Call("executorch_prim::eq.Scalar", {index, d.Int(3), done});
  d.builder().JumpFalse(done, begin);
  d.builder().Output(whole);
}

const std::vector<CallRow>& Rows() {
  static const std::vector<CallRow> rows = {
      {"row-of-a-table-that-varies",
       [](Draft& d) { RowInto(d, d.Varying({3, 4}), d.Input({4}), 0); }},
      {"row-of-a-table-of-one", [](Draft& d) { RowInto(d, d.Made({1, 4}), d.Input({4}), 0); }},
      {"last-row-of-a-table", [](Draft& d) { RowInto(d, d.Made({3, 4}), d.Input({4}), 2); }},
      {"first-row-of-a-table", [](Draft& d) { RowInto(d, d.Made({3, 4}), d.Input({4}), 0); }},
      {"row-before-the-first", [](Draft& d) { RowInto(d, d.Varying({3, 4}), d.Input({4}), -1); }},
      {"row-behind-the-last", [](Draft& d) { RowInto(d, d.Varying({3, 4}), d.Input({4}), 3); }},
      {"row-of-two-dimensions",
       [](Draft& d) { RowInto(d, d.Varying({3, 4}), d.Input({1, 4}), 0); }},
      {"row-that-is-longer", [](Draft& d) { RowInto(d, d.Varying({3, 4}), d.Input({5}), 0); }},
      {"row-of-a-narrower-type",
       [](Draft& d) { RowInto(d, d.Varying({3, 4}), d.Input({4}, ScalarType::kInt8), 0); }},
      {"row-of-a-wider-type",
       [](Draft& d) { RowInto(d, d.Varying({3, 4}), d.Input({4}, ScalarType::kFloat64), 0); }},
      {"loop-over-rows", [](Draft& d) { Loop(d, d.Varying({3, 4})); }},
      {"loop-over-rows-of-a-fixed-table", [](Draft& d) { Loop(d, d.Made({3, 4})); }},
  };
  return rows;
}

void SizeOf(Draft& d, int32_t self, int64_t dim) {
  d.Returns("aten::sym_size.int", {self, d.Int(dim), d.Int(0)});
}
void FirstOf(Draft& d, int32_t self) {
  d.Returns("aten::_local_scalar_dense", {self, d.Int(0)});
}

const std::vector<CallRow>& NumbersOfTensors() {
  static const std::vector<CallRow> rows = {
      {"size", [](Draft& d) { SizeOf(d, d.Input({4, 8}), 1); }},
      {"size-of-a-dimension-too-many", [](Draft& d) { SizeOf(d, d.Input({4, 8}), 2); }},
      {"size-counted-from-the-end", [](Draft& d) { SizeOf(d, d.Input({4, 8}), -1); }},
      {"size-of-a-scalar", [](Draft& d) { SizeOf(d, d.Input({}), 0); }},
      {"count", [](Draft& d) { d.Returns("aten::sym_numel", {d.Input({4, 8}), d.Int(0)}); }},
      {"element-of-float32", [](Draft& d) { FirstOf(d, d.Input({2})); }},
      {"element-of-bool", [](Draft& d) { FirstOf(d, d.Input({2}, ScalarType::kBool)); }},
      {"element-of-uint8", [](Draft& d) { FirstOf(d, d.Input({2}, ScalarType::kUInt8)); }},
      {"element-of-int64", [](Draft& d) { FirstOf(d, d.Input({2}, ScalarType::kInt64)); }},
      {"element-of-float16", [](Draft& d) { FirstOf(d, d.Input({2}, ScalarType::kFloat16)); }},
      {"element-of-bfloat16", [](Draft& d) { FirstOf(d, d.Input({2}, ScalarType::kBFloat16)); }},
      {"element-of-uint16", [](Draft& d) { FirstOf(d, d.Input({2}, ScalarType::kUInt16)); }},
      {"element-of-complex64", [](Draft& d) { FirstOf(d, d.Input({2}, ScalarType::kComplex64)); }},
      {"element-of-none", [](Draft& d) { FirstOf(d, d.Input({0})); }},
  };
  return rows;
}

// A call that computes one number.
CallRow Number(const char* name, const char* op,
               std::function<std::vector<int32_t>(Draft&)> operands) {
  return {name, [op, operands](Draft& d) {
            std::vector<int32_t> args = operands(d);
            args.push_back(d.Int(0));
            d.Returns(std::string("executorch_prim::") + op, std::move(args));
          }};
}

using Args = std::vector<int32_t>;

const std::vector<CallRow>& Sums() {
  static const std::vector<CallRow> rows = {
      Number("add", "add.Scalar", [](Draft& d) { return Args{d.Int(1), d.Double(2)}; }),
      Number("add-a-bool", "add.Scalar", [](Draft& d) { return Args{d.Bool(true), d.Int(2)}; }),
      Number("sub-a-bool", "sub.Scalar", [](Draft& d) { return Args{d.Int(2), d.Bool(true)}; }),
      Number("mul-bools", "mul.Scalar", [](Draft& d) { return Args{d.Bool(true), d.Bool(true)}; }),
      Number("floordiv", "floordiv.Scalar", [](Draft& d) { return Args{d.Int(-7), d.Int(2)}; }),
      Number("floordiv-a-bool", "floordiv.Scalar",
             [](Draft& d) { return Args{d.Int(7), d.Bool(true)}; }),
      Number("floordiv-by-0", "floordiv.Scalar", [](Draft& d) { return Args{d.Int(7), d.Int(0)}; }),
      Number("floordiv-a-float-by-0", "floordiv.Scalar",
             [](Draft& d) { return Args{d.Double(7), d.Int(0)}; }),
      Number("floordiv-the-least-by-minus-1", "floordiv.Scalar",
             [](Draft& d) { return Args{d.Int(kLeast), d.Int(-1)}; }),
      Number("truediv-by-0", "truediv.Scalar", [](Draft& d) { return Args{d.Int(7), d.Int(0)}; }),
      Number("truediv-a-bool", "truediv.Scalar",
             [](Draft& d) { return Args{d.Bool(true), d.Int(2)}; }),
      Number("mod", "mod.Scalar", [](Draft& d) { return Args{d.Int(7), d.Int(2)}; }),
      Number("mod-a-float", "mod.Scalar", [](Draft& d) { return Args{d.Double(7), d.Int(2)}; }),
      Number("mod-by-0", "mod.Scalar", [](Draft& d) { return Args{d.Int(7), d.Int(0)}; }),
      Number("mod-the-least-by-minus-1", "mod.Scalar",
             [](Draft& d) { return Args{d.Int(kLeast), d.Int(-1)}; }),
      Number("floordiv-int", "floordiv.int", [](Draft& d) { return Args{d.Int(7), d.Int(2)}; }),
      Number("floordiv-int-a-float", "floordiv.int",
             [](Draft& d) { return Args{d.Double(7), d.Int(2)}; }),
      Number("floordiv-int-by-0", "floordiv.int",
             [](Draft& d) { return Args{d.Int(7), d.Int(0)}; }),
      Number("mod-int", "mod.int", [](Draft& d) { return Args{d.Int(7), d.Int(2)}; }),
      Number("mod-int-a-bool", "mod.int", [](Draft& d) { return Args{d.Int(7), d.Bool(true)}; }),
      Number("mod-int-by-0", "mod.int", [](Draft& d) { return Args{d.Int(7), d.Int(0)}; }),
      Number("max", "sym_max.Scalar", [](Draft& d) { return Args{d.Int(7), d.Int(2)}; }),
      Number("max-of-a-float", "sym_max.Scalar",
             [](Draft& d) { return Args{d.Int(7), d.Double(2)}; }),
      Number("min-of-a-bool", "sym_min.Scalar",
             [](Draft& d) { return Args{d.Bool(true), d.Int(2)}; }),
  };
  return rows;
}

const std::vector<CallRow>& Conversions() {
  static const std::vector<CallRow> rows = {
      Number("eq-of-bools", "eq.Scalar", [](Draft& d) { return Args{d.Bool(true), d.Bool(true)}; }),
      Number("eq-of-an-integer-and-a-float", "eq.Scalar",
             [](Draft& d) { return Args{d.Int(1), d.Double(1)}; }),
      Number("eq-of-a-bool-and-an-integer", "eq.Scalar",
             [](Draft& d) { return Args{d.Bool(true), d.Int(1)}; }),
      Number("lt-of-a-float-and-a-bool", "lt.Scalar",
             [](Draft& d) { return Args{d.Double(1), d.Bool(true)}; }),
      Number("gt-of-bools", "gt.Scalar", [](Draft& d) { return Args{d.Bool(true), d.Bool(true)}; }),
      Number("ge-of-a-bool-and-an-integer", "ge.Scalar",
             [](Draft& d) { return Args{d.Bool(true), d.Int(1)}; }),
      Number("le-of-an-integer-and-a-bool", "le.Scalar",
             [](Draft& d) { return Args{d.Int(1), d.Bool(true)}; }),
      Number("neg", "neg.Scalar", [](Draft& d) { return Args{d.Double(1)}; }),
      Number("neg-of-a-bool", "neg.Scalar", [](Draft& d) { return Args{d.Bool(true)}; }),
      Number("float-of-a-bool", "sym_float.Scalar", [](Draft& d) { return Args{d.Bool(true)}; }),
      Number("int-of-a-float", "sym_int.Scalar", [](Draft& d) { return Args{d.Double(1.5)}; }),
      Number("not", "sym_not.Scalar", [](Draft& d) { return Args{d.Bool(true)}; }),
      Number("not-of-an-integer", "sym_not.Scalar", [](Draft& d) { return Args{d.Int(1)}; }),
      Number("ceil", "ceil.Scalar", [](Draft& d) { return Args{d.Double(1.5)}; }),
      Number("ceil-of-an-integer", "ceil.Scalar", [](Draft& d) { return Args{d.Int(1)}; }),
      Number("round-of-an-integer", "round.Scalar", [](Draft& d) { return Args{d.Int(1)}; }),
      Number("trunc-of-a-bool", "trunc.Scalar", [](Draft& d) { return Args{d.Bool(true)}; }),
      Number("ite", "sym_ite.Scalar",
             [](Draft& d) { return Args{d.Bool(true), d.Int(1), d.Double(2)}; }),
      Number("ite-of-an-integer", "sym_ite.Scalar",
             [](Draft& d) { return Args{d.Int(1), d.Int(1), d.Int(2)}; }),
  };
  return rows;
}

// A jump over a copy, on a value that a call has replaced.
void JumpOn(Draft& d, int32_t condition) {
  const int32_t from = d.Input({4});
  const int32_t to = d.Input({4});
  const int32_t over = d.builder().JumpFalse(condition, 0);
  d.builder().Copy(to, from);
  d.builder().SetTarget(over, d.builder().Next());
  d.builder().Output(to);
}

const std::vector<CallRow>& Jumps() {
  static const std::vector<CallRow> rows = {
      {"jump-on-a-computed-bool",
       [](Draft& d) {
         const int32_t condition = d.Bool(true);
         d.builder().Call("executorch_prim::eq.Scalar", {d.Int(1), d.Int(2), condition});
         JumpOn(d, condition);
       }},
      {"jump-on-a-computed-integer",
       [](Draft& d) {
         const int32_t condition = d.Bool(true);
         d.builder().Call("executorch_prim::add.Scalar", {d.Int(1), d.Int(2), condition});
         JumpOn(d, condition);
       }},
      {"jump-on-a-tensor", [](Draft& d) { JumpOn(d, d.Input({1}, ScalarType::kBool)); }},
      {"jump-on-a-tensor-of-floats-after-a-move",
       [](Draft& d) {
         const int32_t condition = d.Made({1}, ScalarType::kBool);
         d.builder().Move(d.Input({1}), condition);
         JumpOn(d, condition);
       }},
      {"float-as-a-dimension",
       [](Draft& d) {
         const int32_t dim = d.Int(0);
         d.builder().Call("executorch_prim::sym_float.Scalar", {d.Int(0), dim});
         const int32_t index = d.Int(1);
         d.Writes("aten::select_copy.int_out", {d.Input({4, 8}), dim, index, d.Made({8})});
       }},
      {"float-as-an-index",
       [](Draft& d) {
         const int32_t index = d.Int(0);
         d.builder().Call("executorch_prim::sym_float.Scalar", {d.Int(1), index});
         d.Writes("aten::select_copy.int_out", {d.Input({4, 8}), d.Int(0), index, d.Made({8})});
       }},
      {"integer-as-an-index",
       [](Draft& d) {
         const int32_t index = d.Int(0);
         d.builder().Call("executorch_prim::add.Scalar", {d.Int(1), d.Int(0), index});
         d.Writes("aten::select_copy.int_out", {d.Input({4, 8}), d.Int(0), index, d.Made({8})});
       }},
  };
  return rows;
}

void Clone(Draft& d, int32_t self, int32_t out) {
  d.Writes("dim_order_ops::_clone_dim_order.out", {self, d.Bool(false), d.None(), out});
}
void Convert(Draft& d, int32_t self, int32_t out) {
  d.Writes("dim_order_ops::_to_dim_order_copy.out", {self, d.Bool(false), d.None(), out});
}
void Empty(Draft& d, const std::vector<int64_t>& sizes, int32_t out) {
  d.Writes("dim_order_ops::_empty_dim_order.out", {d.Ints(sizes), d.None(), out});
}

const std::vector<CallRow>& OrderedCopies() {
  static const std::vector<CallRow> rows = {
      {"clone", [](Draft& d) { Clone(d, d.Input({4, 8}), d.Made({4, 8})); }},
      {"clone-of-another-type",
       [](Draft& d) { Clone(d, d.Input({4, 8}), d.Made({4, 8}, ScalarType::kInt32)); }},
      {"clone-of-other-sizes", [](Draft& d) { Clone(d, d.Input({4, 8}), d.Made({8, 4})); }},
      {"clone-that-varies", [](Draft& d) { Clone(d, d.Input({4, 8}), d.Varying({8, 8})); }},
      {"clone-that-varies-without-room",
       [](Draft& d) { Clone(d, d.Input({4, 8}), d.Varying({4, 4})); }},
      {"convert",
       [](Draft& d) { Convert(d, d.Input({4, 8}), d.Made({4, 8}, ScalarType::kInt32)); }},
      {"convert-to-other-sizes", [](Draft& d) { Convert(d, d.Input({4, 8}), d.Made({8, 4})); }},
      {"empty", [](Draft& d) { Empty(d, {4, 8}, d.Made({4, 8})); }},
      {"empty-of-other-sizes", [](Draft& d) { Empty(d, {8, 4}, d.Made({4, 8})); }},
      {"empty-of-another-rank", [](Draft& d) { Empty(d, {32}, d.Made({4, 8})); }},
      {"empty-that-varies-without-room", [](Draft& d) { Empty(d, {4, 8}, d.Varying({4, 4})); }},
  };
  return rows;
}

}  // namespace

std::vector<RuntimeCallCase> RuntimeCallCases() {
  std::vector<RuntimeCallCase> cases;
  for (const auto& family :
       {Views, ComputedViews, Rows, NumbersOfTensors, Sums, Conversions, Jumps, OrderedCopies}) {
    for (const CallRow& row : family()) {
      Draft draft;
      row.make(draft);
      cases.push_back(draft.Finish(row.name));
    }
  }
  return cases;
}

std::string RuntimeCallsFolder() {
  return PTEPROOF_CORPUS_DIR "/reports/refused-calls/";
}

std::vector<RecordedAnswer> RecordedAnswers() {
  std::vector<RecordedAnswer> rows;
  std::ifstream in(RuntimeCallsFolder() + "EXPECTED.tsv");
  std::string line;
  std::getline(in, line);  // the names of the columns
  while (std::getline(in, line)) {
    std::istringstream columns(line);
    RecordedAnswer& row = rows.emplace_back();
    for (std::string* column : {&row.file, &row.inputs, &row.executorch, &row.check}) {
      std::getline(columns, *column, '\t');
    }
  }
  return rows;
}

void PrintTo(const RecordedAnswer& row, std::ostream* out) {
  *out << row.file;
}

std::string InputsText(const RuntimeCallCase& of) {
  if (of.inputs.empty()) return "-";
  std::string text;
  for (const Dims& sizes : of.inputs) {
    text += fmt::format("{}[{}]", text.empty() ? "" : " ", fmt::join(sizes, ", "));
  }
  return text;
}

std::vector<Datum> InputsOf(const RuntimeCallCase& of) {
  const Method& method = of.program.methods.front();
  std::vector<Datum> inputs;
  for (size_t n = 0; n < of.inputs.size(); ++n) {
    const Tensor& tensor = *method.TensorOf(method.inputs[n]);
    inputs.emplace_back(Zeros(tensor.dtype, {of.inputs[n].begin(), of.inputs[n].end()}));
  }
  return inputs;
}

}  // namespace pteproof
