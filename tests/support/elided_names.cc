#include "tests/support/elided_names.h"

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
