// Reads a file that a command names, or standard input.
#ifndef PTEPROOF_CLI_IO_LOAD_FILE_H_
#define PTEPROOF_CLI_IO_LOAD_FILE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "pteproof/result.h"
#include "runtime/file_bytes.h"

namespace pteproof {

// The name that stands for standard input.
inline constexpr const char* kStandardInput = "-";

// The bytes of a regular file (ReadFileBytes), or of standard input. Throws nothing but
// std::bad_alloc.
[[nodiscard]] Result<std::vector<std::byte>, LoadError> LoadFile(const std::string& path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_LOAD_FILE_H_
