// The verb `prove`: what it prints, and its exit codes.
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

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kSound = std::string(PTEPROOF_CORPUS_DIR) + "/real/models/put_get/put_get.pte";
const std::string kBroken =
    std::string(PTEPROOF_CORPUS_DIR) + "/real/bugs/cond-siblings/cond-siblings.pte";
const std::string kDims =
    std::string(PTEPROOF_CORPUS_DIR) + "/modules/catalogue_43_range_above_the_example.module";

TEST(Prove, SaysWhatIsProvedUnderTheLoaderInUse) {
  const auto run = RunCommand({"prove", "--policy", "share-all", kSound});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("put_get.pte: proved"),
                             HasSubstr("share-all (chosen): safe"), HasSubstr(" 0 unknown"),
                             HasSubstr("Z3 "), Not(HasSubstr("refuted state-split"))));
}

TEST(Prove, DependsOnTheLoaderWithoutOne) {
  const auto run = RunCommand({"prove", kSound});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, AllOf(HasSubstr("put_get.pte: depends"), HasSubstr("refuted state-split")));
}

TEST(Prove, TellsWhatRefutesAPlan) {
  const auto run = RunCommand({"prove", kBroken});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("cond-siblings.pte: refuted"), HasSubstr("refuted region-escape"),
                    HasSubstr("instruction 7"), HasSubstr("to show: ")));
}

TEST(Prove, TellsTheFactsThatARefutationNeeds) {
  const auto run = RunCommand({"prove", "--why", kBroken});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("sufficient facts, 7 of 43:\n"),
                    HasSubstr("\n      v8 begins at byte 0 of bank 1, of any length but 0\n"),
                    HasSubstr("\n      v2 is a name of v3's bytes before instruction 7\n"),
                    HasSubstr("\n      instruction 7 (aten::add.out) writes v8\n")));
  const auto json = RunCommand({"prove", "--why", "--json", kBroken});
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report["facts"], 43);
  size_t told = 0;
  for (const auto& obligation : report["obligations"]) {
    EXPECT_EQ(obligation.contains("enough"), obligation["answer"] == "refuted");
    if (!obligation.contains("enough")) continue;
    EXPECT_EQ(obligation["enough"]["facts"], 7);
    EXPECT_GE(obligation["enough"]["texts"].size(), 4U);
    ++told;
  }
  EXPECT_EQ(told, 4U);
}

TEST(Prove, TellsNoFactsUnasked) {
  EXPECT_THAT(RunCommand({"prove", kBroken}).out, Not(HasSubstr("sufficient facts")));
  EXPECT_THAT(RunCommand({"prove", "--json", kBroken}).out, Not(HasSubstr("\"enough\"")));
  EXPECT_THAT(RunCommand({"prove", "--why", "--policy", "share-all", kSound}).out,
              Not(HasSubstr("sufficient facts")));
  EXPECT_EQ(RunCommand({"prove", "--why", "--list", kBroken}).exit_code, 64);
}

TEST(Prove, ProvesModulesOverTheirDims) {
  const auto run = RunCommand({"prove", kDims});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr(": proved"));
  const auto list = RunCommand({"prove", "--list", kDims});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("16*forward.n <= 16384"));
}

TEST(Prove, TakesNoManifestAndNoSignaturesForAModule) {
  for (const std::string option : {"--manifest", "--operators"}) {
    const auto run = RunCommand({"prove", option, "none", kDims});
    EXPECT_EQ(run.exit_code, 64);
    EXPECT_THAT(run.err, HasSubstr(option + " is for programs"));
  }
}

TEST(Prove, AnyOrderAsksForMore) {
  EXPECT_EQ(RunCommand({"prove", "--policy", "share-all", kSound}).exit_code, 0);
  const auto run = RunCommand({"prove", "--policy", "share-all", "--order", "any", kSound});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("Only the order of the listing"));
}

// %1 needs %0, and %2 needs %1: data orders the second reader of %0 before the update.
TEST(Prove, StrictOrderAsksForASingleReader) {
  const TempFolder folder;
  const std::string module = folder.Write("m.module", R"(method f(%x: float32[4]) {
  %0: float32[4] = aten::neg.out(%x)
  %1: float32[4] = aten::exp.out(%0)
  %2: float32[4] = aten::mul.out(%0, %1) in_place(0)
  return %2
}
)");
  const std::string file = folder.path() + "/m.pte";
  ASSERT_EQ(RunCommand({"plan", module, "-o", file}).exit_code, 0);
  EXPECT_EQ(RunCommand({"prove", "--order", "any", file}).exit_code, 0);
  const auto run = RunCommand({"prove", "--order", "strict", file});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, AllOf(HasSubstr("Instruction 2 (aten::mul.out)"),
                             HasSubstr("instruction 1 (aten::exp.out) reads")));
}

