// NAME.source.json beside a program: what `check` says with it, and that it changes no verdict.
#include "cli/load/source_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/load/beside.h"
#include "runtime/sha256.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;

const std::string kSiblings = PTEPROOF_CORPUS_DIR "/real/bugs/cond-siblings/cond-siblings.pte";

std::string ShaOf(const std::string& file) {
  const std::string text = ReadText(file);
  return Sha256Hex(std::as_bytes(std::span(text)));
}

// Of `forward` at instruction 7, about values 9 and 4.
Finding OneFinding() {
  Finding finding;
  finding.method = "forward";
  finding.instruction = 7;
  finding.values = {9, 4};
  return finding;
}

SourceLines LinesWith(const std::string& methods) {
  const TempFolder folder;
  folder.Write("m.source.json", R"({"pteproof_source": 1, "methods": )" + methods + "}");
  return ReadSourceLines(folder.path() + "/m.pte", {});
}

TEST(SourceLines, AreThoseOfTheInstruction) {
  const auto lines = LinesWith(
      R"({"forward": {"instructions": {"7": {"file": "m.py", "line": 3, "text": "y = x"}},
                      "values": {"4": {"name": "cache", "at": {"file": "m.py", "line": 9}}}}})");
  EXPECT_EQ(TextOf(SourceOf(OneFinding(), lines)), "m.py:3  y = x\nIn the model: v4 cache\n");
}

TEST(SourceLines, AreElseThoseOfTheFirstValueThatHasOne) {
  const auto lines = LinesWith(
      R"({"forward": {"instructions": {"6": {"file": "m.py", "line": 3}},
                      "values": {"9": {"name": "y"}, "4": {"at": {"file": "m.py", "line": 9}}}}})");
  EXPECT_EQ(TextOf(SourceOf(OneFinding(), lines)), "m.py:9\nIn the model: v9 y\n");
}

TEST(SourceLines, OfAnotherMethodSayNothing) {
  const auto lines =
      LinesWith(R"({"other": {"instructions": {"7": {"file": "m.py", "line": 3}}}})");
  EXPECT_EQ(TextOf(SourceOf(OneFinding(), lines)), "");
  EXPECT_EQ(lines.unused, "");
}

TEST(SourceLines, OfAValueAreItsOwnOrThoseOfTheInstructionThatMakesIt) {
  const auto lines = LinesWith(
      R"({"forward": {"instructions": {"6": {"file": "m.py", "line": 3}},
                      "values": {"9": {"name": "y"},
                                 "4": {"name": "c", "at": {"file": "m.py", "line": 9}}}}})");
  const NamedSource made = SourceOf("forward", 9, 6, lines);
  EXPECT_EQ(made.name, "y");
  EXPECT_EQ(TextOf(made.line.value()), "m.py:3");
  const NamedSource own = SourceOf("forward", 4, 6, lines);
  EXPECT_EQ(own.name, "c");
  EXPECT_EQ(TextOf(own.line.value()), "m.py:9");
  for (const NamedSource& unknown :
       {SourceOf("forward", 9, -1, lines), SourceOf("forward", 9, 5, lines),
        SourceOf("other", 9, 6, lines)}) {
    EXPECT_FALSE(unknown.line.has_value());
  }
}

TEST(SourceLines, ThatAreWrongAreNotUsed) {
  for (const auto& [methods, why] : std::initializer_list<std::pair<std::string, std::string>>{
           {"3", "/methods: "},
           {R"({"forward": {"lines": {}}})", R"(/methods/forward/lines: unknown key "lines")"},
           {R"({"forward": {"instructions": 3}})", "/methods/forward/instructions: "},
           {R"({"forward": {"values": {"x": {}}}})", "/methods/forward/values/x: a key here"},
           {R"({"forward": {"instructions": {"7": {"file": "m.py"}}}})",
            "/methods/forward/instructions/7/line: missing"},
           {R"({"forward": {"instructions": {"7": {"line": 3}}}})",
            "/methods/forward/instructions/7/file: missing"},
           {"{", "line 1"}}) {
    const auto lines = LinesWith(methods);
    EXPECT_THAT(lines.unused, AllOf(HasSubstr("m.source.json is not used: "), HasSubstr(why)));
    EXPECT_THAT(lines.methods, IsEmpty());
  }
}

TEST(SourceLines, OfAnotherVersionAreNotUsed) {
  const TempFolder folder;
  for (const std::string text : {R"({"pteproof_source": 2})", R"({"pteproof_source": 0})", "{}"}) {
    folder.Write("m.source.json", text);
    EXPECT_THAT(ReadSourceLines(folder.path() + "/m.pte", {}).unused,
                HasSubstr("/pteproof_source"));
  }
}

// The command: a copy of a file that is unsafe, with lines of its instruction 7 beside.
class SourceFileTest : public ::testing::Test {
 protected:
  SourceFileTest() : file_(folder_.Copy(kSiblings, "m.pte")) {}

