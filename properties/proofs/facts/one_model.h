// Which values of two methods are one by their numbers. All methods of a model begin with its
// parameters and buffers, in one order. Behind them come constants of the method's own, and then
// its inputs; without inputs the method's own constants come first.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_

#include <cstdint>
#include <vector>

#include "properties/proofs/facts/program_facts.h"

namespace pteproof::proofs {

// Values that two methods have in common if they are of one model, one by one: so many, from value
// `of_m` of the one on, and from `of_n` of the other. Not any, if something says that the methods
// are of two models: another type, other sizes, or a parameter with other data.
struct CommonLead {
  int32_t of_m = 0;
  int32_t of_n = 0;
  int32_t count = 0;

  // The value of n that is value v of m; -1: it is not among them.
  [[nodiscard]] int32_t Counterpart(int32_t v) const {
    return v < of_m || v >= of_m + count ? -1 : v - of_m + of_n;
  }
};

// All ways in which they may: constants that the one begins with and the other lacks, up to 64, are
// parameters that the other does not use. O(values ahead of the inputs) for each.
[[nodiscard]] std::vector<CommonLead> CommonLeads(const MethodFacts& m, const MethodFacts& n);

// Whether two unnamed buffers, of which no manifest says anything, may be one by their numbers.
[[nodiscard]] bool MayBeOneByNumber(const ProgramFacts& facts, const BufferUse& a,
                                    const BufferUse& b);

// Whether only numbers tell of these two: they are of different methods, whose values are in order,
// and no manifest says what they are.
[[nodiscard]] bool AreLeftToNumbers(const ProgramFacts& facts, const BufferUse& a,
                                    const BufferUse& b);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_
