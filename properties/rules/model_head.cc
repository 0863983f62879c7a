// Idea: the exporter numbers the parameters that a method uses, then all buffers of the model, used
// or not, then the constants that it found in the method's code, then the inputs. A method without
// inputs begins with its own constants:
//
//   'put'     v0 weight   v1 bias   v2 buffer   v3 buffer                 v4 input
//   'sum'     v0 bias               v1 buffer   v2 buffer   v3 constant   v4 input
//   'reset'   v0 constant           v1 buffer   v2 buffer
//
// So two methods of one model have the same buffers, one by one, however many parameters and own
// constants are around them. A buffer shows itself if it is planned. A method that only reads it
// may have it as a constant. A constant that nothing uses, ahead of a planned buffer, is a buffer
// too: as a parameter it would have been left out.
//
// Invariant: all buffers that one of the two shows have a value in the other, of the same type and
// sizes, and of the same data if both are constants.
//
// Cost: O(head) for a method, O(buffers) for two methods and a shift.
#include "properties/rules/model_head.h"

#include <algorithm>
#include <cstdlib>

#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

bool IsConstant(const MethodMeaning& meant, int32_t v) {
  return meant.roles.of[static_cast<size_t>(v)] == Role::kConstant;
}

bool IsUsed(const MethodMeaning& meant, int32_t v) {
  const Usage& usage = meant.roles.usage[static_cast<size_t>(v)];
  return usage.touched() || usage.is_output;
}

// The first value that is not one of the model or a constant.
int32_t SizeOfHead(const MethodMeaning& meant) {
  const Method& method = *meant.method;
  const auto end = method.inputs.empty() ? static_cast<int32_t>(method.values.size())
                                         : std::ranges::min(method.inputs);
  const auto is_ahead = [&](int32_t v) {
    return IsConstant(meant, v) || meant.roles.of[static_cast<size_t>(v)] == Role::kState;
  };
  int32_t v = 0;
  while (v < end && is_ahead(v)) ++v;
  return v;
}

// One exporter numbers both, so that one of them with enough values in order tells of both.
bool AreNumbered(const MethodMeaning& a, const MethodMeaning& b) {
  return a.order.unbroken && b.order.unbroken && (a.order.holds || b.order.holds);
}

bool AreOfOneForm(const MethodMeaning& a, int32_t v, const MethodMeaning& b, int32_t w) {
  const Tensor* one = a.method->TensorOf(v);
  const Tensor* other = b.method->TensorOf(w);
  if (one == nullptr || other == nullptr) return one == other;
  const bool constants = IsConstant(a, v) && IsConstant(b, w);
  return one->dtype == other->dtype &&
         std::ranges::equal(a.method->Ints(one->sizes), b.method->Ints(other->sizes)) &&
         (!constants || one->data_index == other->data_index);
}

}  // namespace

ModelHead HeadOf(const MethodMeaning& meant) {
  ModelHead head = {.meant = &meant, .size = SizeOfHead(meant)};
  for (int32_t v = 0; v < head.size; ++v) {
    if (!IsConstant(meant, v)) head.end = v + 1;
  }
  while (head.begin < head.end && IsConstant(meant, head.begin) && IsUsed(meant, head.begin))
    ++head.begin;
  return head;
}

bool AreOfOneModel(const ModelHead& a, const ModelHead& b, int32_t shift) {
  if (!AreNumbered(*a.meant, *b.meant)) return false;
  if (std::abs(shift - (b.size - a.size)) > kMostOwn) return false;
  if (!a.shows_buffers()) return false;
  int32_t begin = a.begin;
  int32_t end = a.end;
  if (b.shows_buffers()) {
    begin = std::min(begin, b.begin - shift);
    end = std::max(end, b.end - shift);
  }
  if (begin < std::max(0, -shift) || end > std::min(a.size, b.size - shift)) return false;
  for (int32_t v = begin; v < end; ++v) {
    if (!AreOfOneForm(*a.meant, v, *b.meant, v + shift)) return false;
  }
  return true;
}

}  // namespace pteproof::checks
