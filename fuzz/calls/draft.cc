#include "fuzz/calls/draft.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "base/checked_math.h"
#include "pteproof/write.h"
#include "reference/op_schema.h"
#include "runtime/structure_text.h"

namespace pteproof::fuzz {
namespace {

// Tensors come first, lists of them last, as files have them.
int OrderOf(ValueKind kind) {
  const bool is_list = kind == ValueKind::kTensorList || kind == ValueKind::kOptionalTensorList ||
                       kind == ValueKind::kIntList;
  return is_list ? 1 : 0;
}

class DraftWriter {
 public:
  explicit DraftWriter(const Draft& draft) : draft_(draft) {}

  WrittenDraft Write() {
    method_.name = "forward";
    method_.bank_sizes = {0};
    program_.constants.emplace_back();
    program_.initial_values.emplace_back();
    Number();
    for (const int32_t v : order_) AddValue(draft_.values[static_cast<size_t>(v)], v);
    for (const DraftStep& step : draft_.steps) AddStep(step);
    SetFlatStructures(method_);
    program_.methods.push_back(std::move(method_));
    auto written = WriteProgram(program_);
    if (written.ok()) written_.file = std::move(written).value();
    return std::move(written_);
  }

 private:
  void Number() {
    order_.resize(draft_.values.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::stable_sort(
        order_, {}, [&](int32_t v) { return OrderOf(draft_.values[static_cast<size_t>(v)].kind); });
    numbers_.resize(order_.size());
    for (size_t n = 0; n < order_.size(); ++n) {
      numbers_[static_cast<size_t>(order_[n])] = static_cast<int32_t>(n);
    }
  }
  [[nodiscard]] int32_t NumberOf(int32_t v) const {
    return v < 0 ? -1 : numbers_[static_cast<size_t>(v)];
  }

  Range Pool(std::span<const int32_t> ints) {
    const Range range = {static_cast<uint32_t>(method_.ints.size()),
                         static_cast<uint32_t>(ints.size())};
    method_.ints.insert(method_.ints.end(), ints.begin(), ints.end());
    return range;
  }
  Range PoolOfValues(std::span<const int32_t> values) {
    std::vector<int32_t> numbers;
    for (const int32_t v : values) numbers.push_back(NumberOf(v));
    return Pool(numbers);
  }

  Range Text(std::string_view text) {
    const Range range = {static_cast<uint32_t>(method_.text.size()),
                         static_cast<uint32_t>(text.size())};
    method_.text += text;
    return range;
  }

  void AddValue(const DraftValue& draft, int32_t v) {
    Value value;
    value.kind = draft.kind;
    value.integer = draft.integer;
    value.real = draft.real;
    if (draft.kind == ValueKind::kTensor) {
      value.tensor = AddTensor(draft.tensor);
    } else if (draft.kind == ValueKind::kString) {
      value.items = Text(draft.text);
    } else if (draft.kind == ValueKind::kDoubleList) {
      value.items = {static_cast<uint32_t>(method_.reals.size()),
                     static_cast<uint32_t>(draft.reals.size())};
      method_.reals.insert(method_.reals.end(), draft.reals.begin(), draft.reals.end());
    } else if (draft.kind == ValueKind::kBoolList) {
      const std::vector<int32_t> flags(draft.reals.begin(), draft.reals.end());
      value.items = Pool(flags);
    } else {
      value.items = PoolOfValues(draft.items);
    }
    const bool is_input = draft.is_input || draft.tensor.is_input;
    if (is_input && draft.tensor.home != Home::kConstant) {
      method_.inputs.push_back(NumberOf(v));
      written_.input_values.push_back(v);
    }
    if (draft.tensor.is_output) {
      method_.outputs.push_back(NumberOf(v));
      written_.output_values.push_back(v);
    }
    method_.values.push_back(value);
  }

  uint32_t AddTensor(const DraftTensor& draft) {
    Tensor tensor;
    tensor.dtype = draft.dtype;
    tensor.dynamism = draft.bounded ? Dynamism::kBounded : Dynamism::kStatic;
    tensor.planned = draft.planned();
    tensor.nbytes = ByteCountOf(draft);
    tensor.sizes = Pool(draft.sizes);
    std::vector<int32_t> order = draft.dim_order;
    if (order.size() != draft.sizes.size()) {
      order.resize(draft.sizes.size());
      std::iota(order.begin(), order.end(), 0);
    }
    tensor.dim_order = Pool(order);
    if (tensor.planned) Place(draft, tensor);
    if (draft.home == Home::kConstant && draft.external) {
      tensor.external = true;
      tensor.name = Text("weight");
    } else if (draft.stored() && tensor.nbytes > 0) {
      Store(draft, tensor);
    }
    method_.tensors.push_back(tensor);
    return static_cast<uint32_t>(method_.tensors.size()) - 1;
  }

  void Place(const DraftTensor& draft, Tensor& tensor) {
    constexpr uint64_t kLargest = uint64_t{1} << 20U;
    tensor.bank = draft.bank;
    tensor.offset = draft.offset;
    if (tensor.bank >= method_.bank_sizes.size()) method_.bank_sizes.resize(tensor.bank + 1);
    uint64_t& size = method_.bank_sizes[tensor.bank];
    size = std::max(size, std::min(tensor.offset + tensor.nbytes, kLargest));
  }

  // As many bytes as the tensor has in the file, whatever there was drawn.
  void Store(const DraftTensor& draft, Tensor& tensor) {
    constexpr uint64_t kMostStored = 1U << 16U;
    std::vector<std::byte>& blob = blobs_.emplace_back(draft.data);
    blob.resize(std::min(tensor.nbytes, kMostStored));
    auto& table = draft.home == Home::kConstant ? program_.constants : program_.initial_values;
    tensor.data_index = static_cast<uint32_t>(table.size());
    table.emplace_back(blob);
  }

  void AddStep(const DraftStep& step) {
    Instruction instruction;
    instruction.kind = step.kind;
    instruction.args = PoolOfValues(step.args);
    switch (step.kind) {
      case InstructionKind::kKernelCall:
        instruction.target = OperatorNumber(step.op);
        break;
      case InstructionKind::kDelegateCall:
        instruction.target = static_cast<int32_t>(method_.delegates.size());
        method_.delegates.push_back({DelegateId(method_.delegates.size()), {}, {}});
        break;
      case InstructionKind::kMove:
        instruction.target = NumberOf(step.target);
        instruction.other = NumberOf(step.other);
        break;
      case InstructionKind::kJumpFalse:
        instruction.target = NumberOf(step.target);
        instruction.other = std::min(step.other, static_cast<int32_t>(draft_.steps.size()));
        break;
      case InstructionKind::kFree:
        instruction.target = NumberOf(step.target);
        break;
    }
    method_.instructions.push_back(instruction);
  }

  int32_t OperatorNumber(const OpSchema* op) {
    const std::string name(op == nullptr ? "nobody::knows.out" : op->name);
    const auto found = std::ranges::find(method_.operators, name, &Operator::name);
    const auto number = static_cast<int32_t>(found - method_.operators.begin());
    if (found == method_.operators.end()) method_.operators.push_back({name, op});
    return number;
  }

  const Draft& draft_;
  Program program_;
  Method method_;
  std::deque<std::vector<std::byte>> blobs_;
  std::vector<int32_t> order_;    // the draft's values in the order of the file
  std::vector<int32_t> numbers_;  // the other way round
  WrittenDraft written_;
};

}  // namespace

void Draft::Insert(size_t at, DraftStep step) {
  for (DraftStep& other : steps) {
    const bool jumps = other.kind == InstructionKind::kJumpFalse;
    if (jumps && other.other > static_cast<int32_t>(at)) ++other.other;
  }
  steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), std::move(step));
}

