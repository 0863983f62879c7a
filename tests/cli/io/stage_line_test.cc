// A verb that may take more than a second says on a terminal what it does, and for how long.
#include "cli/io/stage_line.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/temp_folder.h"

namespace pteproof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A terminal of which a command writes its standard error to, and what it has got.
class Terminal {
 public:
  Terminal() : here_(posix_openpt(O_RDWR | O_NOCTTY)) {
    if (here_ < 0 || grantpt(here_) != 0 || unlockpt(here_) != 0) std::abort();
    there_ = open(path().c_str(), O_RDWR | O_NOCTTY);  // stays open until all is read
    reader_ = std::thread([this] { Read(); });
  }
  ~Terminal() { close(here_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] std::string path() const { return ptsname(here_); }

  // After the command has ended.
  [[nodiscard]] std::string Text() {
    close(there_);
    reader_.join();
    return text_;
  }

 private:
  void Read() {
    char buffer[4096];
    for (ssize_t got; (got = read(here_, buffer, sizeof buffer)) > 0;)
      text_.append(buffer, static_cast<size_t>(got));
  }

  int here_;
  int there_ = -1;
  std::string text_;
  std::thread reader_;
};

std::string TextOnTerminal(std::vector<std::string> words) {
  const TempFolder folder;
  words.insert(words.begin(), PTEPROOF_COMMAND);
  Terminal terminal;
  const pid_t process =
      StartCommand(std::move(words), "/dev/null", folder.Write("out", ""), terminal.path());
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return terminal.Text();
}

std::string TwoMethods() {
  return std::string(PTEPROOF_CORPUS_DIR) + "/real/models/put_get/put_get.pte";
}

TEST(StageLine, IsShownFromTheBeginningOn) {
  const TempFolder folder;
  const std::string text =
      TextOnTerminal({"replan", TwoMethods(), "-o", folder.path() + "/new.pte"});
  const std::vector<std::string> stages = {"planning, 0 s", "proving, ",
                                           "comparing 'get' (2 of 3), ", "random calls of 'put', "};
  size_t at = 0;
  for (const std::string& stage : stages) {
    const size_t found = text.find("\r\x1b[K" + stage, at);
    EXPECT_NE(found, std::string::npos) << stage << " in " << text;
    if (found != std::string::npos) at = found;
  }
  EXPECT_TRUE(text.ends_with("\r\x1b[K")) << text;
}

TEST(StageLine, IsThereOfOtherVerbsToo) {
  EXPECT_THAT(TextOnTerminal({"compare", TwoMethods(), TwoMethods()}),
              HasSubstr("comparing 'put'"));
  EXPECT_THAT(TextOnTerminal({"diff", TwoMethods(), "--policy", "share-all"}),
              HasSubstr("random calls under share-all, 0 s"));
  const TempFolder folder;
  EXPECT_THAT(TextOnTerminal({"map", TwoMethods(), "--html", folder.path() + "/map.html"}),
              AllOf(HasSubstr("checking, 0 s"), HasSubstr("drawing the page, 0 s")));
}

TEST(StageLine, IsNotShownWithoutATerminal) {
  const CommandResult result = RunCommand({"compare", TwoMethods(), TwoMethods()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

TEST(TimeLimit, EndsTheVerbAndSaysWhatIsNotFinished) {
  const TempFolder folder;
  const std::string output = folder.path() + "/new.pte";
  const CommandResult result =
      RunCommand({"replan", TwoMethods(), "-o", output, "--runs", "1000000", "--time", "0.2"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("replan: stopped after 0.2 s (--time); so far: "));
  EXPECT_THAT(result.err, HasSubstr(" not finished"));
  EXPECT_NE(access(output.c_str(), F_OK), 0);
}

TEST(TimeLimit, ChangesNothingThatIsFinishedBefore) {
  const CommandResult with = RunCommand({"compare", TwoMethods(), TwoMethods(), "--time", "600"});
  const CommandResult without = RunCommand({"compare", TwoMethods(), TwoMethods()});
  EXPECT_EQ(with.exit_code, without.exit_code);
  EXPECT_EQ(with.out, without.out);
}

}  // namespace
}  // namespace pteproof
