// Operands and results of calls that nobody can look into, for runs: what the effects of the file
// say of these calls, in the form that a run is given (runtime/execute/opaque_call.h).
#ifndef PTEPROOF_MEANING_OPAQUE_CALLS_H_
#define PTEPROOF_MEANING_OPAQUE_CALLS_H_

#include "meaning/program_meaning.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "runtime/execute/opaque_call.h"

namespace pteproof::meaning {

// O(arguments of such calls, log of their number), and in a method that has one what its effects
// take. `stated` and `manifest` may be null.
[[nodiscard]] OpaqueCalls OpaqueCallsOf(const Method& method, const ManifestMethod* stated);
[[nodiscard]] GivenOpaqueCalls OpaqueCallsOf(const Program& program, const Manifest* manifest);
// The same of a meaning, which has the effects.
[[nodiscard]] GivenOpaqueCalls OpaqueCallsOf(const ProgramMeaning& meaning);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_OPAQUE_CALLS_H_
