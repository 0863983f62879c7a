#include "reference/tensor_value.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/work.h"
#include "reference/half.h"

namespace pteproof {
namespace {

template <class T>
T Load(const TensorValue& t, int64_t i) {
  T value;
  std::memcpy(&value, t.bytes.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void Store(TensorValue& t, int64_t i, T value) {
  std::memcpy(t.bytes.data() + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
}

int64_t Truncated(double value) {
  constexpr double kLimit = 0x1p63;
  if (!(value >= -kLimit && value < kLimit)) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

// Types up to int32 are converted by way of it.
bool GoesByInt32(ScalarType type) {
  return ElementSize(type) <= sizeof(int32_t) && type != ScalarType::kUInt32;
}

// Calls use(T{}) with the C++ type of an integer element type; false for others.
template <class Use>
bool WithInteger(ScalarType type, Use use) {
  switch (type) {
    case ScalarType::kUInt8:
    case ScalarType::kQUInt8:
    case ScalarType::kBits8:
    // Types without arithmetic are taken for their bytes.
    case ScalarType::kQUInt4x2:
    case ScalarType::kQUInt2x4:
    case ScalarType::kBits1x8:
    case ScalarType::kBits2x4:
    case ScalarType::kBits4x2:
    case ScalarType::kFloat8E5M2:
    case ScalarType::kFloat8E4M3FN:
    case ScalarType::kFloat8E5M2FNUZ:
    case ScalarType::kFloat8E4M3FNUZ:
      return use(uint8_t{}), true;
    case ScalarType::kInt8:
    case ScalarType::kQInt8:
      return use(int8_t{}), true;
    case ScalarType::kInt16:
      return use(int16_t{}), true;
    case ScalarType::kInt32:
    case ScalarType::kQInt32:
      return use(int32_t{}), true;
    case ScalarType::kInt64:
      return use(int64_t{}), true;
    case ScalarType::kUInt16:
    case ScalarType::kBits16:
      return use(uint16_t{}), true;
    case ScalarType::kUInt32:
      return use(uint32_t{}), true;
    case ScalarType::kUInt64:
      return use(uint64_t{}), true;
    default:
      return false;
  }
}

// Bytes, and their number among those that the thread's work holds, for as long as they live.
class CountedBytes : public std::vector<std::byte> {
 public:
  CountedBytes() : memory_(WorkOfThread() == nullptr ? nullptr : WorkOfThread()->memory()) {}
  ~CountedBytes() {
    if (memory_ != nullptr) memory_->Free(taken_);
  }
  CountedBytes(const CountedBytes&) = delete;
  CountedBytes& operator=(const CountedBytes&) = delete;

  // Before they are made.
  void Count(size_t bytes) {
    if (memory_ == nullptr) return;
    memory_->Take(bytes);
    taken_ += bytes;
  }

 private:
  std::shared_ptr<MemoryCount> memory_;
  size_t taken_ = 0;
};

}  // namespace

TensorBytes TensorBytes::ViewOf(std::span<const std::byte> bytes,
                                std::shared_ptr<const void> owner) {
  TensorBytes out;
  out.view_ = bytes;
  out.viewed_ = std::move(owner);
  return out;
}

void TensorBytes::Separate() {
  const TensorBytes& old = *this;
  auto own = std::make_shared<CountedBytes>();
  own->Count(old.size());
  own->assign(old.begin(), old.end());
  own_ = std::move(own);
  view_ = {};
  viewed_ = nullptr;
}

bool operator==(const TensorBytes& a, const TensorBytes& b) {
  return std::ranges::equal(a, b);
}

int64_t ElementCount(std::span<const int64_t> sizes) {
  constexpr int64_t kNoCount = std::numeric_limits<int64_t>::max();
  if (std::ranges::any_of(sizes, [](int64_t size) { return size < 0; })) return kNoCount;
  // Nothing times any size is nothing: the product of the others need not fit.
  if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
  int64_t count = 1;
  for (const int64_t size : sizes) {
    const auto product = CheckedMul(count, size);
    if (!product) return kNoCount;
    count = *product;
  }
  return count;
}

TensorValue Zeros(ScalarType dtype, Sizes sizes) {
  TensorValue t;
  t.dtype = dtype;
  // What does not fit is more than any memory holds, and is not made.
  const auto nbytes = static_cast<size_t>(CappedProduct({ElementCount(sizes), ElementSize(dtype)}));
  static_cast<CountedBytes&>(t.bytes.Own()).Count(nbytes);  // Separate() has just made them
  t.bytes.resize(nbytes);
  t.sizes = std::move(sizes);
  return t;
}

bool IsComplex(ScalarType type) {
  return type == ScalarType::kComplex32 || type == ScalarType::kComplex64 ||
         type == ScalarType::kComplex128;
}

bool IsFloat(ScalarType type) {
  return type == ScalarType::kFloat16 || type == ScalarType::kBFloat16 ||
         type == ScalarType::kFloat32 || type == ScalarType::kFloat64;
}

bool IsInteger(ScalarType type) {
  return WithInteger(type, [](auto) {});
}

double RealAt(const TensorValue& t, int64_t i) {
  switch (t.dtype) {
    case ScalarType::kFloat16:
      return HalfToDouble(Load<uint16_t>(t, i));
    case ScalarType::kBFloat16:
      return BFloat16ToDouble(Load<uint16_t>(t, i));
    case ScalarType::kFloat32:
      return Load<float>(t, i);
    case ScalarType::kFloat64:
      return Load<double>(t, i);
    case ScalarType::kUInt64:
      return static_cast<double>(Load<uint64_t>(t, i));
    default:
      return IsComplex(t.dtype) ? ComplexAt(t, i).real() : static_cast<double>(IntAt(t, i));
  }
}

int64_t IntAt(const TensorValue& t, int64_t i) {
  if (t.dtype == ScalarType::kBool) return Load<uint8_t>(t, i) != 0 ? 1 : 0;
  int64_t value = 0;
  const bool integer = WithInteger(
      t.dtype, [&](auto zero) { value = static_cast<int64_t>(Load<decltype(zero)>(t, i)); });
  return integer ? value : Truncated(RealAt(t, i));
}

std::complex<double> ComplexAt(const TensorValue& t, int64_t i) {
  switch (t.dtype) {
    case ScalarType::kComplex32:
      return {HalfToDouble(Load<uint16_t>(t, 2 * i)), HalfToDouble(Load<uint16_t>(t, 2 * i + 1))};
    case ScalarType::kComplex64:
      return {Load<float>(t, 2 * i), Load<float>(t, 2 * i + 1)};
    case ScalarType::kComplex128:
      return {Load<double>(t, 2 * i), Load<double>(t, 2 * i + 1)};
    default:
      return {RealAt(t, i), 0.0};
  }
}

bool IsTrueAt(const TensorValue& t, int64_t i) {
  if (IsComplex(t.dtype)) return ComplexAt(t, i) != 0.0;
  return IsFloat(t.dtype) ? RealAt(t, i) != 0 : IntAt(t, i) != 0;
}

bool IsNanAt(const TensorValue& t, int64_t i) {
  return IsFloat(t.dtype) && std::isnan(RealAt(t, i));
}

void SetReal(TensorValue& t, int64_t i, double value) {
  switch (t.dtype) {
    case ScalarType::kFloat16:
      return Store(t, i, HalfFromDouble(value));
    case ScalarType::kBFloat16:
      return Store(t, i, BFloat16FromDouble(value));
    case ScalarType::kFloat32:
      return Store(t, i, static_cast<float>(value));
    case ScalarType::kFloat64:
      return Store(t, i, value);
    case ScalarType::kBool:
      return Store(t, i, static_cast<uint8_t>(value != 0));
    default:
      if (IsComplex(t.dtype)) return SetComplex(t, i, {value, 0.0});
      if (GoesByInt32(t.dtype) && !(value > -0x1p31 - 1 && value < 0x1p31)) {
        return SetInt(t, i, std::numeric_limits<int32_t>::min());
      }
      return SetInt(t, i, Truncated(value));
  }
}

void SetInt(TensorValue& t, int64_t i, int64_t value) {
  if (t.dtype == ScalarType::kBool) return Store(t, i, static_cast<uint8_t>(value != 0));
  const bool integer =
      WithInteger(t.dtype, [&](auto zero) { Store(t, i, static_cast<decltype(zero)>(value)); });
  if (integer) return;
  // In one step: by way of double would round twice.
  if (t.dtype == ScalarType::kFloat32) return Store(t, i, static_cast<float>(value));
  SetReal(t, i, static_cast<double>(value));
}

void SetComplex(TensorValue& t, int64_t i, std::complex<double> value) {
  switch (t.dtype) {
    case ScalarType::kComplex32:
      Store(t, 2 * i, HalfFromDouble(value.real()));
      return Store(t, 2 * i + 1, HalfFromDouble(value.imag()));
    case ScalarType::kComplex64:
      Store(t, 2 * i, static_cast<float>(value.real()));
      return Store(t, 2 * i + 1, static_cast<float>(value.imag()));
    case ScalarType::kComplex128:
      Store(t, 2 * i, value.real());
      return Store(t, 2 * i + 1, value.imag());
    default:
      return SetReal(t, i, value.real());
  }
}

double Rounded(double value, ScalarType type) {
  switch (type) {
    case ScalarType::kFloat16:
      return HalfToDouble(HalfFromDouble(value));
    case ScalarType::kBFloat16:
      return BFloat16ToDouble(BFloat16FromDouble(value));
    case ScalarType::kFloat32:
      return static_cast<float>(value);
    default:
      return value;
  }
}

std::span<const std::byte> ElementBytes(const TensorValue& t, int64_t i) {
  const size_t size = ElementSize(t.dtype);
  return std::span(t.bytes).subspan(static_cast<size_t>(i) * size, size);
}

std::span<std::byte> ElementBytes(TensorValue& t, int64_t i) {
  const size_t size = ElementSize(t.dtype);
  return std::span(t.bytes).subspan(static_cast<size_t>(i) * size, size);
}

void CopyElement(const TensorValue& source, int64_t from, TensorValue& target, int64_t to) {
  if (source.dtype == target.dtype) {
    const size_t size = ElementSize(source.dtype);
    std::memcpy(target.bytes.data() + static_cast<size_t>(to) * size,
                source.bytes.data() + static_cast<size_t>(from) * size, size);
  } else if (IsComplex(source.dtype)) {
    SetComplex(target, to, ComplexAt(source, from));
  } else if (IsFloat(source.dtype)) {
    SetReal(target, to, RealAt(source, from));
  } else {
    SetInt(target, to, IntAt(source, from));
  }
}

TensorValue Converted(const TensorValue& t, ScalarType dtype) {
  if (t.dtype == dtype) return t;
  TensorValue out = Zeros(dtype, t.sizes);
  ForEachElement(ElementCount(t), [&](int64_t i) { CopyElement(t, i, out, i); });
  return out;
}

std::vector<int64_t> RowMajorStrides(std::span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size());
  const int64_t count = ElementCount(sizes);
  if (count == 0 || count == std::numeric_limits<int64_t>::max()) return strides;
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= sizes[d];
  }
  return strides;
}

}  // namespace pteproof
