#include "properties/laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reference/graph/functionalize.h"
#include "reference/graph/parse.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"
#include "reference/run/interpret.h"

namespace pteproof {
namespace {

using graph::Method;
using graph::Module;
using graph::Node;
using graph::ValueId;
using Breach = std::optional<std::string>;

// Loops on mixed bytes need not end; what is cut off is cut off alike.
constexpr int64_t kFuel = 2000;

// What a sequence of calls gave: each call's outcome or error, and the state at the end.
struct Trace {
  std::vector<Result<CallOutcome, RunError>> calls;
  State state;
};

Trace RunAll(const Module& module, std::span<const generators::RandomCall> calls,
             const RunOptions& options) {
  Trace trace{{}, State(module)};
  for (const generators::RandomCall& call : calls) {
    trace.calls.push_back(CallMethod(module, call.method, trace.state, call.inputs, options));
  }
  return trace;
}

RunOptions Hash() {
  RunOptions options;
  options.semantics = Semantics::kHash;
  options.fuel = kFuel;
  return options;
}

RunOptions Real() {
  RunOptions options;
  options.fuel = kFuel;
  return options;
}

// Where two runs of as many calls differ.
Breach Difference(const Trace& a, const Trace& b) {
  for (size_t c = 0; c < a.calls.size(); ++c) {
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

Breach Compare(const Module& module, const RandomCase& c) {
  return Difference(RunAll(c.module, c.calls, Hash()), RunAll(module, c.calls, Hash()));
}

Breach IsValid(const RandomCase& c, uint64_t) {
  const auto problems = graph::Validate(c.module);
  if (problems.empty()) return std::nullopt;
  return fmt::format("{}: {}", problems[0].method, problems[0].story);
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

Breach IsDeterministic(const RandomCase& c, uint64_t) {
  return Compare(c.module, c);
}

Breach IgnoresNames(const RandomCase& c, uint64_t pick) {
  Module renamed = c.module;
  for (Method& method : renamed.methods) {
    for (size_t i = 0; i < method.inputs.size(); ++i) {
      const bool as_buffer = (pick >> i & 1) != 0 && i < renamed.buffers.size();
      method.inputs[i].name = as_buffer ? renamed.buffers[i].name : fmt::format("argument{}", i);
    }
  }
  return Compare(renamed, c);
}

bool Uses(const Node& node, std::span<const ValueId> values) {
  bool uses = false;
  const auto look = [&](const auto& self, const graph::Operand& operand) -> void {
    if (const auto* value = std::get_if<graph::Operand::Value>(&operand.held)) {
      uses = uses || std::ranges::find(values, value->id) != values.end();
    } else if (const auto* list = std::get_if<graph::OperandList>(&operand.held)) {
      for (const graph::Operand& item : *list) self(self, item);
    }
  };
  for (const graph::Operand& operand : node.operands) look(look, operand);
  for (const ValueId v : node.after) uses = uses || std::ranges::find(values, v) != values.end();
  return uses;
}

// Neither sees what the other one does.
bool AreIndependent(const Node& first, const Node& second) {
  const bool pure = !Mutates(first) && !Mutates(second) && !first.view && !second.view;
  return pure && first.buffers.empty() && second.buffers.empty() && !Uses(second, first.results);
}

Breach IgnoresOrder(const RandomCase& c, uint64_t pick) {
  Module reordered = c.module;
  for (Method& method : reordered.methods) {
    auto& nodes = method.body.nodes;
    for (size_t n = pick % 2; n + 1 < nodes.size(); ++n) {
      if (AreIndependent(nodes[n], nodes[n + 1])) std::swap(nodes[n], nodes[n + 1]);
    }
  }
  return Compare(reordered, c);
}

// A copy of a method that works on shared buffers alone may be called in its stead.
Breach AdmitsCopies(const RandomCase& c, uint64_t pick) {
  const size_t original = pick % c.module.methods.size();
  for (const graph::BufferEntry& entry : c.module.methods[original].buffers) {
    if (!c.module.buffers[static_cast<size_t>(entry.buffer)].shared) return std::nullopt;
  }
  RandomCase copied = c;
  copied.module.methods.push_back(copied.module.methods[original]);
  copied.module.methods.back().name = "copy";
  for (size_t n = 0; n < copied.calls.size(); ++n) {
    if (copied.calls[n].method == original && (pick >> n & 1) != 0) {
      copied.calls[n].method = copied.module.methods.size() - 1;
    }
  }
  Trace with = RunAll(copied.module, copied.calls, Hash());
  Trace without = RunAll(c.module, c.calls, Hash());
  with.state = without.state;  // has more methods; outputs tell of the buffers
  return Difference(with, without);
}

Breach IgnoresOutputOrder(const RandomCase& c, uint64_t) {
  Module permuted = c.module;
  for (Method& method : permuted.methods) std::ranges::reverse(method.body.results);
  Trace other = RunAll(permuted, c.calls, Hash());
  for (auto& call : other.calls) {
    if (call.ok()) std::ranges::reverse(call.value().outputs);
  }
  return Difference(RunAll(c.module, c.calls, Hash()), other);
}

Breach FunctionalizesAlike(const RandomCase& c, uint64_t) {
  const auto functional = graph::Functionalize(c.module);
  if (!functional.ok()) return std::nullopt;
  const auto problems = graph::Validate(functional.value());
  if (!problems.empty()) return fmt::format("the result is invalid: {}", problems[0].story);
  if (const Breach breach = Compare(functional.value(), c)) return *breach + " (hash)";
  return Difference(RunAll(c.module, c.calls, Real()), RunAll(functional.value(), c.calls, Real()));
}

Breach LeavesOthersAlone(const RandomCase& c, uint64_t) {
  State state(c.module);
  for (const generators::RandomCall& call : c.calls) {
    const State before = state;
    static_cast<void>(CallMethod(c.module, call.method, state, call.inputs, Hash()));
    for (size_t b = 0; b < c.module.buffers.size(); ++b) {
      const auto& entries = c.module.methods[call.method].buffers;
      const bool used = std::ranges::find(entries, static_cast<int32_t>(b),
                                          &graph::BufferEntry::buffer) != entries.end();
      if (!used && before.Get(call.method, b) != state.Get(call.method, b)) {
        return fmt::format("buffer @{} changed", c.module.buffers[b].name);
      }
    }
  }
  return std::nullopt;
}

// Declared types, at the dims of the call and over all dims, against what operators give.
Breach KeepsTypes(const RandomCase& c, uint64_t) {
  Breach breach;
  for (const generators::RandomCall& call : c.calls) {
    const Method& method = c.module.methods[call.method];
    std::vector<SizeRange> ranges;
    for (const graph::DimSymbol& dim : method.dims) ranges.push_back({dim.lo, dim.hi});
    RunOptions options = Real();
    options.observer = [&](const Node& node, ValueId value, const TensorValue& made,
                           std::span<const int64_t> dims) {
      const TensorType& type = *TensorTypeOf(method, value);
      for (size_t d = 0; d < type.rank(); ++d) {
        const int64_t size = made.sizes[d];
        if (size != type.sizes[d].At(dims) || size > type.sizes[d].Over(ranges).hi) {
          breach = fmt::format("{} gives size {} in dimension {}", node.op, size, d);
        }
      }
    };
    State state(c.module);
    static_cast<void>(CallMethod(c.module, call.method, state, call.inputs, options));
  }
  return breach;
}

constexpr Law kLaws[] = {
    {"valid", "A generated Module is well-formed.",
     "Everything else takes that for granted; a breach is the generator's or the validator's.",
     IsValid},
    {"round-trip", "A printed Module parses, prints alike and means the same.",
     "The text form loses nothing, so that a find can be kept as text.", RoundTrips},
    {"deterministic", "The same calls give the same outputs and buffers.",
     "Nothing but inputs and buffers reaches a result.", IsDeterministic},
    {"renamed-arguments", "Names of arguments change nothing, also those of buffers.",
     "An argument that hides the buffer of its name loses a store.", IgnoresNames},
    {"reordered", "Neighbouring nodes that do not see each other may change places.",
     "A graph's order is its data flow.", IgnoresOrder},
    {"copied-method", "A copy of a method may be called in its stead.",
     "Methods have no identity beyond the buffers that they use.", AdmitsCopies},
    {"permuted-outputs", "Outputs in another order are the same outputs.",
     "An output's place says nothing about when its value is made.", IgnoresOutputOrder},
    {"functionalized", "A functionalized Module gives what the mutating one gives.",
     "Stores through views reach every name of the bytes, in order.", FunctionalizesAlike},
    {"others-alone", "A call leaves buffers alone that its method does not use.",
     "State belongs to those that name it.", LeavesOthersAlone},
    {"types", "Results have the sizes that their types say, and no more than the upper bound.",
     "Memory is planned for the upper bound.", KeepsTypes},
};

}  // namespace

std::span<const Law> AllLaws() {
  return kLaws;
}

}  // namespace pteproof
