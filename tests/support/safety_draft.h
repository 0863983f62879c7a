// A method of an example, whose calls name their arguments: those left out have defaults.
#ifndef PTEPROOF_TESTS_SUPPORT_SAFETY_DRAFT_H_
#define PTEPROOF_TESTS_SUPPORT_SAFETY_DRAFT_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "tests/support/method_builder.h"

namespace pteproof {

class SafetyDraft {
 public:
  using Dims = std::vector<int32_t>;
  using Named = std::map<std::string_view, int32_t>;

  // A tensor with bytes of its own, or at that place of bank 1.
  int32_t T(const Dims& sizes, ScalarType dtype = ScalarType::kFloat32);
  int32_t At(uint64_t offset, const Dims& sizes, ScalarType dtype = ScalarType::kFloat32);
  // Of at most those sizes.
  int32_t Upto(const Dims& sizes, ScalarType dtype = ScalarType::kFloat32);
  int32_t UptoAt(uint64_t offset, const Dims& sizes, ScalarType dtype = ScalarType::kFloat32);
  // Numbers of that type, which a call makes.
  int32_t Full(const Dims& sizes, int64_t number, ScalarType dtype = ScalarType::kInt64);
  int32_t Int(int64_t number) { return builder_.Int(number); }
  int32_t Real(double number);
  int32_t Ints(const std::vector<int64_t>& numbers);
  int32_t Input(int32_t v) {
    builder_.Input(v);
    return v;
  }
  // All that is not named is None, zero or an empty list; the results are outputs of the method.
  void Call(std::string_view op, const Named& args);
  MethodBuilder& builder() { return builder_; }

 private:
  int32_t Default(std::string_view op, size_t argument);

  MethodBuilder builder_;
  uint64_t next_ = 4096;
};

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_SAFETY_DRAFT_H_
