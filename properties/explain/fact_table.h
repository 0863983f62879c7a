// The facts of a program that a refuted obligation may need, in words and as statements about
// symbols.
#ifndef PTEPROOF_PROPERTIES_EXPLAIN_FACT_TABLE_H_
#define PTEPROOF_PROPERTIES_EXPLAIN_FACT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/explain/fact_core.h"
#include "properties/proofs/facts/program_facts.h"
#include "properties/proofs/solver/decide.h"
#include "properties/proofs/terms/question.h"

namespace pteproof::explain {

// The facts about a value's bytes that share one text; all other facts have a text of their own.
enum class Told : uint8_t { kText, kBegin, kSize, kNotEmpty };

struct StatedFact {
  std::vector<proofs::Comparison> holds;
  std::string text = {};
  Told told = Told::kText;
  size_t side = 0;  // of all but kText
};

// A run of bytes as symbols: bank, first byte, number.
struct Bytes {
  int32_t value = 0;
  SizeExpr bank;
  SizeExpr begin;
  SizeExpr size;
};

[[nodiscard]] proofs::Comparison Same(SizeExpr a, SizeExpr b);
[[nodiscard]] proofs::Comparison Below(SizeExpr a, SizeExpr b);
[[nodiscard]] proofs::Comparison AtMost(SizeExpr a, SizeExpr b);

// Of those facts that are enough.
struct SmallestFacts {
  std::vector<std::string> texts;
  size_t facts = 0;     // a text may tell two
  std::string why_not;  // as FactCore::why_not
};

// Of one method.
class FactTable {
 public:
  // All outlive the table.
  FactTable(const proofs::ProgramFacts& program, int32_t method, const proofs::Symbols& symbols,
            const proofs::Decision& decision)
      : method_(program.MethodAt(method)),
        effects_(program.MeaningAt(method).effects),
        symbols_(symbols),
        decision_(decision) {}

  [[nodiscard]] const Method& method() const { return method_; }
  [[nodiscard]] const meaning::Effects& effects() const { return effects_; }
  // "instruction 4 (aten::add.out)".
  [[nodiscard]] std::string Instruction(int32_t i) const;

  // An integer of which nothing is known.
  [[nodiscard]] SizeExpr Unknown() { return SizeExpr::Symbol(question_.symbols++); }
  // Bytes of a value of which nothing is known but that their number is not negative.
  [[nodiscard]] Bytes UnknownBytes(int32_t v);

  void Add(StatedFact fact);
  // Where a value lies by its placement, and how long it is: at the decision's model, else its
  // bound.
  void AddPlacement(const Bytes& bytes);
  void SetGoal(proofs::Clause goal) { question_.goal = std::move(goal); }

  [[nodiscard]] SmallestFacts Smallest() const;

 private:
  struct Side {
    std::string name;
    uint32_t bank = 0;
    uint64_t begin = 0;
    int64_t size = 0;
  };

  [[nodiscard]] int64_t SizeOf(const Bytes& bytes) const;
  [[nodiscard]] std::string TextOf(const Side& side, bool sized, bool not_empty) const;

  const Method& method_;
  const meaning::Effects& effects_;
  const proofs::Symbols& symbols_;
  const proofs::Decision& decision_;
  FactQuestion question_;
  std::vector<StatedFact> facts_;
  std::vector<Side> sides_;
};

// The facts of a program: the begin and length of each planned value; the reads, writes and names
// of each instruction; inputs, outputs and the sizes of banks; the values that are kept from call
// to call.
[[nodiscard]] size_t CountFacts(const proofs::ProgramFacts& facts);

}  // namespace pteproof::explain

#endif  // PTEPROOF_PROPERTIES_EXPLAIN_FACT_TABLE_H_
