#include "properties/differential/trace.h"

#include <fmt/format.h>

namespace pteproof {

RunOptions OptionsFor(Semantics semantics) {
  RunOptions options;
  options.semantics = semantics;
  options.fuel = kLawFuel;
  return options;
}

Trace RunAll(const graph::Module& module, std::span<const generators::RandomCall> calls,
             const RunOptions& options) {
  Trace trace{{}, State(module)};
  for (const generators::RandomCall& call : calls) {
    trace.calls.push_back(CallMethod(module, call.method, trace.state, call.inputs, options));
  }
  return trace;
}

namespace {

bool RanOutOfFuel(const Result<CallOutcome, RunError>& call) {
  return !call.ok() && call.error().kind == RunError::Kind::kFuel;
}

}  // namespace

Breach Difference(const Trace& a, const Trace& b) {
  for (size_t c = 0; c < a.calls.size(); ++c) {
    if (RanOutOfFuel(a.calls[c]) || RanOutOfFuel(b.calls[c])) return std::nullopt;
    if (a.calls[c].ok() != b.calls[c].ok()) return fmt::format("call {} fails in one of them", c);
    if (!a.calls[c].ok()) continue;
    if (!SameData(a.calls[c].value().outputs, b.calls[c].value().outputs)) {
      return fmt::format("call {} has other outputs", c);
    }
    if (!SameData(a.calls[c].value().inputs_after, b.calls[c].value().inputs_after)) {
      return fmt::format("call {} leaves other inputs", c);
    }
  }
  if (!(a.state == b.state)) return "the buffers differ at the end";
  return std::nullopt;
}

Breach Compare(const graph::Module& module, const RandomCase& c) {
  const RunOptions options = OptionsFor(Semantics::kHash);
  return Difference(RunAll(c.module, c.calls, options), RunAll(module, c.calls, options));
}

}  // namespace pteproof
