// Where findings show in the panels of a picture.
#ifndef PTEPROOF_PROPERTIES_PICTURE_MARKS_H_
#define PTEPROOF_PROPERTIES_PICTURE_MARKS_H_

#include "properties/picture/picture.h"
#include "pteproof/finding.h"
#include "pteproof/report.h"

namespace pteproof::picture {

// Whether a picture marks the finding: an error, or a note that leaves one open, which holds under
// its policy. Accepted ones are marked too.
[[nodiscard]] bool IsMarked(const Finding& finding, const Picture& picture);

// Marks the subjects of these findings in all panels. A finding about several methods is marked in
// each of them. O(findings * storages of the banks that they name), for at most kMostMarked
// findings.
void MarkFindings(const Report& report, Picture& picture);

// A picture with more would be all red.
inline constexpr size_t kMostMarked = 100;

}  // namespace pteproof::picture

#endif  // PTEPROOF_PROPERTIES_PICTURE_MARKS_H_
