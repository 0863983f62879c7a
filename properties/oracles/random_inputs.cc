#include "properties/oracles/random_inputs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/work.h"
#include "properties/oracles/index_bounds.h"
#include "runtime/execute/opaque_call.h"

namespace pteproof {
namespace {

// Exporters treat sizes of 0 and 1 as fixed, unless a model admits them and a manifest states that:
// an operand of size 1 would be broadcast to the size of the others.
constexpr int32_t kLeast = 2;
constexpr int32_t kSmallSize = 16;

// Whether the method takes numbers from tensors: positions and ends of slices, which decide sizes.
bool TakesNumbers(const Method& method) {
  return std::ranges::any_of(
      method.operators, [](const Operator& op) { return op.name == "aten::_local_scalar_dense"; });
}

uint64_t LargestSize(const Method& method) {
  int32_t largest = 1;
  for (const Tensor& tensor : method.tensors) {
    for (const int32_t size : method.Ints(tensor.sizes)) largest = std::max(largest, size);
  }
  return static_cast<uint64_t>(largest);
}

bool IsWholeNumber(ScalarType dtype) {
  return dtype == ScalarType::kInt64 || dtype == ScalarType::kInt32 ||
         dtype == ScalarType::kInt16 || dtype == ScalarType::kInt8 || dtype == ScalarType::kUInt8;
}

class InputMaker {
 public:
  InputMaker(const Method& method, const InputNature& nature, Random& random, InputSizes sizes)
      : method_(method),
        random_(random),
        is_small_(sizes == InputSizes::kSmall),
        at_bounds_((Below(random, 2) == 0 && !is_small_) || sizes == InputSizes::kAtBounds ||
                   nature.has_opaque_call),
        largest_(nature.largest) {}

  // `ranges`: the sizes that the model admits; empty: nobody says. `numbers`: likewise of elements.
  Datum Make(const Value& value, std::span<const ManifestDim> ranges,
             const std::optional<DimRange>& numbers) {
    switch (value.kind) {
      case ValueKind::kTensor:
        return MakeTensor(method_.tensors[value.tensor], ranges, numbers);
      case ValueKind::kInt:
        return value.integer;
      case ValueKind::kBool:
        return value.integer != 0;
      case ValueKind::kDouble:
        return value.real;
      case ValueKind::kString:
        return std::string(method_.Text(value.items));
      default:
        return std::monostate{};
    }
  }

 private:
  TensorValue MakeTensor(const Tensor& tensor, std::span<const ManifestDim> ranges,
                         const std::optional<DimRange>& numbers) {
    Sizes sizes;
    const auto bounds = method_.Ints(tensor.sizes);
    for (size_t d = 0; d < bounds.size(); ++d) {
      const bool known = ranges.size() == bounds.size();
      const bool fixed =
          tensor.dynamism == Dynamism::kStatic || (known && ranges[d].max == ranges[d].min);
      sizes.push_back(fixed ? bounds[d] : SizeFor(bounds[d]));
      if (known) sizes.back() = Admitted(ranges[d], sizes.back(), bounds[d]);
    }
    TensorValue out = Zeros(tensor.dtype, std::move(sizes));
    if (numbers && numbers->max && *numbers->max >= numbers->min &&
        tensor.dtype != ScalarType::kBool) {
      const auto least = static_cast<uint64_t>(numbers->min);
      const uint64_t count = static_cast<uint64_t>(*numbers->max) - least + 1;  // 0: all there are
      ForEachElement(ElementCount(out), [&](int64_t i) {
        const uint64_t more = count == 0 ? random_() : Below(random_, count);
        SetInt(out, i, static_cast<int64_t>(least + more));
      });
      return out;
    }
    Paced pace(static_cast<int64_t>(out.bytes.size()));
    if (largest_ > 0 && IsWholeNumber(tensor.dtype)) {
      FillSmall(out);
      return out;
    }
    for (std::byte& byte : out.bytes) {
      pace.Step();
      const auto bits = static_cast<uint8_t>(random_());
      byte = std::byte{tensor.dtype == ScalarType::kBool ? static_cast<uint8_t>(bits & 1) : bits};
    }
    return out;
  }

  // Numbers that may be positions: below a random limit, which no size of the method exceeds.
  void FillSmall(TensorValue& out) {
    const uint64_t limit = 1 + Below(random_, largest_);
    const size_t width = ElementSize(out.dtype);
    Paced pace(ElementCount(out));
    std::byte* bytes = out.bytes.data();
    for (size_t at = 0; at < out.bytes.size(); at += width) {
      pace.Step();
      uint64_t number = Below(random_, limit);
      for (size_t b = 0; b < width; ++b, number >>= 8U) {
        bytes[at + b] = static_cast<std::byte>(number & 0xFFU);
      }
    }
  }

