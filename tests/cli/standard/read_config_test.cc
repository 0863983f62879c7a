// Every key of pteproof.toml, every wrong value, and the published schema against the reader.
#include "cli/standard/read_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/standard/config_keys.h"
#include "cli/standard/toml_tree.h"
#include "pteproof/rules.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;
using Json = nlohmann::json;

constexpr std::string_view kWhole = R"(policy = "share-all"
load = "all-first"
trust-manifests = true
operators = ["own.txt"]
data = ["../weights.ptd", "/data/more.ptd"]
select = ["plan-overlap", "plan-waste"]
ignore = ["phantom-slot"]
fail-on = ["error", "warning"]
max-bytes = ["1MiB", "forward:1=4096"]
max-waste = "5%"
baseline = "known.json"

[severity]
plan-waste = "warning"

[[suppress]]
rule = "state-split"
method = "decode"
path = "models/*.pte"
reason = "decode is never called alone"

[[path]]
glob = "old/**"
policy = "private"
ignore = ["plan-waste"]
severity = { self-copy = "error" }
max-bytes = 8192
max-waste = [0]
)";

std::vector<std::string> ErrorsOf(std::string_view text) {
  const auto config = ReadConfig(text, "ci/pteproof.toml");
  std::vector<std::string> errors;
  if (config.ok()) return errors;
  for (const ManifestError& error : config.error())
    errors.push_back(error.where + ": " + error.what);
  return errors;
}

TEST(Config, HasEveryKey) {
  const auto read = ReadConfig(kWhole, "ci/pteproof.toml");
  ASSERT_TRUE(read.ok()) << ErrorsOf(kWhole).front();
  const Standard& standard = read.value();
  EXPECT_EQ(standard.source, "ci/pteproof.toml");
  EXPECT_THAT(standard.folder, EndsWith("/ci"));
  EXPECT_EQ(standard.policy, Policy::kShareAll);
  EXPECT_EQ(standard.all_first, true);
  EXPECT_TRUE(standard.trust_manifests);
  EXPECT_THAT(standard.operators, ElementsAre("ci/own.txt"));
  EXPECT_THAT(standard.data, ElementsAre("weights.ptd", "/data/more.ptd"));
  EXPECT_THAT(*standard.select, ElementsAre("plan-overlap", "plan-waste"));
  EXPECT_THAT(standard.ignore, ElementsAre("phantom-slot"));
  EXPECT_TRUE(standard.fail_on.error && standard.fail_on.warning);
  EXPECT_FALSE(standard.fail_on.undecided || standard.fail_on.depends);
  ASSERT_EQ(standard.max_bytes.size(), 2U);
  EXPECT_EQ(standard.max_bytes[0].most, 1048576U);
  EXPECT_EQ(standard.max_bytes[1].method, "forward");
  ASSERT_EQ(standard.max_waste.size(), 1U);
  EXPECT_TRUE(standard.max_waste[0].percent);
  EXPECT_EQ(standard.baseline, "ci/known.json");
  EXPECT_EQ(standard.severity.at("plan-waste"), Severity::kWarning);
}

TEST(Config, HasSuppressionsAndPaths) {
  const auto read = ReadConfig(kWhole, "pteproof.toml");
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().suppress.size(), 1U);
  const KnownRule& known = read.value().suppress[0];
  EXPECT_EQ(known.rule, "state-split");
  EXPECT_EQ(known.method, "decode");
  EXPECT_EQ(known.glob, "models/*.pte");
  EXPECT_EQ(known.reason, "decode is never called alone");
  EXPECT_EQ(known.line, 16U);
  ASSERT_EQ(read.value().paths.size(), 1U);
  const PathRule& path = read.value().paths[0];
  EXPECT_EQ(path.glob, "old/**");
  EXPECT_EQ(path.policy, Policy::kPrivate);
  EXPECT_THAT(path.ignore, ElementsAre("plan-waste"));
  EXPECT_EQ(path.severity.at("self-copy"), Severity::kError);
  EXPECT_EQ(path.max_bytes.at(0).most, 8192U);
  EXPECT_EQ(path.max_waste.at(0).most, 0U);
}

