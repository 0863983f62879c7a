// Whose word counts, from outside: one manifest found beside a file, named, trusted and left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pteproof/write.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/method_builder.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

const std::string kReal = PTEPROOF_CORPUS_DIR "/real/";

// A program, what a manifest says of it, and the exit codes without that word and with it.
struct Word {
  std::string name;
  std::string program;  // below corpus/real
  std::string members;  // of the manifest
  std::vector<std::string> options = {};
  int alone = 0;
  int trusted = 0;
};

std::ostream& operator<<(std::ostream& out, const Word& word) {
  return out << word.name;
}

const std::vector<Word> kBetter = {
    {"Policy", "bugs/private-state/private-state.pte", R"("policy": "private")", {}, 3, 0},
    {"Suppress",
     "models/cond_pair/cond_pair.pte",
     R"("suppress": [{"rule": "region-escape", "reason": "known"}])",
     {},
     1,
     0},
    {"SuppressOneMethod",
     "bugs/private-state/private-state.pte",
     R"("suppress": [{"rule": "state-clobbered", "method": "other", "reason": "known"}])",
     {"--policy", "share-all"},
     1,
     0},
    {"SuppressDoubt",
     "models/map_in_cond/map_in_cond.pte",
     R"("suppress": [{"rule": "read-before-write", "reason": "known"}])",
     {},
     3,
     0},
    {"Load",
     "bugs/late-load/late-load.pte",
     R"("load": "all-first")",
     {"--policy", "share-1-2"},
     1,
     0},
    {"LoadOfAnother",
     "models/initialized_shared/initialized_shared.pte",
     R"("load": "all-first")",
     {"--policy", "share-all"},
     1,
     0},
    {"Shared",
     "models/put_get/put_get.pte",
     R"("buffers": {"memory": {"shared": false}})",
     {"--policy", "private"},
     1,
     0},
    {"Mutates",
     "models/name_clash/name_clash.pte",
     R"("methods": {"put": {"mutates": []}})",
     {"--policy", "share-all"},
     1,
     0},
};

const std::vector<Word> kWorse = {
    {"Policy", "bugs/private-state/private-state.pte", R"("policy": "share-all")", {}, 3, 1},
    {"Shared",
     "models/put_get/put_get.pte",
     R"("buffers": {"memory": {"shared": false}})",
     {"--policy", "share-all"},
     0,
     1},
    {"Outputs",
     "models/counter/counter.pte",
     R"("methods": {"forward": {"mutates_inputs": [], "outputs": []}})",
     {},
     0,
     1},
};

// The program under test with its manifest beside it.
struct Case {
  explicit Case(const Word& word)
      : file(folder.Copy(kReal + word.program, "model.pte")),
        manifest(folder.Write("model.manifest.json", R"({"pteproof": 1, )" + word.members + "}")),
        options(word.options) {}

  [[nodiscard]] CommandResult Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back(file);
    return RunCommand(arguments);
  }

  TempFolder folder;
  std::string file;
  std::string manifest;
  std::vector<std::string> options;
};

class BetterWord : public testing::TestWithParam<Word> {};
class WorseWord : public testing::TestWithParam<Word> {};

TEST_P(BetterWord, OnlyANamedOrTrustedManifestBettersTheExitCode) {
  const Case c(GetParam());
  for (const std::string verb : {"check", "prove"}) {
    EXPECT_EQ(c.Run({verb, "--no-manifest"}).exit_code, GetParam().alone) << verb;
    EXPECT_EQ(c.Run({verb}).exit_code, GetParam().alone) << verb;
    EXPECT_EQ(c.Run({verb, "--manifest", c.manifest}).exit_code, GetParam().trusted) << verb;
    EXPECT_EQ(c.Run({verb, "--trust-manifests"}).exit_code, GetParam().trusted) << verb;
  }
}

