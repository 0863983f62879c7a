// Which values of two methods are one by their numbers. Ahead of a method's inputs are the
// parameters that it uses, then all buffers of its model, then constants of its own; without inputs
// the method's own constants come first.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_

#include <cstdint>
#include <vector>

#include "properties/proofs/facts/program_facts.h"

namespace pteproof::proofs {

// The values of a method ahead of its inputs. The file shows some of them to be buffers: those that
// are planned, and ahead of them the constants that the method does not use.
struct Preamble {
  const MethodFacts* facts = nullptr;
  int32_t size = 0;
  int32_t first_buffer = -1;  // -1: no buffer shows
  int32_t last_buffer = -1;
};

// O(values ahead of the inputs).
[[nodiscard]] Preamble PreambleOf(const MethodFacts& facts);

// All distances by which the value of a buffer in n may be higher than in m. They come from
// constants: parameters that only one of them uses, and at most 64 more constants of its own.
// O(buffers) for each.
[[nodiscard]] std::vector<int32_t> Distances(const Preamble& m, const Preamble& n);

// Whether two unnamed buffers, of which no manifest says anything, may be one by their numbers.
[[nodiscard]] bool MayBeOneByNumber(const ProgramFacts& facts, const BufferUse& a,
                                    const BufferUse& b);

// Whether only numbers tell of these two: they are of different methods, and no manifest says what
// they are.
[[nodiscard]] bool AreLeftToNumbers(const ProgramFacts& facts, const BufferUse& a,
                                    const BufferUse& b);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_
