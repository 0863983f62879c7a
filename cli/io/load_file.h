// Reads a file that a command names, or standard input.
#ifndef PTEPROOF_CLI_IO_LOAD_FILE_H_
#define PTEPROOF_CLI_IO_LOAD_FILE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pteproof/program.h"
#include "pteproof/result.h"
#include "runtime/file_bytes.h"

namespace pteproof {

// The name that stands for standard input.
inline constexpr const char* kStandardInput = "-";

// The bytes of a file. Copies share them. They are the caller's own if the file lies in its memory
// (hosted.h).
class HeldBytes {
 public:
  HeldBytes() = default;
  explicit HeldBytes(std::vector<std::byte> read)
      : read_(std::make_shared<const std::vector<std::byte>>(std::move(read))), bytes_(*read_) {}
  explicit HeldBytes(Bytes lent) : bytes_(lent) {}

  const Bytes& operator*() const { return bytes_; }
  const Bytes* operator->() const { return &bytes_; }

 private:
  std::shared_ptr<const std::vector<std::byte>> read_;
  Bytes bytes_;
};

// The bytes of a regular file (ReadFileBytes), or of standard input. Throws nothing but
// std::bad_alloc.
[[nodiscard]] Result<HeldBytes, LoadError> LoadFile(const std::string& path);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_IO_LOAD_FILE_H_
