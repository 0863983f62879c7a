// A program judged twice, with a manifest that nobody vouches for and without it: the worse reading
// decides. Such a manifest may explain and may accuse; it excuses nothing.
#ifndef PTEPROOF_PROPERTIES_TWO_READINGS_H_
#define PTEPROOF_PROPERTIES_TWO_READINGS_H_

#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/report.h"

namespace pteproof {

// Whether the check reads anything of the manifest: if not, there is one reading only. A loader's
// name and suppressions are no part of it.
[[nodiscard]] bool SaysOfProgram(const Manifest& manifest);

// Makes `with`, the report with the manifest, the report of both readings. `alone` is the report of
// the file alone. Returns for each finding whether only `alone` has it.
std::vector<bool> AddFileAlone(const Report& alone, Report& with);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_TWO_READINGS_H_
