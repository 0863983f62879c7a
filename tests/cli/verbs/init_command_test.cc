// `init`: a first config and a workflow.
#include "cli/verbs/init_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "cli/standard/read_config.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* kWorkflowFile = ".github/workflows/pteproof.yml";
const std::string kRealModels = PTEPROOF_CORPUS_DIR "/real/";

class InitVerb : public testing::Test {
 protected:
  InitVerb() : before_(fs::current_path()) {
    (void)folder_.Write(".git/HEAD", "");
    fs::current_path(folder_.path());
  }
  ~InitVerb() override { fs::current_path(before_); }

  void AddModel(const std::string& name, const std::string& policy) {
    (void)folder_.Copy(kRealModels + "bugs/private-state/private-state.pte", name + ".pte");
    if (policy.empty()) return;
    (void)folder_.Write(name + ".manifest.json", R"({"pteproof": 1, "policy": ")" + policy + "\"}");
  }

  [[nodiscard]] static Standard Config() {
    const auto standard = ReadConfig(ReadText("pteproof.toml"), "pteproof.toml");
    EXPECT_TRUE(standard.ok());
    return standard.ok() ? standard.value() : Standard{};
  }

  TempFolder folder_;
  fs::path before_;
};

TEST_F(InitVerb, TakesTheLoaderThatManifestsState) {
  AddModel("models/a", "private");
  AddModel("models/sub/b", "");
  const CommandResult result = RunCommand({"init"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("pteproof.toml: written\n  the loader: private, as"),
                    HasSubstr(std::string(kWorkflowFile) + ": written, checks models\n"),
                    HasSubstr("next: pteproof check models\n"),
                    HasSubstr("      pteproof trust models/a.pte  (if its manifest is right)\n")));
  EXPECT_EQ(Config().policy, Policy::kPrivate);
  EXPECT_TRUE(Config().trusted.empty());
  EXPECT_EQ(ReadText(kWorkflowFile), InitWorkflow("models"));
  // A manifest that was only found has chosen the loader of a file that its user can read.
  EXPECT_EQ(RunCommand({"check", "models"}).exit_code, 0);
}

TEST_F(InitVerb, LeavesTheLoaderOpenWhereNoManifestStatesOne) {
  AddModel("a", "");
  EXPECT_THAT(RunCommand({"init"}).out, HasSubstr("no manifest states a loader: set `policy`"));
  EXPECT_EQ(Config().policy, std::nullopt);
  EXPECT_THAT(ReadText("pteproof.toml"), HasSubstr("\n# policy = \"share-all\"\n"));
  EXPECT_EQ(ReadText(kWorkflowFile), InitWorkflow("."));
  EXPECT_EQ(RunCommand({"check", "."}).exit_code, 3);
}

TEST_F(InitVerb, GivesEachProgramItsLoaderWhereManifestsStateSeveral) {
  AddModel("models/a", "private");
  AddModel("models/b", "share-all");
  EXPECT_EQ(RunCommand({"init"}).exit_code, 0);
  const Standard standard = Config();
  EXPECT_EQ(standard.policy, std::nullopt);
  EXPECT_EQ(PolicyFor(standard, "models/a.pte"), Policy::kPrivate);
  EXPECT_EQ(PolicyFor(standard, "models/b.pte"), Policy::kShareAll);
}

TEST_F(InitVerb, WritesBothWithoutAnyProgram) {
  const CommandResult result = RunCommand({"init", folder_.path()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("no program (.pte, .bpte) is here yet"));
  EXPECT_TRUE(Config().fail_on.undecided);
}

TEST_F(InitVerb, OverwritesNothing) {
  (void)folder_.Write("pteproof.toml", "# mine\n");
  const CommandResult config = RunCommand({"init"});
  EXPECT_EQ(config.exit_code, 64);
  EXPECT_THAT(config.err, HasSubstr("pteproof.toml is there already, and nothing is written"));
  EXPECT_EQ(ReadText("pteproof.toml"), "# mine\n");
  EXPECT_FALSE(fs::exists(".github"));
  fs::remove("pteproof.toml");
  (void)folder_.Write(kWorkflowFile, "# mine\n");
  const CommandResult workflow = RunCommand({"init"});
  EXPECT_EQ(workflow.exit_code, 64);
  EXPECT_THAT(workflow.err, HasSubstr(kWorkflowFile));
  EXPECT_FALSE(fs::exists("pteproof.toml"));
}

TEST_F(InitVerb, RefusesWhatIsNotAFolder) {
  EXPECT_EQ(RunCommand({"init", "none"}).exit_code, 64);
}

TEST(InitPage, ShowsTheWorkflow) {
  const std::string page = ReadText(PTEPROOF_SOURCE_DIR "/docs/reference/gate.md");
  EXPECT_THAT(page, HasSubstr("```yaml\n" + InitWorkflow("models") + "```\n"));
  EXPECT_THAT(page, Not(HasSubstr("pteproof check --format github .")));
}

}  // namespace
}  // namespace pteproof
