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
using proofs::Split;
using proofs::Symbols;

Why WhyOf(const FactTable& table) {
  SmallestFacts smallest = table.Smallest();
  return {std::move(smallest.texts), smallest.facts, std::move(smallest.why_not)};
}

// Bytes in which a value lies, for moves those of another one.
Bytes BytesIn(FactTable& table, int32_t method, int32_t v, int32_t holder, int32_t instruction) {
  const Bytes own = table.UnknownBytes(method, v);
  if (v == holder) {
    table.AddPlacement(own);
    return own;
  }
  const Bytes of = table.UnknownBytes(method, holder);
  table.AddPlacement(of);
  table.Add({{Same(own.bank, of.bank), Same(own.begin, of.begin), Same(own.size, of.size)},
             fmt::format("v{} is a name of {}'s bytes before instruction {}", v,
                         table.Value(method, holder), instruction)});
  return own;
}

// "which instruction 2 (aten::mul.out) made".
std::string MadeText(const FactTable& table, const Loss& loss) {
  if (loss.from < -1) return "which is there when the method starts";
  if (loss.from == -1) return "which the caller set";
  const std::string who = table.Instruction(loss.keeper, loss.from / 2);
  return loss.from % 2 == 1 ? fmt::format("which {} made", who)
                            : fmt::format("as it is before {}", who);
}

// Who wants it: each reader of the same contents; the last one, whom the explanation names, last.
void AddUses(FactTable& table, const Loss& loss, const SizeExpr& from, const SizeExpr& until) {
  const std::string value = table.Value(loss.keeper, loss.wanted);
  if (loss.until == loss.from + 2 && loss.from == 2 * loss.reader) {
    table.Add({{AtMost(from, loss.from), AtMost(loss.until, until)},
               fmt::format("{} reads {} while it writes",
                           table.Instruction(loss.keeper, loss.reader), value)});
    return;
  }
  const std::string made = MadeText(table, loss);
  const auto wanted = [&](int32_t end, const std::string& text) {
    table.Add({{AtMost(from, loss.from), AtMost(end, until)}, text});
  };
  for (const proofs::ReadEvent& r : table.program().FactsAt(loss.keeper).listing.reads) {
    const bool other = r.instruction != loss.reader && r.value == loss.wanted;
    if (!other || 2 * r.instruction < loss.from || 2 * r.instruction > loss.until) continue;
    wanted(
        2 * r.instruction,
        fmt::format("{} reads {}, {}", table.Instruction(loss.keeper, r.instruction), value, made));
  }
  const bool reads = loss.reader >= 0 && loss.reader < table.InstructionsOf(loss.keeper);
  wanted(loss.until, fmt::format("{} {} {}, {}", table.Instruction(loss.keeper, loss.reader),
                                 reads ? "reads" : "needs", value, made));
}

void AddWrite(FactTable& table, const Obligation& obligation, const Loss& loss,
              const SizeExpr& time) {
  const int32_t at = 2 * obligation.instruction + 1;
  const std::string writer = table.Instruction(loss.writer, obligation.instruction);
  table.Add({{Same(time, at)},
             fmt::format("{} {} {}", writer, obligation.instruction < 0 ? "sets" : "writes",
                         table.Value(loss.writer, loss.written))});
}

