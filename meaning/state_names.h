// Names for state that the file leaves unnamed: those that the manifest admits.
#ifndef PTEPROOF_MEANING_STATE_NAMES_H_
#define PTEPROOF_MEANING_STATE_NAMES_H_

#include <string>
#include <vector>

#include "meaning/roles.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// The buffers that a method of the manifest reads or mutates, ascending, each once.
[[nodiscard]] std::vector<std::string> StatedBuffers(const ManifestMethod& stated);

// Whether the file or the manifest names any state of a method: else no buffer can be missed by
// name.
[[nodiscard]] bool HasStateNames(const Method& method, const ManifestMethod& stated);

// Gives an unnamed state its key if exactly one stated buffer of its type and size is left, and
// that buffer fits no other unnamed state; else the keys that it may have. They point into
// `manifest`.
void NameStates(const Method& method, const ManifestMethod& stated, const Manifest& manifest,
                Roles& roles);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_STATE_NAMES_H_
