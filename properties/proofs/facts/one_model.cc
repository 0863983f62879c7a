#include "properties/proofs/facts/one_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <ranges>

namespace pteproof::proofs {
namespace {

constexpr int32_t kMostOwnConstants = 64;

bool IsUnused(const Touched& touched) {
  return !touched.any() && !touched.output;
}

bool AreNumberedByOne(const MethodFacts& m, const MethodFacts& n) {
  return m.numbering.unbroken && n.numbering.unbroken &&
         (m.numbering.ordered || n.numbering.ordered);
}

// Whether nothing says that they are two buffers: another type, other sizes, other data.
bool Agree(const MethodFacts& m, int32_t v, const MethodFacts& n, int32_t w) {
  const Tensor* s = m.method->TensorOf(v);
  const Tensor* t = n.method->TensorOf(w);
  if (s == nullptr || t == nullptr) return s == nullptr && t == nullptr;
  const bool have_data = m.parts.Of(v) == Part::kConstant && n.parts.Of(w) == Part::kConstant;
  if (have_data && s->data_index != t->data_index) return false;
  return s->dtype == t->dtype &&
         std::ranges::equal(m.method->Ints(s->sizes), n.method->Ints(t->sizes));
}

// Whether each buffer, and all that lies among the buffers, has its like in the other method.
bool Fits(const Preamble& m, const Preamble& n, int32_t distance) {
  if (m.first_buffer < 0) return false;
  int32_t first = m.first_buffer;
  int32_t last = m.last_buffer;
  if (n.first_buffer >= 0) {
    first = std::min(first, n.first_buffer - distance);
    last = std::max(last, n.last_buffer - distance);
  }
  if (first < 0 || first + distance < 0 || last >= m.size || last + distance >= n.size)
    return false;
  return std::ranges::all_of(std::views::iota(first, last + 1),
                             [&](int32_t v) { return Agree(*m.facts, v, *n.facts, v + distance); });
}

bool MayBeApart(const Preamble& m, const Preamble& n, int32_t distance) {
  return AreNumberedByOne(*m.facts, *n.facts) &&
         std::abs(distance - (n.size - m.size)) <= kMostOwnConstants && Fits(m, n, distance);
}

}  // namespace

Preamble PreambleOf(const MethodFacts& facts) {
  Preamble preamble = {.facts = &facts};
  const auto& inputs = facts.method->inputs;
  const int32_t end = inputs.empty() ? facts.value_count() : std::ranges::min(inputs);
  int32_t unused = -1;  // the first one
  for (; preamble.size < end; ++preamble.size) {
    const Part part = facts.parts.Of(preamble.size);
    if (part == Part::kBuffer) {
      if (preamble.first_buffer < 0) preamble.first_buffer = unused < 0 ? preamble.size : unused;
      preamble.last_buffer = preamble.size;
    } else if (part != Part::kConstant) {
      break;
    } else if (unused < 0 && IsUnused(facts.parts.TouchedOf(preamble.size))) {
      unused = preamble.size;
    }
  }
  return preamble;
}

std::vector<int32_t> Distances(const Preamble& m, const Preamble& n) {
  std::vector<int32_t> distances;
  for (int32_t own = -kMostOwnConstants; own <= kMostOwnConstants; ++own) {
    const int32_t distance = n.size - m.size + own;
    if (MayBeApart(m, n, distance)) distances.push_back(distance);
  }
  return distances;
}

bool AreLeftToNumbers(const ProgramFacts& facts, const BufferUse& a, const BufferUse& b) {
  const auto is_left = [&](const BufferUse& use) {
    const Parts& parts = facts.FactsAt(use.method).parts;
    return parts.buffers[static_cast<size_t>(use.buffer)].fitting.empty();
  };
  return a.method != b.method && is_left(a) && is_left(b);
}

bool MayBeOneByNumber(const ProgramFacts& facts, const BufferUse& a, const BufferUse& b) {
  if (!AreLeftToNumbers(facts, a, b)) return false;
  const Preamble m = PreambleOf(facts.FactsAt(a.method));
  const Preamble n = PreambleOf(facts.FactsAt(b.method));
  return a.value < m.size && b.value < n.size && MayBeApart(m, n, b.value - a.value);
}

}  // namespace pteproof::proofs
