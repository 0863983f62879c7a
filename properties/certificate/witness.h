// Of an unsafe plan: places that no loader takes, or the path of a call on which a read does not
// find what is meant. The checker follows it.
#ifndef PTEPROOF_PROPERTIES_CERTIFICATE_WITNESS_H_
#define PTEPROOF_PROPERTIES_CERTIFICATE_WITNESS_H_

#include <nlohmann/json.hpp>

#include "meaning/program_meaning.h"
#include "pteproof/report.h"

namespace pteproof::certificate {

// Each is ["place", method, value] or ["read", instruction, [method, jumps...], the same of a call
// before it]. At most kMostWitnesses; none if the errors under the policy are of other rules.
[[nodiscard]] nlohmann::ordered_json WitnessesOf(const meaning::ProgramMeaning& meant,
                                                 const Report& report, Policy policy);

inline constexpr size_t kMostWitnesses = 4;

}  // namespace pteproof::certificate

#endif  // PTEPROOF_PROPERTIES_CERTIFICATE_WITNESS_H_
