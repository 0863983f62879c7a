// A file is written beside its place and then put there, so that its place holds the old contents
// or the new, and never a part of them.
#include "cli/io/store_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/io/interruption.h"
#include "cli/io/load_file.h"
#include "cli/io/output.h"
#include "cli/io/quote.h"

namespace pteproof {
namespace {

// Whether all was written and the file is closed.
bool WriteAndClose(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.remove_prefix(static_cast<size_t>(count));
  }
  const int reason = errno;
  const bool closed = close(descriptor) == 0;
  if (!text.empty()) errno = reason;
  return closed && text.empty();
}

// Into the place itself: a device, a pipe, or a file whose folder takes no other file.
bool WriteInPlace(const std::string& file, std::string_view text) {
  constexpr mode_t kAll = 0666;
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kAll);
  return descriptor >= 0 && WriteAndClose(descriptor, text);
}

// As `open` would give to a file that it makes.
mode_t UsualMode() {
  constexpr mode_t kAll = 0666;
  const mode_t mask = umask(0);
  umask(mask);
  return kAll & ~mask;
}

bool Replace(const std::string& file, std::string_view text) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(file, error);  // of a link
  const std::string place = error ? file : target.string();
  struct stat status{};
  const bool there = stat(place.c_str(), &status) == 0;
  if (there && (!S_ISREG(status.st_mode) || access(place.c_str(), W_OK) != 0)) {
    return WriteInPlace(place, text);
  }
  std::string beside = place + "." + std::string(6, 'X');  // which mkstemp replaces
  const int descriptor = mkstemp(beside.data());
  if (descriptor < 0) return WriteInPlace(place, text);
  RemoveIfInterrupted(beside);
  const mode_t mode = there ? status.st_mode & 07777U : UsualMode();
  const bool written = fchmod(descriptor, mode) == 0 && WriteAndClose(descriptor, text) &&
                       std::rename(beside.c_str(), place.c_str()) == 0;
  if (!written) {
    const int reason = errno;
    unlink(beside.c_str());
    errno = reason;
  }
  RemoveIfInterrupted("");
  return written;
}

}  // namespace

std::optional<std::string> LoadText(const std::string& file) {
  const auto bytes = LoadFile(file);
  if (!bytes) {
    Complain(fmt::format("{}: {}", QuotePath(file), bytes.error().why));
    return std::nullopt;
  }
  const Bytes& read = *bytes.value();
  return std::string(reinterpret_cast<const char*>(read.data()), read.size());
}

ExitCode StoreFile(const std::string& file, std::string_view text) {
  if (file.empty() || file == kStandardOutput) {
    WriteOutput(text);
    return ExitCode::kSafe;
  }
  if (Hosted* host = HostOfThread()) {
    if (const auto kept = host->results.find(file); kept != host->results.end()) {
      kept->second = text;
      return ExitCode::kSafe;
    }
  }
  const WholeWrite whole;
  if (Replace(file, text)) return ExitCode::kSafe;
  Complain(fmt::format("{}: the file cannot be written: {}", QuotePath(file),
                       std::generic_category().message(errno)));
  return ExitCode::kUnreadable;
}

ExitCode StoreFile(const std::string& file, std::span<const std::byte> bytes) {
  return StoreFile(file,
                   std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace pteproof
