// What a delegate computes inside, as a term: blobs of one format whose bytes differ in numbers,
// names, the order of independent nodes, places, or in what nobody uses have one term.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_BLOB_TERMS_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_BLOB_TERMS_H_

#include <optional>
#include <string>

#include "properties/compare/terms/term_table.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::compare {

// Nothing if the blob does not say all that counts: then its bytes do. O(what the blob says), once
// for a table.
[[nodiscard]] std::optional<TermId> TermOfBlob(TermTable& table,
                                               const delegates::OpenedBlob& opened);

// Where the second of two such terms differs from the first, in words: "output 1 is made by add
// instead of multiply".
[[nodiscard]] std::string BlobDifference(const TermTable& table, TermId olds, TermId news);

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_BLOB_TERMS_H_
