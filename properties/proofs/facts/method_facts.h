// The facts about one method from which the obligations are stated.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_METHOD_FACTS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_METHOD_FACTS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "properties/proofs/facts/listing.h"
#include "properties/proofs/facts/names.h"
#include "properties/proofs/facts/needs.h"
#include "properties/proofs/facts/numbering.h"
#include "properties/proofs/facts/parts.h"
#include "properties/proofs/facts/paths.h"
#include "properties/proofs/facts/place.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

struct MethodFacts {
  const Method* method = nullptr;
  const ManifestMethod* stated = nullptr;  // null: nobody says
  Listing listing;
  Paths paths;
  Numbering numbering;
  Parts parts;
  Names names;
  Needs needs;

  [[nodiscard]] int32_t value_count() const { return static_cast<int32_t>(method->values.size()); }
  [[nodiscard]] int32_t instruction_count() const {
    return static_cast<int32_t>(method->instructions.size());
  }
  // The buffer whose value at the end a name is, or -1.
  [[nodiscard]] int32_t EndOf(Name n) const { return n < value_count() ? -1 : n - value_count(); }
  // The value that lies where a name lies, moves apart.
  [[nodiscard]] int32_t ValueOf(Name n) const {
    const int32_t b = EndOf(n);
    return b < 0 ? n : parts.buffers[static_cast<size_t>(b)].value;
  }
  // The buffer that a write stores to: its own value, or a view of it. A new value that an operator
  // returns at the same place is not a store. -1: none.
  [[nodiscard]] int32_t StoredBuffer(const WriteEvent& w) const {
    const int32_t own = parts.BufferOf(w.value);
    return own >= 0 || w.result ? own : parts.BufferOf(names.RootOf(w.value));
  }
  // Whether two values have bytes in common, or may: they lie in one bank, or are one piece of the
  // caller's memory.
  [[nodiscard]] bool ShareMemory(int32_t a, int32_t b) const;
  // Whether an instruction stores a value onto itself, by copy_.
  [[nodiscard]] bool IsSelfCopy(int32_t i) const;
};

// The makings of each name, except writes that fill only a part.
[[nodiscard]] Makings MakingsOf(const MethodFacts& facts);

// O(n log n) for straight-line code. The method and the manifest must outlive the facts. `other`:
// the questions that are answered the other way. `chance_of_order`: of the program (numbering.h).
[[nodiscard]] MethodFacts FactsOf(const Method& method, const Manifest* manifest,
                                  const Reading& other = {}, double chance_of_order = 1);

// What the file leaves open of the method, as far as an exporter gives cause for it.
[[nodiscard]] std::vector<Doubt> DoubtsOf(const MethodFacts& facts);

// The needs of a method if only the uses that pass the test count.
[[nodiscard]] Needs NeedsOf(const MethodFacts& facts,
                            const std::function<bool(int32_t reader)>& counts);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_METHOD_FACTS_H_
