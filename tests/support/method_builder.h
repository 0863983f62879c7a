// Methods for tests of the checks, put together value by value as a planner would emit them.
#ifndef PTEPROOF_TESTS_SUPPORT_METHOD_BUILDER_H_
#define PTEPROOF_TESTS_SUPPORT_METHOD_BUILDER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/program.h"

namespace pteproof {

// Every function that adds a value returns its index. Placements grow the bank as needed.
class MethodBuilder {
 public:
  explicit MethodBuilder(std::string name = "forward");

  // A planned tensor in `bank` at `offset`, row-major, float32 unless told otherwise.
  int32_t Planned(uint32_t bank, uint64_t offset, std::vector<int32_t> sizes,
                  std::string_view name = {}, ScalarType dtype = ScalarType::kFloat32);
  // A tensor in the caller's memory.
  int32_t Unplanned(std::vector<int32_t> sizes, ScalarType dtype = ScalarType::kFloat32);
  // A constant tensor.
  int32_t Constant(uint32_t data_index, std::vector<int32_t> sizes,
                   ScalarType dtype = ScalarType::kFloat32);
  int32_t Int(int64_t number);
  int32_t Bool(bool flag);
  int32_t None();
  int32_t IntList(std::vector<int32_t> items);
  int32_t TensorList(std::vector<int32_t> items);
  int32_t OptionalTensorList(std::vector<int32_t> items);

  void Input(int32_t value) { method_.inputs.push_back(value); }
  void Output(int32_t value) { method_.outputs.push_back(value); }

  // Each adds an instruction and returns its index. `args` holds all arguments, the return slot
  // included.
  int32_t Call(std::string_view op, std::vector<int32_t> args);
  int32_t Delegate(std::vector<int32_t> args);
  int32_t Move(int32_t from, int32_t to);
  int32_t JumpFalse(int32_t condition, int32_t target);
  void SetTarget(int32_t jump, int32_t target) {
    method_.instructions[static_cast<size_t>(jump)].other = target;
  }
  [[nodiscard]] int32_t Next() const { return static_cast<int32_t>(method_.instructions.size()); }

  // Short forms of what planners emit most, literals included.
  int32_t Add(int32_t a, int32_t b, int32_t out);                 // aten::add.out
  int32_t Mul(int32_t a, int32_t b, int32_t out);                 // aten::mul.out
  int32_t Flip(int32_t a, int32_t out);                           // aten::flip.out over dim 0
  int32_t Copy(int32_t to, int32_t from);                         // aten::copy_
  int32_t IndexPut(int32_t self, int32_t index, int32_t values);  // aten::index_put_

  Tensor& TensorAt(int32_t value);
  Method& method() { return method_; }
  [[nodiscard]] Method Build() const;

 private:
  int32_t AddTensor(Tensor tensor, const std::vector<int32_t>& sizes, std::string_view name);
  int32_t AddValue(Value value);
  Range Pool(const std::vector<int32_t>& ints);

  Method method_;
};

// A program of these methods, without constants.
[[nodiscard]] Program ProgramOf(std::vector<Method> methods);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_METHOD_BUILDER_H_
