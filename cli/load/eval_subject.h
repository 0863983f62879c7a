// What `eval` and `run` run: a Module's text or a program file, behind one small interface.
#ifndef PTEPROOF_CLI_LOAD_EVAL_SUBJECT_H_
#define PTEPROOF_CLI_LOAD_EVAL_SUBJECT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/load/program_parts.h"
#include "properties/oracles/recorded_calls.h"
#include "properties/oracles/unknown_calls.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/datum.h"
#include "reference/run/interpret.h"
#include "runtime/execute/instance.h"

namespace pteproof {

// Why a call was not made.
struct EvalFailure {
  enum class Kind : uint8_t {
    kUnknown,  // an operator, or a delegate, that is not known
    kProgram,  // no call of the method can be made, whatever the inputs are
    kCall,     // not with these inputs
    kLimit,    // it takes too long
  };
  Kind kind = Kind::kCall;
  std::string op;  // kUnknown: its name
  std::string explanation;
};

struct EvalOutcome {
  std::vector<Datum> outputs;
  std::vector<Datum> changed_inputs;  // what inputs hold afterwards that the call has changed
};

class EvalSubject {
 public:
  virtual ~EvalSubject() = default;
  // Why no call of the method can be made, told before anything is loaded: it needs an operator or
  // a delegate that is not known. Nothing: calls may be made, as far as the file tells.
  [[nodiscard]] virtual std::optional<EvalFailure> UnknownIn(std::string_view) const { return {}; }
  // Why the manifest does not admit the sizes of a call's inputs; nothing: it does.
  [[nodiscard]] virtual std::optional<std::string> NotAdmitted(std::string_view,
                                                               std::span<const Datum>) const {
    return {};
  }
  // A fresh load, for a new sequence.
  virtual void Restart(const RecordedSequence& sequence) = 0;
  [[nodiscard]] virtual bool HasMethod(std::string_view name) const = 0;
  // The outcome holds until the next call or restart. Throws nothing but std::bad_alloc.
  [[nodiscard]] virtual Result<EvalOutcome, EvalFailure> Call(std::string_view method,
                                                              std::span<const Datum> inputs) = 0;
  // Within which outputs of a method agree with what was recorded.
  [[nodiscard]] virtual Tolerance BoundsOf(std::string_view) const { return {.by_type = true}; }
  // Whether a call can see what an earlier one has done.
  [[nodiscard]] virtual bool HasState() const = 0;
  // Of the buffers' contents; 0: there are none.
  [[nodiscard]] virtual uint64_t StateDigest() const = 0;
};

// What `run` runs a program in.
enum class RunMode : uint8_t {
  kPlanned,         // its banks
  kPrivateStorage,  // a storage of its own for every value: the reference
  kTagged,          // the reference, and beside it which write every byte of the banks comes from
};

struct EngineOptions {
  RunMode mode = RunMode::kPlanned;
  ApplyState apply = ApplyState::kOnce;
  StateFill fill = StateFill::kZero;
  RunLimits limits = {};
};

// How a sequence is loaded: as it was recorded, unless something else is asked for.
struct LoaderChoice {
  std::optional<Policy> policy;
  std::optional<bool> all_first;
};

// The failure of a call that was found unknown.
[[nodiscard]] std::optional<EvalFailure> FailureOfUnknown(
    const std::optional<UnknownCall>& unknown);

// Of a manifest that may be missing, as EvalSubject::NotAdmitted.
[[nodiscard]] std::optional<std::string> NotAdmittedBy(const Manifest* manifest,
                                                       std::string_view method,
                                                       std::span<const Datum> inputs);

// Whether a call can see what an earlier one has done.
[[nodiscard]] bool HasBuffers(const Program& program, const Manifest* manifest);

// As it is planned. The parts must be of a program.
[[nodiscard]] std::unique_ptr<EvalSubject> PlannedSubject(ProgramParts parts, Semantics semantics,
                                                          const LoaderChoice& loader,
                                                          const EngineOptions& options);

[[nodiscard]] std::unique_ptr<EvalSubject> ProgramSubject(ProgramParts parts, Semantics semantics,
                                                          const LoaderChoice& loader);
[[nodiscard]] std::unique_ptr<EvalSubject> ModuleSubject(graph::Module module, Semantics semantics);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_LOAD_EVAL_SUBJECT_H_
