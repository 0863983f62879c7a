// Runs of random cases, and the first difference between two runs: the subject of most laws.
#ifndef PTEPROOF_PROPERTIES_DIFFERENTIAL_TRACE_H_
#define PTEPROOF_PROPERTIES_DIFFERENTIAL_TRACE_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/generators/build_module.h"
#include "reference/run/interpret.h"

namespace pteproof {

using Breach = std::optional<std::string>;
using generators::RandomCase;

// The result of a sequence of calls: each call's outcome or error, and the state at the end.
struct Trace {
  std::vector<Result<CallOutcome, RunError>> calls;
  State state;
};

// Loops on mixed bytes need not end: nothing is compared from the first call on that runs so many
// nodes.
inline constexpr int64_t kLawFuel = 2000;

[[nodiscard]] RunOptions OptionsFor(Semantics semantics);

[[nodiscard]] Trace RunAll(const graph::Module& module,
                           std::span<const generators::RandomCall> calls,
                           const RunOptions& options);

// Where two runs of as many calls differ.
[[nodiscard]] Breach Difference(const Trace& a, const Trace& b);

// Whether the case's calls give the same results with another Module as with its own, mixing bytes.
[[nodiscard]] Breach Compare(const graph::Module& module, const RandomCase& c);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_DIFFERENTIAL_TRACE_H_
