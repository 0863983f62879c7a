#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

std::string CorpusFile(const std::string& name) {
  return std::string(PTEPROOF_CORPUS_DIR) + "/" + name;
}

TEST(CheckCertificate, ConfirmsOneFile) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.json";
  const std::string in = CorpusFile("real/bugs/cond-siblings/cond-siblings.pte");
  EXPECT_EQ(RunCommand({"check", "-q", "--certificate", out, in}).exit_code, 1);
  const std::string text = ReadText(out);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["claims"]["private"][0][0], "read");
  EXPECT_EQ(RunCommand({"check", "-q", "--certificate", out, in}).exit_code, 1);
  EXPECT_EQ(ReadText(out), text);
}

TEST(CheckCertificate, IsAFolderForSeveralFiles) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out";
  const std::string one = CorpusFile("public/add_model.pte");
  const std::string other = CorpusFile("real/models/put_get/put_get.pte");
  EXPECT_EQ(RunCommand({"check", "-q", "--certificate", out, one, other}).exit_code, 3);
  const auto safe = nlohmann::json::parse(ReadText(out + "/add_model.cert.json"));
  EXPECT_EQ(safe["claims"]["share-all"], "safe");
  EXPECT_TRUE(std::filesystem::exists(out + "/put_get.cert.json"));
}

TEST(CheckCertificate, ClaimsThePolicyThatIsAskedForAlone) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.json";
  const std::string in = CorpusFile("real/models/put_get/put_get.pte");
  const CommandResult result =
      RunCommand({"check", "-q", "--policy", "share-all", "--certificate", out, in});
  EXPECT_EQ(result.exit_code, 0);
  const auto json = nlohmann::json::parse(ReadText(out));
  EXPECT_EQ(json["claims"], (nlohmann::json{{"share-all", "safe"}}));
}

TEST(CheckCertificate, IsNotWrittenOfAnOpenVerdict) {
  const TempFolder folder;
  const std::string out = folder.path() + "/out.json";
  const std::string in = CorpusFile("real/models/map_in_cond/map_in_cond.pte");
  const CommandResult result = RunCommand({"check", "-q", "--certificate", out, in});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("no certificate"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(CheckCertificate, IsNotWrittenOfAProgramThatFreesMemory) {
  const TempFolder folder;
  const std::string in = folder.Write("frees.pteasm", R"(program
method forward(%x: float32[4] @1:0) {
  %a: float32[4] @1:16 = aten::neg.out(%x)
  %view: float32[4]
  executorch_prim::et_view.default(%a, [4], %view)
  %out: float32[4] @1:32 = aten::neg.out(%view)
  free %view
  return %out
}
)");
  const std::string out = folder.path() + "/out.json";
  const CommandResult result = RunCommand({"check", "-q", "--certificate", out, in});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("no certificate, as the program frees memory"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace pteproof
