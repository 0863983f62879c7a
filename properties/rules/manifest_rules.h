// Rules that need the manifest: constants that should be state, initial values, bounds, and the
// order of outputs. (Lost stores: lost_stores.h.)
#ifndef PTEPROOF_PROPERTIES_RULES_MANIFEST_RULES_H_
#define PTEPROOF_PROPERTIES_RULES_MANIFEST_RULES_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// All findings that need the manifest; facts.options.manifest is not null.
[[nodiscard]] std::vector<Finding> CheckManifest(const ProgramFacts& facts);

// mutability-mismatch: a buffer that one method of the model reads and another changes is state in
// the program.
[[nodiscard]] std::vector<Finding> CheckStatedReads(const ProgramFacts& facts);

// read-before-write and initial-value-wrong: buffers start with their registered value.
[[nodiscard]] std::vector<Finding> CheckStatedInitials(const ProgramFacts& facts);

// bound-too-small, output-misbound and entry-value-lost of one method with an entry in the
// manifest. `trains`: it returns gradients and parameters besides.
[[nodiscard]] std::vector<Finding> CheckStatedSignature(const MethodMeaning& meant,
                                                        bool trains = false);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_MANIFEST_RULES_H_
