// Puts obligations together: sizes as constants or symbols, and the few forms that goals have.
#ifndef PTEPROOF_PROPERTIES_PROOFS_RULES_OBLIGER_H_
#define PTEPROOF_PROPERTIES_PROOFS_RULES_OBLIGER_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/capital.h"
#include "base/without.h"
#include "properties/proofs/facts/program_facts.h"
#include "properties/proofs/sizes/value_sizes.h"
#include "properties/proofs/terms/obligation.h"

namespace pteproof::proofs {

// A number of bytes of a file, in an obligation. A file may state more bytes than a signed number
// holds. All numbers far beyond the largest bank of the reader are equal here, and outside of each
// bank.
[[nodiscard]] inline int64_t CappedBytes(uint64_t bytes) {
  constexpr uint64_t kFar = uint64_t{1} << 61U;
  return static_cast<int64_t>(std::min(bytes, kFar));
}
[[nodiscard]] inline SizeExpr ByteCount(uint64_t bytes) {
  return SizeExpr(CappedBytes(bytes));
}

// Bytes of a bank that a value lies in, their number known or not.
struct PlacedBytes {
  uint32_t bank = 0;
  SizeExpr start;
  SizeExpr size;
};

class Obliger {
 public:
  // `sizes` may be null; both must outlive it. `counts_held`: as in ObligeOptions.
  Obliger(const ProgramFacts& facts, const ValueSizes* sizes, bool counts_held)
      : facts_(facts), sizes_(sizes), counts_held_(counts_held) {
    if (sizes != nullptr) made_.symbols = sizes->dims;
  }

  [[nodiscard]] const ProgramFacts& facts() const { return facts_; }
  // The place of a value of a method. Its size is a symbol if the file only bounds it: the runtime
  // refuses larger sizes. If the size is known over the dims, that is the symbol's definition.
  [[nodiscard]] PlacedBytes BytesOf(int32_t method, int32_t v);
  void Assume(std::vector<std::string> assumptions) { made_.assumptions = std::move(assumptions); }
  // One more pair of a write and a name that is wanted then.
  void CountPair() { ++made_.pairs; }
  // Whether two placed values of one bank need no obligation that they lie apart: their numbers say
  // so, and it is counted.
  [[nodiscard]] bool CountIfApart(int32_t method, int32_t a, int32_t b);
  void CountSwept(std::optional<size_t> pairs) {
    if (made_.swept.has_value() && pairs.has_value()) *made_.swept += *pairs;
    if (!pairs.has_value()) made_.swept.reset();
  }
  void Add(Obligation obligation) {
    if (!Without(kProvedRule, obligation.kind)) made_.list.push_back(std::move(obligation));
  }

  // Bytes over the dims, of a value whose sizes vary; nothing where that is not known.
  [[nodiscard]] std::optional<SizeExpr> SizeOverDims(int32_t method, int32_t v) const;

  [[nodiscard]] Obligations Take() && { return std::move(made_); }

 private:
  [[nodiscard]] int32_t AddSymbol(Symbol symbol);  // its index in the symbols

  const ProgramFacts& facts_;
  const ValueSizes* sizes_;
  bool counts_held_;
  std::map<std::pair<int32_t, int32_t>, int32_t> symbol_of_;  // by method and value
  Obligations made_;
};

// The beginning of an obligation of one method: it must hold at the instruction (-1: throughout).
[[nodiscard]] Obligation AboutMethod(const Method& method, std::string_view kind,
                                     int32_t instruction, std::vector<int32_t> values);

// No byte of the one is a byte of the other.
[[nodiscard]] Clause Disjoint(const PlacedBytes& a, const PlacedBytes& b);
// So many are there, and none must be.
[[nodiscard]] Clause None(int64_t count);
[[nodiscard]] Clause Equal(SizeExpr a, SizeExpr b);

// The symbol for the bytes of a value whose sizes vary: "forward.v7.bytes".
[[nodiscard]] std::string BytesSymbol(const Method& method, int32_t v);

// "v7 bank 1 [0,64)", "instruction 3 (aten::add.out)".
[[nodiscard]] std::string ValueText(const Method& method, int32_t v);
[[nodiscard]] std::string InstructionText(const Method& method, int32_t i);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_RULES_OBLIGER_H_
