#include "runtime/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace pteproof {
namespace {

using FileBytes = Result<std::vector<std::byte>, LoadError>;

// Closes what it opened.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// What the system says, and what to do if that is known.
LoadError FromErrno() {
  const int error = errno;
  const std::string why = std::generic_category().message(error);
  if (error == ENOENT) return {why + ". Check the path."};
  if (error == EACCES) return {why + ". Get the right to read it."};
  return {why};
}

// Fills `bytes` from `start` on as far as the file goes; the number of bytes read, or nothing on an
// error.
std::optional<size_t> ReadUpTo(int descriptor, std::vector<std::byte>& bytes, size_t start) {
  size_t done = start;
  while (done < bytes.size()) {
    const ssize_t count = read(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done - start;
}

std::optional<LoadError> WhyNotRegular(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return std::nullopt;
  if (S_ISDIR(status.st_mode)) return LoadError{"it is a folder; name a file in it"};
  return LoadError{"it is not a regular file (the command reads a pipe as '-')"};
}

}  // namespace

FileBytes ReadFileBytes(const std::filesystem::path& path) {
  const OpenFile file(path);
  struct stat status{};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) return FromErrno();
  if (auto error = WhyNotRegular(status)) return *std::move(error);

  const auto size = static_cast<size_t>(status.st_size);
  std::vector<std::byte> bytes;
  if (size >= bytes.max_size()) throw std::bad_alloc();
  bytes.resize(size + 1);  // one more, to see a file that grew
  const std::optional<size_t> count = ReadUpTo(file.descriptor(), bytes, 0);
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
    const std::optional<size_t> count = ReadUpTo(descriptor, bytes, used);
    if (!count) return FromErrno();
    used += *count;
    if (used < bytes.size()) break;
    bytes.resize(bytes.size() * 2);
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace pteproof
