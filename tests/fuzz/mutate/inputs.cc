#include "tests/fuzz/mutate/inputs.h"

#include <filesystem>

#include "tests/support/files.h"

namespace pteproof {

std::vector<fuzz::Buffer> CorpusInputs(const std::string& folder, std::string_view extension) {
  constexpr uintmax_t kLargest = 16 * 1024;
  std::vector<fuzz::Buffer> inputs;
  for (const auto& file : FilesBelow(std::filesystem::path(PTEPROOF_CORPUS_DIR) / folder)) {
    if (!file.filename().string().ends_with(extension)) continue;
    if (std::filesystem::file_size(file) <= kLargest) inputs.push_back(ReadBytes(file));
  }
  return inputs;
}

std::vector<fuzz::Buffer> SeedPrograms() {
  std::vector<fuzz::Buffer> programs;
  const auto folder = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "seeds" / "program";
  for (const auto& file : FilesBelow(folder)) {
    if (file.parent_path() == folder) programs.push_back(ReadBytes(file));
  }
  return programs;
}

}  // namespace pteproof
