// Runs a program in the reference: every value has a storage of its own, so that no plan is
// involved, and operators are evaluated by their meaning. The outputs are the program's meaning.
//
// Idea: an instruction replaces the contents of its results and leaves the old contents to older
// names of them, like a functional interpreter. Only names of others' bytes share (meaning/):
//
//   0: v3 = mul(v1, v1)      v3 -> A
//   1: (v4 is a view of v3)  v4 -> A, read with other sizes
//   2: v3 = add(v3, v1)      v3 -> B, and v4 keeps A, as it was made before
//
// Invariant: contents are immutable; a write makes new ones. A buffer's contents are kept by name
// and place, and methods share them if the policy shares the bank.
//
// Cost: per instruction its evaluation, and the names that are born before it. Memory: the contents
// that a later instruction needs; constants are read in place.
#ifndef PTEPROOF_PROPERTIES_ORACLES_REPLAY_H_
#define PTEPROOF_PROPERTIES_ORACLES_REPLAY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/work.h"
#include "meaning/program_meaning.h"
#include "properties/oracles/last_uses.h"
#include "properties/oracles/tags/tag_machine.h"
#include "pteproof/finding.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/datum.h"
#include "reference/run/interpret.h"
#include "runtime/execute/opaque_call.h"
#include "runtime/execute/run_limits.h"
#include "runtime/read_data.h"

namespace pteproof {

struct ReplayError {
  enum class Kind : uint8_t {
    kUnknown,  // an operator without a meaning, or a delegate
    kRefused,  // the call cannot be made with these inputs
    kFuel,     // it ran into the limit on instructions, or on work
    kMemory,   // its values take more than the limit on memory
  };
  Kind kind = Kind::kRefused;
  std::string op;  // kUnknown: its full name
  int32_t instruction = -1;
  std::string explanation;
};

inline constexpr int64_t kReplayFuel = 10'000'000;

struct ReplayOptions {
  Policy policy = Policy::kPrivate;  // which methods see the same state
  Semantics semantics = Semantics::kReal;
  const DataFile* data = nullptr;      // the tensors that the program keeps outside
  const Manifest* manifest = nullptr;  // names of buffers that the file does not name
  bool by_name = false;        // one name in banks in common is one buffer, also at two places
  int64_t fuel = kReplayFuel;  // instructions that one call may run
  // The elements that one call may read and write, and the bytes of all contents at a time. They
  // count for nothing where the thread has limits of its own (base/work.h).
  RunLimits limits = {};
  TagMachine* tags = nullptr;  // is told of every read and write; may be null
  // Of the program, if known.
  std::shared_ptr<const meaning::ProgramMeaning> meaning = nullptr;
};

// The content of a tensor value, and the writes that its bytes come from, in memory order (without
// a tag machine: not known).
struct Held : TensorValue {
  TagRuns tags;
  std::span<const int32_t> dim_order;  // of that memory, in the program
};
using HeldContents = std::shared_ptr<const Held>;

// The value whose stored data a buffer starts with. All methods are loaded before the first call;
// if several store data, the last one counts.
struct StoredState {
  const Method* method = nullptr;
  int32_t value = 0;
};
using StoredStates = std::map<std::string, StoredState>;  // by key

class Replay {
 public:
  // A freshly loaded program, which must outlive this.
  Replay(const Program& program, const ReplayOptions& options);

  // Index of a method, or -1.
  [[nodiscard]] int32_t MethodNamed(std::string_view name) const;
  [[nodiscard]] Result<std::vector<Datum>, ReplayError> Call(int32_t method,
                                                             std::span<const Datum> inputs);

  // Whether any method has a value that outlives a call.
  [[nodiscard]] bool HasState() const;

  // The present content of the state that calls have used so far, by name and place.
  [[nodiscard]] const std::map<std::string, HeldContents>& state() const { return states_; }

 private:
  // The states with stored data, or the others.
  void AddStates(bool stored);

  const Program& program_;
  ReplayOptions options_;
  RunLimits limits_;
  std::shared_ptr<MemoryCount> memory_;  // of contents, also those that callers hold
  std::optional<std::string> unsure_;    // why no call is made
  std::shared_ptr<const meaning::ProgramMeaning> meaning_;
  std::vector<LastUses> last_uses_;  // per method
  GivenOpaqueCalls opaque_;          // never null
  StoredStates stored_;
  std::map<std::string, HeldContents> states_;  // by key
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_REPLAY_H_
