// Runs a program as planned: in its banks, by the runtime's own kernels. Bytes that the plan does
// not keep are overwritten before every call, so that a read at the wrong time shows.
#ifndef PTEPROOF_PROPERTIES_ORACLES_PLANNED_RUN_H_
#define PTEPROOF_PROPERTIES_ORACLES_PLANNED_RUN_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "meaning/program_meaning.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "reference/datum.h"
#include "reference/run/interpret.h"
#include "runtime/execute/instance.h"

namespace pteproof {

struct PlannedRunOptions {
  Policy policy = Policy::kPrivate;
  Semantics semantics = Semantics::kReal;
  ApplyState apply = ApplyState::kOnce;
  StateFill fill = StateFill::kZero;
  bool lazy = false;
  bool writable_constants = false;
  bool devices_on_host = false;  // see InstanceOptions
  const DataFile* data = nullptr;
  bool poison = true;
  // Outputs may be views of where they lie: the caller is done with them before the next call.
  bool lends_outputs = false;
  int64_t fuel = 10'000'000;  // instructions of a call
  RunLimits limits = {};
  std::shared_ptr<const meaning::ProgramMeaning> meaning = nullptr;  // of the program, if known
};

// Instructions of the longest method: a call without loops runs no more.
[[nodiscard]] int64_t LongestPass(const Program& program);

class PlannedRun {
 public:
  // A freshly loaded program, which must outlive it.
  [[nodiscard]] static Result<PlannedRun, RunFault> Load(const Program& program,
                                                         const PlannedRunOptions& options);

  // A fault for want of memory may come after the method has run, when its outputs are copied.
  [[nodiscard]] Result<std::vector<Datum>, RunFault> Call(int32_t method,
                                                          std::span<const Datum> inputs);

  // As it was when it was loaded, which takes longer. Outputs of earlier calls are gone.
  void StartOver();

  // Results of the last call lie in banks; results in memory of the caller lie here.
  [[nodiscard]] Instance& instance() { return *instance_; }

  // Loads the method, if that was put off until its first call.
  [[nodiscard]] std::optional<RunFault> LoadMethod(int32_t method);

 private:
  struct Gap {
    uint64_t first = 0;
    uint64_t end = 0;
  };

  PlannedRun(const Program& program, const PlannedRunOptions& options,
             std::unique_ptr<Instance> instance)
      : program_(&program), options_(options), instance_(std::move(instance)) {}

  [[nodiscard]] static Result<PlannedRun, RunFault> Make(const Program& program,
                                                         const PlannedRunOptions& asked);
  [[nodiscard]] Result<std::vector<Datum>, RunFault> MakeCall(int32_t method,
                                                              std::span<const Datum> inputs);
  void FindGaps();
  void Poison(size_t method);

  const Program* program_;
  PlannedRunOptions options_;
  std::unique_ptr<Instance> instance_;
  std::map<const Bank*, std::vector<Gap>> gaps_;  // bytes that hold no state
  uint8_t pattern_ = 0;
  // Of the last call's inputs and outputs. Moving the run must not allocate, as moving a deque
  // does.
  std::unique_ptr<std::deque<std::vector<std::byte>>> memory_;
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_PLANNED_RUN_H_
