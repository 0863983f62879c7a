// Asks ExecuTorch's own runtime what programs do, in a process beside the test.
#ifndef PTEPROOF_TESTS_EXECUTORCH_WITNESS_CLIENT_H_
#define PTEPROOF_TESTS_EXECUTORCH_WITNESS_CLIENT_H_

#include <span>
#include <string>
#include <vector>

#include "tests/executorch/witness/job.h"

namespace pteproof::witness {

struct Answer {
  std::string load_error;          // empty: the program was loaded
  std::vector<Outcome> calls;      // one each; those after the first that failed were not made
  std::vector<Datum> counts = {};  // of a job that counts
};

// One answer for each job. A job that ends the runtime's process costs its own answer only. A
// witness that cannot be run is a test failure.
[[nodiscard]] std::vector<Answer> Ask(std::span<const Job> jobs);

}  // namespace pteproof::witness

#endif  // PTEPROOF_TESTS_EXECUTORCH_WITNESS_CLIENT_H_
