// Whether a manifest fits a program: the things that it names must be there. The checks judge the
// program by it.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_FIT_H_
#define PTEPROOF_PROPERTIES_MANIFEST_FIT_H_

#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

// An error for each method, input, output, value, delegate call and buffer of the manifest that the
// program does not have; none where the manifest fits. A buffer that some method mutates is never
// one: that the program lacks it is what the checks look for.
[[nodiscard]] std::vector<ManifestError> CheckFit(const Manifest& manifest, const Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_FIT_H_
