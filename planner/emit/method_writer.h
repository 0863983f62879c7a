// The values of a method on their way into the file: tensors once per storage and type, literals
// once per number.
#ifndef PTEPROOF_PLANNER_EMIT_METHOD_WRITER_H_
#define PTEPROOF_PLANNER_EMIT_METHOD_WRITER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof::planner {

// Appends values and instructions to a method of a Program.
class MethodWriter {
 public:
  explicit MethodWriter(Method& method) : method_(method) {}

  // A tensor of these sizes; the caller sets placement, data and name.
  int32_t AddTensor(ScalarType dtype, std::span<const int64_t> sizes);
  [[nodiscard]] Tensor& TensorAt(int32_t value) {
    return method_.tensors[method_.values[static_cast<size_t>(value)].tensor];
  }
  Range AddText(std::string_view text);

  // Literals, each once.
  int32_t Null();
  int32_t Int(int64_t number);
  int32_t Bool(bool flag);
  int32_t Double(double number);
  int32_t String(std::string_view text);
  // A literal of its own, whatever others there are.
  int32_t NewInt(int64_t number) { return Add({.kind = ValueKind::kInt, .integer = number}); }
  // A number of its own, which instructions replace.
  int32_t Variable(ValueKind kind);

  // Lists; items are values, or literals of double and bool lists.
  int32_t List(ValueKind kind, std::span<const int32_t> items);
  int32_t DoubleList(std::span<const double> items);

  int32_t OperatorNamed(std::string_view name, const OpSchema* schema);
  void Call(int32_t op, std::span<const int32_t> args);
  void Delegated(std::string_view id, std::span<const int32_t> args);
  void Move(int32_t from, int32_t to);
  // The target is set later: see Method::instructions.
  void JumpFalse(int32_t condition, int32_t target);

 private:
  int32_t Add(Value value);
  Range AddInts(std::span<const int32_t> numbers);

  Method& method_;
  std::map<std::pair<ValueKind, int64_t>, int32_t> integers_;  // Int, Bool, Null
  std::map<uint64_t, int32_t> doubles_;                        // by bits
  std::map<std::string, int32_t, std::less<>> strings_;
  std::map<std::string, int32_t, std::less<>> operators_;
};

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_EMIT_METHOD_WRITER_H_
