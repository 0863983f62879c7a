#include "cli/file_walk.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace pteproof {
namespace {

namespace fs = std::filesystem;

bool IsProgramFile(const fs::directory_entry& entry) {
  std::error_code ignored;  // what vanished meanwhile is no file
  const fs::path extension = entry.path().extension();
  return (extension == ".pte" || extension == ".bpte") && entry.is_regular_file(ignored);
}

std::vector<FoundFile> FindInFolder(const std::string& folder) {
  std::vector<FoundFile> found;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error);
  while (!error && it != fs::recursive_directory_iterator()) {
    if (IsProgramFile(*it)) found.push_back({it->path().string(), ""});
    it.increment(error);
  }
  std::ranges::sort(found, {}, &FoundFile::path);
  if (error) {
    found.push_back({folder, "the folder cannot be read: " + error.message()});
  } else if (found.empty()) {
    found.push_back({folder, "there is no .pte or .bpte file in this folder"});
  }
  return found;
}

}  // namespace

std::vector<FoundFile> FindFiles(std::span<const std::string> names) {
  std::vector<FoundFile> found;
  for (const std::string& name : names) {
    std::error_code ignored;  // what cannot be looked at is reported when it is opened
    if (!fs::is_directory(name, ignored)) {
      found.push_back({name, ""});
      continue;
    }
    const std::vector<FoundFile> inside = FindInFolder(name);
    found.insert(found.end(), inside.begin(), inside.end());
  }
  return found;
}

}  // namespace pteproof
