// The verbs that run a program answer to calls of the runtime's own operators as ExecuTorch does:
// what it takes they run, and what it refuses, or what ends its process, they refuse by a message
// that names instruction and reason. Where a verb answers otherwise, OTHERWISE.tsv says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/oracles/recorded_calls.h"
#include "properties/oracles/write_recording.h"
#include "tests/cli/run_command.h"
#include "tests/support/files.h"
#include "tests/support/runtime_calls.h"

namespace pteproof {
namespace {

using testing::AnyOf;
using testing::ContainsRegex;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;

using FileAndVerb = std::pair<std::string, std::string>;

// Answers that are not ExecuTorch's.
std::map<FileAndVerb, std::string> OtherAnswers() {
  std::istringstream lines(ReadText(RuntimeCallsFolder() + "OTHERWISE.tsv"));
  std::map<FileAndVerb, std::string> answers;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream columns(line);
    std::string file;
    std::string verb;
    std::string answer;
    std::string reason;
    std::getline(columns, file, '\t');
    std::getline(columns, verb, '\t');
    std::getline(columns, answer, '\t');
    std::getline(columns, reason);
    EXPECT_NE(reason, "") << line;
    answers[{file, verb}] = answer;
  }
  return answers;
}

// A recording of the call that the table is about, in a folder of its own.
std::string RecordingOf(const RuntimeCallCase& of) {
  Recording recording;
  recording.program = of.name + ".pte";
  RecordedSequence& sequence = recording.sequences.emplace_back();
  sequence.name = "recorded";
  RecordedCall& call = sequence.calls.emplace_back();
  call.method = "forward";
  call.inputs = InputsOf(of);
  const WrittenRecording written = WriteRecording(recording);
  const std::string folder = testing::TempDir() + "refused-" + of.name + "/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "calls.json") << written.json;
  std::ofstream(folder + "calls.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(written.bin.data()),
             static_cast<std::streamsize>(written.bin.size()));
  return folder + "calls.json";
}

class RefusedCallOf : public testing::TestWithParam<RecordedAnswer> {
 protected:
  [[nodiscard]] static std::string Expected(const std::string& verb) {
    const auto others = OtherAnswers();
    const auto other = others.find({GetParam().file, verb});
    if (other != others.end()) return other->second;
    return GetParam().executorch == "taken" ? "taken" : "refused";
  }

  // Its exit code and its words, as the table wants them.
  static void ExpectAnswer(const std::string& verb, const std::vector<std::string>& words) {
    const CommandResult result = RunCommand(words);
    const std::string said = result.out + result.err;
    const std::string expected = Expected(verb);
    const int code = expected == "taken" ? 0 : expected == "differs" ? 1 : 3;
    EXPECT_EQ(result.exit_code, code) << verb << ": " << said;
    if (expected == "refused") {
      EXPECT_THAT(said, ContainsRegex("instruction [0-9]+: [^\n]+")) << verb;
    }
  }
};

TEST_P(RefusedCallOf, IsTakenAndRefusedByEveryVerb) {
  const std::vector<RuntimeCallCase> cases = RuntimeCallCases();
  const std::string name = GetParam().file.substr(0, GetParam().file.rfind('.'));
  const auto of = std::ranges::find(cases, name, &RuntimeCallCase::name);
  ASSERT_NE(of, cases.end());
  const std::string file = RuntimeCallsFolder() + GetParam().file;
  const std::string recording = RecordingOf(*of);
  ExpectAnswer("run", {"run", file, "--inputs", recording});
  ExpectAnswer("eval", {"eval", file, "--inputs", recording});
  ExpectAnswer("diff", {"diff", file});
  const CommandResult check = RunCommand({"check", file});
  // That view places an input, too: the plan is open.
  EXPECT_EQ(check.exit_code, name == "view-in-a-tensor-of-another-type-after-a-move" ? 3 : 0);
  if (GetParam().check == rule::kCallRefused) {
    EXPECT_THAT(check.out, HasSubstr(rule::kCallRefused));
  } else {
    EXPECT_THAT(check.out, Not(HasSubstr(rule::kCallRefused)));
  }
}

std::string NameOfRefused(const testing::TestParamInfo<RecordedAnswer>& info) {
  std::string name = info.param.file;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Own, RefusedCallOf, testing::ValuesIn(RecordedAnswers()), NameOfRefused);

// A row that agrees by now, or whose file is gone, would hide a change.
TEST(OtherAnswersOfVerbs, AreNotExecutorchs) {
  const std::vector<RecordedAnswer> rows = RecordedAnswers();
  for (const auto& [place, answer] : OtherAnswers()) {
    const auto row = std::ranges::find(rows, place.first, &RecordedAnswer::file);
    ASSERT_NE(row, rows.end()) << place.first;
    EXPECT_THAT(place.second, AnyOf(Eq("run"), Eq("diff"), Eq("eval")));
    EXPECT_NE(answer, row->executorch == "taken" ? "taken" : "refused") << place.first;
  }
}

}  // namespace
}  // namespace pteproof
