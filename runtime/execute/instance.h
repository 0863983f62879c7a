// A program in memory: its methods over banks that a loader policy lets them share.
#ifndef PTEPROOF_RUNTIME_EXECUTE_INSTANCE_H_
#define PTEPROOF_RUNTIME_EXECUTE_INSTANCE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "pteproof/result.h"
#include "runtime/execute/bank.h"
#include "runtime/execute/delegate.h"
#include "runtime/execute/fault.h"
#include "runtime/execute/loaded_method.h"
#include "runtime/execute/opaque_call.h"
#include "runtime/execute/run_limits.h"
#include "runtime/read_data.h"

namespace pteproof {

// When a method's stored initial values are copied to their places.
enum class ApplyState : uint8_t {
  kOnce,      // when the first method that has the bytes is loaded
  kEachLoad,  // whenever a method is loaded, as ExecuTorch's loaders do
};

// What a bank's bytes are before anything is stored.
enum class StateFill : uint8_t { kZero, kPoison };

// Methods whose banks are common and ask for different sizes.
enum class UnequalBanks : uint8_t { kTakeLargest, kRefuse };

struct InstanceOptions {
  Policy policy = Policy::kPrivate;
  KernelSet kernels = KernelSet::kReal;
  ApplyState apply = ApplyState::kOnce;
  StateFill fill = StateFill::kZero;
  UnequalBanks unequal = UnequalBanks::kTakeLargest;
  // A method may write to constants, in copies of the instance's own of those that it may write to:
  // a mistake of an exporter's that shows in ExecuTorch where the file's memory can be written to.
  bool writable_constants = false;
  bool lazy = false;                // a method is loaded when it is first asked for
  const DataFile* data = nullptr;   // the tensors that the program keeps outside
  DelegateRegistry delegates = {};  // of kReal: under kHash they are mixed like all else
  // Banks of devices are memory of the host: for runs that ask about bytes, not about devices.
  bool devices_on_host = false;
  RunLimits limits = {};  // 0: in proportion to the program
  // Of the program's calls that nobody can look into. Null: none is given, and a method with such
  // a call is loaded neither under kHash nor with a delegate that is registered for it.
  GivenOpaqueCalls opaque_calls = nullptr;
  // Gives banks that the caller has; null, or nothing returned: memory of our own, for the CPU
  // only. A bank may be larger than what is asked for.
  std::function<std::optional<Bank>(const BankRequest&)> provide = nullptr;
};

class Instance {
 public:
  // `program`, and what its blobs point into, must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Instance>, RunFault> Load(
      const Program& program, const InstanceOptions& options = {});

  // Loads it where that has not been done. The pointer is the instance's.
  [[nodiscard]] Result<LoadedMethod*, RunFault> MethodAt(size_t method);

  // The bank that a method has under that memory id; null: it has none.
  [[nodiscard]] Bank* BankOf(size_t method, uint32_t memory_id);

  // Banks and written constants as they were before the first load, and every loaded method's
  // initial state once more.
  // Allocates nothing; outputs that lie in banks are gone.
  void ResetState();

 private:
  struct Owned {
    Bank bank;
    uint64_t nbytes = 0;
    std::unique_ptr<std::byte, void (*)(std::byte*)> memory = {nullptr, nullptr};
  };

  Instance(const Program& program, const InstanceOptions& options)
      : program_(program),
        options_(options),
        limits_(LimitsOf(program, options.data, options.limits)),
        methods_(program.methods.size()) {}

  [[nodiscard]] static Result<std::unique_ptr<Instance>, RunFault> Make(
      const Program& program, const InstanceOptions& options);
  [[nodiscard]] std::optional<RunFault> Take(std::string_view method, std::string_view what,
                                             uint64_t nbytes);
  [[nodiscard]] std::optional<RunFault> TakeOutputs();
  [[nodiscard]] std::optional<RunFault> CopyWrittenConstants();
  void ResetConstants();
  [[nodiscard]] std::optional<RunFault> MakeBanks();
  [[nodiscard]] std::optional<RunFault> MakeBank(const Method& method, uint32_t memory_id,
                                                 uint64_t nbytes, Owned& owned);
  [[nodiscard]] BankRequest RequestOf(const Method& method, uint32_t memory_id,
                                      uint64_t nbytes) const;
  [[nodiscard]] std::optional<RunFault> CheckCommonState() const;
  [[nodiscard]] Result<LoadedMethod*, RunFault> LoadMethod(size_t method);
  template <class Each>
  void ForEachStored(size_t method, const Each& each);
  void ApplyInitialState(size_t method);
  [[nodiscard]] Bytes StoredValue(const Method& method, const Tensor& tensor) const;

  const Program& program_;
  InstanceOptions options_;
  RunLimits limits_;
  uint64_t memory_ = 0;  // bytes taken of it
  std::vector<std::unique_ptr<LoadedMethod>> methods_;
  std::vector<std::unique_ptr<Owned>> owned_;
  std::vector<std::vector<std::byte>> constants_;                  // copies; empty: read in place
  std::vector<std::vector<Owned*>> banks_;                         // by method and memory id
  std::map<std::pair<const Owned*, uint64_t>, uint64_t> applied_;  // (bank, offset) to bytes
};

// Whether methods have the bank in common under the policy.
[[nodiscard]] bool IsCommon(Policy policy, uint32_t memory_id);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_INSTANCE_H_
