#include "properties/explain/fact_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "properties/proofs/rules/obliger.h"

namespace pteproof::explain {

using proofs::Comparison;
using proofs::Relation;

Comparison Same(SizeExpr a, SizeExpr b) {
  return {std::move(a), Relation::kEqual, std::move(b)};
}

Comparison Below(SizeExpr a, SizeExpr b) {
  return {std::move(a), Relation::kLess, std::move(b)};
}

Comparison AtMost(SizeExpr a, SizeExpr b) {
  return {std::move(a), Relation::kLessEqual, std::move(b)};
}

std::string FactTable::Instruction(int32_t i) const {
  return proofs::InstructionText(method_, i);
}

Bytes FactTable::UnknownBytes(int32_t v) {
  Bytes bytes = {v, Unknown(), Unknown(), Unknown()};
  question_.always.push_back(AtMost(0, bytes.begin));
  question_.always.push_back(AtMost(0, bytes.size));
  return bytes;
}

void FactTable::Add(StatedFact fact) {
  question_.facts.push_back(fact.holds);
  facts_.push_back(std::move(fact));
}

// The stronger facts first, so that they are left out first.
void FactTable::AddPlacement(const Bytes& bytes) {
  const Tensor& tensor = *method_.TensorOf(bytes.value);
  const int64_t size = SizeOf(bytes);
  const std::string name = fmt::format("v{}", bytes.value);
  const size_t side = sides_.size();
  sides_.push_back({name, tensor.bank, tensor.offset, size});
  Add({{Same(bytes.size, size)}, fmt::format("{} takes {} bytes", name, size), Told::kSize, side});
  if (size > 0) {
    Add({{AtMost(1, bytes.size)}, fmt::format("{} is not empty", name), Told::kNotEmpty, side});
  }
  Add({{Same(bytes.bank, tensor.bank), Same(bytes.begin, proofs::ByteCount(tensor.offset))},
       TextOf(sides_[side], false, false),
       Told::kBegin,
       side});
}

SmallestFacts FactTable::Smallest() const {
  const FactCore core = SmallestCore(question_);
  if (!core.why_not.empty()) return {{}, 0, core.why_not};
  SmallestFacts smallest;
  smallest.facts = core.kept.size();
  const auto keeps = [&](Told told, size_t side) {
    return std::ranges::any_of(
        core.kept, [&](size_t f) { return facts_[f].told == told && facts_[f].side == side; });
  };
  for (const size_t f : core.kept) {
    const StatedFact& fact = facts_[f];
    // The fact about its length is worded together with the fact about its begin.
    const bool joined = fact.told != Told::kText && keeps(Told::kBegin, fact.side);
    if (!joined) smallest.texts.push_back(fact.text);
    if (!joined || fact.told != Told::kBegin) continue;
    smallest.texts.push_back(TextOf(sides_[fact.side], keeps(Told::kSize, fact.side),
                                    keeps(Told::kNotEmpty, fact.side)));
  }
  return smallest;
}

int64_t FactTable::SizeOf(const Bytes& bytes) const {
  const Tensor& tensor = *method_.TensorOf(bytes.value);
  const std::string name = proofs::BytesSymbol(method_, bytes.value);
  const auto at = std::ranges::find_if(decision_.model, [&](const proofs::ModelValue& value) {
    return symbols_[static_cast<size_t>(value.symbol)].name == name;
  });
  if (at != decision_.model.end()) return at->value;
  return proofs::ByteCount(tensor.nbytes).Constant().value_or(0);
}

std::string FactTable::TextOf(const Side& side, bool sized, bool not_empty) const {
  if (sized) {
    return fmt::format("{} lies at [{},{}) of bank {}", side.name, side.begin,
                       side.begin + static_cast<uint64_t>(side.size), side.bank);
  }
  return fmt::format("{} begins at byte {} of bank {}{}", side.name, side.begin, side.bank,
                     not_empty ? ", of any length but 0" : "");
}

size_t CountFacts(const proofs::ProgramFacts& facts) {
  size_t count = 0;
  for (const meaning::MethodMeaning& meant : facts.meant.methods) {
    const Method& method = *meant.method;
    for (const Tensor& tensor : method.tensors) count += tensor.planned ? 2 : 0;
    count += meant.effects.reads.size() + meant.effects.writes.size() +
             meant.aliases.transfers.size() + method.inputs.size() + method.outputs.size();
    count += meant.roles.states.size();
    // The first of a file's banks is none.
    count += std::max<size_t>(method.bank_sizes.size(), 1) - 1;
  }
  return count;
}

}  // namespace pteproof::explain
