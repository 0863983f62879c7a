// What lies behind the tables: where each stored byte goes.
//
//   segment 0   constants, each at a multiple of 16; always there, maybe without bytes
//   segment 1   initial values, packed; only where there are any
//   then        delegates' blobs and named data, one segment each
#ifndef PTEPROOF_RUNTIME_WRITER_SEGMENT_AREA_H_
#define PTEPROOF_RUNTIME_WRITER_SEGMENT_AREA_H_

#include <cstdint>
#include <vector>

#include "pteproof/program.h"
#include "runtime/writer/stored_data.h"

namespace pteproof::writer {

inline constexpr uint64_t kSegmentAlignment = 128;
inline constexpr uint64_t kConstantAlignment = 16;

// Places count from the area's first byte.
struct SegmentPlace {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct PlacedBytes {
  uint64_t offset = 0;
  Bytes bytes;
};

struct SegmentArea {
  std::vector<SegmentPlace> segments;
  std::vector<PlacedBytes> content;         // by ascending offset, without overlap
  std::vector<uint64_t> constant_offsets;   // in segment 0; the first is reserved
  std::vector<uint64_t> initial_offsets;    // in segment 1; the first is reserved
  std::vector<uint32_t> delegate_segments;  // in method and delegate order; kInline: none
  std::vector<uint32_t> named_segments;     // in the order of the named data
  uint64_t size = 0;                        // bytes, without padding after the last
};

// A delegate's blob of no bytes stays inside the tables.
inline constexpr uint32_t kInline = UINT32_MAX;

// Equal blobs of delegates and named data share a segment.
[[nodiscard]] SegmentArea LayOutSegments(const Program& program, const StoredData& stored);

}  // namespace pteproof::writer

#endif  // PTEPROOF_RUNTIME_WRITER_SEGMENT_AREA_H_
