#include "properties/proofs/facts/one_model.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

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

// Whether both have one parameter among the first so many.
bool HaveOneParameter(const Lead& a, const Lead& b, int32_t count) {
  const auto is_one = [&](int32_t i) { return a.IsConstant(i) && b.IsConstant(i); };
  return std::ranges::any_of(std::views::iota(0, count), is_one);
}

// What the two have in common from there on, if the one lacks what the other has before.
CommonLead CommonFrom(const MethodFacts& m, int32_t of_m, const MethodFacts& n, int32_t of_n) {
  Lead one = LeadOf(m);
  Lead other = LeadOf(n);
  for (auto [lead, first] : {std::pair(&one, of_m), std::pair(&other, of_n)}) {
    if (first > lead->end || !lead->HasConstantsOnly(0, first)) return {};
    lead->first = first;
  }
  int32_t count = 0;
  while (count < std::min(one.size(), other.size()) && Agree(one, other, count)) ++count;
  if (!one.HasConstantsOnly(count, one.size()) || !other.HasConstantsOnly(count, other.size()))
    return {};
  // A method without inputs begins with its own constants. Another one may lack parameters, if
  // there are some that both have.
  const bool lacks =
      (of_m > 0 && !m.method->inputs.empty()) || (of_n > 0 && !n.method->inputs.empty());
  if (lacks && !HaveOneParameter(one, other, count)) return {};
  return {of_m, of_n, count};
}

bool AreNumberedByOne(const MethodFacts& m, const MethodFacts& n) {
  return m.numbering.unbroken && n.numbering.unbroken &&
         (m.numbering.ordered || n.numbering.ordered);
}

constexpr int32_t kMostLacked = 64;

}  // namespace

std::vector<CommonLead> CommonLeads(const MethodFacts& m, const MethodFacts& n) {
  std::vector<CommonLead> leads;
  if (!AreNumberedByOne(m, n)) return leads;
  const auto add = [&](int32_t of_m, int32_t of_n) {
    const CommonLead lead = CommonFrom(m, of_m, n, of_n);
    if (lead.count > 0) leads.push_back(lead);
  };
  add(0, 0);
  for (int32_t lacked = 1; lacked <= kMostLacked; ++lacked) {
    add(lacked, 0);
    add(0, lacked);
  }
  return leads;
}

bool AreLeftToNumbers(const ProgramFacts& facts, const BufferUse& a, const BufferUse& b) {
  const auto is_left = [&](const BufferUse& use) {
    const MethodFacts& method = facts.FactsAt(use.method);
    return method.numbering.ordered &&
           method.parts.buffers[static_cast<size_t>(use.buffer)].fitting.empty();
  };
  return a.method != b.method && is_left(a) && is_left(b);
}

bool MayBeOneByNumber(const ProgramFacts& facts, const BufferUse& a, const BufferUse& b) {
  if (!AreLeftToNumbers(facts, a, b)) return false;
  const int32_t place = std::min(a.value, b.value);
  if (std::max(a.value, b.value) - place > kMostLacked) return false;
  return CommonFrom(facts.FactsAt(a.method), a.value - place, facts.FactsAt(b.method),
                    b.value - place)
             .count > place;
}

}  // namespace pteproof::proofs
