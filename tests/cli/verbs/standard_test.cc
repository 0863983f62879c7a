// `check` with a standard, and the forms of `check` and `compare`, from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kRealPrograms = PTEPROOF_CORPUS_DIR "/real/";

// A repository with an unsafe program (region-escape, under every policy) in models/.
class Standards : public testing::Test {
 protected:
  Standards() : before_(fs::current_path()) {
    (void)folder_.Copy(kRealPrograms + "models/cond_pair/cond_pair.pte", "models/unsafe.pte");
    (void)folder_.Write(".git/HEAD", "");
    fs::current_path(folder_.path());
  }
  ~Standards() override { fs::current_path(before_); }

  CommandResult Run(std::vector<std::string> words) {
    words.insert(words.begin(), "check");
    return RunCommand(words);
  }
  int CodeOf(const std::vector<std::string>& words) { return Run(words).exit_code; }

  TempFolder folder_;
  fs::path before_;
};

const std::string kIgnore = "ignore = [\"region-escape\"]\n";

TEST_F(Standards, AreTakenFromTheWorkingDirectoryAndItsParents) {
  (void)folder_.Write("pteproof.toml", kIgnore);
  const CommandResult result = Run({"models"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(StartsWith("models/unsafe.pte: unsafe, 1 accepted\n"),
                                HasSubstr("  standard: pteproof.toml, met\n"),
                                HasSubstr("    Accepted: ignored by pteproof.toml\n")));
  fs::current_path(folder_.path() + "/models");
  EXPECT_THAT(Run({"unsafe.pte"}).out, HasSubstr("standard: ../pteproof.toml, met"));
}

TEST_F(Standards, AreNamedOnThePageWithTheDemandsThatAreNotMet) {
  (void)folder_.Write("pteproof.toml", kIgnore);
  EXPECT_THAT(Run({"models", "--html", "-"}).out,
              HasSubstr("<p class=\"standard grey\">Standard: pteproof.toml, met</p>"));
  (void)folder_.Write("pteproof.toml", kIgnore + "max-bytes = 10\n");
  EXPECT_THAT(Run({"models", "--html", "-"}).out,
              AllOf(HasSubstr("Standard: pteproof.toml, not met:</p>\n<ul>\n<li>the program has "),
                    HasSubstr("max-bytes is 10</li>")));
}

TEST_F(Standards, AreNeverTakenFromBesideAFile) {
  (void)folder_.Write("models/pteproof.toml", kIgnore);
  EXPECT_EQ(CodeOf({"models"}), 1);
  EXPECT_EQ(CodeOf({"models", "--config", "models/pteproof.toml"}), 0);
}

TEST_F(Standards, AreLeftOutWhenAsked) {
  (void)folder_.Write("pteproof.toml", kIgnore);
  EXPECT_EQ(CodeOf({"models", "--no-config"}), 1);
  EXPECT_EQ(CodeOf({"models", "--no-config", "--config", "pteproof.toml"}), 64);
}

TEST_F(Standards, AreExplainedIfTheyAreWrong) {
  (void)folder_.Write("pteproof.toml", "\npolicy = \"shared\"");
  const CommandResult wrong = Run({"models"});
  EXPECT_EQ(wrong.exit_code, 64);
  EXPECT_EQ(wrong.out, "");
  EXPECT_THAT(wrong.err, HasSubstr("pteproof.toml:2: /policy: is the string \"shared\""));
  EXPECT_EQ(CodeOf({"models", "--config", "none.toml"}), 66);
}

TEST_F(Standards, ChooseThePolicyTheLoadAndTheTrust) {
  (void)folder_.Copy(kRealPrograms + "bugs/private-state/private-state.pte", "state.pte");
  (void)folder_.Write("state.manifest.json", R"({"pteproof": 1, "policy": "private"})");
  EXPECT_EQ(CodeOf({"state.pte"}), 3);
  (void)folder_.Write("pteproof.toml", "trust-manifests = true");
  EXPECT_EQ(CodeOf({"state.pte"}), 0);
  (void)folder_.Write("pteproof.toml", "policy = \"share-all\"");
  EXPECT_EQ(CodeOf({"state.pte"}), 1);
  EXPECT_EQ(CodeOf({"state.pte", "--policy", "private"}), 0);
  (void)folder_.Write("pteproof.toml",
                      "policy = \"share-all\"\n[[path]]\nglob = \"state.*\"\npolicy = \"private\"");
  EXPECT_EQ(CodeOf({"state.pte"}), 0);
  // Loading `read` copies over what `write` has stored, unless it is loaded before.
  (void)folder_.Copy(kRealPrograms + "bugs/late-load/late-load.pte", "late.pte");
  (void)folder_.Write("pteproof.toml", "policy = \"share-all\"\nload = \"lazy\"");
  const std::string lazy = Run({"late.pte"}).out;
  (void)folder_.Write("pteproof.toml", "policy = \"share-all\"\nload = \"all-first\"");
  EXPECT_NE(Run({"late.pte"}).out, lazy);
}

TEST_F(Standards, NameDataAndOperatorsBesideThem) {
  (void)folder_.Write("ci/own.txt", "not a signature");
  (void)folder_.Write("ci/c.toml", "operators = [\"own.txt\"]");
  const CommandResult wrong = Run({"models", "--config", "ci/c.toml"});
  EXPECT_EQ(wrong.exit_code, 64);
  EXPECT_THAT(wrong.out, HasSubstr("ci/own.txt:1:"));
  (void)folder_.Write("ci/c.toml", "data = [\"w.ptd\"]");
  EXPECT_THAT(Run({"models", "--config", "ci/c.toml"}).out, StartsWith("ci/w.ptd: unreadable"));
}

TEST_F(Standards, TakeFlags) {
  EXPECT_EQ(CodeOf({"models", "--ignore", "region-escape"}), 0);
  EXPECT_EQ(CodeOf({"models", "--ignore", "plan-overlap,region-escape"}), 0);
  EXPECT_EQ(CodeOf({"models", "--select", "plan-overlap"}), 0);
  EXPECT_EQ(CodeOf({"models", "--select", "region-escape"}), 1);
  EXPECT_EQ(CodeOf({"models", "--fail-on", "none"}), 0);
  EXPECT_EQ(CodeOf({"models", "--fail-on", "undecided,depends"}), 0);
  const CommandResult over =
      Run({"models", "--fail-on", "none", "--max-bytes", "forward:1=100", "--max-bytes", "1MiB"});
  EXPECT_EQ(over.exit_code, 1);
  EXPECT_THAT(over.out,
              HasSubstr("bank 1 of forward has 112 bytes, and max-bytes is forward:1=100"));
  EXPECT_EQ(CodeOf({"models", "--fail-on", "none", "--max-waste", "42%"}), 1);  // 48 of 112
  EXPECT_EQ(CodeOf({"models", "--fail-on", "none", "--max-waste", "43%"}), 0);
}

TEST_F(Standards, RefuseWrongFlags) {
  EXPECT_THAT(Run({"models", "--ignore", "region-escap"}).err,
              HasSubstr("did you mean 'region-escape'?"));
  EXPECT_EQ(CodeOf({"models", "--ignore", "file-header"}), 64);
  EXPECT_EQ(CodeOf({"models", "--fail-on", "note"}), 64);
  EXPECT_THAT(Run({"models", "--max-bytes", "5%"}).err,
              HasSubstr("--max-bytes: '5%' is not a size"));
  EXPECT_EQ(CodeOf({"models", "--max-waste", "much"}), 64);
  EXPECT_EQ(CodeOf({"models", "--baseline", "a", "--write-baseline", "b"}), 64);
  EXPECT_EQ(CodeOf({"-", "--config", "-"}), 64);
}

TEST_F(Standards, KnowABaseline) {
  const CommandResult written = Run({"models", "--write-baseline", "known.json"});
  EXPECT_EQ(written.exit_code, 0);
  EXPECT_THAT(written.out, HasSubstr("    Accepted: known to the baseline known.json\n"));
  const Json known = Json::parse(ReadText("known.json"));
  ASSERT_EQ(known["files"]["models/unsafe.pte"].size(), 1U);
  EXPECT_EQ(known["files"]["models/unsafe.pte"][0]["rule"], "region-escape");
  EXPECT_EQ(CodeOf({"models", "--baseline", "known.json"}), 0);
  // From another folder, too; and a new one fails.
  fs::current_path(folder_.path() + "/models");
  EXPECT_EQ(CodeOf({"unsafe.pte", "--baseline", "../known.json"}), 0);
  fs::current_path(folder_.path());
  (void)folder_.Copy(kRealPrograms + "bugs/cond-siblings/cond-siblings.pte", "models/new.pte");
  EXPECT_EQ(CodeOf({"models", "--baseline", "known.json"}), 1);
  // What is mended is told.
  fs::remove("models/unsafe.pte");
  (void)folder_.Copy(kRealPrograms + "models/counter/counter.pte", "models/unsafe.pte");
  EXPECT_THAT(Run({"models/unsafe.pte", "--baseline", "known.json"}).out,
              HasSubstr("known.json: models/unsafe.pte: region-escape of method forward is gone: "
                        "write the baseline again\n"));
}

TEST_F(Standards, ExplainABaselineThatCannotBeUsed) {
  EXPECT_EQ(CodeOf({"models", "--baseline", "none.json"}), 66);
  (void)folder_.Write("wrong.json", "{}");
  const CommandResult wrong = Run({"models", "--baseline", "wrong.json"});
  EXPECT_EQ(wrong.exit_code, 64);
  EXPECT_THAT(wrong.err, HasSubstr("/pteproof-baseline: missing"));
  EXPECT_EQ(CodeOf({"models", "--write-baseline", "nowhere/b.json"}), 66);
}

TEST_F(Standards, TellOfThemselvesInEveryForm) {
  (void)folder_.Write("pteproof.toml",
                      kIgnore + "[[suppress]]\nrule = \"self-copy\"\nreason = \"old\"\n");
  const std::string told = "the suppression of self-copy fits no finding";
  EXPECT_THAT(Run({"models"}).out, HasSubstr("pteproof.toml:2: " + told));
  EXPECT_THAT(Run({"models", "--format", "github"}).out,
              HasSubstr("::notice file=pteproof.toml,line=2,title=pteproof::" + told));
  EXPECT_THAT(Run({"models", "--format", "markdown"}).out, HasSubstr("pteproof.toml:2: " + told));
  for (const char* form : {"json", "sarif", "junit", "html"}) {
    const CommandResult result = Run({"models", "--format", form});
    EXPECT_THAT(result.err, HasSubstr("pteproof.toml:2: " + told)) << form;
    EXPECT_THAT(result.out, Not(HasSubstr(told))) << form;
  }
}

TEST_F(Standards, AcceptInEveryForm) {
  (void)folder_.Write("pteproof.toml", kIgnore);
  for (const char* form : {"text", "json", "sarif", "junit", "github", "html", "markdown"}) {
    EXPECT_EQ(CodeOf({"models", "--format", form}), 0) << form;
    EXPECT_EQ(CodeOf({"models", "--format", form, "--no-config"}), 1) << form;
  }
}

TEST_F(Standards, HaveForms) {
  EXPECT_EQ(Run({"models", "--format", "json"}).out, Run({"models", "--json"}).out);
  EXPECT_EQ(Run({"models", "--format", "sarif"}).out, Run({"models", "--sarif"}).out);
  EXPECT_EQ(Run({"models", "--format", "html"}).out, Run({"models", "--html", "-"}).out);
  EXPECT_EQ(Run({"models", "--format", "text"}).out, Run({"models"}).out);
  EXPECT_THAT(Run({"models", "--format", "junit"}).out, StartsWith("<?xml"));
  EXPECT_THAT(Run({"models", "--format", "github"}).out, StartsWith("::error file=models/unsafe"));
  EXPECT_THAT(Run({"models", "--format", "markdown"}).out, StartsWith("### pteproof: 1 file"));
  EXPECT_EQ(Run({"models", "--format", "html", "--html", "page.html"}).out, ReadText("page.html"));
  EXPECT_THAT(Run({"models", "--format", "xml"}).err, HasSubstr("'xml' is not known; did you"));
  EXPECT_EQ(CodeOf({"models", "--format", "json", "--json"}), 64);
  EXPECT_EQ(CodeOf({"models", "--format", "junit", "--html", "-"}), 64);
}

TEST_F(Standards, CompareInMarkdown) {
  (void)folder_.Copy(kRealPrograms + "models/counter/counter.pte", "counter.pte");
  const auto compare = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"compare", "counter.pte", "counter.pte"});
    return RunCommand(words);
  };
  const CommandResult result = compare({"--format", "markdown"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(StartsWith("### `counter.pte`: nothing fails\n"),
                                HasSubstr("| `forward` | 1 | 64 | 64 |  | 0 | 0 |\n")));
  EXPECT_EQ(compare({"--format", "json"}).out, compare({"--json"}).out);
  EXPECT_EQ(compare({"--format", "text"}).out, compare({}).out);
  EXPECT_EQ(compare({"--format", "html"}).exit_code, 64);
  EXPECT_EQ(compare({"--format", "json", "--json"}).exit_code, 64);
  EXPECT_EQ(RunCommand({"compare", PTEPROOF_CORPUS_DIR "/modules/counter.module", "counter.pte",
                        "--format", "markdown"})
                .exit_code,
            64);
}

}  // namespace
}  // namespace pteproof
