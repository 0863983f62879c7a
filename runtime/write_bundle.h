// A program and its test cases to the bytes of a `.bpte` file: the way back of read_bundle.h.
#ifndef PTEPROOF_RUNTIME_WRITE_BUNDLE_H_
#define PTEPROOF_RUNTIME_WRITE_BUNDLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "pteproof/result.h"
#include "runtime/read_bundle.h"

namespace pteproof {

// An error says that the file would not fit the 2 GiB of a flatbuffer.
[[nodiscard]] Result<std::vector<std::byte>, std::string> WriteBundle(const Bundle& bundle);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_WRITE_BUNDLE_H_
