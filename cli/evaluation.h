// Makes recorded calls and judges each.
#ifndef PTEPROOF_CLI_EVALUATION_H_
#define PTEPROOF_CLI_EVALUATION_H_

#include "cli/eval_command.h"
#include "cli/eval_subject.h"
#include "cli/exit_code.h"
#include "properties/oracles/recorded_calls.h"

namespace pteproof {

// Prints a row per call and a summary. `semantics`: the subject's.
[[nodiscard]] ExitCode Evaluate(const EvalRequest& request, const Recording& recording,
                                Semantics semantics, EvalSubject& subject);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_EVALUATION_H_
