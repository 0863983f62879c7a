// A folder of a test's own that vanishes with it.
#ifndef PTEPROOF_TESTS_SUPPORT_TEMP_FOLDER_H_
#define PTEPROOF_TESTS_SUPPORT_TEMP_FOLDER_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace pteproof {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }

  // Writes a file, and the folders above it; returns its path.
  std::string Write(const std::string& name, std::string_view content) const;
  // Copies a file there under that name; returns its path.
  std::string Copy(const std::filesystem::path& from, const std::string& name) const;

 private:
  std::filesystem::path path_;
};

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_TEMP_FOLDER_H_
