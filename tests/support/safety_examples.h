// Small programs that ask for what they must not get, at least ten for each way in which a file
// has broken a process: whoever runs one of them gets outputs or a message, and nothing else. The
// files made of them lie in corpus/safety/kinds.
#ifndef PTEPROOF_TESTS_SUPPORT_SAFETY_EXAMPLES_H_
#define PTEPROOF_TESTS_SUPPORT_SAFETY_EXAMPLES_H_

#include <string>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

struct SafetyExample {
  std::string kind;  // "a view"
  std::string name;  // of the file, without its ending
  Program program;
};

[[nodiscard]] std::vector<SafetyExample> SafetyExamples();

// All in a campaign; else without those that run until the limit on work, two of which remain.
[[nodiscard]] std::vector<SafetyExample> SafetyExamplesToRun();

// The folder of their files.
[[nodiscard]] std::string SafetyKindsFolder();

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_SAFETY_EXAMPLES_H_
