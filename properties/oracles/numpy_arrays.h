// Arrays of a file that numpy.savez writes (.npz).
#ifndef PTEPROOF_PROPERTIES_ORACLES_NUMPY_ARRAYS_H_
#define PTEPROOF_PROPERTIES_ORACLES_NUMPY_ARRAYS_H_

#include <string>
#include <vector>

#include "pteproof/datum.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

struct NamedArray {
  std::string name;  // without ".npy"
  TensorValue value;
};

// Whether the bytes begin as a zip archive does.
[[nodiscard]] bool IsNpz(Bytes file);

// The arrays in the order of the archive. Elements must be numbers or bool, little endian; an entry
// that is compressed (numpy.savez_compressed) is an error, as is all that is no such archive. The
// error says what is wrong and what to do.
[[nodiscard]] Result<std::vector<NamedArray>, std::string> ReadNpz(Bytes file);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_NUMPY_ARRAYS_H_
