#include "cli/load/file_walk.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "base/file_name.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;

bool IsNamedLikeAProgram(const fs::path& path) {
  const fs::path extension = path.extension();
  return extension == ".pte" || extension == ".bpte";
}

// The programs of one folder and the folders in it. What is named like a program and is not a
// folder is taken for one: where it cannot be read, it is opening it that says why.
void ListFolder(const fs::path& folder, std::vector<FoundFile>& found,
                std::vector<fs::path>& folders) {
  std::error_code error;
  fs::directory_iterator it(folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    std::error_code unknown;  // what cannot be looked at is not a folder
    if (!it->is_directory(unknown)) {
      if (IsNamedLikeAProgram(it->path())) found.push_back({FileName(it->path()), ""});
    } else if (!it->is_symlink(unknown)) {
      folders.push_back(it->path());
    }
  }
  if (error) found.push_back({FileName(folder), "the folder cannot be read: " + error.message()});
}

std::vector<FoundFile> FindInFolder(const std::string& folder) {
  std::vector<FoundFile> found;
  std::vector<fs::path> folders = {FilePath(folder)};
  while (!folders.empty()) {
    const fs::path next = std::move(folders.back());
    folders.pop_back();
    ListFolder(next, found, folders);
  }
  std::ranges::sort(found, {}, &FoundFile::path);
  if (found.empty()) found.push_back({folder, "there is no .pte or .bpte file in this folder"});
  return found;
}

// The same for all spellings that differ in "." and doubled slashes only. Links are files of their
// own: each may have a manifest beside it.
std::string Spelling(const fs::path& path) {
  fs::path plain;
  for (const fs::path& part : path) {
    if (part != ".") plain /= part;
  }
  // A file of that name is not the standard input.
  return plain == "-" && path != "-" ? "./-" : FileName(plain);
}

}  // namespace

std::vector<FoundFile> FindFiles(std::span<const std::string> names) {
  std::vector<FoundFile> found;
  std::set<std::string> known;
  const auto take = [&](FoundFile file) {
    if (known.insert(Spelling(FilePath(file.path))).second) found.push_back(std::move(file));
  };
  for (const std::string& name : names) {
    std::error_code ignored;  // what cannot be looked at is reported when it is opened
    if (fs::is_directory(FilePath(name), ignored)) {
      for (FoundFile& file : FindInFolder(name)) take(std::move(file));
    } else {
      take({name, ""});
    }
  }
  return found;
}

}  // namespace pteproof
