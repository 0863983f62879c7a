// Findings of one cause are one finding: what one method does to the state of another, once for
// each buffer and write, is told once. Made after all rules have spoken; no verdict changes by it.
#ifndef PTEPROOF_PROPERTIES_GROUP_FINDINGS_H_
#define PTEPROOF_PROPERTIES_GROUP_FINDINGS_H_

#include <vector>

#include "pteproof/finding.h"

namespace pteproof {

// `findings` in the order of a report. Each cause stands where its first instance stood.
[[nodiscard]] std::vector<Finding> GroupFindings(std::vector<Finding> findings);

// One finding for each instance again, without `instances`.
[[nodiscard]] std::vector<Finding> UngroupFindings(const std::vector<Finding>& findings);

// Of several instances the one about the most bytes: its index, the first of equals.
[[nodiscard]] size_t WorstOf(const std::vector<FindingInstance>& instances);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_GROUP_FINDINGS_H_
