// Small programs with one call each of an operator of the runtime itself, or one jump: some that
// ExecuTorch takes, and some that it refuses, one for each question that it asks. The files made of
// them and ExecuTorch's answers lie in corpus/reports/refused-calls.
#ifndef PTEPROOF_TESTS_SUPPORT_RUNTIME_CALLS_H_
#define PTEPROOF_TESTS_SUPPORT_RUNTIME_CALLS_H_

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "pteproof/program.h"
#include "reference/datum.h"

namespace pteproof {

struct RuntimeCallCase {
  std::string name;                          // of the file, without its ending
  std::vector<std::vector<int32_t>> inputs;  // sizes of the tensors that the caller brings
  Program program;                           // one method, "forward"
};

[[nodiscard]] std::vector<RuntimeCallCase> RuntimeCallCases();

// The folder of their files.
[[nodiscard]] std::string RuntimeCallsFolder();

// A row of its EXPECTED.tsv.
struct RecordedAnswer {
  std::string file;
  std::string inputs;      // "[4, 8]", more than one after a blank; "-": none
  std::string executorch;  // "taken", the number of an error, or "signal 6": the process ended
  std::string check;       // "silent", or the rule that tells of it
};
[[nodiscard]] std::vector<RecordedAnswer> RecordedAnswers();
void PrintTo(const RecordedAnswer& row, std::ostream* out);

// As a row has them.
[[nodiscard]] std::string InputsText(const RuntimeCallCase& of);

// Tensors of zeros, of these sizes.
[[nodiscard]] std::vector<Datum> InputsOf(const RuntimeCallCase& of);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_RUNTIME_CALLS_H_