TEST(Config, IsTheDefaultIfItIsEmpty) {
  const auto read = ReadConfig("", "pteproof.toml");
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read.value().policy || read.value().all_first || read.value().select);
  EXPECT_TRUE(read.value().fail_on.error && read.value().fail_on.undecided);
  EXPECT_TRUE(read.value().fail_on.depends && !read.value().fail_on.warning);
}

struct WrongText {
  std::string text;
  std::string where;
  std::string what;
};

TEST(Config, SaysWhereAWrongValueIsAndWhatMayStandThere) {
  for (const WrongText& wrong : std::vector<WrongText>{
           {"polizy = 1", "1: /polizy", "unknown key \"polizy\"; a config has policy, load"},
           {"\npolicy = \"shared\"", "2: /policy", "one of private, share-1-2, share-all"},
           {"load = true", "1: /load", "one of lazy, all-first"},
           {"trust-manifests = \"yes\"", "1: /trust-manifests", "expected true or false"},
           {"operators = \"own.txt\"", "1: /operators", "expected a list of files"},
           {"operators = [\"\"]", "1: /operators/0", "is empty"},
           {"data = [\"-\"]", "1: /data/0", "a config names files, not standard input"},
           {"data = [1]", "1: /data/0", "a file: a string"},
           {"select = \"plan-waste\"", "1: /select", "expected a list of rules"},
           {"select = [\"plan-wast\"]", "1: /select/0", "a rule of memory plans is one of"},
           {"ignore = [\"file-header\"]", "1: /ignore/0", "a rule of memory plans is one of"},
           {"fail-on = \"error\"", "1: /fail-on", "expected a list of what fails"},
           {"fail-on = [\"note\"]", "1: /fail-on/0", "one of error, warning, undecided, depends"},
           {"max-bytes = -1", "1: /max-bytes", "expected bytes"},
           {"max-bytes = 1.5", "1: /max-bytes", "expected bytes"},
           {"max-bytes = \"5%\"", "1: /max-bytes", "is not a size"},
           {"max-bytes = [\"a:0=1\"]", "1: /max-bytes/0", "does not name memory"},
           {"max-waste = \"101%\"", "1: /max-waste", "a percentage from 0% to 100%"},
           {"max-waste = {}", "1: /max-waste", "expected bytes"},
           {"severity = \"error\"", "1: /severity", "a table from rules to severities"},
           {"[severity]\nplan = \"error\"", "2: /severity/plan", "unknown rule \"plan\""},
           {"[severity]\nplan-waste = \"off\"", "2: /severity/plan-waste",
            "one of note, warning, error"},
           {"baseline = 1", "1: /baseline", "a file: a string"},
           {"baseline = \"-\"", "1: /baseline", "not standard input"},
           {"suppress = 1", "1: /suppress", "a list of suppressions"},
           {"[[suppress]]\nreason = \"x\"", "1: /suppress/0/rule", "missing; name the rule"},
           {"[[suppress]]\nrule = \"plan-waste\"", "1: /suppress/0/reason", "missing; say why"},
           {"[[suppress]]\nrule = \"plan-waste\"\nreason = \" \"", "3: /suppress/0/reason",
            "is blank"},
           {"[[suppress]]\nrule = \"plan-waste\"\nreason = \"x\"\nmethod = 1",
            "4: /suppress/0/method", "a method: a string"},
           {"[[suppress]]\nrule = \"plan-waste\"\nreason = \"x\"\npath = \"\"",
            "4: /suppress/0/path", "is empty"},
           {"[[suppress]]\nrule = \"plan-waste\"\nreason = \"x\"\nfile = \"a\"",
            "4: /suppress/0/file", "a suppression has rule, method, path, reason"},
           {"trust = 1", "1: /trust", "a list of manifests"},
           {"trust = [1]", "1: /trust/0", "an entry of trust: an object with keys among manifest"},
           {"[[trust]]\nsha256 = \"" + std::string(64, 'a') + "\"", "1: /trust/0/manifest",
            "missing; name the file"},
           {"[[trust]]\nmanifest = \"a\"", "1: /trust/0/sha256", "missing; say which bytes"},
           {"[[trust]]\nmanifest = \"a\"\nsha256 = \"12\"", "3: /trust/0/sha256",
            "64 hexadecimal digits"},
           {"[[trust]]\nmanifest = \"-\"\nsha256 = \"" + std::string(64, 'a') + "\"",
            "2: /trust/0/manifest", "not standard input"},
           {"[[trust]]\nmanifest = \"a\"\npolicy = \"all\"\nsha256 = \"" + std::string(64, 'a') +
                "\"",
            "3: /trust/0/policy", "a policy is one of"},
           {"[[trust]]\nmanifest = \"a\"\nprogram = \"b\"\nsha256 = \"" + std::string(64, 'a') +
                "\"",
            "3: /trust/0/program", "has manifest, sha256, policy"},
           {"[[trust]]\nmanifest = \"a\"\nsha256 = \"" + std::string(64, 'a') +
                "\"\n[[trust]]\nmanifest = \"./a\"\nsha256 = \"" + std::string(64, 'b') + "\"",
            "4: /trust/1", "the manifest of ci/pteproof.toml:1 again"},
           {"path = [1]", "1: /path/0", "a path: an object with keys among glob"},
           {"[[path]]\npolicy = \"private\"", "1: /path/0/glob", "missing; say which files"},
           {"[[path]]\nglob = \"\"", "2: /path/0/glob", "is empty"},
           {"[[path]]\nglob = \"a\"\npolicy = 1", "3: /path/0/policy", "a policy is one of"},
           {"[[path]]\nglob = \"a\"\nignore = [1]", "3: /path/0/ignore/0",
            "a rule of memory plans"},
           {"[[path]]\nglob = \"a\"\nselect = []", "3: /path/0/select", "a path has glob, policy"},
           {"[[path]]\nglob = \"a\"\nmax-bytes = true", "3: /path/0/max-bytes", "expected bytes"},
           {"[[path]]\nglob = \"a\"\nmax-waste = true", "3: /path/0/max-waste", "expected bytes"},
           {"[[path]]\nglob = \"a\"\n[path.severity]\nx = \"note\"", "4: /path/0/severity/x",
            "unknown rule"}}) {
    const std::vector<std::string> errors = ErrorsOf(wrong.text);
    ASSERT_EQ(errors.size(), 1U) << wrong.text;
    EXPECT_THAT(errors[0], HasSubstr("ci/pteproof.toml:" + wrong.where + ": "));
    EXPECT_THAT(errors[0], HasSubstr(wrong.what));
  }
}

