// A runtime that is timed: our own, or ExecuTorch's from its wheel. Both take the same file and the
// same inputs; what is built without the wheel has the first only.
#ifndef PTEPROOF_BENCH_ENGINES_ENGINE_H_
#define PTEPROOF_BENCH_ENGINES_ENGINE_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pteproof/result.h"
#include "reference/datum.h"

namespace pteproof::bench {

struct EngineCall {
  std::string method;
  std::vector<Datum> inputs;
};

// Must outlive the engine that it is loaded by.
struct EngineJob {
  std::span<const std::byte> program;  // a `.pte`, aligned as AlignedBytes is
  std::span<const std::byte> data;     // a `.ptd`; empty: none
  std::vector<EngineCall> calls;
};

class Engine {
 public:
  virtual ~Engine() = default;

  // Sets the inputs of the job's n-th call and runs it. Empty; or why it was not made.
  [[nodiscard]] virtual std::string Call(size_t n) = 0;

  // The tensors of float32 that the method of call n has for outputs, as the last call left them.
  [[nodiscard]] virtual std::vector<std::vector<float>> Outputs(size_t n) = 0;
};

using LoadedEngine = Result<std::unique_ptr<Engine>, std::string>;

// Reads the program, checks its framing and loads all its methods, each with banks of its own. The
// calls' inputs are ready; nothing has been called.
[[nodiscard]] LoadedEngine LoadOwnEngine(const EngineJob& job);
[[nodiscard]] LoadedEngine LoadExecutorch(const EngineJob& job);

// Whether this was built with the wheel.
[[nodiscard]] bool HasExecutorch();

}  // namespace pteproof::bench

#endif  // PTEPROOF_BENCH_ENGINES_ENGINE_H_
