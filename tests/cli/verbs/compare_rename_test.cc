// `compare --rename`: methods that have other names in the new program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string ModuleOf(const std::string& first, const std::string& second) {
  return "method " + first + "(%x: float32[4]) {\n  %0: float32[4] = aten::neg.out(%x)\n" +
         "  return %0\n}\nmethod " + second +
         "(%x: float32[4]) {\n  %0: float32[4] = aten::exp.out(%x)\n  return %0\n}\n";
}

class CompareRename : public testing::Test {
 protected:
  CompareRename()
      : old_(Planned("old", "prefill", "decode")), new_(Planned("new", "read", "decode")) {}

  std::string Planned(const std::string& name, const std::string& first,
                      const std::string& second) {
    const std::string module = folder_.Write(name + ".module", ModuleOf(first, second));
    const std::string program = folder_.path() + "/" + name + ".pte";
    EXPECT_EQ(RunCommand({"plan", module, "-o", program}).exit_code, 0);
    return program;
  }

  CommandResult Compare(std::vector<std::string> words) {
    words.insert(words.begin(), {"compare", old_, new_});
    return RunCommand(words);
  }

  TempFolder folder_;
  std::string old_;
  std::string new_;
};

TEST_F(CompareRename, ComparesAMethodUnderItsNewName) {
  EXPECT_EQ(Compare({}).exit_code, 1);
  const CommandResult result = Compare({"--rename", "prefill=read"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("read under every policy: same"));
  EXPECT_THAT(result.out, Not(HasSubstr("prefill")));
}

TEST_F(CompareRename, ExchangesNames) {
  const std::string other = Planned("other", "decode", "read");
  const CommandResult result =
      RunCommand({"compare", new_, other, "--rename", "read=decode", "--rename", "decode=read"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(CompareRename, TakesModulesOnEitherSide) {
  const std::string module = folder_.path() + "/old.module";
  EXPECT_EQ(RunCommand({"compare", module, new_, "--rename", "prefill=read"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"compare", new_, module, "--rename", "read=prefill"}).exit_code, 0);
  EXPECT_EQ(RunCommand({"compare", module, new_, "--rename", "read=prefill"}).exit_code, 64);
}

TEST_F(CompareRename, TakesManifestsAlong) {
  (void)folder_.Write("old.manifest.json",
                      R"({"pteproof": 1, "calls": "prefill decode*",
                          "methods": {"prefill": {"mutates": []}, "decode": {"mutates": []}},
                          "suppress": [{"rule": "plan-waste", "method": "prefill",
                                        "reason": "known"}]})");
  const CommandResult result = Compare({"--rename", "prefill=read"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(CompareRename, DrawsThePageOfBoth) {
  EXPECT_EQ(Compare({"--rename", "prefill=read", "--html", folder_.path() + "/p.html"}).exit_code,
            0);
}

TEST_F(CompareRename, RefusesNamesThatAreUnknownOrDoubled) {
  struct Wrong {
    std::vector<std::string> words;
    std::string says;
  };
  for (const Wrong& wrong : std::vector<Wrong>{
           {{"--rename", "prefil=read"},
            "the old program has no method 'prefil'; it has prefill, decode; did you mean "
            "'prefill'?"},
           {{"--rename", "prefill=reat"}, "the new program has no method 'reat'; it has read"},
           {{"--rename", "prefill=decode"}, "two methods would be 'decode'"},
           {{"--rename", "prefill=read", "--rename", "decode=read"}, "two methods would be 'read'"},
           {{"--rename", "prefill=read", "--rename", "prefill=decode"}, "is given two names"},
           {{"--rename", "prefill"}, "'prefill' is not METHOD=NEW"},
           {{"--rename", "prefill="}, "is not METHOD=NEW"},
           {{"--rename", "=read"}, "is not METHOD=NEW"}}) {
    const CommandResult result = Compare(wrong.words);
    EXPECT_EQ(result.exit_code, 64) << wrong.says;
    EXPECT_THAT(result.err, HasSubstr(wrong.says));
  }
}

}  // namespace
}  // namespace pteproof