DraftStep StepOf(InstructionKind kind, int32_t target, int32_t other) {
  DraftStep step;
  step.kind = kind;
  step.target = target;
  step.other = other;
  return step;
}

DraftValue NumberValue(int64_t integer) {
  DraftValue value;
  value.kind = ValueKind::kInt;
  value.integer = integer;
  return value;
}

DraftValue BoolValue(bool flag) {
  DraftValue value;
  value.kind = ValueKind::kBool;
  value.integer = flag ? 1 : 0;
  return value;
}

DraftValue RealValue(double real) {
  DraftValue value;
  value.kind = ValueKind::kDouble;
  value.real = real;
  return value;
}

uint64_t ByteCountOf(const DraftTensor& tensor) {
  uint64_t bytes = ElementSize(tensor.dtype);
  for (const int32_t size : tensor.sizes) {
    if (size == 0) return 0;
  }
  for (const int32_t size : tensor.sizes) {
    bytes = CheckedMul(bytes, static_cast<uint64_t>(size)).value_or(UINT64_MAX);
  }
  return bytes;
}

std::string DelegateId(size_t number) {
  return number == 0 ? "Nobody" : "Nobody" + std::to_string(number);
}

WrittenDraft WriteDraft(const Draft& draft) {
  return DraftWriter(draft).Write();
}

}  // namespace pteproof::fuzz
