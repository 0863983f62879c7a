// What lies beside the tables: segments, constants, initial values, named data. Not which tensor
// uses what.
#ifndef PTEPROOF_RUNTIME_READER_SEGMENTS_H_
#define PTEPROOF_RUNTIME_READER_SEGMENTS_H_

#include "runtime/reader/context.h"
#include "runtime/reader/layout.h"

namespace pteproof::reader {

// Checks every segment's place and makes them known to the context.
void ReadSegments(Context& context, const schema::Program& wire, const Layout& layout);

// Bytes of the segment of that number: nothing if the segment does not exist, empty if it was
// refused.
[[nodiscard]] std::optional<Bytes> SegmentBytes(const Context& context, uint64_t index);

// Program::constants, from the constant segment or from the legacy inline buffers.
void ReadConstants(Context& context, const schema::Program& wire, Program& out);

// Program::initial_values, from the first mutable segment: runtimes look at no other.
void ReadInitialValues(Context& context, const schema::Program& wire, Program& out);

// Program::named_data.
void ReadNamedData(Context& context, const schema::Program& wire, Program& out);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_SEGMENTS_H_
