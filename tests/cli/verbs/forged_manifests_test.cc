// A stranger writes a program and the manifest beside it. Whatever that claims, `check` comes to no
// better verdict and no better exit code than of the file alone, also where a config trusts another
// manifest, or other bytes of this one. PTEPROOF_FORGED_FILES=all takes every file of the corpus.
#include "tests/cli/verbs/forged_manifests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/io/hosted.h"
#include "cli/verbs/check_command.h"
#include "pteproof/manifest.h"
#include "pteproof/read.h"
#include "runtime/sha256.h"
#include "tests/support/counts.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kNoConfig = "";

Bytes BytesOfText(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// What `check` says of a program in memory.
struct Judged {
  ExitCode code = ExitCode::kInternal;
  Json report;

  [[nodiscard]] int rank() const { return RankOf(report["verdict"]); }
  [[nodiscard]] int rank(const std::string& policy) const {
    return report.contains("policies") ? RankOf(report["policies"][policy]) : RankOf("");
  }

  static int RankOf(const Json& verdict) {
    if (verdict == "safe") return 0;
    if (verdict == "undecided" || verdict == "depends") return 1;
    return verdict == "unsafe" ? 2 : 3;
  }
};

Judged CheckInMemory(Bytes program, const std::string* manifest, const std::string& config) {
  Hosted host;
  host.files["m.pte"] = program;
  if (manifest != nullptr) host.files["m.manifest.json"] = BytesOfText(*manifest);
  host.files["pteproof.toml"] = BytesOfText(config);
  HostOfThread() = &host;
  CheckRequest request;
  request.files = {"m.pte"};
  request.form = OutputForm::kJson;
  request.jobs = 1;
  request.standard.no_config = config.empty();
  if (!config.empty()) request.standard.config = "pteproof.toml";
  Judged judged;
  judged.code = RunCheck(request);
  HostOfThread() = nullptr;
  judged.report = Json::parse(host.output, nullptr, false);
  return judged;
}

std::string EntryOf(const std::string& manifest, const std::string& sha256) {
  return "[[trust]]\nmanifest = \"" + manifest + "\"\nsha256 = \"" + sha256 + "\"\n";
}

// Configs that do not trust this manifest, and one that names it with the hash of another.
std::vector<std::string> ConfigsAgainst(const std::string& manifest) {
  const std::string sha256 = Sha256Hex(BytesOfText(manifest));
  return {kNoConfig, EntryOf("other.manifest.json", sha256),
          EntryOf("m.manifest.json", std::string(64, '1'))};
}

void ExpectNoBetter(const Judged& forged, const Judged& alone, const std::string& where) {
  EXPECT_EQ(Worse(forged.code, alone.code), forged.code) << where;
  EXPECT_GE(forged.rank(), alone.rank()) << where;
  for (const std::string policy : {"private", "share-1-2", "share-all"}) {
    EXPECT_GE(forged.rank(policy), alone.rank(policy)) << where << " " << policy;
  }
}

// Every file, or each that stands at a multiple of a step, so that each folder has its share.
std::vector<std::string> ProgramFiles() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(PTEPROOF_CORPUS_DIR)) {
    const fs::path ending = entry.path().extension();
    if (ending == ".pte" || ending == ".bpte") files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  const size_t step = IsCampaign() ? 12 : 36;
  std::vector<std::string> some;
  for (size_t i = 0; i < files.size(); i += step) some.push_back(files[i]);
  return some;
}

// How often each forgery was read as a manifest of the program, and would have bettered a verdict.
struct Counts {
  int read = 0;
  int better = 0;
};

void TryForgeries(const std::string& file, std::map<std::string, Counts>& counts) {
  const std::string content = ReadText(file);
  const Bytes bytes = BytesOfText(content);
  const Judged alone = CheckInMemory(bytes, nullptr, kNoConfig);
  const auto program = ReadPackedProgram(bytes);
  const Program none;
  for (const ForgedManifest& forged :
       ForgedManifests(program.ok() ? program.value() : none, bytes)) {
    for (const std::string& config : ConfigsAgainst(forged.text)) {
      const Judged found = CheckInMemory(bytes, &forged.text, config);
      ExpectNoBetter(found, alone, file + ": " + forged.name + "\n" + config);
      if (!config.empty()) continue;
      Counts& count = counts[forged.name];
      count.read += found.rank() < Judged::RankOf("");
      count.better += found.report.contains("by_word");
    }
  }
}

TEST(ForgedManifest, BettersNoVerdictAndNoExitCode) {
  RecordProperty("slow", "judges many programs, each with many manifests");
  std::map<std::string, Counts> counts;
  const std::vector<std::string> files = ProgramFiles();
  ASSERT_GE(files.size(), IsCampaign() ? 90U : 30U);
  for (const std::string& file : files) TryForgeries(file, counts);
  // Each is read for some programs, except those that must not be; and some would be believed.
  int better = 0;
  for (const auto& [name, count] : counts) {
    const bool wrong = name.find("another file") != std::string::npos || name == "an unknown key";
    EXPECT_EQ(count.read > 0, !wrong) << name;
    better += count.better;
  }
  EXPECT_GT(better, IsCampaign() ? 50 : 20);
}

TEST(ForgedManifest, IsBelievedIfItIsTheOneThatTheConfigTrusts) {
  const std::string content =
      ReadText(PTEPROOF_CORPUS_DIR "/real/bugs/private-state/private-state.pte");
  const std::string manifest = R"({"pteproof": 1, "policy": "private"})";
  const Bytes bytes = BytesOfText(content);
  EXPECT_EQ(CheckInMemory(bytes, &manifest, kNoConfig).code, ExitCode::kUndecided);
  const std::string trusted = EntryOf("m.manifest.json", Sha256Hex(BytesOfText(manifest)));
  EXPECT_EQ(CheckInMemory(bytes, &manifest, trusted).code, ExitCode::kSafe);
}

}  // namespace
}  // namespace pteproof
