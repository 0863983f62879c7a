// Values that are names of bytes of other values: views and concatenations that the exporter
// elided, and the moves, views and returned names of the listing. The proofs have to exclude that
// bytes are shared without such a name.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_NAMES_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_NAMES_H_

#include <cstdint>
#include <vector>

#include "properties/proofs/facts/listing.h"
#include "properties/proofs/facts/numbering.h"
#include "properties/proofs/facts/parts.h"
#include "properties/proofs/facts/paths.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

struct Names {
  std::vector<Take> takes;      // of the listing, and the views, as they happen
  std::vector<int32_t> root;    // per value: the first name of its bytes, as far as no path matters
  std::vector<int32_t> unmade;  // planned, wanted before anything made them, and no view
  std::vector<int32_t>
      lost;  // ascending: views of names that lie elsewhere: nothing writes their bytes
  std::vector<int32_t> unsure;   // views that nothing places in time
  std::vector<int32_t> guessed;  // slices without their literals

  [[nodiscard]] int32_t RootOf(int32_t v) const { return root[static_cast<size_t>(v)]; }
};

// O(n log n) in values and accesses.
[[nodiscard]] Names NamesOf(const Method& method, const Listing& listing, const Paths& paths,
                            const Numbering& numbering, const Parts& parts);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_NAMES_H_