TEST_P(BetterWord, EachFormNamesTheManifest) {
  const Case c(GetParam());
  const std::string by_word = "according to model.manifest.json";
  for (const std::vector<std::string>& form : std::vector<std::vector<std::string>>{
           {"check"}, {"check", "-q"}, {"prove"}, {"prove", "-q"}}) {
    const bool is_check = form[0] == "check";
    const std::string next = is_check ? "pteproof trust " + c.file : "name it with --manifest";
    EXPECT_THAT(c.Run(form).out, AllOf(HasSubstr(by_word), HasSubstr(": " + next + "\n")));
    for (const std::string flag : {"--trust-manifests", "--no-manifest"}) {
      std::vector<std::string> with_flag = form;
      with_flag.push_back(flag);
      EXPECT_THAT(c.Run(with_flag).out, Not(HasSubstr("according to"))) << form[0];
    }
  }
  const std::string page = c.folder.path() + "/page.html";
  (void)c.Run({"check", "--html", page});
  EXPECT_THAT(ReadText(page), AllOf(HasSubstr(by_word + ", which settles "),
                                    HasSubstr(": pteproof trust " + c.file)));
  EXPECT_THAT(c.Run({"check", "--no-config"}).out, HasSubstr(by_word + ": name it with"));
}

TEST_P(BetterWord, MachinesReadWhoseWordItIs) {
  const Case c(GetParam());
  const Json found = Json::parse(c.Run({"check", "--json"}).out);
  const Json alone = Json::parse(c.Run({"check", "--json", "--no-manifest"}).out);
  const Json named = Json::parse(c.Run({"check", "--json", "--manifest", c.manifest}).out);
  EXPECT_EQ(found["verdict"], alone["verdict"]);
  EXPECT_EQ(found["trusted"], false);
  EXPECT_EQ(found["by_word"], named["verdict"]);
  EXPECT_EQ(named["trusted"], true);
  EXPECT_FALSE(named.contains("by_word"));
  EXPECT_EQ(alone["trusted"], nullptr);
  const Json sarif = Json::parse(c.Run({"check", "--sarif"}).out)["runs"][0];
  EXPECT_EQ(sarif["artifacts"][0]["properties"]["verdict"], alone["verdict"]);
  EXPECT_EQ(sarif["artifacts"][0]["properties"]["byWord"], named["verdict"]);
  EXPECT_EQ(sarif["invocations"][0]["exitCode"], GetParam().alone);
}

TEST_P(WorseWord, AFoundManifestMakesAVerdictWorse) {
  const Case c(GetParam());
  for (const std::string verb : {"check", "prove"}) {
    EXPECT_EQ(c.Run({verb, "--no-manifest"}).exit_code, GetParam().alone) << verb;
    EXPECT_EQ(c.Run({verb}).exit_code, GetParam().trusted) << verb;
    EXPECT_EQ(c.Run({verb, "--manifest", c.manifest}).exit_code, GetParam().trusted) << verb;
    EXPECT_THAT(c.Run({verb}).out, Not(HasSubstr("according to"))) << verb;
  }
}

INSTANTIATE_TEST_SUITE_P(Trust, BetterWord, testing::ValuesIn(kBetter),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Trust, WorseWord, testing::ValuesIn(kWorse),
                         [](const auto& info) { return info.param.name; });

const Word kAccepting = {"", "models/cond_pair/cond_pair.pte",
                         R"("suppress": [{"rule": "region-escape", "reason": "known"}])"};

TEST(Accepted, ErrorsStayErrorsInEveryForm) {
  const Case c(kAccepting);
  for (const std::string flag : {"--trust-manifests", "--all"}) {
    const CommandResult text = c.Run({"check", flag});
    EXPECT_THAT(text.out, AllOf(HasSubstr("model.pte: unsafe, 1 accepted"),
                                HasSubstr("    Accepted: known\n")));
    const Json json = Json::parse(c.Run({"check", "--json", flag}).out);
    EXPECT_EQ(json["verdict"], "unsafe");
    EXPECT_EQ(json["accepted"], 1);
    EXPECT_EQ(json["policies"]["private"], "unsafe");
    EXPECT_EQ(json["findings"][0]["suppressed"], "known");
    const std::string page = c.folder.path() + "/page.html";
    (void)c.Run({"check", flag, "--html", page});
    EXPECT_THAT(ReadText(page),
                AllOf(HasSubstr(">unsafe</span>, 1 accepted"), HasSubstr("Accepted: known"),
                      HasSubstr("class=\"number marked\"")));
  }
}

TEST(Accepted, AMapMarksAndCountsThem) {
  const Case c(kAccepting);
  EXPECT_THAT(c.Run({"map", "--text", "--trust-manifests"}).out,
              AllOf(HasSubstr("model.pte: unsafe, 1 accepted\n"), HasSubstr("error region-escape"),
                    HasSubstr("accepted\n")));
  EXPECT_THAT(c.Run({"map", "--text"}).out,
              HasSubstr("unsafe, 1 accepted according to model.manifest.json"));
  EXPECT_THAT(c.Run({"map", "--trust-manifests"}).out,
              AllOf(HasSubstr(">1 accepted<"), HasSubstr("class=\"badge\"")));
  EXPECT_THAT(c.Run({"map"}).out, HasSubstr(">1 accepted according to model.manifest.json: "));
  EXPECT_THAT(c.Run({"map", "--text", "--no-manifest"}).out, Not(HasSubstr("accepted")));
}

