// Makes recorded calls and judges each.
#ifndef PTEPROOF_CLI_VERBS_EVALUATION_H_
#define PTEPROOF_CLI_VERBS_EVALUATION_H_

#include "cli/io/exit_code.h"
#include "cli/load/eval_subject.h"
#include "cli/render/call_lines.h"
#include "cli/verbs/eval_command.h"
#include "properties/oracles/recorded_calls.h"

namespace pteproof {

// Prints a line per call and one of counts. `semantics`: the subject's.
[[nodiscard]] ExitCode Evaluate(const EvalRequest& request, const CallFiles& files,
                                const Recording& recording, Semantics semantics,
                                EvalSubject& subject);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_EVALUATION_H_
