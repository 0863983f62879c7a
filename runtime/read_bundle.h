// Bytes of a `.bpte` file to the program inside and its test cases, or every reason why not.
#ifndef PTEPROOF_RUNTIME_READ_BUNDLE_H_
#define PTEPROOF_RUNTIME_READ_BUNDLE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "runtime/dense_layout.h"

namespace pteproof {

struct BundleTensor {
  DenseLayout layout;
  Bytes data;  // in the file; exactly the layout's nbytes, in the memory order of its dim_order
};

using BundleValue = std::variant<BundleTensor, int64_t, bool, double>;

struct BundleCase {
  std::vector<BundleValue> inputs;
  std::vector<BundleValue> expected_outputs;  // none: nothing is expected
};

struct BundleSuite {
  std::string method;  // never empty
  std::vector<BundleCase> cases;
};

struct Bundle {
  Bytes program;  // a `.pte` in the file, still to be read; at least 64 bytes
  std::vector<BundleSuite> suites;
};

// Decodes a `.bpte` file. `file` may have any address and any content;
// it must outlive the Bundle. A file that is refused gets findings of file-bundle-* rules, at most
// kMaxFileFindings of them; with none if memory ran out (RanOutOfMemory). Time and memory are at
// most 16 x the file's size + 1 MB, the program inside not counted.
[[nodiscard]] Result<Bundle, std::vector<Finding>> ReadBundle(Bytes file);

// Checks the test cases against the program inside: each suite's method exists, each case has the
// method's number of inputs and, unless it has none, of outputs, and their kinds and dtypes are the
// method's. At most kMaxFileFindings findings; none when all is well.
[[nodiscard]] std::vector<Finding> CheckBundle(const Program& program, const Bundle& bundle);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_READ_BUNDLE_H_
