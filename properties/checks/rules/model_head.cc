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
// Invariant: a value ahead of the place where one head may begin is a constant.
//
// Cost: O(head) for a shift. A shift that is not one ends at the first values that are not alike.
#include "properties/checks/rules/model_head.h"

#include <algorithm>
#include <cstdlib>

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

bool AreOfOneForm(const MethodCheck& a, int32_t v, const MethodCheck& b, int32_t w) {
  const Tensor* one = a.method->TensorOf(v);
  const Tensor* other = b.method->TensorOf(w);
  if (one == nullptr || other == nullptr) return one == other;
  const bool constants = IsConstant(a, v) && IsConstant(b, w);
  return one->dtype == other->dtype &&
         std::ranges::equal(a.method->Ints(one->sizes), b.method->Ints(other->sizes)) &&
         (!constants || one->data_index == other->data_index);
}

bool AreConstants(const MethodCheck& check, int32_t begin, int32_t end) {
  for (int32_t v = begin; v < end; ++v) {
    if (!IsConstant(check, v)) return false;
  }
  return true;
}

}  // namespace

int32_t AlikeBehind(const MethodCheck& a, const MethodCheck& b, int32_t shift) {
  if (std::abs(shift) > kMostLeftOut || !AreNumbered(a, b)) return 0;
  const int32_t skip_a = std::max(0, -shift);
  const int32_t skip_b = std::max(0, shift);
  const int32_t head_a = HeadOf(a);
  const int32_t head_b = HeadOf(b);
  if (skip_a > head_a || skip_b > head_b) return 0;
  if (!AreConstants(a, 0, skip_a) || !AreConstants(b, 0, skip_b)) return 0;
  const auto may_skip = [](const MethodCheck& check, int32_t skip) {
    return skip == 0 || check.method->inputs.empty();
  };
  bool in_common = may_skip(a, skip_a) && may_skip(b, skip_b);
  int32_t alike = 0;
  const int32_t both = std::min(head_a - skip_a, head_b - skip_b);
  while (alike < both && AreOfOneForm(a, alike + skip_a, b, alike + skip_b)) {
    in_common = in_common || (IsConstant(a, alike + skip_a) && IsConstant(b, alike + skip_b));
    ++alike;
  }
  const bool one_model = in_common && AreConstants(a, alike + skip_a, head_a) &&
                         AreConstants(b, alike + skip_b, head_b);
  return one_model ? alike : 0;
}

}  // namespace pteproof::checks
