#include "properties/explain/why_refuted.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/rule_names.h"
#include "properties/explain/fact_core.h"
#include "properties/proofs/rules/obliger.h"

namespace pteproof::explain {
namespace {

using proofs::Comparison;
using proofs::Decision;
using proofs::Loss;
using proofs::Obligation;
using proofs::ProgramFacts;
using proofs::Relation;
using proofs::Symbols;

// What a fact says of one of the two values, for those that are told in one text.
enum class Told : uint8_t { kText, kBegin, kSize, kNotEmpty };

struct StatedFact {
  std::vector<Comparison> holds;
  std::string text;
  Told told = Told::kText;
  size_t side = 0;  // of all but kText
};

// A run of bytes as symbols: bank, first byte, number.
struct Bytes {
  int32_t method = 0;
  int32_t value = 0;
  SizeExpr bank;
  SizeExpr begin;
  SizeExpr size;
};

Comparison Same(SizeExpr a, SizeExpr b) {
  return {std::move(a), Relation::kEqual, std::move(b)};
}
Comparison Below(SizeExpr a, SizeExpr b) {
  return {std::move(a), Relation::kLess, std::move(b)};
}
Comparison AtMost(SizeExpr a, SizeExpr b) {
  return {std::move(a), Relation::kLessEqual, std::move(b)};
}

class FactTable {
 public:
  FactTable(const ProgramFacts& program, const Symbols& symbols, const Decision& decision,
            bool name_methods)
      : program_(program), symbols_(symbols), decision_(decision), name_methods_(name_methods) {}

  // "v3", "v3 of 'forward'" where two methods have to do with it.
  [[nodiscard]] std::string Value(int32_t method, int32_t v) const {
    return name_methods_ ? fmt::format("v{} of '{}'", v, MethodAt(method).name)
                         : fmt::format("v{}", v);
  }
  // "instruction 4 (aten::add.out)".
  [[nodiscard]] std::string Instruction(int32_t method, int32_t i) const {
    const std::string text = proofs::InstructionText(MethodAt(method), i);
    const bool named = name_methods_ && i >= 0 && i < InstructionsOf(method);
    return named ? fmt::format("{} of '{}'", text, MethodAt(method).name) : text;
  }
  [[nodiscard]] const Method& MethodAt(int32_t m) const { return program_.MethodAt(m); }
  [[nodiscard]] int32_t InstructionsOf(int32_t m) const {
    return program_.FactsAt(m).instruction_count();
  }
  [[nodiscard]] const ProgramFacts& program() const { return program_; }

  [[nodiscard]] SizeExpr Unknown() { return SizeExpr::Symbol(question_.symbols++); }

  // Bytes of a value of which nothing is known but that their number is not negative.
  [[nodiscard]] Bytes UnknownBytes(int32_t method, int32_t v) {
    Bytes bytes = {method, v, Unknown(), Unknown(), Unknown()};
    question_.always.push_back(AtMost(SizeExpr(0), bytes.begin));
    question_.always.push_back(AtMost(SizeExpr(0), bytes.size));
    return bytes;
  }

  // Where a value lies by its placement: what is dropped first is the stronger one.
  void AddPlacement(const Bytes& bytes) {
    const Tensor& tensor = *MethodAt(bytes.method).TensorOf(bytes.value);
    const int64_t size = SizeOf(bytes);
    const std::string name = Value(bytes.method, bytes.value);
    sides_.push_back({name, tensor.bank, tensor.offset, size});
    const size_t side = sides_.size() - 1;
    Add({{Same(bytes.size, size)},
         fmt::format("{} takes {} bytes", name, size),
         Told::kSize,
         side});
    if (size > 0) {
      Add({{AtMost(1, bytes.size)}, fmt::format("{} is not empty", name), Told::kNotEmpty, side});
    }
    Add({{Same(bytes.bank, tensor.bank), Same(bytes.begin, proofs::ByteCount(tensor.offset))},
         fmt::format("{} begins at byte {} of bank {}", name, tensor.offset, tensor.bank),
         Told::kBegin,
         side});
  }

