// Changes to a decoded method: values and instructions that come in between, and what they move.
#ifndef PTEPROOF_PLANNER_REPAIR_METHOD_EDITOR_H_
#define PTEPROOF_PLANNER_REPAIR_METHOD_EDITOR_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::planner {

// New values are told by numbers behind those of the method, until Take() gives all values numbers
// in order: checks and people read from them when a value was made.
class MethodEditor {
 public:
  explicit MethodEditor(Method method);

  [[nodiscard]] const Method& method() const { return method_; }

  // A new value, to be numbered behind value `after` (-1: first) and what was put there before.
  [[nodiscard]] int32_t AddTensor(const Tensor& tensor, int32_t after);
  [[nodiscard]] int32_t AddValue(const Value& value, int32_t after);
  [[nodiscard]] Tensor& TensorOf(int32_t v);
  // A new list of integers in the pools.
  [[nodiscard]] Range AddInts(std::span<const int32_t> ints);
  [[nodiscard]] int32_t AddOperator(const Operator& op);

  // Ahead of an instruction of the method, or of its end, and behind what was put there before. A
  // jump forward to that instruction leads to what is put ahead of it, a jump back does not.
  void InsertCall(int32_t before, int32_t op, std::span<const int32_t> args);
  void SetArgument(int32_t instruction, size_t argument, int32_t value);
  void SetOutput(size_t output, int32_t value);

  // The changed method. Call once.
  [[nodiscard]] Method Take();
  // After Take(): where the method's instructions and values are now.
  [[nodiscard]] const std::vector<int32_t>& instructions() const { return instruction_at_; }
  [[nodiscard]] const std::vector<int32_t>& values() const { return value_at_; }

 private:
  void OrderValues();
  void OrderInstructions();

  Method method_;
  std::vector<std::pair<int32_t, int32_t>> added_;         // after a value; the new value
  std::vector<std::pair<int32_t, Instruction>> inserted_;  // before an instruction
  std::vector<int32_t> instruction_at_;
  std::vector<int32_t> value_at_;
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_REPAIR_METHOD_EDITOR_H_
