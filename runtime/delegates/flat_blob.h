// The frame that several backends put around a flatbuffer: four zero bytes, four letters, the
// header's length, and where flatbuffer and constants lie.
#ifndef PTEPROOF_RUNTIME_DELEGATES_FLAT_BLOB_H_
#define PTEPROOF_RUNTIME_DELEGATES_FLAT_BLOB_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pteproof/program.h"

namespace pteproof::delegates {

struct FramedBlob {
  Bytes graph = {};         // the flatbuffer
  std::string damage = {};  // why there is none
};

// Nothing if the letters at byte 4 are others.
[[nodiscard]] std::optional<FramedBlob> Unframe(Bytes blob, std::string_view letters);

// The letters at byte 4, where flatbuffers and frames have theirs; empty if the blob is shorter.
[[nodiscard]] std::string_view LettersOf(Bytes blob);

}  // namespace pteproof::delegates

#endif  // PTEPROOF_RUNTIME_DELEGATES_FLAT_BLOB_H_
