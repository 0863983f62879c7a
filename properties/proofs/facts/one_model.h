// Which values of two methods are one by their numbers. All methods of a model begin with its
// parameters and buffers, in one order. Behind them come constants of the method's own, and then
// its inputs; without inputs the method's own constants come first.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_

#include <cstdint>

#include "properties/proofs/facts/program_facts.h"

namespace pteproof::proofs {

// Whether value v of method m and value w of method n are one parameter or buffer, if nothing says
// that the methods are of two models: another type, other sizes, or a parameter with other data.
// O(values ahead of the inputs).
[[nodiscard]] bool MayBeOneByNumber(const MethodFacts& m, int32_t v, const MethodFacts& n,
                                    int32_t w);

// The same of two unnamed buffers of different methods, of which no manifest says anything.
[[nodiscard]] bool MayBeOneByNumber(const ProgramFacts& facts, const BufferUse& a,
                                    const BufferUse& b);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_
