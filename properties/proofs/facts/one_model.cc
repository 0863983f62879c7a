#include "properties/proofs/facts/one_model.h"

#include <algorithm>
#include <cstddef>

namespace pteproof::proofs {
namespace {

// The values that come before the inputs: how many.
int32_t LeadOf(const MethodFacts& facts) {
  if (!facts.numbering.ordered || facts.method->inputs.empty()) return 0;
  return std::ranges::min(facts.method->inputs);
}

bool Contradict(const Method& a, const Method& b, int32_t v) {
  const Tensor* s = a.TensorOf(v);
  const Tensor* t = b.TensorOf(v);
  if ((s == nullptr) != (t == nullptr)) return true;
  if (s == nullptr) return false;
  if (s->dtype != t->dtype || !std::ranges::equal(a.Ints(s->sizes), b.Ints(t->sizes))) return true;
  return !s->planned && !t->planned && s->data_index != t->data_index;
}

}  // namespace

bool MayBeOneByNumber(const ProgramFacts& facts, const BufferUse& a, const BufferUse& b) {
  if (a.method == b.method || a.value != b.value) return false;
  const MethodFacts& one = facts.FactsAt(a.method);
  const MethodFacts& other = facts.FactsAt(b.method);
  const auto stated = [](const MethodFacts& method, const BufferUse& use) {
    return !method.parts.buffers[static_cast<size_t>(use.buffer)].fitting.empty();
  };
  if (stated(one, a) || stated(other, b)) return false;
  if (a.value >= std::min(LeadOf(one), LeadOf(other))) return false;
  int32_t v = 0;
  while (v <= a.value && !Contradict(*one.method, *other.method, v)) ++v;
  return v > a.value;
}

}  // namespace pteproof::proofs
