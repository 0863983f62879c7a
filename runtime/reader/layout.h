// The file's outermost bytes: identifier, extended header, root offset. Not what the flatbuffer
// holds.
#ifndef PTEPROOF_RUNTIME_READER_LAYOUT_H_
#define PTEPROOF_RUNTIME_READER_LAYOUT_H_

#include "runtime/reader/context.h"

namespace pteproof::reader {

// Whether the segment area is known from a header; a file without one has no segments.
struct Layout {
  bool has_header = false;
};

// Reads bytes 0 to 39 and fills the context's tables_size, segment_base and segment_end:
// root offset, identifier, extended header. Nothing: refused, and no further step makes sense.
[[nodiscard]] std::optional<Layout> ReadLayout(Context& context);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_LAYOUT_H_
