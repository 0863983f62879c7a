// Files that numpy wrote: corpus/inputs/README.md says how.
#include "properties/oracles/numpy_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::byte> FileNamed(const std::string& name) {
  return ReadBytes(std::filesystem::path(PTEPROOF_CORPUS_DIR) / "inputs" / name);
}

std::string WhyNot(Bytes file) {
  const auto arrays = ReadNpz(file);
  return arrays.ok() ? "" : arrays.error();
}

std::vector<double> Elements(const TensorValue& tensor) {
  std::vector<double> elements;
  for (int64_t i = 0; i < ElementCount(tensor); ++i) elements.push_back(RealAt(tensor, i));
  return elements;
}

TEST(NumpyArrays, HaveTheirNamesTypesSizesAndElements) {
  const auto file = FileNamed("kinds.npz");
  ASSERT_TRUE(IsNpz(file));
  const auto read = ReadNpz(file);
  ASSERT_TRUE(read.ok()) << read.error();
  const std::vector<NamedArray>& arrays = read.value();
  std::vector<std::string> names;
  for (const NamedArray& array : arrays) names.push_back(array.name);
  ASSERT_THAT(names, ElementsAre("flag", "number", "none", "arr_0", "arr_1"));
  EXPECT_EQ(arrays[0].value.dtype, ScalarType::kBool);
  EXPECT_THAT(Elements(arrays[0].value), ElementsAre(1, 0));
  EXPECT_THAT(arrays[1].value.sizes, ElementsAre());
  EXPECT_THAT(Elements(arrays[1].value), ElementsAre(2.5));
  EXPECT_THAT(arrays[2].value.sizes, ElementsAre(0, 3));
  EXPECT_EQ(arrays[3].value.dtype, ScalarType::kInt64);
  EXPECT_THAT(arrays[3].value.sizes, ElementsAre(2, 3));
  EXPECT_THAT(Elements(arrays[3].value), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(NumpyArrays, OfFortransOrderAreTurned) {
  const auto read = ReadNpz(FileNamed("kinds.npz"));
  ASSERT_TRUE(read.ok()) << read.error();
  const TensorValue& turned = read.value()[4].value;
  EXPECT_EQ(turned.dtype, ScalarType::kFloat32);
  EXPECT_THAT(turned.sizes, ElementsAre(2, 3));
  EXPECT_THAT(Elements(turned), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(NumpyArrays, ThatAreCompressedAreRefusedWithAdvice) {
  EXPECT_THAT(WhyNot(FileNamed("compressed.npz")),
              HasSubstr("array 'arr_0': it is compressed: write the file with numpy.savez"));
}

TEST(NumpyArrays, OfTextsAreRefused) {
  EXPECT_THAT(WhyNot(FileNamed("words.npz")),
              HasSubstr("elements of type '<U2' are not supported"));
}

TEST(NumpyArrays, AreNotInAnotherFile) {
  const std::vector<std::byte> json(100, std::byte{'{'});
  EXPECT_FALSE(IsNpz(json));
  EXPECT_THAT(WhyNot(json), HasSubstr("not a whole zip archive"));
}

// Cut anywhere, or with any byte changed, a file is read or refused; sanitizers see the rest.
TEST(NumpyArrays, OfDamagedFilesAreReadOrRefused) {
  const auto file = FileNamed("kinds.npz");
  for (size_t bytes = 0; bytes < file.size(); ++bytes) {
    EXPECT_FALSE(ReadNpz(Bytes(file).first(bytes)).ok()) << bytes;
  }
  for (size_t at = 0; at < file.size(); ++at) {
    for (const int value : {0x00, 0x7F, 0xFF}) {
      auto changed = file;
      changed[at] = static_cast<std::byte>(value);
      static_cast<void>(ReadNpz(changed));
    }
  }
}

}  // namespace
}  // namespace pteproof
