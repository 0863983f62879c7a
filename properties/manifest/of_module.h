// The manifest of a program that is made from a Module: facts that the Module has and the file
// cannot hold.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_OF_MODULE_H_
#define PTEPROOF_PROPERTIES_MANIFEST_OF_MODULE_H_

#include <optional>
#include <string>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/result.h"
#include "reference/graph/module.h"

namespace pteproof {

// How the program was made, as far as the Module leaves it open.
struct ManifestSetting {
  std::optional<Policy> policy = {};  // the loader in use
  // The buffers that methods share; without a list those that the Module calls shared.
  std::optional<std::vector<std::string>> shared_buffers = {};
  bool caller_sets_state = false;  // buffers have no place, and no value, in the file
  // The method that sets every shared buffer to its initial value; empty: the file holds these.
  std::string init_method = {};
};

// A private buffer that several methods store to is called "method/buffer" in each, as the planner
// calls it. The Module must be well-formed. An error says why it has no functional form.
[[nodiscard]] Result<Manifest, std::string> ManifestOf(const graph::Module& module,
                                                       const ManifestSetting& setting = {});

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_OF_MODULE_H_
