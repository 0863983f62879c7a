// A random case all the way: planned, written, read, checked, and its calls made as planned. Where
// two of the ways disagree, one of them is wrong.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_RUN_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_RUN_H_

#include <cstdint>
#include <string>

#include "planner/options.h"
#include "properties/generators/build_module.h"

namespace pteproof {

// Whether what the Module's delegates and unknown operators compute is not said by anything: then
// the planned run is compared with that of the file alone.
[[nodiscard]] bool IsOpaque(const graph::Module& module);

struct CaseVerdict {
  bool refused = false;  // the planner says that there is no such plan
  int64_t calls = 0;     // that were compared
  std::string fault;     // what is wrong; empty: nothing
};

// The written file is read again, and equal; the check finds no error under the options' policy,
// with the Module's manifest neither; and, under `hash`, the program's calls give what the Module's
// give, both as planned and with a storage per value.
[[nodiscard]] CaseVerdict RunCase(const generators::RandomCase& c,
                                  const planner::PlanOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_RUN_H_
