// Whether `.ptd` files hold what a program expects from outside. Copies nothing into the program.
#ifndef PTEPROOF_RUNTIME_BIND_EXTERNAL_H_
#define PTEPROOF_RUNTIME_BIND_EXTERNAL_H_

#include <span>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "runtime/read_data.h"

namespace pteproof {

// Checks that every external tensor of the program has an entry of its name with equal dtype, sizes
// and dim_order, and that no key occurs in two of the files, or in one and the program's own named
// data (a loader merges them all). Entries that the program does not use are not findings. At most
// kMaxFileFindings findings, of file-data-* rules; none when all is well. O(n log n).
[[nodiscard]] std::vector<Finding> BindExternal(const Program& program,
                                                std::span<const DataFile> files);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_BIND_EXTERNAL_H_
