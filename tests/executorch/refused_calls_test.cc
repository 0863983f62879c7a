// Calls of the runtime's own operators, one for each question that ExecuTorch asks of them, are
// taken and refused as recorded. PTEPROOF_UPDATE_DOCS=1 records them anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "pteproof/write.h"
#include "tests/executorch/witness_client.h"
#include "tests/support/files.h"
#include "tests/support/runtime_calls.h"

namespace pteproof {
namespace {

std::string BeforeNext(const std::string& text, const std::string& begin, char end) {
  const size_t at = text.find(begin);
  if (at == std::string::npos) return {};
  const size_t from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

// "taken", "0x12" or "signal 6".
std::string AnswerOf(const witness::Answer& answer) {
  const std::string& error =
      answer.load_error.empty() ? answer.calls.at(0).error : answer.load_error;
  if (error.empty()) return "taken";
  const std::string signal = BeforeNext(error, "process ended by signal ", '\n');
  return signal.empty() ? BeforeNext(error, "execute: error ", ':') : "signal " + signal;
}

void Record(const std::vector<RuntimeCallCase>& cases, const std::vector<witness::Job>& jobs,
            const std::vector<std::string>& answers) {
  std::ofstream out(RuntimeCallsFolder() + "EXPECTED.tsv");
  out << "file\tinputs\tExecuTorch 1.5.1\tcheck\n";
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::vector<std::byte>& program = jobs[i].program;
    std::ofstream(RuntimeCallsFolder() + cases[i].name + ".pte", std::ios::binary)
        .write(reinterpret_cast<const char*>(program.data()),
               static_cast<std::streamsize>(program.size()));
    // This one is refused for the sizes that the caller brings, which may be others.
    const bool told = answers[i] != "taken" && cases[i].name != "view-of-all-rows-as-some";
    out << fmt::format("{}.pte\t{}\t{}\t{}\n", cases[i].name, InputsText(cases[i]), answers[i],
                       told ? "call-refused" : "silent");
  }
}

TEST(RefusedCalls, AreThoseThatWereRecorded) {
  const std::vector<RuntimeCallCase> cases = RuntimeCallCases();
  std::vector<witness::Job> jobs;
  for (const RuntimeCallCase& of : cases) {
    auto program = WriteProgram(of.program);
    ASSERT_TRUE(program.ok()) << of.name << ": " << program.error();
    witness::Job& job = jobs.emplace_back();
    job.program = std::move(program).value();
    job.calls = {{"forward", InputsOf(of)}};
  }
  std::vector<std::string> answers;
  for (const witness::Answer& answer : witness::Ask(jobs)) answers.push_back(AnswerOf(answer));
  if (std::getenv("PTEPROOF_UPDATE_DOCS") != nullptr) Record(cases, jobs, answers);
  const std::vector<RecordedAnswer> recorded = RecordedAnswers();
  ASSERT_EQ(recorded.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(recorded[i].file, cases[i].name + ".pte");
    EXPECT_EQ(recorded[i].inputs, InputsText(cases[i])) << cases[i].name;
    EXPECT_EQ(recorded[i].executorch, answers[i]) << cases[i].name;
    EXPECT_EQ(ReadBytes(RuntimeCallsFolder() + recorded[i].file), jobs[i].program) << cases[i].name;
  }
}

}  // namespace
}  // namespace pteproof
