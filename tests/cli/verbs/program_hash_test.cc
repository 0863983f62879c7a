// The hash of a program file in its manifest: who writes it, and what it is compared with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "runtime/sha256.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Json = nlohmann::json;

const std::string kPutGetFolder = PTEPROOF_CORPUS_DIR "/real/models/put_get/";
const std::string kPutGetFile = kPutGetFolder + "put_get.pte";

std::string Sha256OfFile(const std::string& file) {
  const std::string content = ReadText(file);
  return Sha256Hex(std::as_bytes(std::span(content)));
}

std::string StatedIn(const std::string& manifest) {
  return Json::parse(ReadText(manifest)).value("program_sha256", "");
}

std::string ManifestOfHash(const std::string& sha256) {
  return R"({"pteproof": 1, "program_sha256": ")" + sha256 + "\"}";
}

TEST(ProgramHash, OfTheFileIsRight) {
  const TempFolder folder;
  const std::string file = folder.Copy(kPutGetFile, "m.pte");
  const std::string manifest = folder.Write("m.manifest.json", ManifestOfHash(Sha256OfFile(file)));
  for (const std::string verb : {"check", "prove", "map", "diff"}) {
    EXPECT_NE(RunCommand({verb, file, "--policy", "share-all"}).exit_code, 64) << verb;
  }
  EXPECT_EQ(RunCommand({"check", file, "--policy", "share-all"}).exit_code, 0);
}

TEST(ProgramHash, OfAnotherFileIsAnErrorThatNamesBoth) {
  const TempFolder folder;
  const std::string file = folder.Copy(kPutGetFile, "m.pte");
  const std::string other(64, '7');
  (void)folder.Write("m.manifest.json", ManifestOfHash(other));
  for (const std::string verb : {"check", "prove", "map", "diff"}) {
    const CommandResult result = RunCommand({verb, file});
    EXPECT_EQ(result.exit_code, 64) << verb;
    EXPECT_THAT(result.out + result.err,
                AllOf(HasSubstr("m.manifest.json is that of another program"), HasSubstr(other),
                      HasSubstr("m.pte is " + Sha256OfFile(file)), HasSubstr("--no-manifest")))
        << verb;
  }
  EXPECT_EQ(RunCommand({"check", "--no-manifest", "--policy", "share-all", file}).exit_code, 0);
}

TEST(ProgramHash, IsWrittenByPlan) {
  const TempFolder folder;
  const std::string program = folder.path() + "/m.pte";
  const std::string module = PTEPROOF_CORPUS_DIR "/modules/counter.module";
  ASSERT_EQ(RunCommand({"plan", module, "-o", program, "--write-manifest"}).exit_code, 0);
  EXPECT_EQ(StatedIn(folder.path() + "/m.manifest.json"), Sha256OfFile(program));
}

TEST(ProgramHash, IsWrittenByLinkAndSplit) {
  const TempFolder folder;
  const std::string linked = folder.path() + "/l.pte";
  const std::string from = PTEPROOF_CORPUS_DIR "/link/lm/";
  ASSERT_EQ(RunCommand({"link", from + "prefill.pte", from + "decode.pte", "-o", linked, "--share",
                        "layers_*", "--runs", "1"})
                .exit_code,
            0);
  EXPECT_EQ(StatedIn(folder.path() + "/l.manifest.json"), Sha256OfFile(linked));
  const std::string part = folder.path() + "/p.pte";
  ASSERT_EQ(RunCommand({"split", linked, "decode", "-o", part, "--runs", "1", "--manifest",
                        folder.path() + "/l.manifest.json"})
                .exit_code,
            0);
  EXPECT_EQ(StatedIn(folder.path() + "/p.manifest.json"), Sha256OfFile(part));
}

TEST(ProgramHash, IsThatOfTheNewProgramAfterReplan) {
  const TempFolder folder;
  const std::string file = folder.Copy(kPutGetFile, "m.pte");
  (void)folder.Copy(kPutGetFolder + "put_get.manifest.json", "m.manifest.json");
  const std::string made = folder.path() + "/new.pte";
  ASSERT_EQ(RunCommand({"replan", file, "-o", made, "--runs", "1"}).exit_code, 0);
  Json before = Json::parse(ReadText(folder.path() + "/m.manifest.json"));
  Json after = Json::parse(ReadText(folder.path() + "/new.manifest.json"));
  EXPECT_EQ(after["program_sha256"], Sha256OfFile(made));
  EXPECT_NE(Sha256OfFile(made), Sha256OfFile(file));
  after.erase("program_sha256");
  EXPECT_EQ(after["methods"]["put"]["mutates"], before["methods"]["put"]["mutates"]);
  EXPECT_EQ(RunCommand({"check", "--trust-manifests", "--policy", "share-all", made}).exit_code, 0);
  // In its own place, too.
  ASSERT_EQ(RunCommand({"replan", file, "-o", file, "--runs", "1"}).exit_code, 0);
  EXPECT_EQ(StatedIn(folder.path() + "/m.manifest.json"), Sha256OfFile(file));
}

TEST(ProgramHash, IsNotWrittenByReplanWithoutAManifest) {
  const TempFolder folder;
  const std::string made = folder.path() + "/new.pte";
  ASSERT_EQ(RunCommand({"replan", "--no-manifest", "--policy", "share-all", kPutGetFile, "-o", made,
                        "--runs", "1"})
                .exit_code,
            0);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/new.manifest.json"));
}

TEST(ProgramHash, OfOneOfTwoComparedFilesIsEnough) {
  const TempFolder folder;
  const std::string file = folder.Copy(kPutGetFile, "m.pte");
  const std::string made = folder.path() + "/new.pte";
  ASSERT_EQ(RunCommand({"replan", file, "-o", made, "--runs", "1"}).exit_code, 0);
  for (const std::string& of : {file, made}) {
    const std::string manifest = folder.Write("of.json", ManifestOfHash(Sha256OfFile(of)));
    EXPECT_EQ(RunCommand({"compare", file, made, "--manifest", manifest}).exit_code, 0);
  }
  const std::string manifest = folder.Write("of.json", ManifestOfHash(std::string(64, '7')));
  const CommandResult result = RunCommand({"compare", file, made, "--manifest", manifest});
  EXPECT_EQ(result.exit_code, 64);
  EXPECT_THAT(result.err, HasSubstr("is that of another program"));
}

}  // namespace
}  // namespace pteproof
