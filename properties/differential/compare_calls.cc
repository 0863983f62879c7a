#include "properties/differential/compare_calls.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "properties/differential/engine.h"
#include "properties/differential/shaken.h"
#include "properties/differential/trace.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/random_inputs.h"
#include "reference/graph/functionalize.h"
#include "reference/tensor_value.h"

namespace pteproof {
namespace {

using Outputs = std::optional<std::vector<Datum>>;  // none: nothing to compare with

// A difference, or nothing.
std::string DifferenceBetween(const std::vector<Datum>& wanted, const std::vector<Datum>& got,
                              Semantics semantics) {
  if (got.size() != wanted.size()) return "the number of outputs differs";
  if (semantics == Semantics::kReal) {
    return FirstDifference(wanted, got, std::nullopt, true).value_or("");
  }
  for (size_t o = 0; o < wanted.size(); ++o) {
    if (!SameData(std::span(wanted).subspan(o, 1), std::span(got).subspan(o, 1))) {
      return "output " + std::to_string(o) + " differs";
    }
  }
  return "";
}

// Whether they are equal but for elements that are beyond the range of their type on both sides.
// The sum of such terms is one infinity, the other, or not a number, as they are added in this or
// in that order.
bool DifferBeyondRangeOnly(std::vector<Datum> wanted, std::vector<Datum> got) {
  if (wanted.size() != got.size()) return false;
  for (size_t o = 0; o < wanted.size(); ++o) {
    auto* a = std::get_if<TensorValue>(&wanted[o]);
    auto* b = std::get_if<TensorValue>(&got[o]);
    const bool alike = a != nullptr && b != nullptr && a->dtype == b->dtype && a->sizes == b->sizes;
    if (!alike || !IsFloat(a->dtype)) continue;
    for (int64_t i = 0; i < ElementCount(*a); ++i) {
      if (std::isfinite(RealAt(*a, i)) || std::isfinite(RealAt(*b, i))) continue;
      SetReal(*a, i, 0);
      SetReal(*b, i, 0);
    }
  }
  return DifferenceBetween(wanted, got, Semantics::kReal).empty();
}

// The result of a call of the program: first the inputs that are stored to, as the call leaves
// them.
std::vector<Datum> AllOutputs(const graph::Method& functional, const CallOutcome& outcome) {
  std::vector<int32_t> stored;
  for (const graph::InputStore& each : functional.input_stores) stored.push_back(each.input);
  std::ranges::sort(stored);
  std::vector<Datum> all;
  for (const int32_t input : stored) {
    all.push_back(outcome.inputs_after[static_cast<size_t>(input)]);
  }
  all.insert(all.end(), outcome.outputs.begin(), outcome.outputs.end());
  return all;
}

class Comparison {
 public:
  Comparison(const generators::RandomCase& c, const graph::Module& functional,
             const Program& program, const CaseWays& ways, CaseVerdict& verdict)
      : c_(c),
        functional_(functional),
        program_(program),
        ways_(ways),
        opaque_(IsOpaque(c.module)),
        wanted_(RunAll(c.module, c.calls, OptionsFor(ways.semantics))),
        verdict_(verdict) {}

  void Run(std::span<Engine> engines, Engine* twin) {
    if (ways_.restart) {
      Reset(engines);
      MakeCalls(engines, nullptr, c_.calls.size() / 2);
    }
    Reset(engines);
    if (twin != nullptr) Reset({twin, 1});
    MakeCalls(engines, twin, c_.calls.size());
  }

 private:
  [[nodiscard]] bool failed() const { return !verdict_.fault.empty(); }

  void Reset(std::span<Engine> engines) {
    for (Engine& engine : engines) {
      if (failed()) return;
      std::string why = engine.reset();
      if (!why.empty()) verdict_.fault = {engine.name + " does not load", engine.name + ": " + why};
    }
  }

