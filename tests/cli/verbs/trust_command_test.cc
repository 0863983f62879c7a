// `trust`, and `check` with the entry that it writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
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
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kRealFiles = PTEPROOF_CORPUS_DIR "/real/";
constexpr const char* kStatesPrivate = R"({"pteproof": 1, "policy": "private"})";

std::string HashOf(const std::string& file) {
  const std::string content = ReadText(file);
  return Sha256Hex(std::as_bytes(std::span(content)));
}

// A repository with a program that is safe under one loader, which its manifest names.
class TrustVerb : public testing::Test {
 protected:
  TrustVerb() : before_(fs::current_path()) {
    (void)folder_.Copy(kRealFiles + "bugs/private-state/private-state.pte", "models/m.pte");
    (void)folder_.Write("models/m.manifest.json", kStatesPrivate);
    (void)folder_.Write(".git/HEAD", "");
    fs::current_path(folder_.path());
  }
  ~TrustVerb() override { fs::current_path(before_); }

  [[nodiscard]] std::string Config() const { return ReadText(folder_.path() + "/pteproof.toml"); }

  TempFolder folder_;
  fs::path before_;
};

TEST_F(TrustVerb, MakesCheckBelieveTheManifest) {
  const CommandResult before = RunCommand({"check", "models/m.pte"});
  EXPECT_EQ(before.exit_code, 3);
  EXPECT_THAT(before.out, StartsWith("models/m.pte: depends; safe according to m.manifest.json, "
                                     "which settles the loader: pteproof trust models/m.pte\n"));
  const CommandResult trust = RunCommand({"trust", "models/m.pte"});
  EXPECT_EQ(trust.exit_code, 0) << trust.err;
  EXPECT_EQ(Config(), "[[trust]]\nmanifest = \"models/m.manifest.json\"\nsha256 = \"" +
                          HashOf("models/m.manifest.json") + "\"\n");
  EXPECT_THAT(trust.out,
              AllOf(StartsWith("models/m.pte: depends without m.manifest.json, safe with it\n"
                               "  chooses the loader: private\n"),
                    EndsWith("pteproof.toml: entry added\n")));
  const CommandResult after = RunCommand({"check", "models/m.pte"});
  EXPECT_EQ(after.exit_code, 0);
  EXPECT_THAT(after.out, StartsWith("models/m.pte: safe with"));
  EXPECT_EQ(RunCommand({"check", "models"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"check", "--no-config", "models/m.pte"}).exit_code, 3);
  EXPECT_EQ(RunCommand({"check", "--no-manifest", "models/m.pte"}).exit_code, 3);
}

TEST_F(TrustVerb, IsForTheseBytesOnly) {
  ASSERT_EQ(RunCommand({"trust", "models/m.pte"}).exit_code, 0);
  const std::string old_hash = HashOf("models/m.manifest.json");
  (void)folder_.Write("models/m.manifest.json", R"({"pteproof": 1, "policy":  "private"})");
  const CommandResult check = RunCommand({"check", "models/m.pte"});
  EXPECT_EQ(check.exit_code, 64);
  EXPECT_THAT(
      check.out,
      AllOf(HasSubstr("wrong-manifest"), HasSubstr("pteproof.toml:1 has sha256 " + old_hash),
            HasSubstr(HashOf("models/m.manifest.json")), HasSubstr("pteproof trust models/m.pte")));
  EXPECT_EQ(RunCommand({"check", "--no-manifest", "models/m.pte"}).exit_code, 3);
  const CommandResult again = RunCommand({"trust", "models/m.pte"});
  EXPECT_THAT(again.out, HasSubstr("pteproof.toml: entry replaced\n"));
  EXPECT_EQ(RunCommand({"check", "models/m.pte"}).exit_code, 0);
  EXPECT_THAT(RunCommand({"trust", "models/m.pte"}).out, HasSubstr("the entry is there already"));
}

TEST_F(TrustVerb, IsForThisManifestOnly) {
  ASSERT_EQ(RunCommand({"trust", "models/m.pte"}).exit_code, 0);
  (void)folder_.Copy("models/m.pte", "other/m.pte");
  (void)folder_.Copy("models/m.manifest.json", "other/m.manifest.json");
  EXPECT_EQ(RunCommand({"check", "other/m.pte"}).exit_code, 3);
}

TEST_F(TrustVerb, TakesNoConfigFromBesideAProgram) {
  (void)folder_.Write("models/pteproof.toml",
                      "[[trust]]\nmanifest = \"m.manifest.json\"\nsha256 = "
                      "\"" +
                          HashOf("models/m.manifest.json") + "\"\n");
  EXPECT_EQ(RunCommand({"check", "models/m.pte"}).exit_code, 3);
  EXPECT_EQ(RunCommand({"check", "models/m.pte", "--config", "models/pteproof.toml"}).exit_code, 0);
}