TEST(Accepted, AProofRefutesThem) {
  const Case c(kAccepting);
  EXPECT_THAT(
      c.Run({"prove", "--trust-manifests"}).out,
      AllOf(HasSubstr("model.pte: refuted, 4 accepted\n"),
            HasSubstr("    accepted: the manifest suppresses it\n"), HasSubstr("private: unsafe")));
  EXPECT_THAT(c.Run({"prove", "-q"}).out,
              StartsWith(c.file + ": refuted, 4 accepted according to model.manifest.json"));
  const Json json = Json::parse(c.Run({"prove", "--json", "--trust-manifests"}).out);
  EXPECT_EQ(json["verdict"], "refuted");
  EXPECT_EQ(json["accepted"], 4);
  EXPECT_EQ(json["trusted"], true);
}

TEST(Accepted, CountUnderTheLoaderInUse) {
  const Case c({"", "bugs/private-state/private-state.pte",
                R"("suppress": [{"rule": "state-clobbered", "reason": "known"}])"});
  const auto under = [&](const std::string& policy) {
    return c.Run({"check", "-q", "--trust-manifests", "--policy", policy}).out;
  };
  EXPECT_THAT(under("private"), Not(HasSubstr("accepted")));
  EXPECT_THAT(under("share-all"), HasSubstr(", 1 accepted"));
}

// The loader that it names is the worst one, and by its own word the error there is accepted.
TEST(Accepted, FailUnderTheLoaderThatAFoundManifestNames) {
  const Case c({"", "models/put_get/put_get.pte", R"("policy": "private",
      "suppress": [{"rule": "state-split", "reason": "known"}])"});
  EXPECT_EQ(c.Run({"check", "--no-manifest"}).exit_code, 3);
  EXPECT_EQ(c.Run({"check", "--trust-manifests"}).exit_code, 0);
  const CommandResult found = c.Run({"check"});
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_THAT(found.out, StartsWith(c.file + ": unsafe with C++ Module's default (private), 1 "
                                             "accepted according to model.manifest.json"));
}

TEST(Accepted, LeavesOtherErrors) {
  const Case c({"", "models/cond_pair/cond_pair.pte",
                R"("suppress": [{"rule": "plan-overlap", "reason": "known"}])"});
  for (const std::string verb : {"check", "prove"}) {
    const CommandResult result = c.Run({verb, "--trust-manifests"});
    EXPECT_EQ(result.exit_code, 1) << verb;
    EXPECT_THAT(result.out, Not(HasSubstr("accepted"))) << verb;
  }
}

TEST(Trust, FindingsOfTheFileAloneAreToldAsSuch) {
  const Case c(
      {"", "bugs/late-load/late-load.pte", R"("load": "all-first")", {"--policy", "share-1-2"}});
  EXPECT_THAT(c.Run({"check"}).out,
              AllOf(HasSubstr("error initialised-twice"),
                    HasSubstr("    Only without the manifest, which is not trusted.\n")));
  const Json json = Json::parse(c.Run({"check", "--json"}).out);
  for (const Json& finding : json["findings"]) {
    EXPECT_EQ(finding.contains("file_alone"), finding["rule"] == "initialised-twice") << finding;
  }
  EXPECT_THAT(c.Run({"prove"}).out,
              AllOf(HasSubstr("  without the manifest, which is not trusted:\n"),
                    HasSubstr("refuted initialised-twice")));
  const Json proof = Json::parse(c.Run({"prove", "--json", "--why"}).out);
  EXPECT_EQ(proof["by_word"], "proved");
  EXPECT_EQ(proof["obligations"].back()["file_alone"], true);
  EXPECT_EQ(proof["obligations"].back()["confirmed"], true);
  EXPECT_EQ(proof["obligations"].size(),
            proof["proved"].get<size_t>() + proof["refuted"].get<size_t>());
}

TEST(Trust, TheCommandsLoadStandsOverTheManifests) {
  const Case c({"",
                "bugs/late-load/late-load.pte",
                R"("load": "all-first")",
                {"--policy", "share-1-2", "--load", "lazy"}});
  for (const std::string verb : {"check", "prove"}) {
    EXPECT_EQ(c.Run({verb, "--trust-manifests"}).exit_code, 1) << verb;
  }
}

// Results of a delegate in an order that no exporter lists: one of them is taken for an operand
// that nothing made, or by the manifest for a result.
TEST(Trust, DelegatesOfAFoundManifestExcuseNothing) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t kept = b.Planned(1, 32, {8});
  b.Add(x, x, kept);
  for (const uint64_t offset : {80U, 112U}) b.Mul(kept, x, b.Planned(1, offset, {8}));
  const int32_t low = b.Planned(1, 128, {8});
  const int32_t high = b.Planned(1, 64, {8});
  b.Delegate({x, high, low});
  for (const int32_t v : {kept, low, high}) b.Output(v);
  const auto bytes = WriteProgram(ProgramOf({b.Build()}));
  ASSERT_TRUE(bytes.ok()) << bytes.error();
  const TempFolder folder;
  const std::string file = folder.Write(
      "model.pte", {reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()});
  (void)folder.Write("model.manifest.json", R"({"pteproof": 1, "methods": {"forward": {
      "delegates": [{"index": 0, "outputs": 2}]}}})");
  for (const std::string verb : {"check", "prove"}) {
    const int alone = RunCommand({verb, "--no-manifest", file}).exit_code;
    EXPECT_EQ(alone, 1) << verb;
    EXPECT_EQ(RunCommand({verb, file}).exit_code, alone) << verb;
    EXPECT_EQ(RunCommand({verb, "--trust-manifests", file}).exit_code, 0) << verb;
  }
}

