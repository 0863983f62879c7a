// The Modules of the corpus are well-formed and canonical, and say what they are about.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "reference/graph/format.h"
#include "reference/graph/print.h"
#include "reference/graph/validate.h"
#include "tests/support/files.h"

namespace pteproof::graph {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> ModuleFiles() {
  std::vector<fs::path> files = FilesBelow(fs::path(PTEPROOF_CORPUS_DIR) / "modules");
  std::erase_if(files, [](const fs::path& file) { return file.extension() != ".module"; });
  return files;
}

Module ModuleNamed(const std::string& name) {
  auto module = Parse(ReadText(fs::path(PTEPROOF_CORPUS_DIR) / "modules" / (name + ".module")));
  EXPECT_TRUE(module.ok()) << name;
  return module.ok() ? std::move(module).value() : Module{};
}

TEST(CorpusModules, AreThere) {
  EXPECT_GE(ModuleFiles().size(), 70U);
}

TEST(CorpusModules, AreWellFormed) {
  for (const fs::path& file : ModuleFiles()) {
    const auto module = Parse(ReadText(file));
    ASSERT_TRUE(module.ok()) << file << ":" << module.error().line << ": "
                             << module.error().message;
    EXPECT_THAT(Validate(module.value()), testing::IsEmpty()) << file;
    EXPECT_EQ(Parse(Print(module.value())).value(), module.value()) << file;
  }
}

TEST(CorpusModules, AreCanonical) {
  for (const fs::path& file : ModuleFiles()) {
    const std::string text = ReadText(file);
    const auto canonical = Format(text);
    ASSERT_TRUE(canonical.ok()) << file;
    EXPECT_EQ(canonical.value(), text) << file;
  }
}

void ExpectKnownOperators(const Region& region, const fs::path& file) {
  for (const Node& node : region.nodes) {
    if (node.kind == NodeKind::kCall) {
      EXPECT_NE(node.schema, nullptr) << file << ": " << node.op;
    }
    for (const Region& inner : node.regions) ExpectKnownOperators(inner, file);
  }
}

TEST(CorpusModules, CallOnlyOperatorsOfTheTable) {
  for (const fs::path& file : ModuleFiles()) {
    const Module module = ModuleNamed(file.stem().string());
    for (const Method& method : module.methods) ExpectKnownOperators(method.body, file);
  }
}

TEST(CorpusModules, OfTheCatalogueStateTheirNumber) {
  static const std::regex kName("catalogue_([0-9]+)_[a-z_]+");
  static const std::regex kAbout("# Catalogue ([0-9]+): .+");
  std::set<int> numbers;
  for (const fs::path& file : ModuleFiles()) {
    const std::string name = file.stem().string();
    if (!name.starts_with("catalogue")) continue;
    const std::string text = ReadText(file);
    const std::string line = text.substr(0, text.find('\n'));
    std::smatch in_name;
    std::smatch in_text;
    ASSERT_TRUE(std::regex_match(name, in_name, kName)) << name;
    ASSERT_TRUE(std::regex_match(line, in_text, kAbout)) << name;
    EXPECT_EQ(std::stoi(in_name[1]), std::stoi(in_text[1])) << name;
    numbers.insert(std::stoi(in_text[1]));
  }
  EXPECT_GE(numbers.size(), 58U);
}

TEST(CorpusModules, HoldTwentyCachesOfATranslator) {
  const Module module = ModuleNamed("translator");
  EXPECT_EQ(module.buffers.size(), 20U);
  for (const Buffer& buffer : module.buffers) EXPECT_TRUE(buffer.shared) << buffer.name;
  EXPECT_EQ(module.methods.size(), 2U);
}

TEST(CorpusModules, ShowDelegatesInTheirThreeRoles) {
  std::set<DelegateRole> roles;
  const Module module = ModuleNamed("delegates");
  for (const Method& method : module.methods) {
    for (const Node& node : method.body.nodes) {
      for (const DelegateBuffer& buffer : node.buffers) roles.insert(buffer.role);
    }
  }
  EXPECT_EQ(roles.size(), 3U);
}

}  // namespace
}  // namespace pteproof::graph
