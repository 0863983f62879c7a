// Whether the names and positions inside a manifest refer to something in it.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_REFERENCES_H_
#define PTEPROOF_PROPERTIES_MANIFEST_REFERENCES_H_

#include "properties/manifest/errors.h"
#include "pteproof/manifest.h"

namespace pteproof {

// Adds an error for each buffer name that `buffers` does not list (where the manifest has
// `buffers`), each input position that `inputs` does not have (where the method has `inputs`), and
// each delegate call that is described twice. `manifest` was parsed without error: list positions
// are those of the text.
void CheckReferences(const Manifest& manifest, ManifestErrors& errors);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_REFERENCES_H_
