// Programs that ask for what they must not get (corpus/safety): the command ends by itself, with
// the exit code and the words that the list has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_command.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

struct SafetyCall {
  std::vector<std::string> words;
  int exit_code = -1;
  std::string message;
};

// command, exit code, words of the message; the first line names the columns.
std::vector<SafetyCall> SafetyCalls() {
  const std::string folder = PTEPROOF_SOURCE_DIR "/corpus/safety/";
  std::istringstream lines(ReadText(folder + "CALLS.tsv"));
  std::vector<SafetyCall> calls;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string command;
    std::string code;
    SafetyCall& call = calls.emplace_back();
    std::getline(fields, command, '\t');
    std::getline(fields, code, '\t');
    std::getline(fields, call.message);
    call.exit_code = std::stoi(code);
    std::istringstream words(command);
    for (std::string word; words >> word;) {
      const bool is_file = word.find('.') != std::string::npos;
      call.words.push_back(is_file ? folder + word : word);
    }
  }
  return calls;
}

class SafetyFile : public testing::TestWithParam<SafetyCall> {};

TEST_P(SafetyFile, EndsWithAMessage) {
  const SafetyCall& call = GetParam();
  const CommandResult result = RunCommand(call.words);
  EXPECT_EQ(result.exit_code, call.exit_code) << result.out << result.err;
  EXPECT_THAT(result.out + result.err, testing::HasSubstr(call.message));
}

INSTANTIATE_TEST_SUITE_P(Corpus, SafetyFile, testing::ValuesIn(SafetyCalls()),
                         [](const auto& call) { return "line" + std::to_string(call.index + 2); });

}  // namespace
}  // namespace pteproof
