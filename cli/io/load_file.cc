#include "cli/io/load_file.h"

#include <string_view>

#include "base/file_name.h"
#include "cli/io/hosted.h"
#include "runtime/os/os.h"

namespace pteproof {
namespace {

// A scheme, as "https", and "://".
bool IsUrl(std::string_view path) {
  const size_t end = path.find("://");
  constexpr std::string_view kOfASchemes = "abcdefghijklmnopqrstuvwxyz0123456789+.-";
  return end != std::string_view::npos && end > 0 &&
         path.substr(0, end).find_first_not_of(kOfASchemes) == std::string_view::npos;
}

}  // namespace

Result<HeldBytes, LoadError> LoadFile(const std::string& path) {
  if (const Hosted* host = HostOfThread()) {
    if (const auto lent = host->files.find(path); lent != host->files.end()) {
      return HeldBytes(lent->second);
    }
  }
  auto bytes = path == kStandardInput ? ReadStream(os::kInput) : ReadFileBytes(FilePath(path));
  if (!bytes.ok() && IsUrl(path)) {
    return LoadError{"it is a URL, and pteproof reads files; download it, and name the copy"};
  }
  if (!bytes.ok()) return bytes.error();
  return HeldBytes(std::move(bytes).value());
}

}  // namespace pteproof
