// What a manifest says of a program and its exporter lost: which buffer a store was meant for,
// which constant is a buffer, what a buffer starts with. The changed program means what the model
// does, as far as the manifest tells; its plan is not looked at.
#ifndef PTEPROOF_PROPERTIES_CERTIFY_RESTATE_H_
#define PTEPROOF_PROPERTIES_CERTIFY_RESTATE_H_

#include <string>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::certify {

struct Restated {
  Program program;                   // shares the bytes of the old one
  std::vector<std::string> changes;  // one sentence each
};

// Buffers of one name that several methods have in a bank above 2 come to bank 2, or to bank 1 of a
// program without it: loaders that share banks share these, and not all of them the others. Of what
// the manifest says, only what leaves no choice: if two stores or two buffers come into question,
// neither is changed. `manifest` may be null. O(values and instructions), and the stored contents
// that have to be found.
[[nodiscard]] Restated Restate(const Program& program, const Manifest* manifest, bool any_sharing);

// A buffer that one method changes and another one reads is one buffer in the model, unless the
// manifest says that each method has its own: no repair may leave a loader the choice.
[[nodiscard]] Manifest WithSharing(Manifest manifest);

}  // namespace pteproof::certify

#endif  // PTEPROOF_PROPERTIES_CERTIFY_RESTATE_H_
