// The rules about source text, on made-up sources: each fires where it should and is silent where
// not.
#include "tests/structure/source_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SourceFile Including(const std::string& path, const std::string& header) {
  return {path, "// A file.\n#include \"" + header + "\"\n"};
}

TEST(IncludeRule, RejectsAnIncludeThatPointsUpwards) {
  EXPECT_THAT(IncludeViolations(Including("runtime/program.h", "properties/verdict.h")),
              ElementsAre("runtime/program.h:2: \"properties/verdict.h\" points upwards"));
  EXPECT_THAT(IncludeViolations(Including("base/result.h", "reference/op_schema.h")),
              ElementsAre(HasSubstr("points upwards")));
  EXPECT_THAT(IncludeViolations(Including("properties/check.cc", "cli/main.h")),
              ElementsAre(HasSubstr("points upwards")));
  EXPECT_THAT(IncludeViolations(Including("checker/twin/judge.cc", "base/result.h")),
              ElementsAre(HasSubstr("what others share")));
  EXPECT_THAT(IncludeViolations(Including("runtime/a.cc", "planner/b.h")),
              ElementsAre(HasSubstr("points upwards")));
}

TEST(IncludeRule, AcceptsAnIncludeThatPointsDownwardsOrStays) {
  EXPECT_THAT(IncludeViolations(Including("properties/check.h", "runtime/program.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("planner/lower.cc", "runtime/program.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("runtime/a.cc", "runtime/reader/b.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("cli/main.cc", "properties/check.h")), IsEmpty());
}

TEST(IncludeRule, ReadsUnusualSpacing) {
  EXPECT_THAT(IncludeViolations({"base/a.h", "  #  include   \"cli/b.h\"\n"}),
              ElementsAre(HasSubstr("points upwards")));
}

TEST(IncludeRule, IgnoresSystemHeadersCommentsAndGeneratedHeaders) {
  EXPECT_THAT(IncludeViolations({"base/a.h", "#include <cli/b.h>\n// #include \"cli/b.h\"\n"}),
              IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("runtime/a.cc", "program_generated.h")), IsEmpty());
}

TEST(IncludeRule, KeepsTheDoorsApartButLetsTestsThroughAll) {
  EXPECT_THAT(IncludeViolations(Including("cli/a.cc", "bench/b.h")),
              ElementsAre(HasSubstr("from one door to another")));
  EXPECT_THAT(IncludeViolations(Including("api/prove.cc", "cli/render/b.h")),
              ElementsAre(HasSubstr("from one door to another")));
  EXPECT_THAT(IncludeViolations(Including("properties/a.cc", "api/b.h")),
              ElementsAre(HasSubstr("points upwards")));
  EXPECT_THAT(IncludeViolations(Including("tests/fuzz/a.cc", "fuzz/b.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("cli/a.cc", "cli/b.h")), IsEmpty());
}

TEST(IncludeRule, LetsTheCInterfaceCallTheCommandAlone) {
  EXPECT_THAT(IncludeViolations(Including("capi/a.cc", "cli/arguments/b.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("cli/a.cc", "capi/b.h")),
              ElementsAre(HasSubstr("from one door to another")));
  EXPECT_THAT(IncludeViolations(Including("capi/a.cc", "api/b.h")),
              ElementsAre(HasSubstr("from one door to another")));
}

TEST(IncludeRule, LetsThePageCallTheCommandAlone) {
  EXPECT_THAT(IncludeViolations(Including("web/a.cc", "cli/render/b.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("cli/a.cc", "web/b.h")),
              ElementsAre(HasSubstr("from one door to another")));
  EXPECT_THAT(IncludeViolations(Including("properties/a.cc", "web/b.h")),
              ElementsAre(HasSubstr("points upwards")));
}

TEST(IncludeRule, GivesTheRuntimeOnlyTheReferencesVocabulary) {
  EXPECT_THAT(IncludeViolations(Including("runtime/a.cc", "reference/interpreter.h")),
              ElementsAre(HasSubstr("more of the reference than its vocabulary")));
  EXPECT_THAT(IncludeViolations(Including("runtime/a.cc", "pteproof/scalar_type.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("runtime/a.cc", "reference/op_schema.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("planner/a.cc", "reference/interpreter.h")), IsEmpty());
}

TEST(IncludeRule, KeepsTheWaysOfCheckingIndependent) {
  EXPECT_THAT(IncludeViolations(Including("properties/checks/a.cc", "planner/liveness.h")),
              ElementsAre(HasSubstr("planner's analysis")));
  EXPECT_THAT(IncludeViolations(Including("properties/oracles/a.cc", "properties/checks/names.h")),
              ElementsAre(HasSubstr("another's conclusions")));
  EXPECT_THAT(IncludeViolations(Including("properties/checks/a.cc", "properties/checks/names.h")),
              IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("properties/generators/a.cc", "planner/lower.h")),
              IsEmpty());
}

TEST(IncludeRule, LetsOnlyProofsOfThePlannerReadThePlanner) {
  EXPECT_THAT(IncludeViolations(Including("properties/proofs/planner/a.cc", "planner/code/b.h")),
              IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("properties/proofs/planner/a.cc",
                                          "properties/proofs/terms/question.h")),
              IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("properties/proofs/a.cc", "planner/code/b.h")),
              ElementsAre(HasSubstr("planner's analysis")));
  EXPECT_THAT(
      IncludeViolations(Including("properties/proofs/a.cc", "properties/proofs/planner/b.h")),
      ElementsAre(HasSubstr("planner's analysis")));
  EXPECT_THAT(IncludeViolations(Including("properties/proofs/solver/planner/a.cc", "planner/b.h")),
              ElementsAre(HasSubstr("planner's analysis")));
  EXPECT_THAT(
      IncludeViolations(Including("properties/proofs/planner/a.cc", "properties/checks/b.h")),
      ElementsAre(HasSubstr("another's conclusions")));
}

TEST(IncludeRule, RejectsAnIncludeThatPointsUpwardsWithinAFolder) {
  EXPECT_THAT(
      IncludeViolations(Including("properties/proofs/terms/a.h", "properties/proofs/solver/b.h")),
      ElementsAre(HasSubstr("upwards within its folder")));
  EXPECT_THAT(
      IncludeViolations(Including("properties/proofs/rules/a.h", "properties/proofs/terms/b.h")),
      IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("cli/io/a.h", "cli/main.h")),
              ElementsAre(HasSubstr("upwards within its folder")));
  EXPECT_THAT(IncludeViolations(Including("cli/render/a.cc", "cli/verbs/b.h")),
              ElementsAre(HasSubstr("upwards within its folder")));
  EXPECT_THAT(
      IncludeViolations(Including("runtime/kernels/image/a.cc", "runtime/kernels/product/b.h")),
      IsEmpty());
}

TEST(IncludeRule, KnowsThePublicHeadersFloors) {
  EXPECT_THAT(IncludeViolations(Including("runtime/a.cc", "pteproof/program.h")), IsEmpty());
  EXPECT_THAT(IncludeViolations(Including("runtime/a.cc", "pteproof/report.h")),
              ElementsAre(HasSubstr("points upwards")));
  EXPECT_THAT(IncludeViolations(Including("include/pteproof/finding.h", "pteproof/report.h")),
              ElementsAre(HasSubstr("points upwards")));
  EXPECT_THAT(IncludeViolations(Including("include/pteproof/report.h", "pteproof/finding.h")),
              IsEmpty());
}

TEST(PublicHeaderRule, RejectsAPrivateHeaderInAPublicOne) {
  EXPECT_THAT(PublicHeaderViolations(Including("include/pteproof/read.h", "runtime/file_kind.h")),
              ElementsAre("include/pteproof/read.h:2: \"runtime/file_kind.h\" is private"));
  EXPECT_THAT(PublicHeaderViolations(Including("include/pteproof/prove.h", "base/rule_names.h")),
              ElementsAre(HasSubstr("is private")));
}

TEST(PublicHeaderRule, RejectsAHeaderOfNoFloor) {
  EXPECT_THAT(PublicHeaderViolations({"include/pteproof/other.h", "// A file.\n"}),
              ElementsAre(HasSubstr("no floor is known")));
}

TEST(PublicHeaderRule, AcceptsPublicAndSystemHeadersAndPrivateFiles) {
  EXPECT_THAT(PublicHeaderViolations(Including("include/pteproof/read.h", "pteproof/program.h")),
              IsEmpty());
  EXPECT_THAT(PublicHeaderViolations({"include/pteproof/read.h", "#include <vector>\n"}),
              IsEmpty());
  EXPECT_THAT(PublicHeaderViolations(Including("runtime/a.cc", "runtime/file_kind.h")), IsEmpty());
}

TEST(CircleRule, RejectsFoldersThatIncludeEachOther) {
  EXPECT_THAT(CircleViolations(
                  {Including("a/x/one.cc", "a/y/two.h"), Including("a/y/two.cc", "a/x/one.h")}),
              ElementsAre("a/x and a/y include each other"));
  EXPECT_THAT(CircleViolations({Including("a/x/one.cc", "a/y/two.h"),
                                Including("a/y/two.cc", "a/z/three.h"),
                                Including("a/z/three.cc", "a/x/one.h")}),
              testing::Not(IsEmpty()));
}

TEST(CircleRule, AcceptsArrowsOneWayAndAFoldersOwnFiles) {
  EXPECT_THAT(CircleViolations({Including("a/x/one.cc", "a/y/two.h"),
                                Including("a/y/two.cc", "a/vocabulary.h"),
                                Including("a/vocabulary.cc", "a/y/two.h")}),
              IsEmpty());
}

TEST(LengthRule, RejectsAFileOfMoreThanSixHundredLines) {
  std::string text;
  for (int i = 0; i < 600; ++i) text += "x\n";
  EXPECT_THAT(LengthViolations({"base/a.h", text}), IsEmpty());
  EXPECT_THAT(LengthViolations({"base/a.h", text + "x\n"}),
              ElementsAre("base/a.h: 601 lines, at most 600"));
}

TEST(LengthRule, CountsColumnsNotBytes) {
  const std::string wide(100, 'x');
  EXPECT_THAT(LengthViolations({"base/a.h", wide + "\n"}), IsEmpty());
  EXPECT_THAT(LengthViolations({"base/a.h", "y" + wide + "\n"}),
              ElementsAre("base/a.h:1: 101 columns, at most 100"));
  EXPECT_THAT(LengthViolations({"base/a.h", "\xE2\x89\xA4" + wide.substr(1) + "\n"}), IsEmpty());
}

TEST(LeftOverRule, RejectsMarksOfUnfinishedWork) {
  const std::string mark = std::string("TO") + "DO";
  EXPECT_THAT(LeftOverViolations({"base/a.h", "int x;\n// " + mark + ": y\n"}),
              ElementsAre("base/a.h:2: left over: // " + mark + ": y"));
  EXPECT_THAT(LeftOverViolations({"base/a.h", "// nothing " + mark + "S here, it is all done\n"}),
              IsEmpty());
}

TEST(PathRule, RejectsPathsOfOneMachine) {
  const std::string home = std::string("/ho") + "me/";
  EXPECT_THAT(PathViolations({"base/a.h", "open(\"" + home + "me/file\")\n"}),
              ElementsAre(HasSubstr("absolute path")));
  EXPECT_THAT(PathViolations({"base/a.h", "open(\"corpus" + home + "me/file\")\n"}), IsEmpty());
  EXPECT_THAT(PathViolations({"scripts/a", "#!/usr/bin/env bash\n"}), IsEmpty());
}

TEST(MemoryRule, RejectsMemoryThatIsGivenElsewhere) {
  EXPECT_THAT(MemoryViolations({"runtime/kernels/image/a.cc", "  SetHome(out, memory);\n"}),
              ElementsAre(HasSubstr("gives a tensor memory")));
  EXPECT_THAT(MemoryViolations({"runtime/kernels/image/a.cc", "auto* x = const_cast<T*>(y);\n"}),
              ElementsAre(HasSubstr("makes bytes by a cast")));
  EXPECT_THAT(
      MemoryViolations({"runtime/kernels/a/b.cc", "x = reinterpret_cast<std::byte*>(y);\n"}),
      ElementsAre(HasSubstr("makes bytes by a cast")));
}

TEST(MemoryRule, AcceptsTheFunctionsForItAndOtherCasts) {
  EXPECT_THAT(MemoryViolations({"runtime/execute/a.cc", "  SetHome(out, memory);\n"}), IsEmpty());
  EXPECT_THAT(MemoryViolations({"runtime/kernels/image/a.cc", "x = MayLieOver(a, b);\n"}),
              IsEmpty());
  EXPECT_THAT(MemoryViolations({"runtime/kernels/a/b.cc", "x = reinterpret_cast<float*>(y);\n"}),
              IsEmpty());
}

TEST(SystemRule, RejectsASystemsHeaderInTheLibrary) {
  EXPECT_THAT(SystemViolations({"cli/io/a.cc", "#include <sys/ioctl.h>\n#include <unistd.h>\n"}),
              ElementsAre(HasSubstr("a.cc:1"), HasSubstr("is a system's header")));
}

TEST(SystemRule, AcceptsItWhereSystemsAreKnownAndInTests) {
  EXPECT_THAT(SystemViolations({"runtime/os/posix.cc", "#include <unistd.h>\n"}), IsEmpty());
  EXPECT_THAT(SystemViolations({"tests/cli/a.cc", "#include <unistd.h>\n"}), IsEmpty());
  EXPECT_THAT(SystemViolations({"cli/io/a.cc", "#include <csignal>\n"}), IsEmpty());
}

TEST(FileNameRule, RejectsTheSystemsLettersInTheLibrary) {
  EXPECT_THAT(FileNameViolations({"cli/a.cc", "x = fs::path(name);\nreturn path.string();\n"}),
              ElementsAre(HasSubstr("a.cc:1"), HasSubstr("a.cc:2")));
  EXPECT_THAT(FileNameViolations({"api/a.cc", "return std::filesystem::path(a).extension();\n"}),
              ElementsAre(HasSubstr("in the system's letters")));
  EXPECT_THAT(FileNameViolations({"cli/a.cc", "return path.generic_string();\n"}),
              ElementsAre(HasSubstr("a.cc:1")));
}

TEST(FileNameRule, AcceptsUtf8AndNamesThatAreWrittenOut) {
  EXPECT_THAT(FileNameViolations({"cli/a.cc", "x = FileName(FilePath(name));\n"}), IsEmpty());
  EXPECT_THAT(FileNameViolations({"cli/a.cc", "return path == fs::path(\"..\");\n"}), IsEmpty());
  EXPECT_THAT(FileNameViolations({"runtime/os/posix.cc", "return path.string();\n"}), IsEmpty());
  EXPECT_THAT(FileNameViolations({"tests/cli/a.cc", "return path.string();\n"}), IsEmpty());
}

}  // namespace
}  // namespace pteproof
