#include "fuzz/vocabulary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>

#include "pteproof/scalar_type.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

std::string Doc(const char* name) {
  return ReadText(std::filesystem::path(PTEPROOF_SOURCE_DIR) / "docs" / name);
}

bool IsLettersOnly(std::string_view word) {
  return std::ranges::all_of(word, [](unsigned char c) { return std::isalpha(c) || c == '_'; });
}

TEST(Vocabulary, HoldsWordsThatTheFormatsDescriptionsKnow) {
  const std::string modules = Doc("reference/modules.md");
  for (const std::string_view word : fuzz::ModuleWords()) {
    if (!IsLettersOnly(word)) continue;
    EXPECT_NE(modules.find(word), std::string::npos) << word;
  }
  const std::string assemblies = Doc("reference/pteasm.md");
  for (const std::string_view word : fuzz::AssemblyWords()) {
    if (!IsLettersOnly(word) || ScalarTypeOf(word)) continue;
    EXPECT_NE(assemblies.find(word), std::string::npos) << word;
  }
  const std::string manifests = Doc("reference/manifest.md");
  for (const std::string_view word : fuzz::ManifestWords()) {
    if (!IsLettersOnly(word)) continue;
    EXPECT_NE(manifests.find(word), std::string::npos) << word;
  }
}

TEST(Vocabulary, HoldsElementTypes) {
  for (const std::string_view type : {"float32", "int64", "uint8", "bfloat16"}) {
    EXPECT_NE(std::ranges::find(fuzz::ModuleWords(), type), fuzz::ModuleWords().end()) << type;
  }
}

}  // namespace
}  // namespace pteproof