  void MakeCalls(std::span<Engine> engines, Engine* twin, size_t count) {
    Outputs last;
    for (size_t k = 0; k < count && !failed(); ++k) {
      if (!wanted_.calls[k].ok()) return;  // it does not end, or its inputs do not fit
      if (opaque_ && !AreAtBounds(MethodOf(k), c_.calls[k].inputs)) continue;
      Outputs outputs;
      if (!opaque_) {
        outputs = AllOutputs(functional_.methods[c_.calls[k].method], wanted_.calls[k].value());
      }
      for (Engine& engine : engines) {
        if (!Compare(engine, k, outputs)) return;
      }
      ++verdict_.calls;
      if (twin == nullptr) continue;
      if (last && !Compare(*twin, before_, last)) return;
      last = std::move(outputs);
      before_ = k;
    }
  }

  // Whether the next call can be made. `wanted` is set where there was none.
  bool Compare(const Engine& engine, size_t k, Outputs& wanted) {
    const generators::RandomCall& call = c_.calls[k];
    const auto got = engine.call(static_cast<int32_t>(call.method), call.inputs);
    std::string why;
    if (got.ok()) {
      if (!wanted) wanted = got.value();
      why = DifferenceBetween(*wanted, got.value(), ways_.semantics);
    } else {
      // Unknown operators give results at their upper bounds, which need not fit together.
      if (!wanted || got.error().unknown) return false;
      why = got.error().explanation;
    }
    if (why.empty()) return true;
    const bool is_real = got.ok() && ways_.semantics == Semantics::kReal;
    if (is_real && (DifferBeyondRangeOnly(*wanted, got.value()) || DependsOnRounding(k)))
      return false;
    const std::string_view how = got.ok()                 ? "gives another output"
                                 : got.error().wrong_byte ? kReadsAWrongByte
                                                          : "gives no output";
    verdict_.fault = {engine.name + " " + std::string(how),
                      "call " + std::to_string(k) + ": " + engine.name + ": " + why};
    return false;
  }

  // Whether the Module itself gives something else when its numbers are a little off, or when each
  // operator rounds once more.
  [[nodiscard]] bool DependsOnRounding(size_t k) {
    if (shaken_.empty()) {
      RunOptions options = OptionsFor(ways_.semantics);
      const generators::RandomCase c = Shaken(c_);
      shaken_.push_back(RunAll(c.module, c.calls, options));
      options.change = RoundedOnceMore();
      shaken_.push_back(RunAll(c_.module, c_.calls, options));
    }
    const graph::Method& method = functional_.methods[c_.calls[k].method];
    return std::ranges::any_of(shaken_, [&](const Trace& shaken) {
      return !shaken.calls[k].ok() ||
             FirstDifference(AllOutputs(method, wanted_.calls[k].value()),
                             AllOutputs(method, shaken.calls[k].value()), std::nullopt, true);
    });
  }

  [[nodiscard]] const Method& MethodOf(size_t k) const {
    return program_.methods[c_.calls[k].method];
  }

  const generators::RandomCase& c_;
  const graph::Module& functional_;  // names the inputs that are stored to
  const Program& program_;
  const CaseWays& ways_;
  bool opaque_;
  Trace wanted_;
  std::vector<Trace> shaken_;  // asked for where a call differs
  CaseVerdict& verdict_;
  size_t before_ = 0;  // the call that the twin has to make
};

}  // namespace

void CompareCalls(const generators::RandomCase& c, const Program& program, Policy policy,
                  const CaseWays& ways, CaseVerdict& verdict) {
  const auto functional = graph::Functionalize(c.module);
  if (!functional.ok()) return;  // no plan either
  CaseWays own = ways;
  if (IsOpaque(c.module)) own.semantics = Semantics::kHash;
  std::vector<Engine> engines;
  // First, since it defines the results of opaque Modules.
  if (own.tagged || IsOpaque(c.module)) engines.push_back(TaggedEngine(program, policy, own));
  if (own.planned) engines.push_back(PlannedEngine(program, policy, own, "as planned"));
  Engine twin = PlannedEngine(program, policy, own, "a second instance");
  Comparison(c, functional.value(), program, own, verdict).Run(engines, own.twin ? &twin : nullptr);
}

}  // namespace pteproof
