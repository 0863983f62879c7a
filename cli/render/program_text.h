// A program as readable text: its methods with banks, values and instructions. Judges nothing.
#ifndef PTEPROOF_CLI_RENDER_PROGRAM_TEXT_H_
#define PTEPROOF_CLI_RENDER_PROGRAM_TEXT_H_

#include <string>

#include "pteproof/program.h"

namespace pteproof {

// One section for a method: banks, inputs and outputs, values with placement and lifetime,
// instructions. Names are quoted.
[[nodiscard]] std::string MethodText(const Method& method);

// One line on what the whole program holds.
[[nodiscard]] std::string ProgramSummary(const Program& program);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PROGRAM_TEXT_H_
