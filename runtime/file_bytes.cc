#include "runtime/file_bytes.h"

#include <cerrno>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "runtime/os/os.h"

namespace pteproof {
namespace {

using FileBytes = Result<std::vector<std::byte>, LoadError>;

// What the system says, and what to do if that is known.
LoadError FromErrno() {
  const int error = errno;
  const std::string why = std::generic_category().message(error);
  if (error == ENOENT) return {why + ". Check the path."};
  if (error == EACCES) return {why + ". Get the right to read it."};
  return {why};
}

}  // namespace

FileBytes ReadFileBytes(const std::filesystem::path& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) {
    return LoadError{"it is a folder; name a file in it"};
  }
  const os::OpenFile file(path);
  if (file.descriptor() < 0) return FromErrno();
  if (!file.size()) {
    return LoadError{"it is not a regular file (the command reads a pipe as '-')"};
  }
  const size_t size = *file.size();
  std::vector<std::byte> bytes;
  if (size >= bytes.max_size()) throw std::bad_alloc();
  bytes.resize(size + 1);  // one more, to see a file that grew
  const std::optional<size_t> count = os::ReadUpTo(file.descriptor(), bytes);
  if (!count) return FromErrno();
  if (*count != size)
    return LoadError{"its size changed while it was read: is it still being written?"};
  bytes.resize(size);
  return bytes;
}

FileBytes ReadStream(int descriptor) {
  constexpr size_t kFirstRead = size_t{1} << 16U;
  std::vector<std::byte> bytes(kFirstRead);
  size_t used = 0;
  while (true) {
    const std::optional<size_t> count = os::ReadUpTo(descriptor, std::span(bytes).subspan(used));
    if (!count) return FromErrno();
    used += *count;
    if (used < bytes.size()) break;
    bytes.resize(bytes.size() * 2);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace pteproof
