// `run --mode tagged`: which write every byte comes from that a call reads.
#ifndef PTEPROOF_CLI_VERBS_TAGGED_CALLS_H_
#define PTEPROOF_CLI_VERBS_TAGGED_CALLS_H_

#include <string>

#include "cli/io/exit_code.h"
#include "cli/load/program_parts.h"
#include "cli/render/call_lines.h"
#include "cli/verbs/eval_command.h"
#include "properties/oracles/recorded_calls.h"
#include "properties/oracles/tags/tag_machine.h"
#include "pteproof/program.h"

namespace pteproof {

// "instruction 3 of 'forward' needs value 7 in bank 1 [0, 64): ..."
[[nodiscard]] std::string WrongReadText(const Program& program, const TagFinding& finding);

// Prints a row per call; ends a sequence at its first read of wrong bytes. Says at the end whether
// what was seen is a proof for all calls, or holds for these alone.
[[nodiscard]] ExitCode MakeTaggedCalls(const EvalRequest& request, const CallFiles& files,
                                       const Recording& recording, Semantics semantics,
                                       const ProgramParts& parts);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_TAGGED_CALLS_H_
