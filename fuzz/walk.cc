#include "fuzz/walk.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string_view>

#include "base/checked_math.h"
#include "fuzz/require.h"
#include "reference/op_schema.h"
#include "runtime/dense_layout.h"

namespace pteproof::fuzz {
namespace {

constexpr size_t kLongestName = 99;
constexpr uint64_t kLargestBank = uint64_t{1} << 48;
constexpr uint8_t kLastDevice = 1;

class Walker {
 public:
  explicit Walker(const Program& program) : program_(program) {}

  uint64_t Go() {
    for (const Bytes blob : program_.constants) Touch(blob);
    for (const Bytes blob : program_.initial_values) Touch(blob);
    for (const NamedBlob& named : program_.named_data) {
      Touch(named.key);
      Touch(named.blob);
    }
    Require(!program_.methods.empty(), "a program has a method");
    std::set<std::string_view> names;
    for (const Method& method : program_.methods) {
      method_ = &method;
      Require(!method.name.empty(), "methods have names");
      Require(names.insert(method.name).second, "methods have names of their own");
      WalkMethod();
    }
    return sum_;
  }

 private:
  void Add(uint64_t number) { sum_ = sum_ * 31 + number; }

  // Both ends: a range that lies in the file with them lies in it whole.
  void Touch(Bytes bytes) {
    if (bytes.empty()) return;
    Add(static_cast<uint64_t>(bytes.front()));
    Add(static_cast<uint64_t>(bytes.back()));
  }
  void Touch(std::string_view text) { Touch(std::as_bytes(std::span(text))); }

  static void RequireInPool(Range range, size_t pool) {
    Require(range.first <= pool && range.count <= pool - range.first, "ranges lie in their pools");
  }
  void RequireValue(int32_t v) const {
    Require(v >= 0 && static_cast<size_t>(v) < method_->values.size(), "values are in range");
  }
  [[nodiscard]] bool Is(int32_t v, ValueKind kind) const {
    RequireValue(v);
    return method_->values[static_cast<size_t>(v)].kind == kind;
  }

  void WalkMethod() {
    Touch(method_->name);
    Touch(method_->input_structure);
    Touch(method_->output_structure);
    for (const Value& value : method_->values) WalkValue(value);
    for (const Tensor& tensor : method_->tensors) WalkTensor(tensor);
    for (const Operator& op : method_->operators) {
      Touch(op.name);
      Require(!op.name.empty() && op.name.size() <= kLongestName, "operators have names, not long");
    }
    for (const Delegate& delegate : method_->delegates) WalkDelegate(delegate);
    for (const Instruction& instruction : method_->instructions) WalkInstruction(instruction);
    for (const int32_t v : method_->inputs) RequireInput(v);
    for (const int32_t v : method_->outputs) RequireValue(v);
    Require(!method_->bank_sizes.empty(), "bank 0 has an entry");
    for (const uint64_t size : method_->bank_sizes) {
      Require(size <= kLargestBank, "banks have sizes that can be");
    }
    for (const BankDevice& device : method_->bank_devices) {
      Require(device.bank > 0 && static_cast<size_t>(device.bank) < method_->bank_sizes.size(),
              "devices are of banks that there are");
      Require(device.device_type <= kLastDevice, "devices are known");
    }
  }

  void RequireInput(int32_t v) const {
    RequireValue(v);
    const Value& value = method_->values[static_cast<size_t>(v)];
    Require(value.kind <= ValueKind::kString, "no input is a list");
    const Tensor* tensor = method_->TensorOf(v);
    const bool stored = tensor != nullptr && !tensor->planned && tensor->data_index > 0;
    Require(!stored, "no input is a constant");
  }

  void WalkValue(const Value& value) {
    switch (value.kind) {
      case ValueKind::kNull:
        return;
      case ValueKind::kInt:
      case ValueKind::kBool:
        return Add(static_cast<uint64_t>(value.integer));
      case ValueKind::kDouble:
        return Add(value.real > 0 ? 1 : 0);
      case ValueKind::kTensor:
        return Require(value.tensor < method_->tensors.size(), "tensors are in range");
      case ValueKind::kString:
        RequireInPool(value.items, method_->text.size());
        return Touch(method_->Text(value.items));
      case ValueKind::kDoubleList:
        RequireInPool(value.items, method_->reals.size());
        return Add(value.items.count);
      default:
        RequireInPool(value.items, method_->ints.size());
        return WalkItems(value);
    }
  }

  void WalkItems(const Value& list) {
    for (const int32_t item : method_->Ints(list.items)) {
      if (list.kind == ValueKind::kBoolList) {
        Require(item == 0 || item == 1, "flags are 0 or 1");
      } else if (list.kind == ValueKind::kIntList) {
        Require(Is(item, ValueKind::kInt), "items of an IntList are Ints");
      } else if (list.kind == ValueKind::kTensorList || item != -1) {
        Require(Is(item, ValueKind::kTensor), "items of a list of tensors are tensors");
      }
    }
  }

  void WalkTensor(const Tensor& tensor) {
    Require(IsScalarType(static_cast<int>(tensor.dtype)), "element types are known");
    Require(tensor.sizes.count <= kMaxRank, "tensors have at most 16 dimensions");
    Require(tensor.sizes.count == tensor.dim_order.count, "an order names all dimensions");
    RequireInPool(tensor.sizes, method_->ints.size());
    RequireInPool(tensor.dim_order, method_->ints.size());
    RequireInPool(tensor.name, method_->text.size());
    Touch(method_->Text(tensor.name));
    RequireOrder(tensor);
    RequireBytes(tensor);
    RequireMemory(tensor);
  }

