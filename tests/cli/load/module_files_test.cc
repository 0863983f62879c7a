// A Module whose values lie in a file beside it, in every verb that reads one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "runtime/sha256.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kMethod = R"(
method f(%x: int8[4]) {
  %0 = entry @w
  %1: int8[4] = aten::add.out(%x, %0, 1)
  return %1
}
)";

class ModuleDataCommand : public ::testing::Test {
 protected:
  std::string Module(const std::string& initial, const std::string& name = "m.module") {
    return folder_.Write(name, "buffer @w: int8[4] = " + initial + "\n" + std::string(kMethod));
  }
  std::string OfFile(const std::string& file = "w.bin") {
    const std::string hash = Sha256Hex(std::as_bytes(std::span(std::string_view("\1\2\3\4"))));
    return "data \"" + file + "\"[2, 4, \"" + hash + "\"]";
  }

  const TempFolder folder_;
  const std::string data_ = folder_.Write("w.bin", std::string("ab\1\2\3\4", 6));
};

TEST_F(ModuleDataCommand, IsPlannedAsIfItsValuesStoodInTheText) {
  const std::string pte = folder_.Write("a.pte", "");
  const std::string other = folder_.Write("b.pte", "");
  ASSERT_EQ(RunCommand({"plan", Module(OfFile()), "-o", pte}).err, "");
  ASSERT_EQ(RunCommand({"plan", Module("[1, 2, 3, 4]", "b.module"), "-o", other}).err, "");
  EXPECT_EQ(ReadText(pte), ReadText(other));
}

TEST_F(ModuleDataCommand, IsComparedWithAProgram) {
  const std::string pte = folder_.Write("a.pte", "");
  ASSERT_EQ(RunCommand({"plan", Module("[1, 2, 3, 4]"), "-o", pte}).err, "");
  EXPECT_EQ(RunCommand({"compare", Module(OfFile()), pte}).exit_code, 0);
  ASSERT_EQ(RunCommand({"plan", Module("[1, 2, 3, 5]"), "-o", pte}).err, "");
  EXPECT_EQ(RunCommand({"compare", Module(OfFile()), pte}).exit_code, 1);
}

TEST_F(ModuleDataCommand, IsFormattedWithoutItsValues) {
  std::filesystem::remove(data_);
  EXPECT_EQ(RunCommand({"dev", "fmt", "--check", Module(OfFile())}).exit_code, 0);
}

TEST_F(ModuleDataCommand, NeedsItsFileInItsFolder) {
  const auto error = [&](const std::string& file) {
    return RunCommand({"plan", Module(OfFile(file)), "-o", folder_.Write("c.pte", "")}).err;
  };
  EXPECT_THAT(error("none.bin"), HasSubstr("m.module:1:22: the file \"none.bin\": "));
  for (const char* outside : {"../w.bin", "/etc/passwd", "a/../../w.bin", "", ".."}) {
    EXPECT_THAT(error(outside), HasSubstr("must lie in the Module's folder, or below it"));
  }
  for (const char* other : {"./w.bin", ".//w.bin", "./././w.bin"}) {
    EXPECT_THAT(error(other), HasSubstr("must be named \"w.bin\""));
  }
}

}  // namespace
}  // namespace pteproof
