#include "tests/support/elided_names.h"

#include <utility>

#include "tests/support/method_builder.h"

namespace pteproof {

ElidedView ViewInABranch(bool read_in_time) {
  MethodBuilder m;
  const int32_t flag = m.Unplanned({}, ScalarType::kBool);
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(flag);
  m.Input(x);
  const int32_t base = m.Planned(1, 16, {4});
  m.Add(x, x, base);
  const int32_t result = m.Planned(1, 16, {4});
  const int32_t to_false = m.JumpFalse(flag, 0);
  m.Add(base, x, result);
  const int32_t to_end = m.JumpFalse(m.Bool(false), 0);
  m.SetTarget(to_false, m.Next());
  const int32_t view = m.Planned(1, 16, {4});
  const int32_t product = m.Planned(1, 32, {4});
  if (!read_in_time) m.Mul(x, x, result);
  m.Mul(view, view, product);
  m.Add(product, x, result);
  m.SetTarget(to_end, m.Next());
  m.Output(result);
  return {m.Build(), base, view};
}

ElidedView NameInABranchOfALoop(Elided kind, bool in_time) {
  MethodBuilder m;
  const int32_t flag = m.Unplanned({}, ScalarType::kBool);
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(flag);
  m.Input(x);
  const int32_t zero = m.Int(0);
  const int32_t round = m.Int(0);
  m.Move(zero, round);
  const int32_t base = m.Planned(1, 16, {4});
  const int32_t first = m.Add(x, x, base);
  m.Mul(x, x, m.Planned(1, 32, {4}));
  const int32_t to_false = m.JumpFalse(flag, 0);
  const int32_t other = m.Planned(1, 16, {4});
  m.Add(base, x, other);
  const int32_t result = m.Planned(1, 48, {4});
  m.Add(other, x, result);
  const int32_t to_end = m.JumpFalse(m.Bool(false), 0);
  m.SetTarget(to_false, m.Next());
  const auto [offset, size] = kind == Elided::kSlice  ? std::pair(24, 2)
                              : kind == Elided::kView ? std::pair(16, 4)
                                                      : std::pair(16, 8);
  const int32_t name = m.Planned(1, static_cast<uint64_t>(offset), {size});
  if (kind == Elided::kSlice) {
    for (const int64_t literal : {0, 2, 4, 1}) m.Int(literal);  // dim, start, end, step
  }
  const int32_t late = in_time ? x : m.Planned(1, 16, {4});
  if (!in_time) m.Mul(x, x, late);
  m.Mul(name, name, m.Planned(1, 64, {size}));
  m.Add(late, x, result);
  m.SetTarget(to_end, m.Next());
  const int32_t is_last = m.Bool(false);
  m.Call("executorch_prim::add.Scalar", {round, m.Int(1), round});
  m.Call("executorch_prim::eq.Scalar", {round, m.Int(3), is_last});
  m.JumpFalse(is_last, first);
  m.Output(result);
  return {m.Build(), base, name};
}

ElidedView ViewOfAReturnedName(bool is_concatenation) {
  MethodBuilder m;
  const int32_t state = m.Planned(2, 0, {4}, "state");
  const int32_t x = m.Planned(1, 0, {4});
  m.Input(x);
  const int32_t base = m.Planned(1, 16, {4});
  m.Add(x, x, base);
  if (is_concatenation) m.Add(x, x, m.Planned(1, 32, {4}));
  const int32_t returned = m.Planned(1, 16, {4});
  m.Call("aten::copy_", {state, x, m.Bool(false), returned});
  const int32_t view = m.Planned(1, 16, {is_concatenation ? 8 : 4});
  const int32_t out = m.Planned(1, 64, {is_concatenation ? 8 : 4});
  m.Mul(view, view, out);
  m.Output(out);
  return {m.Build(), base, view};
}

}  // namespace pteproof
