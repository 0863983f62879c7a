// One instruction as readable text.
#ifndef PTEPROOF_CLI_RENDER_INSTRUCTION_TEXT_H_
#define PTEPROOF_CLI_RENDER_INSTRUCTION_TEXT_H_

#include <string>

#include "pteproof/program.h"

namespace pteproof {

// "aten::add.out(self=v0, other=v1, alpha=v4, out=v2) -> v2", "move v3 to v5" and the like.
// Argument names are those of the operator's signature, where the operator is known.
[[nodiscard]] std::string InstructionText(const Method& method, const Instruction& instruction);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_INSTRUCTION_TEXT_H_
