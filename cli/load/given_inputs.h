// The calls that a file of inputs asks for (--inputs): numpy's arrays (.npz), or a recording.
#ifndef PTEPROOF_CLI_LOAD_GIVEN_INPUTS_H_
#define PTEPROOF_CLI_LOAD_GIVEN_INPUTS_H_

#include <string>

#include "properties/oracles/recorded_calls.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

// Calls whose outputs are compared with nothing. Of a recording all sequences count. An array's
// name is "[CALL/][METHOD/]INPUT" with numbers for CALL and INPUT, the position among the method's
// inputs; numpy's "arr_0" stands for 0, and a method that is not named is the program's only one or
// "forward". The calls are one sequence under `policy`, in the order of CALL. Inputs that are
// numbers and not given keep the program's value. `program` is null for a Module, which takes
// recordings alone. The error names the file.
[[nodiscard]] Result<Recording, std::string> InputsIn(const std::string& path,
                                                      const Program* program, Policy policy);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_GIVEN_INPUTS_H_
