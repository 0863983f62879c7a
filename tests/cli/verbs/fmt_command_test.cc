// `pteproof dev fmt` from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLoose = "# about\nmethod m( %x :int ) { return %x } # gone\n";
constexpr const char* kCanonical = "# about\n\nmethod m(%x: int) {\n  return %x\n}\n";

TEST(FmtCommand, PrintsTheCanonicalTextAndLeavesTheFileAlone) {
  const TempFolder folder;
  const std::string file = folder.Write("a.module", kLoose);
  const CommandResult result = RunCommand({"dev", "fmt", file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, kCanonical);
  EXPECT_EQ(ReadText(file), kLoose);
}

TEST(FmtCommand, ReadsStandardInput) {
  const TempFolder folder;
  EXPECT_EQ(RunCommand({"dev", "fmt", "-"}, folder.Write("a.module", kLoose)).out, kCanonical);
}

TEST(FmtCommand, RewritesTheFileWhenAskedTo) {
  const TempFolder folder;
  const std::string file = folder.Write("a.module", kLoose);
  const CommandResult result = RunCommand({"dev", "fmt", "-w", file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(ReadText(file), kCanonical);
}

TEST(FmtCommand, ChecksWithoutPrinting) {
  const TempFolder folder;
  const CommandResult loose =
      RunCommand({"dev", "fmt", "--check", folder.Write("a.module", kLoose)});
  EXPECT_EQ(loose.exit_code, 1);
  EXPECT_EQ(loose.out, "");
  EXPECT_THAT(loose.err, HasSubstr("not canonical"));
  const CommandResult good =
      RunCommand({"dev", "fmt", "--check", folder.Write("b.module", kCanonical)});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(good.out + good.err, "");
}

TEST(FmtCommand, SaysWhereATextIsNoModuleAndDoesNotRewriteIt) {
  const TempFolder folder;
  const std::string file = folder.Write("a.module", "method m() {\n  return %x\n}\n");
  const CommandResult result = RunCommand({"dev", "fmt", "-w", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "pteproof: " + file + ":2:10: '%x' is not defined\n");
  EXPECT_EQ(ReadText(file), "method m() {\n  return %x\n}\n");
}

TEST(FmtCommand, RefusesWhatItCannotReadOrDo) {
  const TempFolder folder;
  EXPECT_EQ(RunCommand({"dev", "fmt", folder.path() + "/none.module"}).exit_code, 66);
  EXPECT_EQ(RunCommand({"dev", "fmt", "-w", "-"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"dev", "fmt", "-w", "--check", "a"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"dev", "fmt"}).exit_code, 64);
}

}  // namespace
}  // namespace pteproof
