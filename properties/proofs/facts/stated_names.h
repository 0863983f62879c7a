// The buffers of a method that a manifest names, and the unnamed buffers of the file that these
// names must mean.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_STATED_NAMES_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_STATED_NAMES_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "properties/proofs/facts/parts.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

// The buffers that the model's method reads or mutates.
[[nodiscard]] std::set<std::string> BuffersOf(const ManifestMethod& stated);

// Whether file or manifest tell the method's planned buffers by name.
[[nodiscard]] bool HasBufferNames(const Method& method, const ManifestMethod& stated);

// The bytes that a buffer is registered with; nothing where the manifest leaves that open.
[[nodiscard]] std::optional<uint64_t> RegisteredBytes(const ManifestBuffer& buffer);

// Names an unnamed buffer that is the only one of its type and bytes after the only name that is
// left of that form. Others get the names that fit.
void NameBuffers(const Method& method, const ManifestMethod& stated, const Manifest& manifest,
                 Parts& parts);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_STATED_NAMES_H_
