// What runs the parts of a program that were compiled for something else: functions that the caller
// has, by the backend ids that programs name them with.
#ifndef PTEPROOF_RUNTIME_EXECUTE_DELEGATE_H_
#define PTEPROOF_RUNTIME_EXECUTE_DELEGATE_H_

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pteproof/program.h"
#include "runtime/kernels/base/run_value.h"

namespace pteproof {

struct DelegateCall {
  std::string_view id;
  Bytes blob;  // as the program has it, compiled by the backend
  std::span<const CompileSpec> specs;
  // Operands and results as the instruction lists them: which are which is the backend's to know.
  // Every tensor has memory. Results whose sizes vary have those of the file; Resize gives others.
  std::span<RunValue* const> args;
};

// Nothing: done. Else why not; what was written by then stays. It must not throw, but for
// std::bad_alloc, nor keep what it is given.
using DelegateFunction = std::function<std::optional<std::string>(const DelegateCall& call)>;

using DelegateRegistry = std::map<std::string, DelegateFunction, std::less<>>;

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_DELEGATE_H_
