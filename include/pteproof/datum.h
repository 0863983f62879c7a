// Values that a caller passes to a method or gets back: nothing, a number, a text or a tensor.
// Sizes are elements per dimension; elements are row-major, whatever the program's memory order is.
//
// Example:
//
//   pteproof::TensorValue ones = pteproof::Zeros(pteproof::ScalarType::kFloat32, {2, 3});
//   for (int64_t i = 0; i < pteproof::ElementCount(ones); ++i) pteproof::SetReal(ones, i, 1.0);
//   const pteproof::Datum datum = ones;
//   return std::holds_alternative<pteproof::TensorValue>(datum) && ones.bytes.size() == 24 ? 0 : 1;
#ifndef PTEPROOF_DATUM_H_
#define PTEPROOF_DATUM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "pteproof/scalar_type.h"

namespace pteproof {

using Sizes = std::vector<int64_t>;

// Bytes, used like a vector of them. Copies share memory until one of them is written to; whatever
// is not const may write. Threads may have copies of their own, but no object in common.
class TensorBytes {
 public:
  using value_type = std::byte;
  using iterator = std::byte*;
  using const_iterator = const std::byte*;

  TensorBytes() = default;
  TensorBytes(std::vector<std::byte> bytes)  // NOLINT(google-explicit-constructor)
      : own_(std::make_shared<std::vector<std::byte>>(std::move(bytes))) {}
  // Reads bytes of another owner in place. They must outlive each copy, or each copy keeps `owner`.
  [[nodiscard]] static TensorBytes ViewOf(std::span<const std::byte> bytes,
                                          std::shared_ptr<const void> owner = nullptr);

  [[nodiscard]] size_t size() const { return own_ == nullptr ? view_.size() : own_->size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const std::byte* data() const {
    return own_ == nullptr ? view_.data() : own_->data();
  }
  [[nodiscard]] const std::byte* begin() const { return data(); }
  [[nodiscard]] const std::byte* end() const { return data() + size(); }
  [[nodiscard]] const std::byte& operator[](size_t i) const { return data()[i]; }
  [[nodiscard]] const std::byte& front() const { return *data(); }

  // Whether the memory belongs to another owner (ViewOf).
  [[nodiscard]] bool is_view() const { return own_ == nullptr && !view_.empty(); }

  // Memory that no other object shares or views: a copy, if there is none yet. O(1) if there is.
  std::vector<std::byte>& Own() {
    if (own_ == nullptr || own_.use_count() > 1) Separate();
    return *own_;
  }
  [[nodiscard]] std::byte* data() { return Own().data(); }
  [[nodiscard]] std::byte* begin() { return data(); }
  [[nodiscard]] std::byte* end() { return data() + size(); }
  [[nodiscard]] std::byte& operator[](size_t i) { return data()[i]; }
  [[nodiscard]] std::byte& front() { return *data(); }
  void resize(size_t count) { Own().resize(count); }
  void pop_back() { Own().pop_back(); }

  friend bool operator==(const TensorBytes& a, const TensorBytes& b);

 private:
  void Separate();

  std::shared_ptr<std::vector<std::byte>> own_;
  std::span<const std::byte> view_;     // without memory of its own
  std::shared_ptr<const void> viewed_;  // the owner of what is viewed, if it is to be kept
};

struct TensorValue {
  ScalarType dtype = ScalarType::kFloat32;
  Sizes sizes;
  TensorBytes bytes;  // element count * ElementSize(dtype)

  [[nodiscard]] int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
  bool operator==(const TensorValue&) const = default;
};

using Datum = std::variant<std::monostate, int64_t, bool, double, std::string, TensorValue>;

// Product of the sizes, none of which is negative; of a tensor without elements 0, whatever the
// other sizes are. The largest int64 if the product does not fit an int64.
[[nodiscard]] int64_t ElementCount(std::span<const int64_t> sizes);
[[nodiscard]] inline int64_t ElementCount(const TensorValue& t) {
  return ElementCount(t.sizes);
}

// All bytes zero.
[[nodiscard]] TensorValue Zeros(ScalarType dtype, Sizes sizes);

// Element i (in row-major order) as a number. Int truncates towards zero; floats that an int64 does
// not hold, and NaN, give the least int64, as x86-64 converts. Real of a complex is its real part.
[[nodiscard]] double RealAt(const TensorValue& t, int64_t i);
[[nodiscard]] int64_t IntAt(const TensorValue& t, int64_t i);

// Stores with rounding to nearest even (floats), modulo 2^bits (integers), or as `!= 0` (bool). A
// float goes to int32 and smaller types by way of int32, to others by way of int64, as above.
void SetReal(TensorValue& t, int64_t i, double value);
void SetInt(TensorValue& t, int64_t i, int64_t value);

}  // namespace pteproof

#endif  // PTEPROOF_DATUM_H_
