// A method's operators and instructions in FlatBuffers.
#ifndef PTEPROOF_RUNTIME_WRITER_INSTRUCTION_TABLES_H_
#define PTEPROOF_RUNTIME_WRITER_INSTRUCTION_TABLES_H_

#include "runtime/writer/table_writer.h"

namespace pteproof::writer {

// Each full name in two parts, before and behind its first dot; without a dot the second is empty.
[[nodiscard]] TableVector<schema::Operator> WriteOperators(TableWriter& writer,
                                                           const Method& method);

// One chain of all instructions, so that jumps keep their targets.
[[nodiscard]] TableVector<schema::Chain> WriteChains(TableWriter& writer, const Method& method);

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_INSTRUCTION_TABLES_H_
