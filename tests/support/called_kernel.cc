#include "tests/support/called_kernel.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include "properties/oracles/compare.h"
#include "reference/op_meaning.h"
#include "reference/op_schema.h"
#include "runtime/kernels/base/kernel.h"

namespace pteproof {
namespace {

constexpr std::byte kUnwritten{0xA7};

struct OwnMemory {
  TensorRef ref;
  std::vector<int32_t> sizes;
  std::vector<int64_t> strides;
  std::vector<int32_t> dim_order;
  std::vector<int32_t> bounds;
  std::vector<std::byte> bytes;
};

bool IsWritten(const ArgSchema& arg) {
  return arg.access != Access::kRead && arg.access != Access::kNone;
}

// The arguments of one call, with what they point into.
class Frame {
 public:
  explicit Frame(const TensorMemory& memory) : memory_(memory) {}

  RunValue& Add(const ArgSchema& arg, const Argument& operand) {
    RunValue& value =
        std::visit([&](const auto& held) -> RunValue& { return Take(held); }, operand);
    if (value.kind == ValueKind::kTensorList && arg.kind == ArgKind::kOptionalTensorList) {
      value.kind = ValueKind::kOptionalTensorList;
    }
    if (IsWritten(arg)) written_.push_back(value.tensor);
    return value;
  }
  RunValue& AddOut(const ArgSchema& arg, const TensorValue& blank) {
    RunValue& value = Take(&blank);
    OwnMemory& own = tensors_.back();
    std::ranges::fill(own.bytes, kUnwritten);
    if (memory_.under) SetHome(own.ref, tensors_.front().ref.memory());
    if (IsWritten(arg)) written_.push_back(value.tensor);
    return value;
  }
  RunValue& NewValue(ValueKind kind) {
    values_.emplace_back().kind = kind;
    return values_.back();
  }

  // Row-major copies of the tensors that the call writes.
  [[nodiscard]] std::vector<TensorValue> Written() const {
    std::vector<TensorValue> results;
    for (const TensorRef* tensor : written_) results.push_back(Read(*tensor));
    return results;
  }
  [[nodiscard]] std::vector<std::vector<std::byte>> Bytes() const {
    std::vector<std::vector<std::byte>> all;
    for (const OwnMemory& own : tensors_) all.push_back(own.bytes);
    return all;
  }

 private:
  RunValue& Take(std::monostate) { return NewValue(ValueKind::kNull); }
  RunValue& Take(int64_t number) {
    RunValue& value = NewValue(ValueKind::kInt);
    value.integer = number;
    return value;
  }
  RunValue& Take(bool flag) {
    RunValue& value = NewValue(ValueKind::kBool);
    value.integer = flag ? 1 : 0;
    return value;
  }
  RunValue& Take(double number) {
    RunValue& value = NewValue(ValueKind::kDouble);
    value.real = number;
    return value;
  }
  RunValue& Take(std::string_view text) {
    RunValue& value = NewValue(ValueKind::kString);
    value.text = text;
    return value;
  }
  RunValue& Take(const TensorValue* tensor) {
    RunValue& value = NewValue(ValueKind::kTensor);
    value.tensor = &Place(*tensor);
    return value;
  }
  RunValue& Take(const std::vector<double>& list) {
    RunValue& value = NewValue(ValueKind::kDoubleList);
    value.reals = reals_.emplace_back(list);
    return value;
  }
  RunValue& Take(const std::vector<bool>& list) {
    RunValue& value = NewValue(ValueKind::kBoolList);
    value.flags = flags_.emplace_back(list.begin(), list.end());
    return value;
  }
  RunValue& Take(const std::vector<int64_t>& list) {
    RunValue& value = NewValue(ValueKind::kIntList);
    auto& items = lists_.emplace_back();
    for (const int64_t number : list) items.push_back(&Take(number));
    value.items = items;
    return value;
  }
  RunValue& Take(const std::vector<const TensorValue*>& list) {
    RunValue& value = NewValue(ValueKind::kTensorList);
    auto& items = lists_.emplace_back();
    for (const TensorValue* tensor : list) {
      items.push_back(tensor == nullptr ? nullptr : &Take(tensor));
    }
    value.items = items;
    return value;
  }

  TensorRef& Place(const TensorValue& tensor) {
    OwnMemory& own = tensors_.emplace_back();
    own.sizes.assign(tensor.sizes.begin(), tensor.sizes.end());
    own.bounds = own.sizes;
    own.strides.resize(own.sizes.size());
    own.dim_order.resize(own.sizes.size());
    std::iota(own.dim_order.begin(), own.dim_order.end(), 0);
    if (memory_.turned) std::ranges::reverse(own.dim_order);
    own.bytes.resize(memory_.offset + tensor.bytes.size());
    own.ref.dtype = tensor.dtype;
    own.ref.bounded = true;
    own.ref.nbytes = tensor.bytes.size();
    own.ref.sizes = own.sizes;
    own.ref.strides = own.strides;
    own.ref.dim_order = own.dim_order;
    own.ref.bounds = own.bounds;
    SetHome(own.ref, MemoryExtent(std::span(own.bytes).subspan(memory_.offset), nullptr));
    SetStrides(own.ref);
    ForEachElement(own.ref, [&](size_t i, size_t at) {
      const size_t width = ElementSize(tensor.dtype);
      std::memcpy(own.bytes.data() + memory_.offset + at, tensor.bytes.data() + i * width, width);
    });
    return own.ref;
  }

