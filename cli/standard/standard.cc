#include "cli/standard/standard.h"

#include <filesystem>
#include <system_error>

#include "base/file_name.h"
#include "cli/io/load_file.h"
#include "cli/standard/glob.h"

namespace pteproof {

std::string NameIn(const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  if (file == kStandardInput) return file;
  std::error_code error;
  // The file may be a link: what counts is where it lies.
  const fs::path absolute = fs::absolute(FilePath(file), error);
  fs::path parent = fs::weakly_canonical(absolute.parent_path(), error);
  if (error) parent = absolute.parent_path();
  fs::path base = fs::weakly_canonical(FilePath(folder), error);
  if (error) base = FilePath(folder);
  return PortableName((parent / absolute.filename()).lexically_proximate(base));
}

std::optional<Policy> PolicyFor(const Standard& standard, const std::string& file) {
  std::optional<Policy> policy = standard.policy;
  const std::string name = NameIn(standard.folder, file);
  for (const PathRule& rule : standard.paths) {
    if (rule.policy && GlobFits(rule.glob, name)) policy = rule.policy;
  }
  return policy;
}

}  // namespace pteproof
