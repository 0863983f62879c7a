// Whether a manifest admits the sizes of a call's inputs.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_ADMITS_H_
#define PTEPROOF_PROPERTIES_MANIFEST_ADMITS_H_

#include <optional>
#include <span>
#include <string>

#include "pteproof/datum.h"
#include "pteproof/manifest.h"

namespace pteproof {

// Why it does not, in a sentence; none if it does, or states no sizes.
[[nodiscard]] std::optional<std::string> NotAdmitted(const ManifestMethod& stated,
                                                     std::span<const Datum> inputs);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_ADMITS_H_
