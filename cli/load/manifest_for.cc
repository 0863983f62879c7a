#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file_name.h"
#include "cli/load/beside.h"
#include "cli/load/trust.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

// Of two ways to one place. Links to folders are followed, and a link in the place itself is not:
// it is not a name of the file that it leads to.
bool IsOnePlace(const fs::path& a, const fs::path& b) {
  const auto whole = [](const fs::path& path) {
    std::error_code error;  // what cannot be looked at stays as it is written
    const fs::path absolute = fs::absolute(path, error).lexically_normal();
    const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
    return (error ? absolute.parent_path() : folder) / absolute.filename();
  };
  return whole(a) == whole(b);
}

}  // namespace

ManifestSource ManifestFor(const std::string& file, const ManifestChoice& choice) {
  if (choice.none) return {};
  if (!choice.named.empty()) {
    return {.path = choice.named, .any_program = choice.any_program};
  }
  std::string beside = Beside(file, kManifestSuffix);
  const auto entry = std::ranges::find_if(choice.entries, [&](const TrustedManifest& each) {
    return !beside.empty() && IsOnePlace(FilePath(each.path), FilePath(beside));
  });
  ManifestSource source;
  if (entry != choice.entries.end()) source.entry = *entry;
  source.trusted = beside.empty() || choice.trust || source.entry;
  source.path = std::move(beside);
  return source;
}

}  // namespace pteproof
