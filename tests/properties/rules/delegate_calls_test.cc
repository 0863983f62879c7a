// Blobs with one planted mistake each, beside the exports that they were made of
// (corpus/delegates/README.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/check.h"
#include "pteproof/read.h"
#include "tests/support/files.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::filesystem::path kDelegates = std::filesystem::path(PTEPROOF_CORPUS_DIR) / "delegates";

// "delegate-mismatch v3", each once; errors only.
std::vector<std::string> ToldOf(const std::filesystem::path& file, std::string_view of = "error") {
  const auto read = ReadProgramFile(file.string());
  if (!read.ok()) return {"cannot be read"};
  std::vector<std::string> told;
  for (const Finding& finding : Check(read.value().program).findings) {
    if (Name(finding.severity) != of) continue;
    std::string& line = told.emplace_back(finding.rule);
    for (const int32_t v : finding.values) line += " v" + std::to_string(v);
  }
  return told;
}

TEST(DelegateCalls, OfRightExportsAreRight) {
  for (const std::filesystem::path& file : FilesBelow(kDelegates / "real")) {
    if (file.filename() == "vulkan_state.pte" || file.extension() != ".pte") continue;
    EXPECT_THAT(ToldOf(file), IsEmpty()) << file;
    EXPECT_THAT(ToldOf(file, "warning"), testing::Not(testing::Contains("plan-overlap"))) << file;
  }
}

// A buffer's new contents are an output of the blob, and no argument of the call.
TEST(DelegateCalls, OfAVulkanBlobWithABufferHaveTooFewArguments) {
  EXPECT_THAT(ToldOf(kDelegates / "real" / "vulkan_state.pte"), ElementsAre("delegate-mismatch"));
}

struct PlantedBlob {
  const char* file;
  const char* told;
};

class PlantedBlobs : public testing::TestWithParam<PlantedBlob> {};

TEST_P(PlantedBlobs, AreToldWithTheirSlot) {
  EXPECT_THAT(ToldOf(kDelegates / "planted" / GetParam().file),
              testing::Contains(std::string(GetParam().told)));
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, PlantedBlobs,
    testing::Values(PlantedBlob{"two-sizes.pte", "delegate-mismatch v3"},
                    PlantedBlob{"add-unwritten.pte", "delegate-output-unwritten v2"},
                    PlantedBlob{"product-dropped.pte", "delegate-output-unwritten v3"},
                    PlantedBlob{"sum-doubled.pte", "delegate-mismatch v2"},
                    PlantedBlob{"input-of-half.pte", "delegate-mismatch v1"},
                    PlantedBlob{"vulkan-sum-doubled.pte", "delegate-mismatch v3"},
                    PlantedBlob{"vulkan-product-unwritten.pte", "delegate-output-unwritten v3"},
                    PlantedBlob{"vulkan-type.pte", "delegate-mismatch v2"},
                    PlantedBlob{"vulkan-dropped.pte", "delegate-mismatch"},
                    PlantedBlob{"native-unwritten.pte", "delegate-output-unwritten v4"},
                    PlantedBlob{"native-size.pte", "delegate-mismatch v3"},
                    PlantedBlob{"native-doubled.pte", "delegate-mismatch v4"},
                    PlantedBlob{"core-ml-dropped.pte", "delegate-mismatch"},
                    PlantedBlob{"core-ml-doubled.pte", "delegate-mismatch"},
                    PlantedBlob{"core-ml-unwritten.pte", "delegate-output-unwritten v3"},
                    PlantedBlob{"core-ml-type.pte", "delegate-mismatch v3"},
                    PlantedBlob{"core-ml-size.pte", "delegate-mismatch v0"},
                    PlantedBlob{"mlx-dropped.pte", "delegate-mismatch"},
                    PlantedBlob{"mlx-doubled.pte", "delegate-mismatch v4"},
                    PlantedBlob{"mlx-unwritten.pte", "delegate-output-unwritten v3"},
                    PlantedBlob{"mlx-type.pte", "delegate-mismatch v1"},
                    PlantedBlob{"mlx-size.pte", "delegate-mismatch v4"}));

TEST(DelegateCalls, OfAVulkanBlobWithTwoValuesInOneObjectAreAWarning) {
  EXPECT_THAT(ToldOf(kDelegates / "planted" / "vulkan-one-object.pte", "warning"),
              testing::Contains(std::string("plan-overlap")));
  EXPECT_THAT(ToldOf(kDelegates / "planted" / "vulkan-one-object.pte"), IsEmpty());
}

}  // namespace
}  // namespace pteproof
