#include "runtime/file_kind.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string_view>

#include "tests/support/files.h"

namespace pteproof {
namespace {

FileKind KindOf(std::string_view text) {
  return Sniff(std::as_bytes(std::span(text)));
}

TEST(FileKind, IsNamedByBytesFourToSeven) {
  EXPECT_EQ(KindOf("....ET12"), FileKind::kProgram);
  EXPECT_EQ(KindOf("....FT01"), FileKind::kData);
  EXPECT_EQ(KindOf("....BP08"), FileKind::kBundle);
}

TEST(FileKind, IsUnknownForOtherVersionsAndShortFiles) {
  EXPECT_EQ(KindOf("....ET13"), FileKind::kUnknown);
  EXPECT_EQ(KindOf("....ET1"), FileKind::kUnknown);
  EXPECT_EQ(KindOf(""), FileKind::kUnknown);
}

TEST(FileKind, IsRecognisedInRealFiles) {
  const std::filesystem::path models = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "real/models";
  EXPECT_EQ(Sniff(ReadBytes(models / "bundled/bundled.bpte")), FileKind::kBundle);
  EXPECT_EQ(Sniff(ReadBytes(models / "external_some/external_some.ptd")), FileKind::kData);
  EXPECT_EQ(Sniff(ReadBytes(models / "external_some/external_some.pte")), FileKind::kProgram);
}

}  // namespace
}  // namespace pteproof
