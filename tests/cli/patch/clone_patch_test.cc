// `check --patch`: which statements get a clone, and what is said of the others.
#include "cli/patch/clone_patch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

const std::string kTwoConds = PTEPROOF_CORPUS_DIR "/real/bugs/cond-siblings/cond-siblings.pte";

// The changed statement, or the reason.
std::string Changed(Clone clone, const std::string& text) {
  const ClonePatch patch = PatchStatement(text, 0, clone);
  if (!patch.why_not.empty()) return patch.why_not;
  std::string changed;
  for (const auto& [line, edit] : patch.edits) {
    changed += edit.replaced.value_or("");
    for (const std::string& added : edit.added) changed += "+" + added;
  }
  return changed;
}

TEST(ClonePatch, ClonesWhatIsStored) {
  for (const auto& [text, expected] : std::initializer_list<std::pair<std::string, std::string>>{
           {"self.a.copy_(self.b)\n", "self.a.copy_(self.b.clone())"},
           {"  self.a.copy_( self.b[0] )  # kept\n", "  self.a.copy_( self.b[0].clone() )  # kept"},
           {"self.a.copy_(f(x, 1).t())\n", "self.a.copy_(f(x, 1).t().clone())"},
           {"self.a.copy_(x + y)\n", "self.a.copy_((x + y).clone())"},
           {"self.a.copy_(\n    self.b\n)\n", "    self.b.clone()"}}) {
    EXPECT_EQ(Changed(Clone::kStored, text), expected);
  }
}

TEST(ClonePatch, OfAStoreSaysWhyThereIsNone) {
  for (const auto& [text, why] : std::initializer_list<std::pair<std::string, std::string>>{
           {"self.a[:] = self.b\n", "does not store by one `copy_`"},
           {"f(a.copy_(b), c.copy_(d))\n", "does not store by one `copy_`"},
           {"self.a.copy_(x, True)\n", "has other arguments"},
           {"self.a.copy_(src=x)\n", "has other arguments"},
           {"self.a.copy_(*x)\n", "has other arguments"},
           {"self.a.copy_(x.clone())\n", "a clone is stored already"},
           {"self.a.copy_(x\n", "its statement cannot be found"}}) {
    EXPECT_THAT(Changed(Clone::kStored, text), HasSubstr(why)) << text;
  }
}

TEST(ClonePatch, ClonesTheResultOfABranchBehindIt) {
  for (const auto& [text, expected] : std::initializer_list<std::pair<std::string, std::string>>{
           {"    y = torch.cond(p, f, g, (x,))\n", "+    y = y.clone()"},
           {"y = cond(\n  p, f, g, (x,)\n)  # one\nz\n", "+y = y.clone()"},
           {"a, b = torch.cond(p, f, g, (x,))\n", "+a, b = a.clone(), b.clone()"},
           {"c, ys = scan(f, c, xs)\n", "+c, ys = c.clone(), ys.clone()"}}) {
    EXPECT_EQ(Changed(Clone::kResult, text), expected);
  }
  const ClonePatch patch = PatchStatement("y = cond(\n  p,\n)\n", 7, Clone::kResult);
  EXPECT_EQ(patch.edits.begin()->first, 9U);
}

TEST(ClonePatch, OfAResultSaysWhyThereIsNone) {
  for (const auto& [text, why] : std::initializer_list<std::pair<std::string, std::string>>{
           {"return torch.cond(p, f, g, (x,))\n", "gives the result no name"},
           {"self.y = torch.cond(p, f, g, (x,))\n", "no plain name"},
           {"y = torch.cond(p, f, g, (x,)) + 1\n", "does not assign the result of a cond"},
           {"y = h(torch.cond(p, f, g, (x,)))\n", "does not assign the result of a cond"},
           {"y = scan(f, c, xs)\n", "`y` has several results"}}) {
    EXPECT_THAT(Changed(Clone::kResult, text), HasSubstr(why)) << text;
  }
}

// The command: a program of two conds, beside which the lines of its model lie.
class PatchTest : public ::testing::Test {
 protected:
  PatchTest() : file_(folder_.Copy(kTwoConds, "m.pte")) {}

  void Model(const std::string& text, int line, const std::string& of_line) {
    const std::string path = folder_.path() + "/model.py";
    folder_.Write("model.py", text);
    const Json at = {{"file", path}, {"line", line}, {"text", of_line}};
    Json instructions;
    for (int i = 0; i < 8; ++i) instructions[std::to_string(i)] = at;
    const Json methods = {{"forward", {{"instructions", instructions}}}};
    folder_.Write("m.source.json", Json{{"pteproof_source", 1}, {"methods", methods}}.dump());
  }

  TempFolder folder_;
  std::string file_;
};

TEST_F(PatchTest, IsADiffInPlaceOfTheText) {
  Model("def forward(x):\n    y = torch.cond(p)\n    return y\n", 2, "y = torch.cond(p)");
  const std::string path = folder_.path() + "/model.py";
  const std::string diff = "--- " + path + "\n+++ " + path +
                           "\n@@ -1,3 +1,4 @@\n def forward(x):\n     y = torch.cond(p)\n"
                           "+    y = y.clone()\n     return y\n";
  const CommandResult result = RunCommand({"check", "--patch", file_});
  EXPECT_EQ(result.out, diff);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.exit_code, 1);
  const Json json = Json::parse(RunCommand({"check", "--patch", "--json", file_}).out);
  EXPECT_EQ(json["findings"][0]["patch"], diff);
  EXPECT_FALSE(
      Json::parse(RunCommand({"check", "--json", file_}).out)["findings"][0].contains("patch"));
  EXPECT_EQ(ReadText(path), "def forward(x):\n    y = torch.cond(p)\n    return y\n");
}

TEST_F(PatchTest, IsNotMadeOfALineThatHasChanged) {
  Model("def forward(x):\n    y = torch.cond(q)\n", 2, "y = torch.cond(p)");
  const CommandResult result = RunCommand({"check", "--patch", file_});
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, AllOf(HasSubstr("no patch for region-escape in method forward: "),
                                HasSubstr("line 2 of "), HasSubstr("is not the one")));
  const Json json = Json::parse(RunCommand({"check", "--patch", "--json", file_}).out);
  EXPECT_THAT(json["findings"][0]["no_patch"].get<std::string>(), HasSubstr("is not the one"));
}

TEST_F(PatchTest, IsNotMadeWithoutTheSource) {
  const CommandResult unknown = RunCommand({"check", "--patch", file_});
  EXPECT_EQ(unknown.out, "");
  EXPECT_THAT(unknown.err, HasSubstr("no line of the model is known"));
  Model("", 2, "y = torch.cond(p)");
  folder_.Write("model.py", std::string("y\0", 2));
  EXPECT_THAT(RunCommand({"check", "--patch", file_}).err, HasSubstr("cannot be read as a text"));
}

TEST_F(PatchTest, GoesWithJsonAlone) {
  for (const std::string form : {"sarif", "junit", "markdown", "github", "html"}) {
    EXPECT_EQ(RunCommand({"check", "--patch", "--format", form, file_}).exit_code, 64) << form;
  }
}

}  // namespace
}  // namespace pteproof
