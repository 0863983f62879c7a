#include "properties/proofs/facts/one_model.h"

#include <algorithm>
#include <cstddef>
#include <ranges>

namespace pteproof::proofs {
namespace {

// The values that a method begins with: from `first` to before `end`.
struct Lead {
  const MethodFacts* facts = nullptr;
  int32_t first = 0;
  int32_t end = 0;

  [[nodiscard]] int32_t size() const { return end - first; }
  [[nodiscard]] bool IsConstant(int32_t i) const {
    return facts->parts.Of(first + i) == Part::kConstant;
  }
  // From place i on, and before.
  [[nodiscard]] bool HasConstantsOnly(int32_t from, int32_t to) const {
    return std::ranges::all_of(std::views::iota(from, to),
                               [&](int32_t i) { return IsConstant(i); });
  }
};

Lead LeadOf(const MethodFacts& facts) {
  Lead lead = {&facts, 0, 0};
  if (!facts.method->inputs.empty()) {
    lead.end = std::ranges::min(facts.method->inputs);
    return lead;
  }
  for (const Part part : facts.parts.of) {
    if (part != Part::kConstant && part != Part::kBuffer) break;
    ++lead.end;
  }
  return lead;
}

bool Agree(const Lead& a, const Lead& b, int32_t i) {
  const Method& m = *a.facts->method;
  const Method& n = *b.facts->method;
  const Tensor* s = m.TensorOf(a.first + i);
  const Tensor* t = n.TensorOf(b.first + i);
  if (s == nullptr || t == nullptr) return s == nullptr && t == nullptr;
  if (a.IsConstant(i) && b.IsConstant(i) && s->data_index != t->data_index) return false;
  return s->dtype == t->dtype && std::ranges::equal(m.Ints(s->sizes), n.Ints(t->sizes));
}

// Leaves constants ahead of value v out, so that v stands at `place`.
bool Shift(Lead& lead, int32_t v, int32_t place) {
  if (!lead.HasConstantsOnly(0, v - place)) return false;
  lead.first = v - place;
  return true;
}

// Whether one lacks constants that the other begins with, though both have inputs behind them:
// parameters of the model that it does not use.
bool LacksSome(const Lead& a, const Lead& b) {
  const auto lacks = [](const Lead& lead) {
    return lead.first > 0 && !lead.facts->method->inputs.empty();
  };
  return lacks(a) || lacks(b);
}

// Whether both have one parameter before `end`, except at `place`.
bool HaveOneParameter(const Lead& a, const Lead& b, int32_t place, int32_t end) {
  for (int32_t i = 0; i < end; ++i) {
    if (i != place && a.IsConstant(i) && b.IsConstant(i)) return true;
  }
  return false;
}

}  // namespace

bool MayBeOneByNumber(const MethodFacts& m, int32_t v, const MethodFacts& n, int32_t w) {
  const Tensor* s = m.method->TensorOf(v);
  const Tensor* t = n.method->TensorOf(w);
  if (s == nullptr || t == nullptr || s->dtype != t->dtype || s->nbytes != t->nbytes) return false;
  if (!m.numbering.unbroken || !n.numbering.unbroken) return false;
  if (!m.numbering.ordered && !n.numbering.ordered) return false;
  Lead one = LeadOf(m);
  Lead other = LeadOf(n);
  if (v >= one.end || w >= other.end) return false;
  const int32_t place = std::min(v, w);
  if (!Shift(one, v, place) || !Shift(other, w, place)) return false;
  int32_t apart = 0;
  while (apart < std::min(one.size(), other.size()) && Agree(one, other, apart)) ++apart;
  if (LacksSome(one, other) && !HaveOneParameter(one, other, place, apart)) return false;
  return place < apart && one.HasConstantsOnly(apart, one.size()) &&
         other.HasConstantsOnly(apart, other.size());
}

bool MayBeOneByNumber(const ProgramFacts& facts, const BufferUse& a, const BufferUse& b) {
  if (a.method == b.method) return false;
  const MethodFacts& one = facts.FactsAt(a.method);
  const MethodFacts& other = facts.FactsAt(b.method);
  const auto stated = [](const MethodFacts& method, const BufferUse& use) {
    return !method.parts.buffers[static_cast<size_t>(use.buffer)].fitting.empty();
  };
  if (stated(one, a) || stated(other, b)) return false;
  return one.numbering.ordered && other.numbering.ordered &&
         MayBeOneByNumber(one, a.value, other, b.value);
}

}  // namespace pteproof::proofs
