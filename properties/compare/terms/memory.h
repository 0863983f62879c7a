// The bytes of one bank, or of memory of the caller, as contents.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_MEMORY_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_MEMORY_H_

#include <cstdint>
#include <map>
#include <vector>

#include "properties/compare/terms/term_table.h"

namespace pteproof::compare {

class Memory {
 public:
  // Byte i is byte i of `entry` until it is written.
  Memory(TermTable& table, TermId entry) : table_(&table), entry_(entry) {}

  // O(log n) in pieces, and those that it covers.
  void Write(uint64_t first, ContentId content);
  // O(log n), if one write made exactly these bytes; else linear in runs.
  [[nodiscard]] ContentId Read(uint64_t first, uint64_t count) const;
  // Where pieces begin and end, ascending; between two of them either all bytes were written or
  // none.
  [[nodiscard]] std::vector<uint64_t> Bounds() const;

 private:
  struct Piece {
    uint64_t end = 0;
    ContentId content = kNoBytes;
    uint64_t skip = 0;  // bytes of the content before the piece
  };

  void Cut(uint64_t at);

  TermTable* table_;
  TermId entry_;
  std::map<uint64_t, Piece> pieces_;  // by first byte; disjoint
};

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_MEMORY_H_
