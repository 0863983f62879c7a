// Runs a program as it is planned, in banks, with the library's own kernels; and compares such runs
// with runs in which every value has a storage of its own.
//
// Example:
//
//   #include "pteproof/read.h"
//
//   const auto file = pteproof::ReadProgramFile("add.pte");
//   if (!file.ok()) return 1;
//   auto runner = pteproof::Runner::Load(file.value().program);
//   if (!runner.ok()) return 1;
//   const pteproof::TensorValue zeros = pteproof::Zeros(pteproof::ScalarType::kFloat32, {3});
//   const auto outputs = runner.value().Call("forward", std::vector<pteproof::Datum>{zeros});
//   if (!outputs.ok()) return 1;
//   const auto& sum = std::get<pteproof::TensorValue>(outputs.value().front());
//   if (pteproof::RealAt(sum, 2) != 1.0) return 1;  // the model adds 1
//   const auto difference = pteproof::DiffPlan(file.value().program);
//   return difference.ok() && !difference.value().lost ? 0 : 1;
#ifndef PTEPROOF_RUN_H_
#define PTEPROOF_RUN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/datum.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"

namespace pteproof {

struct Manifest;  // manifest.h

// Why a program cannot be loaded, or a call not be made.
struct RunFault {
  enum class Kind : uint8_t {
    kUnknown,   // an operator without a kernel, a delegate that is not registered
    kRefused,   // the program, or the call, cannot be run like this
    kUnplaced,  // a tensor that is used has no memory, of the program's or the caller's
    kFuel,      // it ran into a limit: on instructions, on work, on memory
    kMemory,    // there is not enough
  };
  Kind kind = Kind::kRefused;
  std::string method;
  int32_t instruction = -1;  // -1: none, at load or when inputs are set
  std::string op;            // kUnknown: its full name
  std::string explanation;
};

struct RunnerOptions {
  Policy policy = Policy::kPrivate;  // which banks methods share
  // Operators mix their operands' bytes instead of computing: delegates and unknown operators run
  // too, and each byte that is read wrong shows.
  bool mix = false;
  bool each_load = false;     // stored state is set whenever a method is loaded, not once
  bool lazy = false;          // a method is loaded at its first call
  int64_t fuel = 10'000'000;  // instructions of one call, at most
  // Elements that the operators of one call read or write, at most, and bytes of all banks and
  // outputs. 0: 2^28 and 384 MiB, and 512 and 16 more for each byte of the program's data.
  int64_t work = 0;
  uint64_t memory = 0;
  Bytes data = {};  // of a `.ptd` with the tensors outside the program; empty: none
};

// A loaded program. Before each call the bytes that the plan does not keep are overwritten, so that
// a byte read too early or too late shows. Not for use from several threads at once.
class Runner {
 public:
  // `program`, the bytes that its blobs point into, and `options.data` must outlive it.
  [[nodiscard]] static Result<Runner, RunFault> Load(const Program& program,
                                                     const RunnerOptions& options = {});
  Runner(Runner&& other) noexcept;
  Runner& operator=(Runner&& other) noexcept;
  ~Runner();

  // The outputs of a method. State stays between calls.
  [[nodiscard]] Result<std::vector<Datum>, RunFault> Call(std::string_view method,
                                                          std::span<const Datum> inputs);

 private:
  struct Loaded;
  explicit Runner(std::unique_ptr<Loaded> loaded);

  std::unique_ptr<Loaded> loaded_;
};

struct PlanDiffOptions {
  Policy policy = Policy::kPrivate;
  uint64_t seed = 0;                   // equal seeds make equal calls
  int sequences = 20;                  // each from a freshly loaded program, at most
  int longest = 8;                     // calls of a sequence, at most
  int64_t fuel = 20'000;               // instructions of one call, at most
  Bytes data = {};                     // as in RunnerOptions
  const Manifest* manifest = nullptr;  // names of buffers, sizes of inputs; null: none
};

// The first call that shows a byte that the plan loses.
struct LostByte {
  std::vector<std::string> methods;  // the calls of its sequence up to it
  std::string output;                // which output and element is wrong; empty: none
  std::string method;                // with the instruction that reads wrong bytes; empty: unknown
  int32_t instruction = -1;          // the number of instructions: the caller reads an output
  int32_t value = -1;                // the value that it reads
  std::string explanation;           // which write it should see, and which it sees
};

struct PlanDiff {
  int64_t compared = 0;                         // calls
  std::map<std::string, int64_t> not_compared;  // calls that were not made, by reason
  std::optional<LostByte> lost;
};

// Makes random calls as planned, and with a storage of its own for every value. Operators mix their
// operands' bytes, so that their meaning does not matter: if the two differ, the plan loses a
// byte. Ends at the first difference. Errors: the data cannot be read.
[[nodiscard]] Result<PlanDiff, RunFault> DiffPlan(const Program& program,
                                                  const PlanDiffOptions& options = {});

}  // namespace pteproof

#endif  // PTEPROOF_RUN_H_