  // Calls each(number in row-major order, byte in memory).
  template <class Each>
  static void ForEachElement(const TensorRef& tensor, const Each& each) {
    const auto count = static_cast<size_t>(ElementCount(tensor));
    for (size_t i = 0; i < count; ++i) {
      size_t left = i;
      size_t at = 0;
      for (size_t d = tensor.rank(); d-- > 0;) {
        const auto size = static_cast<size_t>(tensor.sizes[d]);
        at += left % size * static_cast<size_t>(tensor.strides[d]);
        left /= size;
      }
      each(i, at * ElementSize(tensor.dtype));
    }
  }
  static TensorValue Read(const TensorRef& tensor) {
    TensorValue value = Zeros(tensor.dtype, {tensor.sizes.begin(), tensor.sizes.end()});
    const size_t width = ElementSize(tensor.dtype);
    ForEachElement(tensor, [&](size_t i, size_t at) {
      std::memcpy(value.bytes.data() + i * width, tensor.memory().bytes().data() + at, width);
    });
    return value;
  }

  TensorMemory memory_;
  std::deque<OwnMemory> tensors_;
  std::deque<RunValue> values_;
  std::deque<std::vector<RunValue*>> lists_;
  std::deque<std::vector<double>> reals_;
  std::deque<std::vector<int32_t>> flags_;
  std::vector<TensorRef*> written_;
};

ScalarResult NumberIn(const RunValue& value) {
  if (value.kind == ValueKind::kDouble) return value.real;
  if (value.kind == ValueKind::kBool) return value.integer != 0;
  return value.integer;
}

std::vector<Datum> DataOf(const Evaluated& evaluated) {
  std::vector<Datum> data(evaluated.results.begin(), evaluated.results.end());
  if (evaluated.scalar) {
    std::visit([&](auto number) { data.emplace_back(number); }, *evaluated.scalar);
  }
  return data;
}

// The bound of the operator, or nothing for that of the element type.
std::optional<Tolerance> BoundOf(const OpMeaning& meaning) {
  if (meaning.closeness == Closeness::kExact) return Tolerance{};
  return std::nullopt;
}

}  // namespace

Result<Evaluated, std::string> CallKernel(std::string_view name, std::span<const Argument> args,
                                          std::span<const TensorType> types,
                                          const TensorMemory& memory, int64_t* questions) {
  const OpSchema& schema = *FindOperator(name);
  const Kernel* kernel = FindKernel(name);
  if (kernel == nullptr || kernel->run == nullptr) return std::string("there is no kernel for it");
  Frame frame(memory);
  std::vector<RunValue*> values;
  size_t operand = 0;
  size_t result = 0;
  for (const ArgSchema& arg : schema.args) {
    if (!arg.out) {
      values.push_back(&frame.Add(arg, args[operand++]));
      if (IsWritten(arg)) ++result;
      continue;
    }
    // Without a result for it, an out is there for the form of it alone.
    const TensorType& type = types[std::min(result++, types.size() - 1)];
    const auto sizes = ConcreteSizes(type.sizes);
    values.push_back(&frame.AddOut(arg, Zeros(type.dtype, sizes.value_or(Sizes{}))));
  }
  RunValue& number = frame.NewValue(ValueKind::kNull);
  Scratch scratch;
  const KernelCall call = {schema, values, &number, false, &scratch};
  const auto before = frame.Bytes();
  KernelStatus status = kernel->resize != nullptr ? kernel->resize(call) : nullptr;
  if (status == nullptr) status = kernel->run(call);
  if (questions != nullptr) *questions = scratch.work().questions();
  if (status != nullptr) {
    return frame.Bytes() == before ? std::string(status)
                                   : "it failed after it had written: " + std::string(status);
  }
  Evaluated evaluated = {frame.Written(), std::nullopt};
  if (number.kind != ValueKind::kNull) evaluated.scalar = NumberIn(number);
  return evaluated;
}

std::string KernelDifference(std::string_view name, std::span<const Argument> args,
                             const TensorMemory& memory) {
  const OpSchema& schema = *FindOperator(name);
  const OpMeaning& meaning = *FindMeaning(schema);
  std::vector<TensorType> types;
  if (meaning.types != nullptr) {
    auto found = ResultTypes(schema, args);
    if (found.ok()) types = std::move(found).value();
  }
  const auto expected = Evaluate(schema, args);
  if (!expected.ok() && types.empty() && meaning.types != nullptr) {
    types.push_back({ScalarType::kFloat32, {}});
  }
  const auto got = CallKernel(name, args, types, memory);
  if (!expected.ok()) {
    if (got.ok()) return "only the reference refuses: " + expected.error().explanation;
    return got.error().starts_with("it failed after") ? got.error() : "";
  }
  if (!got.ok()) return "only the kernel refuses: " + got.error();
  const bool values = meaning.closeness != Closeness::kShape;
  const auto difference =
      FirstDifference(DataOf(expected.value()), DataOf(got.value()), BoundOf(meaning), values);
  return difference.value_or("");
}

}  // namespace pteproof
