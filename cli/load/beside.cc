#include "cli/load/beside.h"

#include <filesystem>
#include <system_error>

#include "base/file_name.h"
#include "cli/io/hosted.h"
#include "cli/io/load_file.h"

namespace pteproof {

std::string NameBeside(const std::string& file, std::string_view suffix) {
  return FileName(FilePath(file).replace_extension(suffix));
}

std::string Beside(const std::string& file, std::string_view suffix) {
  if (file == kStandardInput) return "";
  std::string beside = NameBeside(file, suffix);
  if (const Hosted* host = HostOfThread()) {
    if (host->files.contains(beside)) return beside;
    if (host->files.contains(file)) return "";
  }
  std::error_code ignored;  // what cannot be looked at is not there
  return std::filesystem::exists(FilePath(beside), ignored) ? beside : "";
}

}  // namespace pteproof
