#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <system_error>

namespace pteproof {

namespace fs = std::filesystem;

TempFolder::TempFolder() {
  // mkdtemp puts a name of its own for the last six characters, which have to be these.
  const std::string unnamed(6, 'X');
  std::string pattern = (fs::temp_directory_path() / ("pteproof-test-" + unnamed)).string();
  const char* made = mkdtemp(pattern.data());
  EXPECT_NE(made, nullptr) << "cannot make a folder like " << pattern;
  if (made != nullptr) path_ = made;
}

TempFolder::~TempFolder() {
  std::error_code ignored;  // what cannot be removed is left to the system
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::string TempFolder::Write(const std::string& name, std::string_view content) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << content;
  EXPECT_TRUE(out.good()) << "cannot write " << file;
  return file.string();
}

std::string TempFolder::Copy(const fs::path& from, const std::string& name) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  fs::copy_file(from, file);
  return file.string();
}

}  // namespace pteproof
