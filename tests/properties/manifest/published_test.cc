// What is published of the format, against the parser: the JSON Schema, the documentation's example
// and the manifests of exported programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/manifest/keys.h"
#include "pteproof/manifest.h"
#include "pteproof/rules.h"
#include "tests/support/collection.h"

namespace pteproof {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const fs::path kSource = PTEPROOF_SOURCE_DIR;

std::string TextOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

Json Schema() {
  return Json::parse(TextOf(kSource / "properties/manifest.schema.json"));
}

std::vector<std::string> PropertyNames(const Json& schema) {
  std::vector<std::string> out;
  for (const auto& [name, unused] : schema.at("properties").items()) out.push_back(name);
  return out;
}

std::vector<std::string> Sorted(std::span<const std::string_view> keys) {
  std::vector<std::string> out(keys.begin(), keys.end());
  std::sort(out.begin(), out.end());
  return out;
}

void ExpectParses(const std::string& text, const std::string& name) {
  const auto result = ParseManifest(text);
  if (result) return;
  for (const ManifestError& error : result.error()) {
    ADD_FAILURE() << name << ": " << error.where << ": " << error.what;
  }
}

// Parses each *.manifest.json below the folder; returns how many there were.
int ExpectAllParse(const fs::path& folder) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.path().filename().string().ends_with(".manifest.json")) continue;
    ExpectParses(TextOf(entry.path()), entry.path().string());
    ++count;
  }
  return count;
}

TEST(ManifestSchema, HasTheKeysThatTheParserKnows) {
  const Json schema = Schema();
  const Json& defs = schema.at("$defs");
  EXPECT_EQ(PropertyNames(schema), Sorted(manifest_keys::kTop));
  EXPECT_EQ(PropertyNames(defs.at("buffer")), Sorted(manifest_keys::kBuffer));
  EXPECT_EQ(PropertyNames(defs.at("method")), Sorted(manifest_keys::kMethod));
  EXPECT_EQ(PropertyNames(defs.at("input")), Sorted(manifest_keys::kInput));
  EXPECT_EQ(PropertyNames(defs.at("range")), Sorted(manifest_keys::kRange));
  EXPECT_EQ(PropertyNames(defs.at("dim")), Sorted(manifest_keys::kDim));
  EXPECT_EQ(PropertyNames(defs.at("output")), Sorted(manifest_keys::kOutput));
  EXPECT_EQ(PropertyNames(defs.at("delegate")), Sorted(manifest_keys::kDelegate));
  EXPECT_EQ(PropertyNames(defs.at("suppression")), Sorted(manifest_keys::kSuppression));
}

TEST(ManifestSchema, RefusesOtherKeysInEachObject) {
  const Json schema = Schema();
  EXPECT_EQ(schema.at("additionalProperties"), false);
  for (const auto& [name, def] : schema.at("$defs").items()) {
    if (!def.contains("properties")) continue;
    EXPECT_EQ(def.at("additionalProperties"), false) << name;
  }
}

TEST(ManifestSchema, ListsAllDtypes) {
  std::vector<std::string> expected;
  for (int i = 0; IsScalarType(i); ++i) expected.emplace_back(Name(static_cast<ScalarType>(i)));
  EXPECT_THAT(Schema().at("$defs").at("dtype").at("enum").get<std::vector<std::string>>(),
              ::testing::UnorderedElementsAreArray(expected));
}

TEST(ManifestSchema, ListsAllRulesThatCanBeSuppressed) {
  std::vector<std::string> expected;
  for (const RuleInfo& rule : PlanRules()) expected.emplace_back(rule.name);
  const Json schema = Schema();
  const Json& defs = schema.at("$defs");
  EXPECT_THAT(defs.at("rule").at("enum").get<std::vector<std::string>>(),
              ::testing::UnorderedElementsAreArray(expected));
  EXPECT_EQ(defs.at("suppression").at("properties").at("rule").at("$ref"), "#/$defs/rule");
}

TEST(ManifestSchema, AllowsTheWordsThatTheParserAllows) {
  const Json schema = Schema();
  const Json& top = schema.at("properties");
  const Json& buffer = schema.at("$defs").at("buffer").at("properties");
  for (const Json& word : top.at("policy").at("enum")) {
    ExpectParses(Json{{"pteproof", 1}, {"policy", word}}.dump(), word);
  }
  for (const Json& word : top.at("load").at("enum")) {
    ExpectParses(Json{{"pteproof", 1}, {"load", word}}.dump(), word);
  }
  for (const Json& word : buffer.at("initial").at("enum")) {
    const Json buffers = {{"s", {{"initial", word}}}};
    ExpectParses(Json{{"pteproof", 1}, {"buffers", buffers}}.dump(), word);
  }
  for (const Json& word : schema.at("$defs").at("rule").at("enum")) {
    const Json suppress = {{{"rule", word}, {"reason", "known"}}};
    ExpectParses(Json{{"pteproof", 1}, {"suppress", suppress}}.dump(), word);
  }
}

TEST(ManifestDocs, ShowAnExampleThatUsesEveryKeyAndParses) {
  const std::string text = TextOf(kSource / "docs/reference/manifest.md");
  const std::string start = "```json\n";
  const size_t begin = text.find(start) + start.size();
  const size_t end = text.find("```", begin);
  ASSERT_NE(end, std::string::npos);
  const std::string example = text.substr(begin, end - begin);
  ExpectParses(example, "docs/reference/manifest.md");
  for (const auto& keys : {Sorted(manifest_keys::kTop), Sorted(manifest_keys::kBuffer),
                           Sorted(manifest_keys::kMethod), Sorted(manifest_keys::kDim)}) {
    for (const std::string& key : keys) {
      EXPECT_THAT(example, ::testing::HasSubstr("\"" + key + "\":"));
    }
  }
}

class ManifestCorpus : public testing::TestWithParam<fs::path> {};

TEST_P(ManifestCorpus, Parses) {
  EXPECT_GE(ExpectAllParse(GetParam()), 10);
}

INSTANTIATE_TEST_SUITE_P(Own, ManifestCorpus,
                         testing::Values(fs::path(PTEPROOF_CORPUS_DIR) / "manifests"),
                         NameOfFolder);
INSTANTIATE_TEST_SUITE_P(Collection, ManifestCorpus,
                         testing::ValuesIn(InCollection("corpus/exported")), NameOfFolder);

}  // namespace
}  // namespace pteproof
