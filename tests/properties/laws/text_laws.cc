#include <fmt/format.h>

#include "tests/properties/laws/breaches.h"
#include "reference/graph/bounds.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"

namespace pteproof {

using graph::Node;
using graph::ValueId;

Breach IsValid(const RandomCase& c, uint64_t) {
  const auto problems = graph::Validate(c.module);
  if (problems.empty()) return std::nullopt;
  return fmt::format("{}: {}", problems[0].method, problems[0].explanation);
}

Breach RoundTrips(const RandomCase& c, uint64_t) {
  const std::string text = graph::Print(c.module);
  const auto parsed = graph::Parse(text);
  if (!parsed.ok()) {
    return fmt::format("line {}, column {}: {}", parsed.error().line, parsed.error().column,
                       parsed.error().message);
  }
  if (graph::Print(parsed.value()) != text) return "printed again, the text differs";
  return Compare(parsed.value(), c);
}

// Declared types, at the dims of the call and over all dims, against what operators give.
Breach KeepsTypes(const RandomCase& c, uint64_t) {
  Breach breach;
  for (const generators::RandomCall& call : c.calls) {
    const graph::Method& method = c.module.methods[call.method];
    RunOptions options = OptionsFor(Semantics::kReal);
    options.observer = [&](const Node& node, ValueId value, const TensorValue& made,
                           std::span<const int64_t> dims) {
      const TensorType& type = *TensorTypeOf(method, value);
      const Sizes most = graph::UpperBoundOf(type, method);
      for (size_t d = 0; d < type.rank(); ++d) {
        const int64_t size = made.sizes[d];
        if (size != type.sizes[d].At(dims) || size > most[d]) {
          breach = fmt::format("{} gives size {} in dimension {}", node.op, size, d);
        }
      }
    };
    State state(c.module);
    static_cast<void>(CallMethod(c.module, call.method, state, call.inputs, options));
  }
  return breach;
}

}  // namespace pteproof
