#include "tests/runtime/writer/random_program.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace pteproof {
namespace {

class Maker {
 public:
  explicit Maker(uint32_t seed)
      : random_(seed), bytes_(std::make_unique<const std::string>(RandomText(400))) {}

  RandomProgram Make() {
    program_.constants = RandomBlobs();
    program_.initial_values = RandomBlobs();
    for (size_t n = Below(3); n > 0; --n)
      program_.named_data.push_back({"key" + std::to_string(n), RandomBlob()});
    for (size_t n = 1 + Below(3); n > 0; --n) AddMethod(n);
    return {std::move(bytes_), std::move(program_)};
  }

 private:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  int32_t IndexBelow(size_t n) { return static_cast<int32_t>(Below(n)); }

  // Few letters, so that equal parts are common.
  std::string RandomText(size_t length) {
    std::string text(length, 'a');
    for (char& c : text) c = static_cast<char>('a' + Below(2));
    return text;
  }

  Bytes RandomBlob() {
    const Bytes all = std::as_bytes(std::span(*bytes_));
    return all.subspan(Below(4) * 8, OneIn(4) ? 0 : Below(40));
  }
  // At multiples of 8, long enough for any tensor here.
  std::vector<Bytes> RandomBlobs() {
    std::vector<Bytes> blobs(Below(5));
    for (size_t i = 1; i < blobs.size(); ++i)
      blobs[i] = std::as_bytes(std::span(*bytes_)).subspan(Below(4) * 8, 300);
    return blobs;
  }

  void AddMethod(size_t number) {
    method_ = &program_.methods.emplace_back();
    method_->name = "m" + std::to_string(number);
    method_->bank_sizes = {0, 4096, 512};
    if (OneIn(4)) method_->bank_devices = {{.bank = 2, .device_type = 1, .device_index = 3}};
    if (OneIn(2)) method_->input_structure = RandomText(9);
    if (OneIn(2)) method_->output_structure = RandomText(9);
    for (size_t n = 3 + Below(20); n > 0; --n) AddValue();
    AddDelegates();
    for (size_t n = Below(4); n > 0; --n)
      method_->operators.push_back({.name = "my::" + RandomText(2) + (OneIn(2) ? ".out" : "")});
    const size_t instructions = Below(12);
    for (size_t i = 0; i < instructions; ++i) AddInstruction(instructions);
    // Who is input or output needs no memory of its own.
    for (size_t v = 0; v < method_->values.size(); ++v) {
      const auto value = static_cast<int32_t>(v);
      const Tensor* tensor = method_->TensorOf(value);
      if (tensor != nullptr && !tensor->planned && tensor->data_index == 0 && !tensor->external)
        method_->outputs.push_back(value);
      if (tensor != nullptr && tensor->planned && OneIn(3)) method_->inputs.push_back(value);
    }
  }

  Range Pool(const std::vector<int32_t>& ints) {
    const Range range{static_cast<uint32_t>(method_->ints.size()),
                      static_cast<uint32_t>(ints.size())};
    method_->ints.insert(method_->ints.end(), ints.begin(), ints.end());
    return range;
  }
  Range Text(const std::string& text) {
    const Range range{static_cast<uint32_t>(method_->text.size()),
                      static_cast<uint32_t>(text.size())};
    method_->text += text;
    return range;
  }

  // Values so far of that kind, each maybe several times.
  std::vector<int32_t> SomeOf(ValueKind kind, bool holes) {
    std::vector<int32_t> some;
    for (size_t v = 0; v < method_->values.size(); ++v) {
      if (method_->values[v].kind == kind && !OneIn(3)) some.push_back(static_cast<int32_t>(v));
      if (holes && OneIn(4)) some.push_back(-1);
    }
    return some;
  }

