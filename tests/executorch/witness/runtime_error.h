// What ExecuTorch's runtime says when it refuses something.
#ifndef PTEPROOF_TESTS_EXECUTORCH_WITNESS_RUNTIME_ERROR_H_
#define PTEPROOF_TESTS_EXECUTORCH_WITNESS_RUNTIME_ERROR_H_

#include <executorch/runtime/core/error.h>

#include <string>
#include <string_view>

namespace pteproof::witness {

// From now on the runtime's log is kept for SayError, and written nowhere.
void KeepLog();

// The step that failed, the error's number and the log since the last time; empty for Ok.
[[nodiscard]] std::string SayError(std::string_view step, executorch::runtime::Error error);

}  // namespace pteproof::witness

#endif  // PTEPROOF_TESTS_EXECUTORCH_WITNESS_RUNTIME_ERROR_H_
