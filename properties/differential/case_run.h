// A random case all the way: planned, written, read, checked, and its calls made as planned. Where
// two of the checkers disagree, one of them is wrong.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_RUN_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_RUN_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "planner/options.h"
#include "properties/generators/build_module.h"
#include "reference/run/interpret.h"

namespace pteproof {

// Whether nothing defines the results of the Module's delegates and unknown operators: then the
// planned run is compared with the run of the file alone.
[[nodiscard]] bool IsOpaque(const graph::Module& module);

// The questions about a case, and the settings of its calls.
struct CaseWays {
  bool manifest = true;  // the check is made once more, with the Module's manifest
  bool planned = true;   // the calls are made as planned
  bool tagged = true;    // the calls are made with a storage per value too, bytes being tagged
  // Of a Module whose meaning nobody knows: kHash always.
  Semantics semantics = Semantics::kHash;
  bool lazy = false;     // methods are loaded at their first call
  bool restart = false;  // half of the calls are made, all state is reset, and then all are made
  bool twin = false;     // a second instance makes the same calls, one behind the first
};

struct CaseFault {
  // The rule that the check finds broken; who makes a call, and how that goes wrong; or the step
  // that fails. Faults of one kind, wherever in the case, are the same failure.
  std::string kind;
  std::string explanation;  // what is wrong; empty: nothing

  [[nodiscard]] bool empty() const { return explanation.empty(); }
};

// Ends a fault's kind where a read sees a byte that another write made than the program means.
inline constexpr std::string_view kReadsAWrongByte = "reads a wrong byte";

struct CaseVerdict {
  bool refused = false;  // the planner says that such a plan does not exist
  int64_t calls = 0;     // that were compared
  CaseFault fault = {};
};

// The written file reads back as an equal program. The check finds no error under the options'
// policy, with the Module's manifest either. And the program's calls give the outputs of the
// Module's calls: as planned, and with a storage per value, of which no read sees a byte that
// another write made. Under kHash outputs are equal bit for bit, under kReal within the element
// types' bounds. Under kReal a call whose outputs depend on rounding as much as that ends the
// comparison (shaken.h), and so does one that differs beyond the range of a type alone.
[[nodiscard]] CaseVerdict RunCase(const generators::RandomCase& c,
                                  const planner::PlanOptions& options, const CaseWays& ways = {});

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_CASE_RUN_H_
