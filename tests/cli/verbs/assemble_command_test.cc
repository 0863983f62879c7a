// `pteproof assemble`, and programs as text for other verbs, from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kCorpusFolder = PTEPROOF_CORPUS_DIR;
const std::string kCounterText = kCorpusFolder + "/pteasm/counter.pteasm";
const std::string kMarian = kCorpusFolder + "/real/models/marian/marian.pte";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(AssembleCommand, WritesTheProgram) {
  const TempFolder folder;
  const std::string made = folder.path() + "/counter.pte";
  const CommandResult result = RunCommand({"assemble", kCounterText, "-o", made});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_THAT(RunCommand({"check", "-q", made}).out, HasSubstr(": safe"));
}

TEST(AssembleCommand, ReadsStandardInputAndWritesStandardOutput) {
  const TempFolder folder;
  const std::string made = folder.path() + "/counter.pte";
  EXPECT_EQ(RunCommand({"assemble", "-", "-o", made}, kCounterText).exit_code, 0);
  EXPECT_EQ(RunCommand({"assemble", kCounterText, "-o", "-"}).out, ReadText(made));
}

// Large contents are those of the file beside the text.
TEST(AssembleCommand, ReadsWhatInspectPrints) {
  const TempFolder folder;
  const std::string file = folder.Copy(kMarian, "m.pte");
  const CommandResult printed = RunCommand({"inspect", "--format", "pteasm", file});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_THAT(printed.out, HasSubstr("data \"m.pte\"["));
  const std::string text = folder.Write("m.pteasm", printed.out);
  const std::string made = folder.path() + "/made.pte";
  EXPECT_EQ(RunCommand({"assemble", text, "-o", made}).exit_code, 0);
  EXPECT_EQ(RunCommand({"inspect", "--format", "pteasm", text}).out, printed.out);
  const std::string inspected = RunCommand({"inspect", made}).out;
  EXPECT_EQ(Replaced(RunCommand({"inspect", text}).out, text, made), inspected);
  const std::string alone = RunCommand({"inspect", "--format", "pteasm", "-"}, file).out;
  const std::string whole = folder.Write("elsewhere/whole.pteasm", alone);
  EXPECT_EQ(Replaced(RunCommand({"inspect", whole}).out, whole, made), inspected);
}

TEST(AssembleCommand, IsOneOfTheFormsOfInspect) {
  const std::string text = RunCommand({"inspect", kCounterText}).out;
  EXPECT_EQ(RunCommand({"inspect", "--format", "text", kCounterText}).out, text);
  EXPECT_EQ(RunCommand({"inspect", "--format", "json", kCounterText}).out,
            RunCommand({"inspect", "--json", kCounterText}).out);
  EXPECT_EQ(RunCommand({"inspect", "--format", "pteasm", "--lifetimes", kCounterText}).exit_code,
            64);
}

TEST(AssembleCommand, PrintsOneMethodIfItIsAsked) {
  const CommandResult one =
      RunCommand({"inspect", "--format", "pteasm", "--method", "reset", kMarian});
  EXPECT_THAT(one.out, AllOf(StartsWith("program\n"), HasSubstr("method reset(")));
  EXPECT_EQ(one.out.find("method decode("), std::string::npos);
}

TEST(AssembleCommand, NamesThePlaceOfEachError) {
  const TempFolder folder;
  const std::string text = folder.Write(
      "a.pteasm", "program\nmethod f() {\n  %a: int8[1] @0:0\n  %b: int8[1] @0:0\n  return\n}\n");
  const CommandResult result = RunCommand({"assemble", text, "-o", folder.path() + "/a.pte"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr(text + ":3:3: file-tensor-memory: Value 0 is a tensor"),
                                HasSubstr(text + ":4:3: file-tensor-memory: Value 1 is a tensor")));
  const CommandResult checked = RunCommand({"check", text});
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_THAT(checked.out, HasSubstr("Line 3, column 3: Value 0 is a tensor that is planned into"));
}

