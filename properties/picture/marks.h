// Where findings show in the panels of a picture.
#ifndef PTEPROOF_PROPERTIES_PICTURE_MARKS_H_
#define PTEPROOF_PROPERTIES_PICTURE_MARKS_H_

#include <optional>

#include "base/finding.h"
#include "properties/picture/picture.h"
#include "properties/report.h"

namespace pteproof::picture {

// Marks in all panels what errors, and notes that leave an error open, are about: those that hold
// under the policy, where one is given, and that no manifest suppresses. What concerns several
// methods is marked in each of them. O(findings * storages of the banks that they name), for at
// most kMostMarked findings.
void MarkFindings(const Report& report, std::optional<Policy> policy, Picture& picture);

// A picture with more would be all red.
inline constexpr size_t kMostMarked = 100;

}  // namespace pteproof::picture

#endif  // PTEPROOF_PROPERTIES_PICTURE_MARKS_H_
