// Runs a Module's methods as they are written: entry values of buffers, nodes in order, all stores
// at exit at once. The specification that planned programs are compared with.
#ifndef PTEPROOF_REFERENCE_RUN_INTERPRET_H_
#define PTEPROOF_REFERENCE_RUN_INTERPRET_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/work.h"
#include "pteproof/result.h"
#include "reference/datum.h"
#include "reference/graph/module.h"
#include "reference/run/state.h"

namespace pteproof {

enum class Semantics : uint8_t {
  kReal,  // operators mean what they mean
  kHash,  // operators mix their operands' bytes (hash_semantics.h): works for any operator
};

struct RunError {
  enum class Kind : uint8_t {
    kUnknown,  // an operator without a meaning, or a delegate, under kReal
    kRefused,  // wrong inputs, or operands that an operator does not take
    kFuel,     // it ran into a limit: on nodes, on work, on memory
  };
  Kind kind = Kind::kRefused;
  std::string op;  // kUnknown: its name
  std::string explanation;
};

// Sees every tensor that a node makes, with the call's dims.
using Observer = std::function<void(const graph::Node& node, graph::ValueId value,
                                    const TensorValue& made, std::span<const int64_t> dims)>;

// Changes a tensor that a node makes, before anything sees it.
using Change = std::function<void(TensorValue& made)>;

struct RunOptions {
  Semantics semantics = Semantics::kReal;
  int64_t fuel = 1'000'000;  // nodes that one call may run
  // The elements that one call may read and write, and the bytes that it may make, at a time. They
  // count for nothing where the thread has limits of its own (base/work.h).
  int64_t work = kMostWork;
  int64_t memory = kMostMemory;
  Observer observer;         // may be empty
  Change change = {};        // may be empty
};

struct CallOutcome {
  std::vector<Datum> outputs;
  std::vector<Datum> inputs_after;  // inputs as the method leaves them
};

// Calls a method of a well-formed Module (graph::Validate) and puts the buffers that it stores to
// into `state`. Mutating operators and views work on the storages they name, also on inputs.
[[nodiscard]] Result<CallOutcome, RunError> CallMethod(const graph::Module& module, size_t method,
                                                       State& state, std::span<const Datum> inputs,
                                                       const RunOptions& options = {});

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_RUN_INTERPRET_H_