  void Add(StatedFact fact) {
    question_.facts.push_back(fact.holds);
    facts_.push_back(std::move(fact));
  }

  [[nodiscard]] FactQuestion& question() { return question_; }

  // The texts of those that are enough.
  [[nodiscard]] Why Smallest() const {
    const FactCore core = SmallestCore(question_);
    if (!core.why_not.empty()) return {{}, 0, core.why_not};
    Why why;
    why.facts = core.kept.size();
    const auto keeps = [&](Told told, size_t side) {
      return std::ranges::any_of(
          core.kept, [&](size_t f) { return facts_[f].told == told && facts_[f].side == side; });
    };
    for (const size_t f : core.kept) {
      const StatedFact& fact = facts_[f];
      // What is known of how long it is is told with where it begins.
      const bool joined = fact.told != Told::kText && keeps(Told::kBegin, fact.side);
      if (!joined) {
        why.enough.push_back(fact.text);
      } else if (fact.told == Told::kBegin) {
        const Side& side = sides_[fact.side];
        why.enough.push_back(keeps(Told::kSize, fact.side) ? side.Text()
                             : keeps(Told::kNotEmpty, fact.side)
                                 ? fact.text + ", of any length but 0"
                                 : fact.text);
      }
    }
    return why;
  }

 private:
  struct Side {
    std::string name;
    uint32_t bank = 0;
    uint64_t begin = 0;
    int64_t size = 0;

    [[nodiscard]] std::string Text() const {
      return fmt::format("{} lies at [{},{}) of bank {}", name, begin,
                         begin + static_cast<uint64_t>(size), bank);
    }
  };

  // In bytes; of one that varies what the model says, or its bound.
  [[nodiscard]] int64_t SizeOf(const Bytes& bytes) const {
    const Method& method = MethodAt(bytes.method);
    const Tensor& tensor = *method.TensorOf(bytes.value);
    const int64_t most = proofs::ByteCount(tensor.nbytes).Constant().value_or(0);
    const std::string name = proofs::BytesSymbol(method, bytes.value);
    const auto at = std::ranges::find_if(decision_.model, [&](const proofs::ModelValue& value) {
      return symbols_[static_cast<size_t>(value.symbol)].name == name;
    });
    return at == decision_.model.end() ? most : at->value;
  }

  const ProgramFacts& program_;
  const Symbols& symbols_;
  const Decision& decision_;
  bool name_methods_;
  FactQuestion question_;
  std::vector<StatedFact> facts_;
  std::vector<Side> sides_;
};

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
  if (loss.from < -1) return "which is there when the method begins";
  if (loss.from == -1) return "which the caller set";
  const std::string who = table.Instruction(loss.keeper, loss.from / 2);
  return loss.from % 2 == 1 ? fmt::format("which {} made", who)
                            : fmt::format("as it is before {}", who);
}

// Who wants it: each reader of the same contents; the last one, whom the story names, last.
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
                                 reads ? "reads" : "wants", value, made));
}

void AddWrite(FactTable& table, const Obligation& obligation, const Loss& loss,
              const SizeExpr& time) {
  const int32_t at = 2 * obligation.instruction + 1;
  const std::string writer = table.Instruction(loss.writer, obligation.instruction);
  table.Add({{Same(time, at)},
             fmt::format("{} {} {}", writer, obligation.instruction < 0 ? "sets" : "writes",
                         table.Value(loss.writer, loss.written))});
}

