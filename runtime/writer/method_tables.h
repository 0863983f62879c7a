// Methods in FlatBuffers: everything but their values.
#ifndef PTEPROOF_RUNTIME_WRITER_METHOD_TABLES_H_
#define PTEPROOF_RUNTIME_WRITER_METHOD_TABLES_H_

#include "runtime/writer/table_writer.h"

namespace pteproof::writer {

// All methods, in order; each has one chain. The first delegate's blob is described by the first of
// the area's delegate_segments, and so on.
[[nodiscard]] TableVector<schema::Method> WriteMethods(TableWriter& writer, const Program& program);

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_METHOD_TABLES_H_
