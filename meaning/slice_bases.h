// The value that an elided slice is of: one around its bytes, of which they can be a contiguous
// slice. The literals that the slice left behind may tell (runtime/slice_form.h).
#ifndef PTEPROOF_MEANING_SLICE_BASES_H_
#define PTEPROOF_MEANING_SLICE_BASES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "meaning/exporter_order.h"
#include "meaning/last_writes.h"
#include "meaning/place.h"
#include "meaning/place_classes.h"
#include "meaning/roles.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

class SliceBases {
 public:
  // Points into all of them.
  SliceBases(const Method& method, const ExporterOrder& order, const Roles& roles,
             const PlaceClasses& classes, LastWrites& writes, SearchWork& work)
      : method_(method),
        order_(order),
        roles_(roles),
        classes_(classes),
        writes_(writes),
        work_(work) {}

  // The older value that was made last before that instruction, of those that the part can be a
  // slice of, or whose view it can be a slice of; -1: none. O(values).
  [[nodiscard]] int32_t BaseOf(int32_t part, int32_t before);

  // By its literals it is a slice of the base, or of a slice of the base in between that is elided
  // as well.
  [[nodiscard]] bool IsTold(int32_t part, int32_t base);

 private:
  [[nodiscard]] const Place& PlaceOf(int32_t v) const {
    return roles_.place[static_cast<size_t>(v)];
  }
  [[nodiscard]] std::optional<int32_t> ToldAtPlace(int32_t part, int32_t base, int32_t before);
  [[nodiscard]] int32_t MadeAt(int32_t v, int32_t before);

  const Method& method_;
  const ExporterOrder& order_;
  const Roles& roles_;
  const PlaceClasses& classes_;
  LastWrites& writes_;
  SearchWork& work_;
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_SLICE_BASES_H_
