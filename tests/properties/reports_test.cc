// Programs made after public reports, each of which leaves something open: the check gives one of
// the verdicts that their recorded runs allow, and the proof gives the check's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "properties/manifest/fit.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "pteproof/manifest.h"
#include "pteproof/read.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

const std::string kFolder = PTEPROOF_CORPUS_DIR "/reports/";

// A file, alone or with its manifest, and per policy the verdicts that are right.
struct ReportedFile {
  std::string file;
  bool manifest = false;
  std::map<std::string, std::vector<std::string>> allowed;
};

void PrintTo(const ReportedFile& reported, std::ostream* out) {
  *out << reported.file;
}

std::vector<ReportedFile> ReportedFiles() {
  std::map<std::pair<std::string, bool>, ReportedFile> files;
  std::ifstream in(kFolder + "EXPECTED.json");
  for (const auto& row : nlohmann::json::parse(in)) {
    const bool manifest = row.at("manifest");
    const std::string name = row.at("file");
    ReportedFile& file = files[{name, manifest}];
    file.file = name;
    file.manifest = manifest;
    file.allowed[row.at("policy")] = row.at("allow").get<std::vector<std::string>>();
  }
  std::vector<ReportedFile> list;
  for (auto& [ignored, file] : files) list.push_back(std::move(file));
  return list;
}

std::string NameOfTest(const testing::TestParamInfo<ReportedFile>& info) {
  std::string name = info.param.file + (info.param.manifest ? "_with_manifest" : "");
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class ReportedPrograms : public testing::TestWithParam<ReportedFile> {};

TEST_P(ReportedPrograms, GetAVerdictThatTheirRunsAllow) {
  const ReportedFile& reported = GetParam();
  const auto expect = [&](Policy policy, std::string_view verdict) {
    const auto row = reported.allowed.find(std::string(Name(policy)));
    if (row == reported.allowed.end()) return;
    EXPECT_TRUE(std::ranges::find(row->second, verdict) != row->second.end())
        << Name(policy) << ": " << verdict;
  };
  const auto read = ReadProgramFile(kFolder + reported.file);
  if (!read.ok()) {
    for (int p = 0; p < kPolicyCount; ++p) expect(static_cast<Policy>(p), "malformed");
    return;
  }
  const Program& program = read.value().program;
  Manifest manifest;
  if (reported.manifest) {
    const std::string stem = reported.file.substr(0, reported.file.rfind('.'));
    auto parsed = ParseManifest(ReadText(kFolder + stem + ".manifest.json"));
    ASSERT_TRUE(parsed.ok());
    manifest = std::move(parsed).value();
    ASSERT_TRUE(CheckFit(manifest, program).empty());
  }
  const Manifest* stated = reported.manifest ? &manifest : nullptr;
  const Report report = Check(program, {stated, manifest.all_first.value_or(false)});
  proofs::ObligeOptions oblige;
  oblige.manifest = stated;
  oblige.all_first = manifest.all_first.value_or(false);
  const proofs::Proof proof = proofs::Prove(program, oblige, {});
  for (size_t p = 0; p < report.verdicts.size(); ++p) {
    expect(static_cast<Policy>(p), Name(report.verdicts[p]));
    EXPECT_EQ(Name(proof.verdicts[p]), Name(report.verdicts[p])) << Name(static_cast<Policy>(p));
  }
}

INSTANTIATE_TEST_SUITE_P(Reports, ReportedPrograms, testing::ValuesIn(ReportedFiles()), NameOfTest);

// A check that always doubts has done nothing.
TEST(RightReportedPrograms, AreMostlySafeIfTheyRunRight) {
  size_t right = 0;
  size_t safe = 0;
  for (const ReportedFile& reported : ReportedFiles()) {
    if (reported.manifest) continue;
    const auto read = ReadProgramFile(kFolder + reported.file);
    if (!read.ok()) continue;
    const Report report = Check(read.value().program, {});
    for (const auto& [policy, allowed] : reported.allowed) {
      if (allowed.front() != "safe") continue;
      ++right;
      for (size_t p = 0; p < report.verdicts.size(); ++p) {
        if (Name(static_cast<Policy>(p)) == policy && report.verdicts[p] == Verdict::kSafe) ++safe;
      }
    }
  }
  EXPECT_GE(right, 60U);
  EXPECT_GE(safe, 42U);
}

}  // namespace
}  // namespace pteproof