  void RequireOrder(const Tensor& tensor) const {
    uint64_t seen = 0;
    for (const int32_t dim : method_->Ints(tensor.dim_order)) {
      Require(dim >= 0 && dim < static_cast<int32_t>(tensor.sizes.count), "orders are in range");
      Require((seen >> static_cast<unsigned>(dim) & 1) == 0, "orders name a dimension once");
      seen |= uint64_t{1} << static_cast<unsigned>(dim);
    }
  }

  void RequireBytes(const Tensor& tensor) const {
    std::optional<uint64_t> bytes = ElementSize(tensor.dtype);
    for (const int32_t size : method_->Ints(tensor.sizes)) {
      Require(size >= 0, "sizes are not negative");
      if (bytes) bytes = CheckedMul(*bytes, static_cast<uint64_t>(size));
    }
    Require(bytes == tensor.nbytes, "a tensor's bytes are what its sizes say");
  }

  void RequireMemory(const Tensor& tensor) const {
    Require(tensor.device_type <= kLastDevice, "devices are known");
    if (tensor.external) Require(tensor.name.count > 0, "external tensors have names");
    if (tensor.planned) {
      Require(tensor.bank > 0 && tensor.bank < method_->bank_sizes.size(), "banks are in range");
      Require(CheckedAdd(tensor.offset, tensor.nbytes).has_value(), "placements have an end");
    }
    if (tensor.external || tensor.data_index == 0) return;
    const auto& table = tensor.planned ? program_.initial_values : program_.constants;
    Require(tensor.data_index < table.size(), "stored data are in range");
    Require(tensor.nbytes <= table[tensor.data_index].size(), "stored data are whole");
  }

  void WalkDelegate(const Delegate& delegate) {
    Touch(delegate.id);
    Touch(delegate.blob);
    for (const CompileSpec& spec : delegate.specs) {
      Touch(spec.key);
      Touch(spec.value);
    }
  }

  void WalkInstruction(const Instruction& instruction) {
    RequireInPool(instruction.args, method_->ints.size());
    for (const int32_t v : method_->Ints(instruction.args)) RequireValue(v);
    const auto target = static_cast<size_t>(instruction.target);
    switch (instruction.kind) {
      case InstructionKind::kKernelCall:
        Require(target < method_->operators.size(), "operators are in range");
        return RequireArguments(instruction);
      case InstructionKind::kDelegateCall:
        return Require(target < method_->delegates.size(), "delegates are in range");
      case InstructionKind::kMove:
        RequireValue(instruction.other);
        RequireValue(instruction.target);
        return Require(KindOf(instruction.other) == KindOf(instruction.target),
                       "moves keep the kind of a value");
      case InstructionKind::kJumpFalse:
        Require(instruction.other >= 0 &&
                    static_cast<size_t>(instruction.other) <= method_->instructions.size(),
                "jumps stay in the method");
        RequireValue(instruction.target);
        return Require(IsCondition(instruction.target), "conditions are bools");
      case InstructionKind::kFree:
        RequireValue(instruction.target);
        return Require(IsFreed(instruction.target), "what is freed is the method's own");
    }
  }

  [[nodiscard]] ValueKind KindOf(int32_t v) const {
    return method_->values[static_cast<size_t>(v)].kind;
  }
  [[nodiscard]] bool IsCondition(int32_t v) const {
    const Tensor* tensor = method_->TensorOf(v);
    return tensor == nullptr ? KindOf(v) == ValueKind::kBool : tensor->dtype == ScalarType::kBool;
  }
  [[nodiscard]] bool IsFreed(int32_t v) const {
    const Tensor* tensor = method_->TensorOf(v);
    return tensor != nullptr && !tensor->planned && tensor->data_index == 0 && !tensor->external &&
           std::ranges::count(method_->inputs, v) == 0;
  }

  // As many as the operator takes, tensors and lists where it takes some.
  void RequireArguments(const Instruction& call) const {
    const OpSchema* op = method_->operators[static_cast<size_t>(call.target)].schema;
    if (op == nullptr) return;
    const auto args = method_->Ints(call.args);
    Require(args.size() == op->ArgumentCount(), "calls have the arguments of their operators");
    for (size_t a = 0; a < op->args.size(); ++a) {
      const ValueKind kind = KindOf(args[a]);
      const bool none = kind == ValueKind::kNull && op->args[a].optional;
      Require(none || Takes(op->args[a].kind, kind), "arguments are of the operators' kinds");
    }
    if (op->returns != ReturnSlot::kWritten) return;
    Require(KindOf(args.back()) == ValueKind::kTensor, "slots of results are tensors");
  }

  static bool Takes(ArgKind arg, ValueKind kind) {
    const bool number =
        kind == ValueKind::kInt || kind == ValueKind::kBool || kind == ValueKind::kDouble;
    switch (arg) {
      case ArgKind::kTensor:
        return kind == ValueKind::kTensor;
      case ArgKind::kTensorList:
        return kind == ValueKind::kTensorList;
      case ArgKind::kOptionalTensorList:
        return kind == ValueKind::kOptionalTensorList;
      case ArgKind::kString:
        return kind == ValueKind::kString;
      case ArgKind::kIntList:
        return kind == ValueKind::kIntList;
      case ArgKind::kFloatList:
        return kind == ValueKind::kDoubleList;
      case ArgKind::kBoolList:
        return kind == ValueKind::kBoolList;
      default:
        return number;
    }
  }

  const Program& program_;
  const Method* method_ = nullptr;
  uint64_t sum_ = 0;
};

}  // namespace

uint64_t Walk(const Program& program) {
  return Walker(program).Go();
}

}  // namespace pteproof::fuzz