TEST(Trust, RunsFollowTheWorseReading) {
  const Case best({"", "bugs/private-state/private-state.pte", R"("policy": "private")"});
  EXPECT_EQ(best.Run({"diff", "--trust-manifests"}).exit_code, 0);
  EXPECT_EQ(best.Run({"diff", "--no-manifest"}).exit_code, 1);
  const CommandResult found = best.Run({"diff"});
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_THAT(found.out, HasSubstr("agrees according to model.manifest.json: name it with "
                                   "--manifest\n"));
  const Case worst({"", "bugs/private-state/private-state.pte", R"("policy": "share-all")"});
  EXPECT_EQ(worst.Run({"run", "--mode", "tagged", "--no-manifest"}).exit_code, 0);
  EXPECT_EQ(worst.Run({"run", "--mode", "tagged", "--trust-manifests"}).exit_code, 1);
  const CommandResult tagged = worst.Run({"run", "--mode", "tagged"});
  EXPECT_EQ(tagged.exit_code, 1);
  EXPECT_THAT(tagged.out, HasSubstr("without model.manifest.json, which is not trusted:\n"));
}

TEST(Trust, RecordedCallsAreMadeTwiceOnlyForNamesOfState) {
  const std::string counter = kReal + "models/counter/counter.pte";
  EXPECT_THAT(RunCommand({"eval", counter}).out,
              HasSubstr("without counter.manifest.json, which is not trusted:\n"));
  for (const std::string flag : {"--no-manifest", "--trust-manifests"}) {
    EXPECT_THAT(RunCommand({"eval", flag, counter}).out, Not(HasSubstr("without"))) << flag;
  }
  const std::string named = kReal + "models/get_identity/get_identity.pte";
  EXPECT_THAT(RunCommand({"eval", named}).out, Not(HasSubstr("without")));
}

TEST(Trust, OneFlagAtATime) {
  const std::string file = kReal + "models/counter/counter.pte";
  for (const std::string verb : {"check", "prove", "map", "diff", "run", "eval"}) {
    EXPECT_EQ(RunCommand({verb, "--no-manifest", "--trust-manifests", file}).exit_code, 64) << verb;
    EXPECT_EQ(RunCommand({verb, "--no-manifest", "--manifest", "m.json", file}).exit_code, 64)
        << verb;
  }
}

TEST(Trust, ManyFilesAreCountedThatAManifestWouldBetter) {
  const Case c(kBetter.front());
  const CommandResult result = c.Run({"check", "-q", kReal + "models/counter/counter.pte"});
  EXPECT_THAT(result.out, HasSubstr("better according to a manifest: 1 (--trust-manifests)\n"));
}

}  // namespace
}  // namespace pteproof
