// Bytes to Program, or every reason why not.
#ifndef PTEPROOF_READ_H_
#define PTEPROOF_READ_H_

#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

// Decodes a `.pte` file. `file` may have any address and any content; it must outlive the Program,
// whose blobs point into it. A file that is refused gets findings of file-* rules (severity error,
// `bytes` is the place in the file where one is known), at most kMaxFileFindings of them. Time and
// memory are at most 16 x the file's size + 1 MB. No findings: there was not as much memory, and
// nothing is said of the file.
[[nodiscard]] Result<Program, std::vector<Finding>> ReadProgram(Bytes file);

// Whether a reader refused a file for want of memory: it takes none to say so.
[[nodiscard]] inline bool RanOutOfMemory(const std::vector<Finding>& refusal) {
  return refusal.empty();
}

// More reasons than this help nobody; the last one then says that there are more.
inline constexpr int kMaxFileFindings = 50;

}  // namespace pteproof

#endif  // PTEPROOF_READ_H_
