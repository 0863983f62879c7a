// Bytes of files and words that a terminal must not get are escaped, once, wherever they are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kProgram = PTEPROOF_CORPUS_DIR "/public/add_model.pte";

// All that a command says; none of it is a control character but line ends.
std::string SaidBy(const std::vector<std::string>& words) {
  const CommandResult result = RunCommand(words);
  std::string said = result.out + result.err;
  for (const char c : said) {
    if (c != '\n') EXPECT_GE(static_cast<unsigned char>(c), ' ') << said;
  }
  return said;
}

TEST(EscapedOnce, AreKeysAndTextsOfAManifestInEveryVerb) {
  const TempFolder folder;
  const std::string manifest = folder.Write("m.json", R"({"pteproof": 1, "k\u0003": 1})");
  for (const std::vector<std::string>& verb :
       {std::vector<std::string>{"check"}, {"prove"}, {"map"}, {"replan", "-o", "x.pte"}}) {
    std::vector<std::string> words = verb;
    words.insert(words.end(), {kProgram, "--manifest", manifest});
    EXPECT_THAT(SaidBy(words),
                AllOf(HasSubstr(R"(/k\x03: unknown key "k\x03";)"), Not(HasSubstr(R"(\\x)"))))
        << verb.front();
  }
}

TEST(EscapedOnce, AreTextsOfAConfig) {
  const TempFolder folder;
  const std::string config = folder.Write("c.toml", "policy = \"p\\u001b\"\n");
  EXPECT_THAT(SaidBy({"check", "--config", config, kProgram}), HasSubstr(R"("p\x1b")"));
}

TEST(EscapedOnce, AreWordsOfTheCommandLine) {
  EXPECT_THAT(SaidBy({"check", "--policy", "p\xcc", kProgram}), HasSubstr(R"('p\xcc' is not)"));
  EXPECT_THAT(SaidBy({"check", "--loader", "p\xcc", kProgram}), Not(HasSubstr(R"(\\xcc)")));
  EXPECT_THAT(SaidBy({"check", "--p\xcc", kProgram}), HasSubstr(R"('--p\xcc')"));
  EXPECT_THAT(SaidBy({"ch\xcc"}), HasSubstr(R"('ch\xcc')"));
}

TEST(EscapedOnce, AreTheBytesOfAnotherIdentifier) {
  const TempFolder folder;
  const std::string file =
      folder.Write("x.pte", std::string(6, '\0') + "a\xcc" + std::string(99, 'x'));
  EXPECT_THAT(SaidBy({"check", file}), HasSubstr("Bytes 4 to 7 are 00 00 61 cc. A program has"));
}

}  // namespace
}  // namespace pteproof
