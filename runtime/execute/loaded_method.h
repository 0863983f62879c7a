// A method that is ready to run: values in their banks, operators resolved, arguments checked.
#ifndef PTEPROOF_RUNTIME_EXECUTE_LOADED_METHOD_H_
#define PTEPROOF_RUNTIME_EXECUTE_LOADED_METHOD_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/result.h"
#include "reference/op_schema.h"
#include "runtime/execute/delegate.h"
#include "runtime/execute/fault.h"
#include "runtime/execute/opaque_call.h"
#include "runtime/execute/value_table.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/placed_outs.h"

namespace pteproof {

enum class KernelSet : uint8_t {
  kReal,  // what operators mean
  kHash,  // every operator mixes its operands' bytes, known or not (docs/explanation/running.md)
};

// An input as a caller has it. A tensor's elements lie in the order of the program's dims.
struct RunInput {
  ValueKind kind = ValueKind::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string_view text = {};
  ScalarType dtype = ScalarType::kUInt8;
  std::span<const int64_t> sizes = {};
  std::span<std::byte> data = {};  // written only where the input is unplanned and the plan says so
};

// A call is SetInput for every input and Execute; before the first one, SetOutput where the program
// has no place for an output. No exception leaves it, unless a delegate throws one.
class LoadedMethod {
 public:
  // `program` must outlive it, and the banks' memory, and the delegates. `opaque`: of the method.
  // Under kHash, a call that nobody can look into and that is not among them is a fault; so it is
  // under kReal, if it is of a registered delegate. Nothing is allocated afterwards, but for what
  // kernels are lent, what delegates allocate and the explanations of faults.
  [[nodiscard]] static Result<std::unique_ptr<LoadedMethod>, RunFault> Load(
      const Program& program, size_t method, const MethodMemory& memory, KernelSet kernels,
      const DelegateRegistry& known, const OpaqueCalls& opaque = {});

  // Copies a planned input to its place; an unplanned one stays where it is, and must until the
  // call's outputs have been read. One that is refused writes nothing, and counts as not given.
  [[nodiscard]] std::optional<RunFault> SetInput(size_t n, const RunInput& input);
  // Memory of an output that the program has no place for, of at least its bytes: for all calls
  // until other memory is given.
  [[nodiscard]] std::optional<RunFault> SetOutput(size_t n, std::span<std::byte> memory);
  // Runs the instructions, at most `fuel` of them. What the banks hold after a fault is what the
  // instructions before it wrote. The inputs are the caller's again: the next call needs its own.
  [[nodiscard]] std::optional<RunFault> Execute(int64_t fuel);

  // Of the last call. A tensor in a bank is valid until the bank is written to next: by SetInput or
  // Execute of a method that has it, or ResetState. One in memory that the caller gave is valid as
  // long as that.
  [[nodiscard]] const RunValue& Output(size_t n) { return values_[method_.outputs[n]]; }
  [[nodiscard]] const Method& method() const { return method_; }

 private:
  struct Opaque {
    std::vector<RunValue*> operands;
    std::vector<RunValue*> results;
    std::vector<std::pair<RunValue*, const RunValue*>> returned;  // a slot, and what it becomes
  };
  struct Step {
    InstructionKind kind = InstructionKind::kFree;
    int32_t target = 0;  // as Instruction
    int32_t other = 0;
    const OpSchema* schema = nullptr;
    const Kernel* kernel = nullptr;
    bool is_stated = false;     // the schema is a user's: no kernel and no rule for sizes is known
    bool does_nothing = false;  // a planner placed the outs where their bytes are (placed_outs.h)
    bool onto_itself = false;   // it copies bytes onto themselves
    const DelegateFunction* delegate = nullptr;
    std::string_view name;              // of the operator or delegate
    CheckedSpan<RunValue* const> args;  // those of the schema; all where there is none
    RunValue* result = nullptr;         // the slot of a number
    RunValue* slot = nullptr;  // a slot that becomes the written argument, where it is another
    const RunValue* returned = nullptr;  // that argument
    const Opaque* opaque = nullptr;      // of calls that nobody can look into
    bool keeps_meaning = true;
    bool placed = false;   // its tensors' memory never changes, and is right
    bool settled = false;  // neither do their sizes
    int64_t listed = 1;    // values and items of lists, which each run looks at
  };

