// The whole flatbuffer of a program.
#ifndef PTEPROOF_RUNTIME_WRITER_PROGRAM_TABLES_H_
#define PTEPROOF_RUNTIME_WRITER_PROGRAM_TABLES_H_

#include <cstdint>

#include "pteproof/program.h"
#include "runtime/writer/table_writer.h"

namespace pteproof::writer {

// A bound of the flatbuffer's size, in bytes.
[[nodiscard]] uint64_t TablesBound(const Program& program);

// Builds the flatbuffer in writer.builder and finishes it.
void WriteProgramTables(TableWriter& writer, const Program& program);

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_PROGRAM_TABLES_H_
