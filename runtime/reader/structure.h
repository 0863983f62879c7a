// Why FlatBuffers' verifier refused: it says only that it did. Works for any schema from its
// reflection.
#ifndef PTEPROOF_RUNTIME_READER_STRUCTURE_H_
#define PTEPROOF_RUNTIME_READER_STRUCTURE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "flatbuffers/flatbuffers.h"

namespace pteproof::reader {

// How many tables a flatbuffer of that many bytes may be verified as. Each table takes 4 bytes and
// each reference to it 4 more, so only one whose references share tables reaches the bound. The
// verifier visits a table once per reference: without a bound its time grows with the product of
// the levels' lengths.
[[nodiscard]] constexpr uint32_t MaxTables(uint64_t size) {
  return static_cast<uint32_t>(size / 4 + 64);
}

struct StructureFault {
  bool too_many_tables = false;  // the bound was met before anything wrong was
  uint64_t at = 0;               // byte of the flatbuffer
  std::string explanation;
};

// Walks `size` bytes at `data` as a flatbuffer whose root table is `root` and says what the first
// thing is that a verifier with that bound on tables objects to. Time is in proportion to
// `max_tables`.
[[nodiscard]] StructureFault ExplainStructure(const uint8_t* data, size_t size,
                                              const flatbuffers::TypeTable* root,
                                              uint32_t max_tables);

}  // namespace pteproof::reader

#endif  // PTEPROOF_RUNTIME_READER_STRUCTURE_H_
