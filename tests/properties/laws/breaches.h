// How a case breaks each law of laws.cc; nothing: it keeps it. `pick` chooses among the ways to try
// it.
#ifndef PTEPROOF_TESTS_PROPERTIES_LAWS_BREACHES_H_
#define PTEPROOF_TESTS_PROPERTIES_LAWS_BREACHES_H_

#include "properties/differential/trace.h"

namespace pteproof {

// What is written down is what runs, in text_laws.cc.
[[nodiscard]] Breach IsValid(const RandomCase& c, uint64_t pick);
[[nodiscard]] Breach RoundTrips(const RandomCase& c, uint64_t pick);
[[nodiscard]] Breach KeepsTypes(const RandomCase& c, uint64_t pick);

// What may be written otherwise, in rewriting_laws.cc.
[[nodiscard]] Breach IsDeterministic(const RandomCase& c, uint64_t pick);
[[nodiscard]] Breach IgnoresNames(const RandomCase& c, uint64_t pick);
[[nodiscard]] Breach IgnoresOrder(const RandomCase& c, uint64_t pick);
[[nodiscard]] Breach AdmitsCopies(const RandomCase& c, uint64_t pick);
[[nodiscard]] Breach IgnoresOutputOrder(const RandomCase& c, uint64_t pick);

// Who may write what, in mutation_laws.cc.
[[nodiscard]] Breach FunctionalizesAlike(const RandomCase& c, uint64_t pick);
[[nodiscard]] Breach TakesOperandsRightly(const RandomCase& c, uint64_t pick);
[[nodiscard]] Breach LeavesOthersAlone(const RandomCase& c, uint64_t pick);

// That no wrong byte hides, in visibility_law.cc.
[[nodiscard]] Breach ShowsEveryByte(const RandomCase& c, uint64_t pick);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PROPERTIES_LAWS_BREACHES_H_