// A write over a value that is still needed.
Why WhyLost(FactTable& table, const Obligation& obligation) {
  const Loss& loss = *obligation.loss;
  const SizeExpr time = table.Unknown();
  const SizeExpr from = table.Unknown();
  const SizeExpr until = table.Unknown();
  const Bytes a =
      BytesIn(table, loss.writer, loss.written, loss.written_in, obligation.instruction);
  const Bytes b = BytesIn(table, loss.keeper, loss.wanted, loss.wanted_in, obligation.instruction);
  proofs::Clause goal = {Below(a.bank, b.bank),
                         Below(b.bank, a.bank),
                         AtMost(a.begin + a.size, b.begin),
                         AtMost(b.begin + b.size, a.begin),
                         Same(a.size, 0),
                         Same(b.size, 0)};
  if (loss.writer == loss.keeper) {
    goal.push_back(Below(time, from));
    goal.push_back(AtMost(until, time));
    AddWrite(table, obligation, loss, time);
    AddUses(table, loss, from, until);
    table.SetGoal(std::move(goal));
    return WhyOf(table);
  }
  // Another call comes between: there is no fixed order of calls.
  const SizeExpr shared = table.Unknown();
  const SizeExpr happens = table.Unknown();
  const SizeExpr kept = table.Unknown();
  for (const SizeExpr& each : {shared, happens, kept}) goal.push_back(Same(each, 0));
  table.Add({{Same(happens, 1)},
             fmt::format("{} {} {}",
                         obligation.instruction < 0
                             ? "the step before a call"
                             : table.Instruction(loss.writer, obligation.instruction),
                         obligation.instruction < 0 ? "sets" : "writes",
                         table.Value(loss.writer, loss.written))});
  table.Add({{Same(kept, 1)},
             fmt::format("{} is kept from call to call", table.Value(loss.keeper, loss.wanted))});
  table.Add({{Same(shared, 1)}, "the methods have the bank in common"});
  table.SetGoal(std::move(goal));
  return WhyOf(table);
}

// A buffer that one method stores in another place, or as something else, than a second one reads.
Why WhySplit(FactTable& table, const Split& split) {
  const SizeExpr stored = table.Unknown();
  const SizeExpr read = table.Unknown();
  const Bytes a = table.UnknownBytes(split.writer, split.stored);
  const Bytes b = table.UnknownBytes(split.reader, split.read);
  proofs::Clause goal = {Same(stored, 0), Same(read, 0)};
  table.AddPlacement(a);
  table.AddPlacement(b);
  if (split.by == Split::By::kLoader) {
    const SizeExpr shared = table.Unknown();
    table.Add({{Same(shared, 0)}, "each method has the bank for itself under this loader"});
    goal.push_back(Same(shared, 1));
  } else if (split.by == Split::By::kType) {
    const SizeExpr types = table.Unknown();
    table.Add({{Same(types, 2)}, "their elements are of two types"});
    goal.push_back(Same(types, 1));
  } else {
    goal.push_back(split.by == Split::By::kBank    ? Same(a.bank, b.bank)
                   : split.by == Split::By::kBegin ? Same(a.begin, b.begin)
                                                   : Same(a.size, b.size));
  }
  const auto& uses = table.program();
  table.Add({{Same(stored, 1)},
             fmt::format("'{}' stores the buffer as v{}", uses.MethodAt(split.writer).name,
                         split.stored)});
  table.Add({{Same(read, 1)},
             fmt::format("'{}' reads it as v{}", uses.MethodAt(split.reader).name, split.read)});
  table.SetGoal(std::move(goal));
  return WhyOf(table);
}

// A value beyond its bank.
Why WhyBeyond(FactTable& table, int32_t method, int32_t v) {
  const Method& at = table.program().MethodAt(method);
  const Tensor& tensor = *at.TensorOf(v);
  const Bytes bytes = table.UnknownBytes(method, v);
  const SizeExpr bank = table.Unknown();
  table.AddPlacement(bytes);
  const uint64_t size = at.bank_sizes[tensor.bank];
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
    const bool two = obligation.loss->writer != obligation.loss->keeper;
    FactTable table(facts, symbols, decision, two);
    return WhyLost(table, obligation);
  }
  if (obligation.split) {
    FactTable table(facts, symbols, decision, true);
    return WhySplit(table, *obligation.split);
  }
  const auto method = MethodNamed(facts, obligation.method);
  if (obligation.kind == rule::kPlanBounds && method && obligation.values.size() == 1) {
    // At the largest admitted sizes.
    const Decision at_bounds;
    FactTable table(facts, symbols, at_bounds, false);
    return WhyBeyond(table, *method, obligation.values.front());
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