  void AddValue() {
    Value value{.kind = static_cast<ValueKind>(OneIn(2) ? 4 : Below(11))};
    switch (value.kind) {
      case ValueKind::kNull:
        break;
      case ValueKind::kInt:
        value.integer = static_cast<int64_t>(random_()) * IndexBelow(3);
        break;
      case ValueKind::kBool:
        value.integer = IndexBelow(2);
        break;
      case ValueKind::kDouble:
        value.real = OneIn(3) ? -0.0 : 0.5 * IndexBelow(9);
        break;
      case ValueKind::kTensor:
        value.tensor = static_cast<uint32_t>(method_->tensors.size());
        AddTensor();
        break;
      case ValueKind::kString:
        value.items = Text(RandomText(Below(9)));
        break;
      case ValueKind::kIntList:
        value.items = Pool(SomeOf(ValueKind::kInt, false));
        break;
      case ValueKind::kDoubleList:
        value.items = {static_cast<uint32_t>(method_->reals.size()), 2};
        method_->reals.insert(method_->reals.end(), {0.25, -1.0 * IndexBelow(5)});
        break;
      case ValueKind::kBoolList:
        value.items = Pool({1, 0, IndexBelow(2)});
        break;
      case ValueKind::kTensorList:
        value.items = Pool(SomeOf(ValueKind::kTensor, false));
        break;
      case ValueKind::kOptionalTensorList:
        value.items = Pool(SomeOf(ValueKind::kTensor, true));
        break;
    }
    method_->values.push_back(value);
  }

  void AddTensor() {
    Tensor tensor;
    std::vector<int32_t> sizes(Below(4));
    for (int32_t& size : sizes) size = IndexBelow(4);
    std::vector<int32_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random_);
    tensor.dtype = OneIn(2) ? ScalarType::kFloat32 : ScalarType::kInt64;
    tensor.nbytes = std::accumulate(sizes.begin(), sizes.end(), uint64_t{1},
                                    [](uint64_t n, int32_t size) { return n * uint64_t(size); }) *
                    ElementSize(tensor.dtype);
    tensor.sizes = Pool(sizes);
    tensor.dim_order = Pool(order);
    tensor.dynamism = OneIn(3) ? Dynamism::kBounded : Dynamism::kStatic;
    tensor.planned = OneIn(2);
    tensor.external = OneIn(5);
    if (tensor.external || OneIn(3)) tensor.name = Text("n" + RandomText(3));
    if (tensor.planned) {
      tensor.bank = 1 + static_cast<uint32_t>(Below(2));
      tensor.offset = OneIn(5) ? uint64_t{5} << 32 : 16 * Below(9);
    }
    const auto& table = tensor.planned ? program_.initial_values : program_.constants;
    if (table.size() > 1 && OneIn(2))
      tensor.data_index = 1 + static_cast<uint32_t>(Below(table.size() - 1));
    tensor.device_type = OneIn(6) ? 1 : 0;
    tensor.device_index = static_cast<int8_t>(OneIn(6) ? -1 : 0);
    method_->tensors.push_back(tensor);
  }

  void AddDelegates() {
    for (size_t n = Below(3); n > 0; --n) {
      Delegate& delegate = method_->delegates.emplace_back();
      delegate.id = "Backend" + RandomText(1);
      delegate.blob = RandomBlob();
      for (size_t s = Below(3); s > 0; --s) delegate.specs.push_back({RandomText(2), RandomBlob()});
    }
  }

  std::vector<int32_t> AnyValues() {
    std::vector<int32_t> values(Below(5));
    for (int32_t& value : values) value = IndexBelow(method_->values.size());
    return values;
  }

  void AddInstruction(size_t count) {
    Instruction made;
    made.kind = static_cast<InstructionKind>(Below(4));
    const auto conditions = SomeOf(ValueKind::kBool, false);
    switch (made.kind) {
      case InstructionKind::kKernelCall:
        if (method_->operators.empty()) return AddMove();
        made.target = IndexBelow(method_->operators.size());
        made.args = Pool(AnyValues());
        break;
      case InstructionKind::kDelegateCall:
        if (method_->delegates.empty()) return AddMove();
        made.target = IndexBelow(method_->delegates.size());
        made.args = Pool(AnyValues());
        break;
      case InstructionKind::kJumpFalse:
        if (conditions.empty()) return AddMove();
        made.target = conditions[Below(conditions.size())];
        made.other = IndexBelow(count + 1);
        break;
      default:
        return AddMove();
    }
    method_->instructions.push_back(made);
  }

  void AddMove() {
    const int32_t value = IndexBelow(method_->values.size());
    Instruction made;
    made.kind = InstructionKind::kMove;
    made.target = value;
    made.other = value;
    method_->instructions.push_back(made);
  }

  std::mt19937 random_;
  std::unique_ptr<const std::string> bytes_;
  Program program_;
  Method* method_ = nullptr;
};

}  // namespace

RandomProgram MakeRandomProgram(uint32_t seed) {
  return Maker(seed).Make();
}

}  // namespace pteproof
