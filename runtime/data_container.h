// The frame of a `.ptd` file: header, flatbuffer and segment area. Nothing about what the
// flatbuffer says.
#ifndef PTEPROOF_RUNTIME_DATA_CONTAINER_H_
#define PTEPROOF_RUNTIME_DATA_CONTAINER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

struct DataContainer {
  Bytes flatbuffer;  // from the file's start, header included
  Bytes segments;    // the area that segments' offsets count from
};

// Checks identifier, header sums and the root offset of a .ptd file. Both parts lie in
// `file` and do not overlap.
[[nodiscard]] Result<DataContainer, std::vector<Finding>> ReadDataContainer(Bytes file);

// Bytes [offset, offset + size) of the segment area, or nothing when they are not all there.
[[nodiscard]] std::optional<Bytes> SegmentOf(const DataContainer& container, uint64_t offset,
                                             uint64_t size);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_DATA_CONTAINER_H_
