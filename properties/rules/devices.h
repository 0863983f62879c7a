// Does each instruction find its values in the memory of its own device?
#ifndef PTEPROOF_PROPERTIES_RULES_DEVICES_H_
#define PTEPROOF_PROPERTIES_RULES_DEVICES_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// device-mismatch: an error if a kernel of the host touches memory of a device, or a loader fills
// such memory with a host copy; undecided if the file does not tell. O(accesses x banks on
// devices).
[[nodiscard]] std::vector<Finding> CheckDevices(const MethodMeaning& meant);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_DEVICES_H_