TEST_F(TrustVerb, KeepsTheRestOfTheConfig) {
  const std::string before = "# mine\nfail-on = [ \"error\",\n  \"depends\" ]  # enough\n";
  (void)folder_.Write("pteproof.toml", before);
  ASSERT_EQ(RunCommand({"trust", "models/m.pte"}).exit_code, 0);
  EXPECT_THAT(Config(), StartsWith(before + "\n[[trust]]\n"));
}

TEST_F(TrustVerb, NamesALoaderThatStandsOverTheManifestsAndTheConfigs) {
  (void)folder_.Write("pteproof.toml", "policy = \"private\"\n");
  EXPECT_EQ(RunCommand({"trust", "models/m.pte", "--policy", "share-all"}).exit_code, 0);
  EXPECT_THAT(Config(), HasSubstr("\npolicy = \"share-all\"\n"));
  EXPECT_EQ(RunCommand({"check", "models/m.pte"}).exit_code, 1);
  EXPECT_EQ(RunCommand({"check", "models/m.pte", "--policy", "private"}).exit_code, 0);
}

TEST_F(TrustVerb, WritesNothingIfItIsDry) {
  const CommandResult result = RunCommand({"trust", "--dry-run", "models/m.pte"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("pteproof.toml: not written, the entry would be added:\n"
                                    "  [[trust]]\n  manifest = \"models/m.manifest.json\"\n"));
  EXPECT_FALSE(fs::exists("pteproof.toml"));
}

TEST_F(TrustVerb, TellsWhichQuestionsAreSettled) {
  (void)folder_.Copy(kRealFiles + "models/map_in_cond/map_in_cond.pte", "models/n.pte");
  (void)folder_.Write("models/n.manifest.json",
                      R"({"pteproof": 1, "suppress": [{"rule": "read-before-write",
                          "reason": "the branch writes it"}]})");
  EXPECT_THAT(RunCommand({"trust", "models/n.pte"}).out,
              HasSubstr("  accepts read-before-write  method forward\n    the branch writes it\n"));
  const Json json = Json::parse(RunCommand({"trust", "--json", "models/n.pte"}).out);
  EXPECT_EQ(json["verdict_alone"], "undecided");
  EXPECT_EQ(json["settles"][0]["accepted"], "the branch writes it");
  EXPECT_EQ(json["entry"], "kept");
  EXPECT_EQ(json["written"], false);
}

TEST_F(TrustVerb, SaysWhereAManifestBettersNothing) {
  (void)folder_.Write("models/m.manifest.json", R"({"pteproof": 1, "load": "lazy"})");
  EXPECT_THAT(RunCommand({"trust", "models/m.pte"}).out,
              HasSubstr("  The manifest improves nothing.\n"));
}

TEST_F(TrustVerb, TakesAManifestThatIsNamed) {
  (void)folder_.Write("facts.json", kStatesPrivate);
  const CommandResult result = RunCommand({"trust", "models/m.pte", "--manifest", "facts.json"});
  EXPECT_THAT(result.out, HasSubstr("counts only where the manifest lies beside the program"));
  EXPECT_THAT(Config(), HasSubstr("manifest = \"facts.json\""));
}

TEST_F(TrustVerb, FailsWithoutAManifestOrWithAWrongOne) {
  (void)folder_.Copy("models/m.pte", "models/n.pte");
  const CommandResult none = RunCommand({"trust", "models/n.pte"});
  EXPECT_EQ(none.exit_code, 64);
  EXPECT_THAT(none.err, HasSubstr("no manifest lies beside it, as n.manifest.json"));
  EXPECT_EQ(RunCommand({"trust", "models"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"trust", "-"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"trust", "models/m.pte", "--manifest", "none.json"}).exit_code, 66);
  (void)folder_.Write("models/n.manifest.json", R"({"pteproof": 1, "methods": {"gone": {}}})");
  EXPECT_EQ(RunCommand({"trust", "models/n.pte"}).exit_code, 64);
  (void)folder_.Write("models/n.pte", "nothing");
  EXPECT_EQ(RunCommand({"trust", "models/n.pte"}).exit_code, 2);
  (void)folder_.Write("pteproof.toml", "trust = 1\n");
  EXPECT_EQ(RunCommand({"trust", "models/m.pte"}).exit_code, 64);
  EXPECT_EQ(Config(), "trust = 1\n");
}

}  // namespace
}  // namespace pteproof
