// Which buffers of two methods are one by their numbers. All methods of a model begin with its
// parameters and buffers, in one order, and then come the inputs.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_

#include "properties/proofs/facts/program_facts.h"

namespace pteproof::proofs {

// Whether two unnamed buffers of different methods are one if both methods are of one model, and
// nothing up to them says that the methods are of two: another type, other sizes, or a parameter
// with other data. O(number).
[[nodiscard]] bool MayBeOneByNumber(const ProgramFacts& facts, const BufferUse& a,
                                    const BufferUse& b);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_ONE_MODEL_H_
