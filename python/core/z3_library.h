// Z3 of the Python package: opened at its first use, so that all that needs no proof works without
// it, and so that any version of z3-solver will do (its name carries the version). What the other
// folders call as Z3_... is defined here, and forwards to the library (z3_forward.cc, which the
// build makes of z3_names.txt).
#ifndef PTEPROOF_PYTHON_CORE_Z3_LIBRARY_H_
#define PTEPROOF_PYTHON_CORE_Z3_LIBRARY_H_

#include <stdexcept>
#include <string>
#include <vector>

namespace pteproof::python {

// Thrown by each use of Z3 if no library can be opened.
class NoSolver : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Paths and names to open, in order of preference. To be set before the first use.
void LookForZ3In(std::vector<std::string> candidates);

// The path or name that was opened. Throws NoSolver.
[[nodiscard]] const std::string& OpenedZ3();

// Interrupts what Z3 computes for the work that was started with that flag (base/stop.h).
void InterruptZ3(const void* stop_flag);

}  // namespace pteproof::python

#endif  // PTEPROOF_PYTHON_CORE_Z3_LIBRARY_H_