TEST(AssembleCommand, RefusesFilesThatAreNotTexts) {
  const TempFolder folder;
  const std::string out = folder.path() + "/a.pte";
  EXPECT_EQ(RunCommand({"assemble", folder.path() + "/none.pteasm", "-o", out}).exit_code, 66);
  EXPECT_EQ(RunCommand({"assemble", kCounterText}).exit_code, 64);
  const CommandResult program = RunCommand({"assemble", kMarian, "-o", out});
  EXPECT_EQ(program.exit_code, 2);
  EXPECT_THAT(program.err, HasSubstr("This is an ExecuTorch program"));
  const CommandResult module = RunCommand({"dev", "fmt", kCounterText});
  EXPECT_EQ(module.exit_code, 2);
  EXPECT_THAT(module.err, HasSubstr("This is a program as text (.pteasm)"));
  const CommandResult renamed = RunCommand({"check", folder.Copy(kCounterText, "counter.pte")});
  EXPECT_EQ(renamed.exit_code, 2);
  EXPECT_THAT(renamed.out, HasSubstr("This is a program as text (.pteasm)"));
}

TEST(AssembleCommand, ReadsDataInTheFolderOfTheTextAlone) {
  const TempFolder folder;
  folder.Write("w.bin", std::string(4, '\0'));
  const auto error = [&](const std::string& data) {
    const std::string text =
        folder.Write("t/a.pteasm", "program method f() { %a: int8[4] = data " + data + " return }");
    return RunCommand({"assemble", text, "-o", folder.path() + "/a.pte"}).err;
  };
  EXPECT_THAT(error("\"../w.bin\"[0, 4]"), HasSubstr("must lie in the program's folder, or below"));
  EXPECT_THAT(error("\"w.bin\"[0, 4]"), HasSubstr("the file \"w.bin\": No such file"));
  folder.Write("t/w.bin", std::string(4, '\0'));
  EXPECT_THAT(error("\"w.bin\"[0, 4]"), HasSubstr("need the SHA-256"));
  EXPECT_THAT(error("\"w.bin\"[0, 4, \"" + std::string(64, '0') + "\"]"),
              HasSubstr("and the program says 0000"));
}

// The verdicts of a text are those of its file.
TEST(AssembleCommand, GivesEachVerbTheProgramOfTheText) {
  RecordProperty("slow", "runs the command of every example");
  for (const std::string name : {"counter", "overlap", "everything"}) {
    const TempFolder folder;
    const std::string text = folder.Copy(kCorpusFolder + "/pteasm/" + name + ".pteasm", "m.pteasm");
    const std::string made = folder.path() + "/m.pte";
    ASSERT_EQ(RunCommand({"assemble", text, "-o", made}).exit_code, 0) << name;
    for (const std::vector<std::string>& verb : {std::vector<std::string>{"check"},
                                                 {"check", "--json"},
                                                 {"inspect"},
                                                 {"inspect", "--json"},
                                                 {"map"},
                                                 {"inspect", "--format", "pteasm"},
                                                 {"diff"}}) {
      std::vector<std::string> of_text = verb;
      std::vector<std::string> of_file = verb;
      of_text.push_back(text);
      of_file.push_back(made);
      const CommandResult from_text = RunCommand(of_text);
      const CommandResult from_file = RunCommand(of_file);
      EXPECT_EQ(from_text.exit_code, from_file.exit_code) << name << " " << verb.front();
      if (verb.back() == "pteasm") continue;  // literals and references differ
      EXPECT_EQ(Replaced(from_text.out, "m.pteasm", "m.pte"), from_file.out)
          << name << verb.front();
    }
  }
  EXPECT_EQ(RunCommand({"check", kCorpusFolder + "/pteasm/overlap.pteasm"}).exit_code, 1);
}

}  // namespace
}  // namespace pteproof
