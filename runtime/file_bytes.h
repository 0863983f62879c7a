// Reads a whole file, or what is left of a stream, into memory, or says why it cannot. Knows
// nothing of formats.
#ifndef PTEPROOF_RUNTIME_FILE_BYTES_H_
#define PTEPROOF_RUNTIME_FILE_BYTES_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "pteproof/result.h"

namespace pteproof {

// Why a file could not be read: one sentence, without the file's name.
struct LoadError {
  std::string why;
};

// The bytes of a regular file. Missing, unreadable and other files (folders, devices, pipes), and
// one that changes its size meanwhile, are errors. Throws nothing but std::bad_alloc.
[[nodiscard]] Result<std::vector<std::byte>, LoadError> ReadFileBytes(
    const std::filesystem::path& path);

// All bytes up to the end of an open descriptor, which may be a pipe. Throws nothing but
// std::bad_alloc.
[[nodiscard]] Result<std::vector<std::byte>, LoadError> ReadStream(int descriptor);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_FILE_BYTES_H_