// The check judges the file's order: it has no say in others.
TEST(Prove, AsksNoConfirmationOfWhatHoldsInOtherOrdersOnly) {
  for (const std::string model : {"put_get", "counter", "map_in_cond"}) {
    const std::string file =
        std::string(PTEPROOF_CORPUS_DIR) + "/real/models/" + model + "/" + model + ".pte";
    const auto run = RunCommand({"prove", "--order", "any", file});
    EXPECT_THAT(run.out,
                AllOf(HasSubstr("Only the order of the listing"), Not(HasSubstr("not confirmed"))))
        << file;
    const auto json =
        nlohmann::json::parse(RunCommand({"prove", "--json", "--order", "any", file}).out);
    for (const auto& obligation : json["obligations"]) {
      if (obligation["answer"] != "refuted" || !obligation.contains("confirmed")) continue;
      EXPECT_NE(obligation["kind"], "in-place-single-use") << obligation;
      EXPECT_TRUE(obligation["confirmed"]) << obligation;
    }
  }
}

// A reading that is left open refutes nothing.
TEST(Prove, CallsWhatLeavesTwoReadingsUndecided) {
  const std::string file =
      std::string(PTEPROOF_CORPUS_DIR) + "/real/models/map_in_cond/map_in_cond.pte";
  const auto run = RunCommand({"prove", file});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("map_in_cond.pte: undecided"), HasSubstr("  undecided "),
                    HasSubstr(" 0 refuted, 1 undecided, 0 unknown"), Not(HasSubstr("  refuted "))));
  const auto json = nlohmann::json::parse(RunCommand({"prove", "--json", file}).out);
  EXPECT_EQ(json["verdict"], "undecided");
  EXPECT_EQ(json["refuted"], 0);
  EXPECT_EQ(json["undecided"], 1);
}

TEST(Prove, WritesJson) {
  const auto run = RunCommand({"prove", "--json", kSound});
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["verdict"], "depends");
  EXPECT_EQ(json["unknown"], 0);
  EXPECT_EQ(json["pairs"], json["swept"]);
  EXPECT_EQ(json["obligations"].size(),
            json["proved"].get<size_t>() + json["refuted"].get<size_t>());
  EXPECT_EQ(json["policies"]["private"], "unsafe");
  for (const auto& obligation : json["obligations"]) {
    if (obligation["answer"] == "refuted") EXPECT_TRUE(obligation["confirmed"]) << obligation;
  }
}

TEST(Prove, BothSolversAgreeAndQueriesAreWritten) {
  const TempFolder folder;
  const auto run = RunCommand(
      {"prove", "--solver", "both", "--smt", folder.path(), "--policy", "share-all", kSound});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("and cvc5"));
  const auto queries = FilesBelow(folder.path() + "/put_get");
  ASSERT_FALSE(queries.empty());
  EXPECT_THAT(ReadText(queries.front()), AllOf(HasSubstr("(set-logic"), HasSubstr("(check-sat)")));
}

TEST(Prove, ProvesThePlannersCode) {
  RecordProperty("slow", "asks a solver");
  const auto run = RunCommand({"prove", "--planner", "--storages", "2"});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("proved first-fit"), HasSubstr("as expected: this variant is wrong"),
                    HasSubstr(" 0 cut or unknown")));
}

TEST(Prove, RefusesWhatIsNoProgram) {
  const TempFolder folder;
  EXPECT_EQ(RunCommand({"prove", folder.path() + "/none.pte"}).exit_code, 66);
  EXPECT_EQ(RunCommand({"prove"}).exit_code, 64);
  const auto no_folder = RunCommand({"prove", "--smt", folder.Write("file", ""), kSound});
  EXPECT_EQ(no_folder.exit_code, 64);
  EXPECT_THAT(no_folder.err, HasSubstr("name another folder with --smt"));
}

}  // namespace
}  // namespace pteproof
