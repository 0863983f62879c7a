// The bytes that a Module's text refers to: which are taken, and what is said of the others.
#include "cli/load/module_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pteproof {
namespace {

using ::testing::HasSubstr;

// Of the four bytes 0 1 2 3, of the last two, and of none (from `sha256sum`).
constexpr const char* kOfAll = "054edec1d0211f624fed0cbca9d4f9400b0e491c43742af2c5b0abebf0c990d8";
constexpr const char* kOfLast = "ee9040f65c341855e070ff438eb0ea9d5b831b2a2c270fb7ef592d750408e3b3";

class ModuleDataTest : public ::testing::Test {
 protected:
  // The error, or "" and the bytes in `taken`.
  std::string Take(ModuleData& data, const text::DataRef& ref) {
    const auto bytes = data.Take(ref);
    if (!bytes.ok()) return bytes.error();
    taken = *bytes.value();
    return "";
  }

  ModuleData File(bool in_memory = false) {
    const auto open = [this,
                       in_memory](const std::string& name) -> Result<ModuleFile, std::string> {
      ++opened;
      if (name != "four") return std::string("no such file");
      return ModuleFile{four, nullptr, in_memory};
    };
    return ModuleData(open);
  }

  const std::vector<std::byte> four = {std::byte{0}, std::byte{1}, std::byte{2}, std::byte{3}};
  TensorBytes taken;
  int opened = 0;
};

TEST_F(ModuleDataTest, AreThePartOfTheFileInPlace) {
  ModuleData data = File(true);
  EXPECT_EQ(Take(data, {"four", 1, 2, ""}), "");
  const TensorBytes& bytes = taken;
  EXPECT_EQ(bytes.data(), four.data() + 1);
  EXPECT_EQ(bytes.size(), 2U);
}

TEST_F(ModuleDataTest, OfAFileNeedTheirHash) {
  ModuleData data = File();
  EXPECT_THAT(Take(data, {"four", 0, 4, ""}), HasSubstr("need the SHA-256"));
  EXPECT_EQ(Take(data, {"four", 0, 4, kOfAll}), "");
  EXPECT_THAT(Take(data, {"four", 0, 4, kOfLast}), HasSubstr("and the Module says ee90"));
}

TEST_F(ModuleDataTest, OfMemoryAreHeldAgainstAHashThatIsGiven) {
  ModuleData data = File(true);
  EXPECT_EQ(Take(data, {"four", 0, 4, ""}), "");
  EXPECT_THAT(Take(data, {"four", 0, 4, kOfLast}), HasSubstr("have the SHA-256 054e"));
}

TEST_F(ModuleDataTest, DoNotReachBeyondTheFile) {
  ModuleData data = File(true);
  EXPECT_EQ(Take(data, {"four", 4, 0, ""}), "");
  EXPECT_EQ(Take(data, {"four", 2, 3, ""}), "the data are bytes 2 to 5 of \"four\", which has 4");
  EXPECT_THAT(Take(data, {"four", 5, 0, ""}), HasSubstr("which has 4"));
}

TEST_F(ModuleDataTest, OfTwoBuffersAreTheSameOrApart) {
  ModuleData data = File(true);
  EXPECT_EQ(Take(data, {"four", 1, 2, ""}), "");
  EXPECT_EQ(Take(data, {"four", 1, 2, ""}), "");
  EXPECT_EQ(Take(data, {"four", 0, 1, ""}), "");
  EXPECT_EQ(Take(data, {"four", 3, 1, ""}), "");
  EXPECT_THAT(Take(data, {"four", 0, 2, ""}), HasSubstr("overlap"));
  EXPECT_THAT(Take(data, {"four", 2, 2, ""}), HasSubstr("overlap"));
  EXPECT_THAT(Take(data, {"four", 0, 4, ""}), HasSubstr("overlap"));
}

TEST_F(ModuleDataTest, OpenEachFileOnce) {
  ModuleData data = File(true);
  EXPECT_EQ(Take(data, {"four", 0, 2, ""}), "");
  EXPECT_EQ(Take(data, {"four", 2, 2, ""}), "");
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(Take(data, {"five", 0, 2, ""}), "no such file");
}

}  // namespace
}  // namespace pteproof