// A write over what is wanted then.
Why WhyLost(FactTable& table, const Obligation& obligation) {
  const Loss& loss = *obligation.loss;
  const SizeExpr time = table.Unknown();
  const SizeExpr from = table.Unknown();
  const SizeExpr until = table.Unknown();
  const Bytes a =
      BytesIn(table, loss.writer, loss.written, loss.written_in, obligation.instruction);
  const Bytes b = BytesIn(table, loss.keeper, loss.wanted, loss.wanted_in, obligation.instruction);
  proofs::Clause& goal = table.question().goal;
  goal = {Below(a.bank, b.bank),
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
    return table.Smallest();
  }
  // Another call comes between: that of which method there is no order.
  const SizeExpr shared = table.Unknown();
  const SizeExpr happens = table.Unknown();
  const SizeExpr kept = table.Unknown();
  for (const SizeExpr& each : {shared, happens, kept}) goal.push_back(Same(each, 0));
  table.Add({{Same(happens, 1)},
             fmt::format("{} {} {}",
                         obligation.instruction < 0
                             ? "what comes before a call"
                             : table.Instruction(loss.writer, obligation.instruction),
                         obligation.instruction < 0 ? "sets" : "writes",
                         table.Value(loss.writer, loss.written))});
  table.Add({{Same(kept, 1)},
             fmt::format("{} is kept from call to call", table.Value(loss.keeper, loss.wanted))});
  table.Add({{Same(shared, 1)}, "the methods have the bank in common"});
  return table.Smallest();
}

// A value beyond its bank.
Why WhyBeyond(FactTable& table, int32_t method, int32_t v) {
  const Method& at = table.MethodAt(method);
  const Tensor& tensor = *at.TensorOf(v);
  const Bytes bytes = table.UnknownBytes(method, v);
  const SizeExpr bank = table.Unknown();
  table.AddPlacement(bytes);
  const uint64_t size = at.bank_sizes[tensor.bank];
  table.Add({{Same(bank, proofs::ByteCount(size))},
             fmt::format("bank {} has {} bytes", tensor.bank, size)});
  table.question().goal = {AtMost(bytes.begin + bytes.size, bank)};
  return table.Smallest();
}

std::optional<int32_t> MethodNamed(const ProgramFacts& facts, const std::string& name) {
  const auto& methods = facts.program->methods;
  const auto at = std::ranges::find(methods, name, &Method::name);
  if (at == methods.end()) return std::nullopt;
  return static_cast<int32_t>(at - methods.begin());
}

}  // namespace

size_t CountFacts(const ProgramFacts& facts) {
  size_t count = 0;
  for (const proofs::MethodFacts& method : facts.methods) {
    for (int32_t v = 0; v < method.value_count(); ++v) {
      const Tensor* tensor = method.method->TensorOf(v);
      if (tensor != nullptr && tensor->planned) count += 2;
    }
    count += method.listing.reads.size() + method.listing.writes.size() +
             method.names.takes.size() + method.method->inputs.size() +
             method.method->outputs.size();
    // The first of a file's banks is none.
    count += std::max<size_t>(method.method->bank_sizes.size(), 1) - 1;
  }
  return count;
}

Why WhyRefuted(const ProgramFacts& facts, const Symbols& symbols, const Obligation& obligation,
               const Decision& decision) {
  const bool vague = std::ranges::any_of(decision.model, [](const auto& v) { return !v.exact; });
  if (vague) return {{}, 0, "not told, as 64 bits do not hold the sizes"};
  if (obligation.loss) {
    const bool two = obligation.loss->writer != obligation.loss->keeper;
    FactTable table(facts, symbols, decision, two);
    return WhyLost(table, obligation);
  }
  const auto method = MethodNamed(facts, obligation.method);
  if (obligation.kind == rule::kPlanBounds && method && obligation.values.size() == 1) {
    // At the largest admitted sizes.
    const Decision at_bounds;
    FactTable table(facts, symbols, at_bounds, false);
    return WhyBeyond(table, *method, obligation.values.front());
  }
  return {{}, 0, "what the sentence above says"};
}

Whys WhysOf(const Program& program, const proofs::ObligeOptions& options,
            const proofs::Proof& proof) {
  Whys whys;
  if (proofs::Count(proof).refuted == 0) return whys;
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
