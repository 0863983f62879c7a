// Writes a recording in the format that ReadRecording reads (docs/reference/calls.md).
#ifndef PTEPROOF_PROPERTIES_ORACLES_WRITE_RECORDING_H_
#define PTEPROOF_PROPERTIES_ORACLES_WRITE_RECORDING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "properties/oracles/recorded_calls.h"

namespace pteproof {

struct WrittenRecording {
  std::string json;            // calls.json
  std::vector<std::byte> bin;  // calls.bin
};

[[nodiscard]] WrittenRecording WriteRecording(const Recording& recording);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_WRITE_RECORDING_H_
