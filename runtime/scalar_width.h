// How wide the fields of a flatbuffer's tables are. Only for sources that see the schema.
#ifndef PTEPROOF_RUNTIME_SCALAR_WIDTH_H_
#define PTEPROOF_RUNTIME_SCALAR_WIDTH_H_

#include <flatbuffers/minireflect.h>

#include <cstdint>

namespace pteproof {

// Bytes of a scalar, or of the offset to a string, a vector or a table; every width of the
// reflection's elementary types.
[[nodiscard]] constexpr uint8_t WidthOf(flatbuffers::ElementaryType type) {
  switch (type) {
    case flatbuffers::ET_SHORT:
    case flatbuffers::ET_USHORT:
      return 2;
    case flatbuffers::ET_INT:
    case flatbuffers::ET_UINT:
    case flatbuffers::ET_FLOAT:
    case flatbuffers::ET_STRING:
    case flatbuffers::ET_SEQUENCE:
      return 4;
    case flatbuffers::ET_LONG:
    case flatbuffers::ET_ULONG:
    case flatbuffers::ET_DOUBLE:
      return 8;
    default:
      return 1;
  }
}

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_SCALAR_WIDTH_H_
