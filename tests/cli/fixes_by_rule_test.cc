// The fixes of all findings on the programs of the corpus, by rule: a list to be read through for
// sentences that are wrong in some situation. PTEPROOF_UPDATE_DOCS=1 writes it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

const std::string kList = PTEPROOF_SOURCE_DIR "/tests/cli/fixes_by_rule.txt";

// Names, and lists of them, become "'...'".
std::string WithoutNames(const std::string& fix) {
  const std::string name = "'[^']*'";
  const std::regex names(name + "((, | or | and | of )" + name + ")*");
  return std::regex_replace(fix, names, "'...'");
}

TEST(FixesByRule, AreThoseOfTheList) {
  RecordProperty("slow", "reads every program of the corpus");
  std::istringstream reports(
      RunCommand({"check", "--trust-manifests", "--json", PTEPROOF_CORPUS_DIR "/real"}).out);
  std::set<std::string> lines;
  for (std::string report; std::getline(reports, report);) {
    const auto json = nlohmann::json::parse(report);
    for (const auto& finding : json["findings"]) {
      lines.insert(finding["rule"].get<std::string>() + ": " +
                   WithoutNames(finding["fix"].get<std::string>()) + "\n");
    }
  }
  std::string list;
  for (const std::string& line : lines) list += line;
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) std::ofstream(kList) << list;
  EXPECT_EQ(list, ReadText(kList));
}

}  // namespace
}  // namespace pteproof
