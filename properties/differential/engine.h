// Something that makes the calls of a program: as planned, or with a storage per value.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_ENGINE_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_ENGINE_H_

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "properties/differential/case_run.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/datum.h"

namespace pteproof {

struct EngineFault {
  bool unknown = false;  // an operator that it has no kernel for
  std::string explanation;
  bool wrong_byte = false;  // a read sees a byte that another write made
};

struct Engine {
  std::string name;
  std::function<Result<std::vector<Datum>, EngineFault>(int32_t, std::span<const Datum>)> call;
  std::function<std::string()> reset;  // to what a fresh load is; or why that fails
};

// In banks, by the runtime's kernels. The program must outlive it. Not reset yet.
[[nodiscard]] Engine PlannedEngine(const Program& program, Policy policy, const CaseWays& ways,
                                   std::string name);
// In the reference; the banks' bytes are tagged beside it.
[[nodiscard]] Engine TaggedEngine(const Program& program, Policy policy, const CaseWays& ways);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_ENGINE_H_
