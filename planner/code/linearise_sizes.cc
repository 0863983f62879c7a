// Numbers that depend on a method's dims, computed before its first step from the sizes of its
// inputs. Idea: a dim is known from a size of an input, e(n), in which it is the only unknown dim
// and occurs linearly:
//
//   input %x: float32[2*n + 1, 4]     n = (sym_size(x, 0) - e(0)) / (e(1) - e(0)) = (... - 1) / 2
//
// Invariant: an expression is computed from dims that are known before it; equal expressions are
// computed once. Cost: O(sizes of inputs + operations of the expressions).
#include <algorithm>
#include <optional>
#include <utility>

#include "planner/code/lineariser.h"

namespace pteproof::planner {

using graph::Number;
using graph::NumberType;

namespace {

std::optional<int64_t> Literal(const Operand& operand) {
  const auto* size = std::get_if<SizeExpr>(&operand.held);
  return size == nullptr ? std::nullopt : size->Constant();
}

}  // namespace

// SizeExpr::In: each operation is an instruction, unless both operands are known numbers. One dim
// may stand for a given number.
struct Lineariser::Arithmetic {
  using Value = Operand;

  Lineariser& to;
  int32_t given = -1;  // this dim ...
  int64_t value = 0;   // ... is this number

  Operand Number(int64_t number) { return graph::Number(number); }
  Operand Symbol(int32_t symbol) { return symbol == given ? graph::Number(value) : to.Dim(symbol); }
  Operand Prim(std::string_view op, std::vector<Operand> operands,
               NumberType type = NumberType::kInt) {
    return graph::Of(to.AddPrim(op, std::move(operands), type));
  }
  Operand Add(const Operand& a, const Operand& b) {
    const auto x = Literal(a);
    const auto y = Literal(b);
    if (x && y) return graph::Number(SizeExpr(*x) + SizeExpr(*y));
    if (x && *x == 0) return b;
    if (y && *y == 0) return a;
    return Prim("executorch_prim::add.Scalar", {a, b});
  }
  Operand Subtract(const Operand& a, const Operand& b) {
    const auto x = Literal(a);
    const auto y = Literal(b);
    if (x && y) return graph::Number(SizeExpr(*x) - SizeExpr(*y));
    if (y && *y == 0) return a;
    return Prim("executorch_prim::sub.Scalar", {a, b});
  }
  Operand Multiply(const Operand& a, const Operand& b) {
    const auto x = Literal(a);
    const auto y = Literal(b);
    if (x && y) return graph::Number(SizeExpr(*x) * SizeExpr(*y));
    if ((x && *x == 0) || (y && *y == 0)) return graph::Number(0);
    if (x && *x == 1) return b;
    if (y && *y == 1) return a;
    return Prim("executorch_prim::mul.Scalar", {a, b});
  }
  // By zero gives zero; the instruction itself traps there.
  Operand FloorDivide(const Operand& a, const Operand& b) {
    if (const auto divisor = Literal(b)) {
      if (*divisor == 0) return graph::Number(0);
      if (*divisor == 1) return a;
      if (const auto x = Literal(a))
        return graph::Number(FloorDiv(SizeExpr(*x), SizeExpr(*divisor)));
      return Prim("executorch_prim::floordiv.Scalar", {a, b});
    }
    const Operand none =
        Prim("executorch_prim::eq.Scalar", {b, graph::Number(0)}, NumberType::kBool);
    const Operand some = Prim("executorch_prim::sym_ite.Scalar", {none, graph::Number(1), b});
    const Operand quotient = Prim("executorch_prim::floordiv.Scalar", {a, some});
    return Prim("executorch_prim::sym_ite.Scalar", {none, graph::Number(0), quotient});
  }
  Operand Modulo(const Operand& a, const Operand& b) {
    if (const auto divisor = Literal(b)) {
      if (*divisor == 0) return graph::Number(0);
      return Subtract(a, Multiply(FloorDivide(a, b), b));
    }
    const Operand rest = Subtract(a, Multiply(FloorDivide(a, b), b));
    const Operand none =
        Prim("executorch_prim::eq.Scalar", {b, graph::Number(0)}, NumberType::kBool);
    return Prim("executorch_prim::sym_ite.Scalar", {none, graph::Number(0), rest});
  }
  Operand Minimum(const Operand& a, const Operand& b) {
    const auto x = Literal(a);
    const auto y = Literal(b);
    if (x && y) return graph::Number(std::min(*x, *y));
    return Prim("executorch_prim::sym_min.Scalar", {a, b});
  }
  Operand Maximum(const Operand& a, const Operand& b) {
    const auto x = Literal(a);
    const auto y = Literal(b);
    if (x && y) return graph::Number(std::max(*x, *y));
    return Prim("executorch_prim::sym_max.Scalar", {a, b});
  }
};

Operand Lineariser::SizeOperand(const SizeExpr& size) {
  if (const auto number = size.Constant()) return Number(*number);
  const auto known = sizes_.find(size);
  if (known != sizes_.end()) return known->second;
  std::vector<Step>* const before = std::exchange(steps_, &prologue_);
  Arithmetic arithmetic{*this};
  const Operand operand = size.In(arithmetic);
  steps_ = before;
  sizes_.emplace(size, operand);
  return operand;
}

// Which input's size tells each dim, as far as any does; each needs only dims told before it.
void Lineariser::FindDims() {
  std::vector<bool> told(method_.dims.size());
  for (bool more = true; more;) {
    more = false;
    for (size_t n = 0; n < method_.inputs.size(); ++n) {
      const TensorType* type = TensorTypeOf(code_, method_.inputs[n].value);
      for (size_t d = 0; type != nullptr && d < type->rank(); ++d) {
        const std::vector<int32_t> symbols = type->sizes[d].Symbols();
        const auto is_open = [&](int32_t s) { return !told[static_cast<size_t>(s)]; };
        if (std::ranges::count_if(symbols, is_open) != 1) continue;
        const int32_t open = *std::ranges::find_if(symbols, is_open);
        if (!type->sizes[d].IsLinearIn(open)) continue;
        told[static_cast<size_t>(open)] = more = true;
        told_by_.emplace(open, InputSize{method_.inputs[n].value, static_cast<int32_t>(d)});
      }
    }
  }
}

Operand Lineariser::Dim(int32_t symbol) {
  const auto known = dims_.find(symbol);
  if (known != dims_.end()) return known->second;
  Operand dim = Number(method_.dims[static_cast<size_t>(symbol)].lo);
  if (const auto found = told_by_.find(symbol); found != told_by_.end()) {
    const auto [input, at] = found->second;
    Arithmetic at_0{*this, symbol, 0};
    Arithmetic at_1{*this, symbol, 1};
    const SizeExpr size = TensorTypeOf(code_, input)->sizes[static_cast<size_t>(at)];
    const Operand is = at_0.Prim("aten::sym_size.int", {graph::Of(input), Number(at)});
    const Operand base = size.In(at_0);
    const Operand step = at_0.Subtract(size.In(at_1), base);
    dim = at_0.FloorDivide(at_0.Subtract(is, base), step);
  }
  dims_.emplace(symbol, dim);
  return dim;
}

}  // namespace pteproof::planner
