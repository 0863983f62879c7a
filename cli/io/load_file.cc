#include "cli/io/load_file.h"

#include <unistd.h>

namespace pteproof {

Result<std::vector<std::byte>, LoadError> LoadFile(const std::string& path) {
  return path == kStandardInput ? ReadStream(STDIN_FILENO) : ReadFileBytes(path);
}

}  // namespace pteproof
