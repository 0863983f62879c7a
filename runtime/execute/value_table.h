// A method's values in memory: tensors over their banks, constants and lists. Built once, when the
// method is loaded; nothing is allocated later.
#ifndef PTEPROOF_RUNTIME_EXECUTE_VALUE_TABLE_H_
#define PTEPROOF_RUNTIME_EXECUTE_VALUE_TABLE_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pteproof/program.h"
#include "pteproof/result.h"
#include "runtime/execute/run_limits.h"
#include "runtime/kernels/base/run_value.h"
#include "runtime/read_data.h"

namespace pteproof {

// By memory id, as Method::bank_sizes.
using BankSpans = std::vector<std::span<std::byte>>;

// What a method's values lie in, besides the program itself.
struct MethodMemory {
  BankSpans banks = {};
  const DataFile* data = nullptr;  // the tensors that the program keeps outside
  // Copies of the program's constants, by index, that it may write to. Without a copy, or with one
  // that is empty, a constant is read in place.
  std::vector<std::span<std::byte>> constants = {};
  RunLimits limits = {};  // of a call, as LimitsOf gives them
};

class ValueTable {
 public:
  // `method` and `work`, which is told of what is read and written, must outlive it. Tensors
  // without memory of their own have none yet.
  ValueTable(const Program& program, const Method& method, CallWork& work);

  ValueTable(const ValueTable&) = delete;
  ValueTable& operator=(const ValueTable&) = delete;

  // Gives every planned tensor its place and every constant its data. Empty; or what does not fit.
  [[nodiscard]] std::string Bind(const MethodMemory& memory);

  [[nodiscard]] RunValue& operator[](int32_t v) { return values_[static_cast<size_t>(v)]; }
  [[nodiscard]] size_t size() const { return values_.size(); }
  // The tensor of the file that a value is, whatever was moved to it since; null: no tensor.
  [[nodiscard]] TensorRef* OwnTensor(int32_t v);

  // Pointers to the values of a call, which stay where they are.
  [[nodiscard]] std::span<RunValue* const> Pointers(Range args) const {
    return std::span(pointers_).subspan(args.first, args.count);
  }

  // Gives a value back what the file has for it.
  void Restore(int32_t v);

 private:
  void AddTensor(const Tensor& tensor);
  [[nodiscard]] RunValue Initial(const Value& value);
  [[nodiscard]] std::string Place(const Tensor& tensor, const MethodMemory& memory, TensorRef& ref);
  [[nodiscard]] std::string PlaceConstant(const Tensor& tensor, const MethodMemory& memory,
                                          TensorRef& ref);

  const Program& program_;
  const Method& method_;
  CallWork& work_;
  std::vector<RunValue> values_;
  std::vector<TensorRef> tensors_;
  std::vector<int32_t> sizes_;
  std::vector<int64_t> strides_;
  std::vector<RunValue*> pointers_;  // as Method::ints, where these are value indices
  std::unordered_map<std::string_view, const DataEntry*> entries_;  // of the data file, by name
};

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_EXECUTE_VALUE_TABLE_H_
