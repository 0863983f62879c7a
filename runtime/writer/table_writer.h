// What the steps of writing the tables share. A table's strings and vectors are written before it.
#ifndef PTEPROOF_RUNTIME_WRITER_TABLE_WRITER_H_
#define PTEPROOF_RUNTIME_WRITER_TABLE_WRITER_H_

#include <vector>

#include "program_generated.h"
#include "pteproof/program.h"
#include "runtime/writer/segment_area.h"
#include "runtime/writer/shared_vectors.h"
#include "runtime/writer/stored_data.h"

namespace pteproof::writer {

using flatbuffers::Offset;

template <class T>
using TableVector = Offset<flatbuffers::Vector<Offset<T>>>;

struct TableWriter {
  const StoredData& stored;
  const SegmentArea& area;
  flatbuffers::FlatBufferBuilder builder{};
  SharedVectors shapes{};
};

template <class T>
[[nodiscard]] TableVector<T> WriteTables(TableWriter& writer,
                                         const std::vector<Offset<T>>& tables) {
  return writer.builder.CreateVector(tables.data(), tables.size());
}

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_TABLE_WRITER_H_
