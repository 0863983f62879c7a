#include "tests/support/collection.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace pteproof {

namespace fs = std::filesystem;

std::vector<fs::path> InCollection(std::string_view below) {
  const char* const collection = std::getenv("PTEPROOF_COLLECTION");
  if (collection == nullptr || *collection == '\0') return {};
  return {fs::path(collection) / below};
}

std::string NameOfFolder(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.filename().string();
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace pteproof