  LoadedMethod(const Program& program, const Method& method, const RunLimits& limits,
               KernelSet kernels, const DelegateRegistry& delegates)
      : method_(method),
        limits_(limits),
        scratch_(limits.memory),
        values_(program, method, scratch_.work()),
        kernels_(kernels),
        delegates_(delegates),
        given_(method.inputs.size()),
        is_input_(method.values.size()),
        is_unplaced_(method.values.size()) {
    for (const int32_t v : method.inputs) is_input_[static_cast<size_t>(v)] = true;
  }

  [[nodiscard]] static Result<std::unique_ptr<LoadedMethod>, RunFault> Make(
      const Program& program, const Method& method, const MethodMemory& memory, KernelSet kernels,
      const DelegateRegistry& known, const OpaqueCalls& opaque);
  [[nodiscard]] std::optional<RunFault> Resolve(const OpaqueCalls& opaque);
  [[nodiscard]] std::optional<RunFault> ResolveSteps(const OpaqueCalls& opaque);
  [[nodiscard]] int64_t ListedIn(const Instruction& instruction) const;
  void NoteUnplaced();
  void NoteMoved();
  [[nodiscard]] std::vector<bool> ChangingValues(bool views) const;
  [[nodiscard]] std::string ResolveCall(const Instruction& instruction, Step& step);
  // Whether a call keeps its meaning when operators mix.
  [[nodiscard]] bool KeepsMeaningOf(const OpSchema& schema, std::span<const int32_t> args) const;
  [[nodiscard]] std::optional<RunFault> UnknownCall(const Step& step) const;
  [[nodiscard]] std::optional<RunFault> UntoldCall(const Step& step) const;
  [[nodiscard]] std::string ResolveMove(const Instruction& instruction) const;
  void NoteOpaque(const OpaqueCall& call, Step& step);
  void NoteSlot(std::span<const int32_t> args, Step& step) const;
  void NoteVolatile(const Instruction& instruction);
  void Settle();

  [[nodiscard]] const char* TakeInput(size_t n, const RunInput& input);
  [[nodiscard]] const char* TakeTensor(int32_t v, const RunInput& input);
  [[nodiscard]] const char* TakeOutput(size_t n, std::span<std::byte> memory);
  [[nodiscard]] std::optional<RunFault> BeginCall();
  [[nodiscard]] std::optional<RunFault> Run(int64_t fuel);
  [[nodiscard]] const char* TryStep(const Step& step, int32_t& next);
  [[nodiscard]] const char* RunStep(const Step& step, int32_t& next);
  [[nodiscard]] const char* RunKernel(const Step& step);
  [[nodiscard]] const char* RunCall(const Step& step);
  const char* PointAtOperand(const Step& step);
  [[nodiscard]] const char* RunOpaque(const Step& step);
  [[nodiscard]] const char* RunDelegate(const Step& step);
  [[nodiscard]] const char* Prepare(const Step& step);
  [[nodiscard]] static const char* KindFault(const Step& step);
  [[nodiscard]] const char* Resized(const Step& step, const KernelCall& call);
  [[nodiscard]] const char* RunPrepared(const Step& step, const KernelCall& call);
  void GatherTargets(const Step& step);
  [[nodiscard]] const char* Jump(const Step& step, int32_t& next);
  [[nodiscard]] RunFault Fault(int32_t at, std::string explanation) const;

  const Method& method_;
  const PlacedOuts placed_outs_{method_};
  RunLimits limits_;
  Scratch scratch_;  // its work is told by all memory
  ValueTable values_;
  KernelSet kernels_;
  const DelegateRegistry& delegates_;
  std::vector<uint8_t> given_;        // per input: for the call that comes
  std::vector<bool> is_input_;        // per value
  std::vector<bool> is_unplaced_;     // per value: it is one of those
  std::vector<TensorRef*> unplaced_;  // that neither the plan nor the program has memory for
  std::vector<TensorRef*> moved_;     // that lie elsewhere after a call, but for inputs
  bool views_move_any_ = false;       // a view may be of any tensor's name
  std::vector<Step> steps_;
  std::vector<int32_t> volatile_;     // values that moves and number operators replace, but inputs
  std::deque<Opaque> opaque_;         // that steps point into
  std::vector<TensorRef*> targets_;   // of the call at hand
  std::string delegate_explanation_;  // why it failed
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_LOADED_METHOD_H_