  void Beside(const std::string& sum, const std::string& text) {
    const Json line = {{"file", "models/m.py"}, {"line", 42}, {"text", text}};
    const Json methods = {
        {"forward",
         {{"instructions", {{"7", line}, {"8", line}}}, {"values", {{"0", {{"name", "x"}}}}}}}};
    folder_.Write(
        "m.source.json",
        Json{{"pteproof_source", 1}, {"program_sha256", sum}, {"methods", methods}}.dump());
  }

  TempFolder folder_;
  std::string file_;
};

TEST_F(SourceFileTest, ShowsInEveryForm) {
  const CommandResult without = RunCommand({"check", "--json", file_});
  Beside(ShaOf(file_), "z = cond<x>");
  EXPECT_THAT(RunCommand({"check", file_}).out, HasSubstr("\n    models/m.py:42  z = cond<x>\n"));
  const Json json = Json::parse(RunCommand({"check", "--json", file_}).out);
  EXPECT_EQ(json["findings"][0]["source"],
            Json::parse(R"({"file": "models/m.py", "line": 42, "text": "z = cond<x>"})"));
  EXPECT_THAT(RunCommand({"check", "--html", "-", file_}).out,
              HasSubstr("models/m.py:42  z = cond&lt;x&gt;"));
  const Json sarif = Json::parse(RunCommand({"check", "--sarif", file_}).out);
  const Json& result = sarif["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"],
            Json::parse(R"({"artifactLocation": {"uri": "models/m.py"},
                            "region": {"startLine": 42, "snippet": {"text": "z = cond<x>"}}})"));
  EXPECT_EQ(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "forward/7");
  EXPECT_THAT(result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"].dump(),
              HasSubstr("m.pte"));
  Json alone = Json::parse(without.out);
  Json same = json;
  for (Json& finding : same["findings"]) {
    finding.erase("source");
    finding.erase("names");
  }
  EXPECT_EQ(same, alone);
}

TEST_F(SourceFileTest, NamesTheStoragesOfThePicture) {
  Beside(ShaOf(file_), "z = cond<x>");
  using Words = std::vector<std::string>;
  for (const Words& words :
       {Words{"check", file_}, {"map", file_}, {"compare", file_, kSiblings}}) {
    Words all = words;
    all.insert(all.end(), {"--html", "-"});
    const std::string page = RunCommand(all).out;
    EXPECT_THAT(page, HasSubstr(R"("source":"models/m.py:42  z = cond\u003cx\u003e")")) << words[0];
    EXPECT_THAT(page, HasSubstr(R"("model":"x")")) << words[0];
  }
}

TEST_F(SourceFileTest, OfOtherBytesIsNamedAndNotUsed) {
  Beside(std::string(64, '0'), "z");
  const CommandResult result = RunCommand({"check", file_});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("source lines: "),
                                HasSubstr("m.source.json is not used: it belongs to other bytes"),
                                Not(HasSubstr("models/m.py"))));
  const Json json = Json::parse(RunCommand({"check", "--json", file_}).out);
  EXPECT_THAT(json["unused_source"].get<std::string>(), HasSubstr("other bytes"));
  EXPECT_THAT(RunCommand({"check", "--html", "-", file_}).out, HasSubstr("other bytes"));
}

TEST_F(SourceFileTest, IsNotReadIfTheProgramFileIsToBeUsedAlone) {
  Beside(ShaOf(file_), "z");
  EXPECT_THAT(RunCommand({"check", "--no-manifest", file_}).out, Not(HasSubstr("models/m.py")));
}

TEST_F(SourceFileTest, SendsNoControlCharactersToATerminal) {
  Beside(ShaOf(file_), "z\x1b[31m\n\r");
  EXPECT_THAT(RunCommand({"check", file_}).out,
              AllOf(HasSubstr(R"(z\x1b[31m)"), Not(HasSubstr("\x1b"))));
}

TEST(SourceSchema, HasTheKeysThatTheParserKnows) {
  const Json schema = Json::parse(ReadText(PTEPROOF_SOURCE_DIR "/cli/load/source.schema.json"));
  const auto keys = [](const Json& object) {
    std::set<std::string> names;
    for (const auto& [name, unused] : object.at("properties").items()) names.insert(name);
    EXPECT_EQ(object.at("additionalProperties"), false);
    return names;
  };
  const Json& defs = schema.at("$defs");
  using Names = std::set<std::string>;
  EXPECT_EQ(keys(schema), (Names{"pteproof_source", "program_sha256", "methods", "callers"}));
  EXPECT_EQ(keys(defs.at("method")), (Names{"instructions", "values"}));
  EXPECT_EQ(keys(defs.at("value")), (Names{"name", "at"}));
  EXPECT_EQ(keys(defs.at("line")), (Names{"file", "line", "text", "caller"}));
  EXPECT_THAT(LinesWith(R"({"forward": {"instructions": {"0": {"file": "m", "line": 1,
                            "text": "t"}}, "values": {"0": {"name": "n", "at": {"file": "m",
                            "line": 1}}}}})")
                  .unused,
              IsEmpty());
}

}  // namespace
}  // namespace pteproof
