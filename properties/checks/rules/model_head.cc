// Idea: the exporter numbers a model's parameters and buffers in one order, the same in all
// methods, then the constants that it found in the method's code, then the inputs. A method without
// inputs begins with its own constants, and parameters that a method does not use are left out:
//
//   'put'     v0 weight   v1 bias   v2 buffer                 v3 input
//   'sum'     v0 weight   v1 bias   v2 buffer   v3 constant   v4 input
//   'reset'   v0 constant   v1 weight   v2 bias   v3 buffer
//   'scale'   v0 bias   v1 buffer                 v2 input
//
// Two heads are of one model if they agree in types, sizes and data of parameters, up to a place
// from which on both have constants only. Constants that one of them has more ahead are left out,
// if the heads have some parameter in common.
//
// Cost: O(head).
#include "properties/checks/rules/model_head.h"

#include <algorithm>

namespace pteproof::checks {
namespace {

bool IsConstant(const MethodCheck& check, int32_t v) {
  return check.roles.of[static_cast<size_t>(v)] == Role::kConstant;
}

// The values ahead of the inputs; without inputs, those that no instruction makes.
int32_t HeadOf(const MethodCheck& check) {
  const Method& method = *check.method;
  if (!method.inputs.empty()) return std::ranges::min(method.inputs);
  int32_t v = 0;
  const auto is_ahead = [&](Role role) { return role == Role::kConstant || role == Role::kState; };
  while (v < static_cast<int32_t>(method.values.size()) &&
         is_ahead(check.roles.of[static_cast<size_t>(v)])) {
    ++v;
  }
  return v;
}

// One exporter numbers both, so that one of them with enough values in order tells of both.
bool AreNumbered(const MethodCheck& a, const MethodCheck& b) {
  return a.order.unbroken && b.order.unbroken && (a.order.holds || b.order.holds);
}

bool AreOfOneForm(ValueAt a, ValueAt b) {
  const Tensor* one = a.check->method->TensorOf(a.value);
  const Tensor* other = b.check->method->TensorOf(b.value);
  if (one == nullptr || other == nullptr) return one == other;
  const bool constants = IsConstant(*a.check, a.value) && IsConstant(*b.check, b.value);
  return one->dtype == other->dtype &&
         std::ranges::equal(a.check->method->Ints(one->sizes),
                            b.check->method->Ints(other->sizes)) &&
         (!constants || one->data_index == other->data_index);
}

bool AreConstants(const MethodCheck& check, int32_t begin, int32_t end) {
  for (int32_t v = begin; v < end; ++v) {
    if (!IsConstant(check, v)) return false;
  }
  return true;
}

}  // namespace

bool StandAlike(ValueAt a, ValueAt b) {
  if (!AreOfOneForm(a, b) || !AreNumbered(*a.check, *b.check)) return false;
  const int32_t head_a = HeadOf(*a.check);
  const int32_t head_b = HeadOf(*b.check);
  if (a.value >= head_a || b.value >= head_b) return false;
  const int32_t place = std::min(a.value, b.value);
  const int32_t skip_a = a.value - place;
  const int32_t skip_b = b.value - place;
  if (!AreConstants(*a.check, 0, skip_a) || !AreConstants(*b.check, 0, skip_b)) return false;
  const auto may_skip = [](const MethodCheck& check, int32_t skip) {
    return skip == 0 || check.method->inputs.empty();
  };
  bool in_common = may_skip(*a.check, skip_a) && may_skip(*b.check, skip_b);
  int32_t alike = 0;
  const int32_t both = std::min(head_a - skip_a, head_b - skip_b);
  while (alike < both && AreOfOneForm({a.check, alike + skip_a}, {b.check, alike + skip_b})) {
    in_common = in_common || (IsConstant(*a.check, alike + skip_a) &&
                              IsConstant(*b.check, alike + skip_b) && alike != place);
    ++alike;
  }
  return in_common && alike > place && AreConstants(*a.check, alike + skip_a, head_a) &&
         AreConstants(*b.check, alike + skip_b, head_b);
}

}  // namespace pteproof::checks
