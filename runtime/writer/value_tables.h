// A method's value table in FlatBuffers.
#ifndef PTEPROOF_RUNTIME_WRITER_VALUE_TABLES_H_
#define PTEPROOF_RUNTIME_WRITER_VALUE_TABLES_H_

#include "runtime/writer/table_writer.h"

namespace pteproof::writer {

[[nodiscard]] TableVector<schema::Value> WriteValues(TableWriter& writer, const Method& method);

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_VALUE_TABLES_H_
