// A method that is ready to run: values in their banks, operators resolved, arguments checked.
#ifndef PTEPROOF_RUNTIME_EXECUTE_LOADED_METHOD_H_
#define PTEPROOF_RUNTIME_EXECUTE_LOADED_METHOD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/execute/fault.h"
#include "runtime/execute/value_table.h"
#include "runtime/kernels/kernel.h"

namespace pteproof {

enum class KernelSet : uint8_t {
  kReal,  // what operators mean
  kHash,  // every operator mixes its operands' bytes, known or not (docs/running.md)
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

class LoadedMethod {
 public:
  // `program` must outlive it, and the banks' memory. Nothing is allocated afterwards, but for
  // what kernels are lent.
  [[nodiscard]] static Result<std::unique_ptr<LoadedMethod>, RunFault> Load(
      const Program& program, size_t method, const MethodMemory& memory, KernelSet kernels);

  // Copies a planned input to its place; an unplanned one stays where it is, and must until the
  // call has returned.
  [[nodiscard]] std::optional<RunFault> SetInput(size_t n, const RunInput& input);
  // Memory of an output that the program has no place for, of at least its bytes.
  [[nodiscard]] std::optional<RunFault> SetOutput(size_t n, std::span<std::byte> memory);
  // Runs the instructions, at most `fuel` of them. What the banks hold after a fault is what the
  // instructions before it wrote.
  [[nodiscard]] std::optional<RunFault> Execute(int64_t fuel);

  // Valid until the next call of a method that has a bank in common.
  [[nodiscard]] const RunValue& Output(size_t n) { return values_[method_.outputs[n]]; }
  [[nodiscard]] const Method& method() const { return method_; }

 private:
  struct Step {
    InstructionKind kind = InstructionKind::kFree;
    int32_t target = 0;  // as Instruction
    int32_t other = 0;
    const OpSchema* schema = nullptr;
    const Kernel* kernel = nullptr;
    std::string_view name;            // of the operator or delegate
    std::span<RunValue* const> args;  // those of the schema; all where there is none
    RunValue* result = nullptr;       // the slot of a number
    size_t first_result = 0;          // without a schema: results begin here
    bool keeps_meaning = true;
    bool placed = false;   // its tensors' memory never changes, and is right
    bool settled = false;  // neither do their sizes
  };

  LoadedMethod(const Program& program, const Method& method, KernelSet kernels)
      : method_(method), values_(program, method), kernels_(kernels) {}

  [[nodiscard]] std::optional<RunFault> Resolve();
  [[nodiscard]] std::string ResolveCall(const Instruction& instruction, Step& step);
  [[nodiscard]] std::string ResolveMove(const Instruction& instruction) const;
  [[nodiscard]] size_t FirstResult(std::span<const int32_t> args, int32_t at) const;
  void NoteVolatile(const Instruction& instruction);
  void Settle();

  [[nodiscard]] const char* RunStep(const Step& step, int32_t& next);
  [[nodiscard]] const char* RunCall(const Step& step);
  [[nodiscard]] const char* RunOpaque(const Step& step);
  [[nodiscard]] const char* Prepare(const Step& step);
  void GatherTargets(const Step& step);
  [[nodiscard]] const char* Jump(const Step& step, int32_t& next);
  [[nodiscard]] RunFault Fault(int32_t at, std::string story) const;

  const Method& method_;
  ValueTable values_;
  KernelSet kernels_;
  std::vector<Step> steps_;
  std::vector<int32_t> volatile_;    // values that moves and number operators replace, but inputs
  std::vector<int32_t> first_use_;   // per value: the first instruction that lists it
  std::vector<TensorRef*> targets_;  // of the call at hand
  Scratch scratch_;
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_LOADED_METHOD_H_
