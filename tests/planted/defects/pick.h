// Picks what a defect damages.
#ifndef PTEPROOF_TESTS_PLANTED_DEFECTS_PICK_H_
#define PTEPROOF_TESTS_PLANTED_DEFECTS_PICK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/planted/defects.h"

namespace pteproof {

// A value of a method that is a tensor.
struct TensorAt {
  Method* method = nullptr;
  int32_t value = 0;

  [[nodiscard]] Tensor& get() const {
    return method->tensors[method->values[static_cast<size_t>(value)].tensor];
  }
};

[[nodiscard]] inline bool IsInput(const Method& method, int32_t value) {
  return std::ranges::count(method.inputs, value) > 0;
}

// Those of the program's tensors that `fits` says.
template <class Fits>
std::vector<TensorAt> TensorsOf(Program& program, Fits fits) {
  std::vector<TensorAt> all;
  for (Method& method : program.methods) {
    for (size_t v = 0; v < method.values.size(); ++v) {
      const TensorAt at = {&method, static_cast<int32_t>(v)};
      if (method.values[v].kind == ValueKind::kTensor && fits(at)) all.push_back(at);
    }
  }
  return all;
}

// One of them; nothing when there is none.
template <class T>
std::optional<T> PickOf(const std::vector<T>& all, const Plan& plan) {
  if (all.empty()) return std::nullopt;
  return all[plan.draw(all.size())];
}

// A call of an operator of this name.
struct CallAt {
  Method* method = nullptr;
  size_t instruction = 0;

  [[nodiscard]] int32_t& arg(size_t a) const {
    return method->ints[method->instructions[instruction].args.first + a];
  }
};

// Calls of which `fits` says so, of an operator and by its arguments.
template <class Fits>
std::vector<CallAt> CallsOf(Program& program, Fits fits) {
  std::vector<CallAt> all;
  for (Method& method : program.methods) {
    for (size_t i = 0; i < method.instructions.size(); ++i) {
      const Instruction& at = method.instructions[i];
      if (at.kind != InstructionKind::kKernelCall) continue;
      if (fits(method, method.operators[static_cast<size_t>(at.target)], method.Ints(at.args))) {
        all.push_back({&method, i});
      }
    }
  }
  return all;
}

[[nodiscard]] inline bool HasBytes(const TensorAt& at) {
  return at.get().planned && at.get().nbytes > 0;
}

[[nodiscard]] inline bool IsCopy(const Operator& op) {
  return op.name == "aten::copy_";
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_DEFECTS_PICK_H_
