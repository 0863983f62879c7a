// Whether one planned tensor may be a contiguous slice of another, by their types, sizes and
// places. Geometry alone: it judges nothing.
#ifndef PTEPROOF_RUNTIME_SLICE_FORM_H_
#define PTEPROOF_RUNTIME_SLICE_FORM_H_

#include <cstdint>
#include <optional>

#include "pteproof/program.h"

namespace pteproof {

// part = whole[start:end] along `dim`; with `selected`, whole[start] without that dimension.
struct SliceForm {
  int64_t dim = 0;
  int64_t start = 0;
  int64_t end = 0;
  bool selected = false;
};

// Both values are tensors. Nothing if the part is not smaller, has another type, lies elsewhere or
// between rows, or if either has sizes that vary or a dim order of its own. O(rank).
[[nodiscard]] std::optional<SliceForm> SliceFormOf(const Method& method, int32_t part,
                                                   int32_t whole);

// Whether the values numbered right behind the part are the literals of that slice. An exporter
// that elides the instruction leaves its literals behind: dim, start, end and step, or dim and
// index.
[[nodiscard]] bool LiteralsTell(const Method& method, int32_t part, int32_t whole,
                                const SliceForm& form);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_SLICE_FORM_H_
