// Names of files, which are UTF-8 in options, files and reports. By itself Windows takes and gives
// the letters of a code page.
#ifndef PTEPROOF_BASE_FILE_NAME_H_
#define PTEPROOF_BASE_FILE_NAME_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace pteproof {

[[nodiscard]] inline std::filesystem::path FilePath(std::string_view name) {
  return std::u8string(name.begin(), name.end());
}

[[nodiscard]] inline std::string FileName(const std::filesystem::path& path) {
  const std::u8string name = path.u8string();
  return {name.begin(), name.end()};
}

// With / between folders, as files for every system have it.
[[nodiscard]] inline std::string PortableName(const std::filesystem::path& path) {
  const std::u8string name = path.generic_u8string();
  return {name.begin(), name.end()};
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_FILE_NAME_H_
