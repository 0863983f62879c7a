#include "planner/link/initial_method.h"

#include <algorithm>

#include "planner/state/module_init.h"
#include "reference/op_schema.h"
#include "runtime/structure_text.h"

namespace pteproof::planner {
namespace {

constexpr const char* kCopy = "aten::copy_";
constexpr const char* kZeros = "aten::zeros.out";

// The values and instructions of the method, one after the other.
class InitialWriter {
 public:
  explicit InitialWriter(Program& program) : program_(program) { method_.name = kModuleInit; }

  void Set(const SetBuffer& buffer) {
    Tensor state = TensorOf(buffer.form);
    state.planned = true;
    state.bank = buffer.bytes.bank;
    state.offset = buffer.bytes.lo;
    state.name = {static_cast<uint32_t>(method_.text.size()),
                  static_cast<uint32_t>(buffer.name.size())};
    method_.text += buffer.name;
    const int32_t at = Add(state);
    if (!buffer.form.initial.empty()) {
      Tensor constant = TensorOf(buffer.form);
      constant.data_index = static_cast<uint32_t>(program_.constants.size());
      program_.constants.push_back(buffer.form.initial);
      const int32_t value = Add(constant);
      Call(kCopy, {at, value, Add({.kind = ValueKind::kBool, .integer = 0}), at});
      return;
    }
    std::vector<int32_t> sizes;
    for (const int32_t size : buffer.form.sizes) {
      sizes.push_back(Add({.kind = ValueKind::kInt, .integer = size}));
    }
    Call(kZeros, {Add({.kind = ValueKind::kIntList, .items = Pool(sizes)}), at, at});
  }

  Method Take() {
    SetFlatStructures(method_);
    return std::move(method_);
  }

 private:
  Range Pool(const std::vector<int32_t>& ints) {
    const Range range = {static_cast<uint32_t>(method_.ints.size()),
                         static_cast<uint32_t>(ints.size())};
    method_.ints.insert(method_.ints.end(), ints.begin(), ints.end());
    return range;
  }

  Tensor TensorOf(const BufferForm& form) {
    Tensor tensor;
    tensor.dtype = form.dtype;
    tensor.nbytes = form.nbytes;
    tensor.sizes = Pool(form.sizes);
    tensor.dim_order = Pool(form.dim_order);
    return tensor;
  }

  int32_t Add(const Value& value) {
    method_.values.push_back(value);
    return static_cast<int32_t>(method_.values.size()) - 1;
  }

  int32_t Add(const Tensor& tensor) {
    method_.tensors.push_back(tensor);
    return Add(
        {.kind = ValueKind::kTensor, .tensor = static_cast<uint32_t>(method_.tensors.size()) - 1});
  }

  void Call(const char* op, const std::vector<int32_t>& args) {
    auto known = std::ranges::find(method_.operators, op, &Operator::name);
    if (known == method_.operators.end()) {
      known = method_.operators.insert(known, {op, FindOperator(op)});
    }
    Instruction& call = method_.instructions.emplace_back();
    call.target = static_cast<int32_t>(known - method_.operators.begin());
    call.args = Pool(args);
  }

  Program& program_;
  Method method_;
};

// The buffer that an instruction sets, and its value; nothing: it does something else.
std::optional<std::pair<std::string, Bytes>> SetBy(const Program& program, const Method& method,
                                                   const Instruction& instruction) {
  if (instruction.kind != InstructionKind::kKernelCall) return std::nullopt;
  const std::string& op = method.operators[static_cast<size_t>(instruction.target)].name;
  const auto args = method.Ints(instruction.args);
  const bool copies = op == kCopy && args.size() == 4;
  if (!copies && !(op == kZeros && args.size() == 3)) return std::nullopt;
  const int32_t state = copies ? args[0] : args[1];
  const Tensor* tensor = method.TensorOf(state);
  if (tensor == nullptr || !tensor->planned || tensor->name.count == 0) return std::nullopt;
  const std::string name(method.NameOf(state));
  if (!copies) return std::pair(name, Bytes());
  const Tensor* source = method.TensorOf(args[1]);
  const bool constant = source != nullptr && !source->planned && source->data_index > 0;
  if (!constant || source->dtype != tensor->dtype || source->nbytes != tensor->nbytes ||
      !std::ranges::equal(method.Ints(source->sizes), method.Ints(tensor->sizes)) ||
      !std::ranges::equal(method.Ints(source->dim_order), method.Ints(tensor->dim_order))) {
    return std::nullopt;
  }
  return std::pair(name, FormOf(program, method, args[1]).initial);
}

}  // namespace

std::optional<std::map<std::string, Bytes>> InitialValuesOf(const Program& program,
                                                            const Method& method) {
  if (method.name != kModuleInit || !method.inputs.empty() || !method.outputs.empty()) {
    return std::nullopt;
  }
  std::map<std::string, Bytes> values;
  for (const Instruction& instruction : method.instructions) {
    const auto set = SetBy(program, method, instruction);
    if (!set) return std::nullopt;
    values[set->first] = set->second;
  }
  return values;
}

Method InitialMethod(const std::vector<SetBuffer>& buffers, uint64_t bank_size, Program& program) {
  InitialWriter writer(program);
  for (const SetBuffer& buffer : buffers) writer.Set(buffer);
  Method method = writer.Take();
  uint32_t bank = 0;
  for (const SetBuffer& buffer : buffers) bank = std::max(bank, buffer.bytes.bank);
  method.bank_sizes.assign(bank + 1, 0);
  method.bank_sizes.back() = bank_size;
  return method;
}

}  // namespace pteproof::planner
