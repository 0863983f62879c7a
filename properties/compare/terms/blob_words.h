// The words of terms inside a delegate (TermKind::kInside): the first says which they are. Here for
// those who make and who describe them.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_BLOB_WORDS_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_BLOB_WORDS_H_

#include <cstddef>
#include <cstdint>

namespace pteproof::compare {

enum BlobPart : uint64_t {
  kArgument,  // position, what the blob says of it (kStored)
  kStored,    // form; contents: of each term and size, or key and kNotThere
  kKept,      // which of those that begin alike, the term before
  kNode,      // operator, form, effect, number of operands, operands; of each result: what the blob
              // says of it (kStored), and which operand it replaces; 1 if it may be random, and
              // runs at loading
  kResult,    // node, which of its results
  kWhole,     // form, effect, and four lists, each with its length before it:
              // inputs (position, term at the end, written back), outputs (position, term, left
              // alone), nodes without results, states (term before, term at the end)
};

inline constexpr uint64_t kNotThere = ~uint64_t{0};
inline constexpr size_t kEffectWord = 3;    // of a node
inline constexpr size_t kOperandCount = 4;  // of a node; the operands follow

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_BLOB_WORDS_H_
