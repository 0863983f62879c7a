// A manifest as JSON text.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_RENDER_H_
#define PTEPROOF_PROPERTIES_MANIFEST_RENDER_H_

#include <string>

#include "pteproof/manifest.h"

namespace pteproof {

// ParseManifest gives the same manifest again. Keys in the order of the published schema, a line
// each; ends with a line end.
[[nodiscard]] std::string RenderManifest(const Manifest& manifest);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_RENDER_H_