  // The nearest admitted size; of dimensions of one name, that of the first.
  int64_t Admitted(const ManifestDim& dim, int64_t size, int64_t bound) {
    if (dim.max) size = std::min(size, *dim.max);
    size = std::max(size, std::min(dim.min, bound));
    if (size > dim.min) size -= (size - dim.min) % dim.step;
    if (dim.name.empty()) return size;
    const int64_t first = named_.try_emplace(dim.name, size).first->second;
    return first <= bound ? first : size;
  }

  int64_t SizeFor(int32_t bound) {
    if (at_bounds_ || bound <= kLeast) return bound;
    const auto [known, is_new] = sizes_.try_emplace(bound);
    // The file does not say which sizes of a tensor vary: not all of them do.
    const bool varies = Below(random_, 2) == 1 || (is_small_ && bound > kSmallSize);
    if (is_new) known->second = varies ? Smaller(bound) : bound;
    return known->second;
  }

  int64_t Smaller(int32_t bound) {
    if (is_small_) bound = std::min(bound, kSmallSize);
    return kLeast + static_cast<int64_t>(Below(random_, static_cast<uint64_t>(bound - 1)));
  }

  const Method& method_;
  Random& random_;
  bool is_small_;
  bool at_bounds_;
  uint64_t largest_;                           // as InputNature
  std::map<int32_t, int64_t> sizes_;           // by bound
  std::map<std::string_view, int64_t> named_;  // by the dimension's name in the manifest
};

}  // namespace

uint64_t Below(Random& random, uint64_t count) {
  return random() % count;
}

bool AreAtBounds(const Method& method, std::span<const Datum> inputs) {
  for (size_t n = 0; n < std::min(inputs.size(), method.inputs.size()); ++n) {
    const auto* tensor = std::get_if<TensorValue>(&inputs[n]);
    const Tensor* wanted = method.TensorOf(method.inputs[n]);
    if (tensor == nullptr || wanted == nullptr) continue;
    if (!std::ranges::equal(tensor->sizes, method.Ints(wanted->sizes))) return false;
  }
  return true;
}

InputNature InputNatureOf(const meaning::MethodMeaning& meant) {
  const Method& method = *meant.method;
  return {HasOpaqueCall(method), TakesNumbers(method) ? LargestSize(method) : 0,
          IndexBounds(meant)};
}

std::vector<Datum> RandomInputs(const Method& method, Random& random, const ManifestMethod* stated,
                                InputSizes sizes) {
  return RandomInputs(method, InputNatureOf(meaning::MeaningOf(method, nullptr)), random, stated,
                      sizes);
}

std::vector<Datum> RandomInputs(const Method& method, const InputNature& nature, Random& random,
                                const ManifestMethod* stated, InputSizes sizes) {
  InputMaker maker(method, nature, random, sizes);
  std::vector<Datum> inputs;
  for (size_t k = 0; k < method.inputs.size(); ++k) {
    std::span<const ManifestDim> ranges;
    std::optional<DimRange> numbers;
    if (nature.bounds[k]) numbers = {0, *nature.bounds[k] - 1};
    if (stated != nullptr && stated->inputs && k < stated->inputs->size()) {
      const ManifestInput& input = (*stated->inputs)[k];
      if (input.sizes) ranges = *input.sizes;
      if (input.range) numbers = input.range;
    }
    const Value& value = method.values[static_cast<size_t>(method.inputs[k])];
    inputs.push_back(maker.Make(value, ranges, numbers));
  }
  return inputs;
}

std::vector<Datum> AtBounds(const Method& method, std::span<const Datum> inputs) {
  std::vector<Datum> at_bounds(inputs.begin(), inputs.end());
  for (size_t n = 0; n < std::min(inputs.size(), method.inputs.size()); ++n) {
    const auto* tensor = std::get_if<TensorValue>(&inputs[n]);
    const Tensor* wanted = method.TensorOf(method.inputs[n]);
    if (tensor == nullptr || wanted == nullptr || tensor->bytes.empty()) continue;
    const auto bounds = method.Ints(wanted->sizes);
    if (std::ranges::equal(tensor->sizes, bounds)) continue;
    TensorValue whole = Zeros(tensor->dtype, {bounds.begin(), bounds.end()});
    for (size_t b = 0; b < whole.bytes.size(); ++b) {
      whole.bytes[b] = tensor->bytes[b % tensor->bytes.size()];
    }
    at_bounds[n] = std::move(whole);
  }
  return at_bounds;
}

}  // namespace pteproof
