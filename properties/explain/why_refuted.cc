#include "properties/explain/why_refuted.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/rule_names.h"
#include "properties/explain/fact_table.h"
#include "properties/proofs/rules/obliger.h"

namespace pteproof::explain {
namespace {

using proofs::Decision;
using proofs::Loss;
using proofs::Obligation;
using proofs::ProgramFacts;
using proofs::Symbols;

Why WhyOf(const FactTable& table) {
  SmallestFacts smallest = table.Smallest();
  return {std::move(smallest.texts), smallest.facts, std::move(smallest.why_not)};
}

// Bytes in which a value lies, for moves those of another one.
Bytes BytesIn(FactTable& table, int32_t v, int32_t holder, int32_t instruction) {
  const Bytes own = table.UnknownBytes(v);
  if (v == holder) {
    table.AddPlacement(own);
    return own;
  }
  const Bytes of = table.UnknownBytes(holder);
  table.AddPlacement(of);
  table.Add(
      {{Same(own.bank, of.bank), Same(own.begin, of.begin), Same(own.size, of.size)},
       fmt::format("v{} is a name of v{}'s bytes before instruction {}", v, holder, instruction)});
  return own;
}

// "which instruction 2 (aten::mul.out) made".
std::string MadeText(const FactTable& table, const Loss& loss) {
  if (loss.from < -1) return "which is there when the method starts";
  if (loss.from == -1) return "which the caller set";
  const std::string who = table.Instruction(loss.from / 2);
  return loss.from % 2 == 1 ? fmt::format("which {} made", who)
                            : fmt::format("as it is before {}", who);
}

// Who wants it: each reader of the same contents; the last one, whom the explanation names, last.
void AddUses(FactTable& table, const Loss& loss, const SizeExpr& from, const SizeExpr& until) {
  if (loss.until == loss.from + 2 && loss.from == 2 * loss.reader) {
    table.Add(
        {{AtMost(from, loss.from), AtMost(loss.until, until)},
         fmt::format("{} reads v{} while it writes", table.Instruction(loss.reader), loss.wanted)});
    return;
  }
  const std::string made = MadeText(table, loss);
  const auto wanted = [&](int32_t end, const std::string& text) {
    table.Add({{AtMost(from, loss.from), AtMost(end, until)}, text});
  };
  const auto count = static_cast<int32_t>(table.method().instructions.size());
  for (int32_t i = 0; i < count; ++i) {
    if (i == loss.reader || 2 * i < loss.from || 2 * i > loss.until) continue;
    for (const meaning::Read& r : table.effects().ReadsOf(static_cast<size_t>(i))) {
      if (r.value != loss.wanted) continue;
      wanted(2 * i, fmt::format("{} reads v{}, {}", table.Instruction(i), loss.wanted, made));
    }
  }
  const bool reads = loss.reader >= 0 && loss.reader < count;
  wanted(loss.until, fmt::format("{} {} v{}, {}", table.Instruction(loss.reader),
                                 reads ? "reads" : "needs", loss.wanted, made));
}

// A write over a value that is still needed.
Why WhyLost(FactTable& table, const Obligation& obligation) {
  const Loss& loss = *obligation.loss;
  const int32_t at = obligation.instruction;
  const SizeExpr time = table.Unknown();
  const SizeExpr from = table.Unknown();
  const SizeExpr until = table.Unknown();
  const Bytes a = BytesIn(table, loss.written, loss.written_in, at);
  const Bytes b = BytesIn(table, loss.wanted, loss.wanted_in, at);
  table.Add(
      {{Same(time, 2 * at + 1)},
       fmt::format("{} {} v{}", table.Instruction(at), at < 0 ? "sets" : "writes", loss.written)});
  AddUses(table, loss, from, until);
  table.SetGoal({Below(a.bank, b.bank), Below(b.bank, a.bank), AtMost(a.begin + a.size, b.begin),
                 AtMost(b.begin + b.size, a.begin), Same(a.size, 0), Same(b.size, 0),
                 Below(time, from), AtMost(until, time)});
  return WhyOf(table);
}

// A value beyond its bank.
Why WhyBeyond(FactTable& table, int32_t v) {
  const Tensor& tensor = *table.method().TensorOf(v);
  const Bytes bytes = table.UnknownBytes(v);
  const SizeExpr bank = table.Unknown();
  table.AddPlacement(bytes);
  const uint64_t size = table.method().bank_sizes[tensor.bank];
  table.Add({{Same(bank, proofs::ByteCount(size))},
             fmt::format("bank {} has {} bytes", tensor.bank, size)});
  table.SetGoal({AtMost(bytes.begin + bytes.size, bank)});
  return WhyOf(table);
}

std::optional<int32_t> MethodNamed(const ProgramFacts& facts, const std::string& name) {
  const auto& methods = facts.program->methods;
  const auto at = std::ranges::find(methods, name, &Method::name);
  if (at == methods.end()) return std::nullopt;
  return static_cast<int32_t>(at - methods.begin());
}

}  // namespace

Why WhyRefuted(const ProgramFacts& facts, const Symbols& symbols, const Obligation& obligation,
               const Decision& decision) {
  const bool vague = std::ranges::any_of(decision.model, [](const auto& v) { return !v.exact; });
  if (vague) return {{}, 0, "not determined, as 64 bits do not hold the sizes"};
  if (obligation.loss) {
    FactTable table(facts, obligation.loss->method, symbols, decision);
    return WhyLost(table, obligation);
  }
  const auto method = MethodNamed(facts, obligation.method);
  const bool beyond = obligation.kind == rule::kPlanBounds && !obligation.checked;
  if (beyond && method && obligation.values.size() == 1) {
    // At the largest admitted sizes.
    const Decision at_bounds;
    FactTable table(facts, *method, symbols, at_bounds);
    return WhyBeyond(table, obligation.values.front());
  }
  return {{}, 0, "the facts of the sentence above"};
}

Whys WhysOf(const Program& program, const proofs::ObligeOptions& options,
            const proofs::Proof& proof) {
  Whys whys;
  const proofs::ProofCounts counts = proofs::Count(proof);
  if (counts.refuted + counts.undecided == 0) return whys;
  const ProgramFacts facts = proofs::FactsOf(program, options.manifest, options.all_first);
  whys.facts = CountFacts(facts);
  for (size_t o = 0; o < proof.decisions.size(); ++o) {
    if (proof.decisions[o].answer != proofs::Answer::kRefuted) continue;
    if (whys.why.size() >= kMostWhys) break;
    whys.why.emplace(o, WhyRefuted(facts, proof.obligations.symbols, proof.obligations.list[o],
                                   proof.decisions[o]));
  }
  return whys;
}

}  // namespace pteproof::explain
