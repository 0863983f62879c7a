// Z3 of the shared library: opened at its first use, so that all that needs no proof works without
// it, and so that any version of it will do (its file's name may carry the version). What the other
// folders call as Z3_... is defined here, and forwards to the library through a struct of function
// pointers (z3_table.h and z3_forward.cc, which the build makes of z3_names.txt and Z3's headers).
#ifndef PTEPROOF_CAPI_Z3_LIBRARY_H_
#define PTEPROOF_CAPI_Z3_LIBRARY_H_

#include <string>
#include <vector>

namespace pteproof::capi {

// Each use of Z3 throws Unavailable (cli/io/guarded.h) if no library can be opened.

// Paths and names to open, in order of preference. To be set before the first use;
// without it libz3.so.4 and libz3.so.
void LookForZ3In(std::vector<std::string> candidates);

// The path or name that was opened.
[[nodiscard]] const std::string& OpenedZ3();

// Interrupts what Z3 computes for the work that was started with that flag (base/stop.h).
void InterruptZ3(const void* stop_flag);

}  // namespace pteproof::capi

#endif  // PTEPROOF_CAPI_Z3_LIBRARY_H_
