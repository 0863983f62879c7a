// A random case as a job for ExecuTorch's runtime, and what comes of it, compared with the
// reference.
#ifndef PTEPROOF_TESTS_EXECUTORCH_COMPARABLE_CASE_H_
#define PTEPROOF_TESTS_EXECUTORCH_COMPARABLE_CASE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "properties/generators/build_module.h"
#include "properties/differential/trace.h"
#include "pteproof/program.h"
#include "tests/executorch/witness_client.h"

namespace pteproof::witness {

// Whether that runtime and the reference are to give the same, call by call.
[[nodiscard]] bool IsComparable(const graph::Module& module);

struct ComparableCase {
  Job job;
  std::vector<std::vector<Datum>> wanted;  // per call of the case: the reference's outputs
  size_t before = 0;                       // calls made ahead of them: et_module_init
};

// `file` is the program as bytes; inputs and outputs are planned, as the witness sets no caller's
// memory.
[[nodiscard]] ComparableCase JobOf(const generators::RandomCase& random, const Program& program,
                                   std::vector<std::byte> file, Policy banks);

struct Compared {
  size_t calls = 0;
  bool whole = false;      // every call was compared
  std::string difference;  // the first; empty: none
  std::string error;       // of the call after which nothing was compared
};

[[nodiscard]] Compared Compare(const ComparableCase& c, const Answer& answer);

}  // namespace pteproof::witness

#endif  // PTEPROOF_TESTS_EXECUTORCH_COMPARABLE_CASE_H_
