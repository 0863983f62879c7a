// Reads a whole file into memory, or says why it cannot. Knows nothing of formats.
#ifndef PTEPROOF_CLI_IO_LOAD_FILE_H_
#define PTEPROOF_CLI_IO_LOAD_FILE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "pteproof/result.h"

namespace pteproof {

// Why a file could not be read: one sentence, without the file's name.
struct LoadError {
  std::string why;
};

// The name that stands for standard input.
inline constexpr const char* kStandardInput = "-";

// The bytes of a regular file, or of standard input. Missing, unreadable and other files (folders,
// devices, pipes), and one that changes its size meanwhile, are errors. Throws nothing but
// std::bad_alloc.
[[nodiscard]] Result<std::vector<std::byte>, LoadError> LoadFile(const std::string& path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_LOAD_FILE_H_