TEST(Config, ListsAllErrors) {
  EXPECT_EQ(ErrorsOf("policy = 1\nload = 2\nignore = [3, 4]").size(), 4U);
}

TEST(Config, SaysWhereItIsNotToml) {
  EXPECT_THAT(ErrorsOf("policy = \n").front(), HasSubstr("ci/pteproof.toml: line 1 column"));
  EXPECT_THAT(ErrorsOf("load = \"lazy\"\nload = \"lazy\"").front(), HasSubstr("is not TOML"));
  EXPECT_THAT(ErrorsOf(std::string_view("policy = \"\xff\"")).front(), HasSubstr("is not TOML"));
  EXPECT_THAT(ErrorsOf("policy = 2026-01-31").front(), HasSubstr("is the string \"2026-01-31\""));
}

TEST(Config, RefusesTextsThatAreTooLargeOrTooDeep) {
  EXPECT_THAT(ErrorsOf(std::string(kMostTomlBytes + 1, ' ')).front(), HasSubstr("at most 65536"));
  std::string dotted = "a";
  for (size_t i = 0; i <= kMostTomlDots; ++i) dotted += ".a";
  EXPECT_THAT(ErrorsOf(dotted + " = 1").front(), HasSubstr("more than 2000 dots"));
  EXPECT_THAT(ErrorsOf(dotted.substr(0, kMostTomlDots * 2 - 1) + " = 1").front(),
              HasSubstr("is nested deeper than 32 levels"));
  EXPECT_FALSE(ErrorsOf("a = " + std::string(10'000, '[')).empty());
}

Json Schema() {
  return Json::parse(ReadText(PTEPROOF_SOURCE_DIR "/cli/standard/config.schema.json"));
}

std::vector<std::string> PropertiesOf(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : object.at("properties").items()) names.push_back(name);
  EXPECT_EQ(object.at("additionalProperties"), false);
  return names;
}

TEST(ConfigSchema, HasTheKeysThatTheReaderKnows) {
  const Json schema = Schema();
  EXPECT_THAT(PropertiesOf(schema), UnorderedElementsAreArray(config_keys::kTop));
  EXPECT_THAT(PropertiesOf(schema["$defs"]["path"]), UnorderedElementsAreArray(config_keys::kPath));
  EXPECT_THAT(PropertiesOf(schema["$defs"]["suppression"]),
              UnorderedElementsAreArray(config_keys::kSuppress));
  EXPECT_THAT(PropertiesOf(schema["$defs"]["trusted"]),
              UnorderedElementsAreArray(config_keys::kTrust));
}

TEST(ConfigSchema, HasTheRulesOfMemoryPlans) {
  std::vector<std::string> rules;
  for (const RuleInfo& rule : PlanRules()) rules.emplace_back(rule.name);
  EXPECT_EQ(Schema()["$defs"]["rule"]["enum"], Json(rules));
}

// Words, and keys that must be there: the reader takes them as the schema has them.
TEST(ConfigSchema, HasTheWordsThatTheReaderTakes) {
  const Json schema = Schema();
  const auto expect_taken = [](const std::string& before, const Json& words,
                               const std::string& after) {
    for (const Json& word : words) {
      const std::string text = before + word.dump() + after;
      EXPECT_TRUE(ErrorsOf(text).empty()) << text;
    }
  };
  expect_taken("policy = ", schema["$defs"]["policy"]["enum"], "");
  EXPECT_EQ(schema["$defs"]["policy"]["enum"].size(), static_cast<size_t>(kPolicyCount));
  expect_taken("load = ", schema["properties"]["load"]["enum"], "");
  expect_taken("fail-on = [", schema["properties"]["fail-on"]["items"]["enum"], "]");
  EXPECT_EQ(schema["properties"]["fail-on"]["items"]["enum"].size(), kFailOnWords.size());
  expect_taken("severity = { plan-waste = ",
               schema["$defs"]["severity"]["additionalProperties"]["enum"], " }");
  EXPECT_THAT(schema["$defs"]["suppression"]["required"], ElementsAre("rule", "reason"));
  EXPECT_THAT(schema["$defs"]["path"]["required"], ElementsAre("glob"));
  EXPECT_THAT(schema["$defs"]["trusted"]["required"], ElementsAre("manifest", "sha256"));
}

// The page shows one config with every key.
TEST(ConfigPage, ShowsAConfigThatUsesEveryKey) {
  const std::string page = ReadText(PTEPROOF_SOURCE_DIR "/docs/reference/gate.md");
  const size_t begin = page.find("```toml\n") + 8;
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  EXPECT_TRUE(ErrorsOf(example).empty()) << ErrorsOf(example).front();
  ManifestErrors errors;
  const TomlTree tree = ParseToml(example, errors);
  const auto has_all = [](const Json& object, std::span<const std::string_view> keys) {
    for (const std::string_view key : keys) EXPECT_TRUE(object.contains(std::string(key))) << key;
  };
  has_all(tree.tree, config_keys::kTop);
  has_all(tree.tree["path"][0], config_keys::kPath);
  has_all(tree.tree["suppress"][0], config_keys::kSuppress);
  has_all(tree.tree["trust"][0], config_keys::kTrust);
}

}  // namespace
}  // namespace pteproof
