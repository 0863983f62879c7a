// A flatbuffer of somebody else's schema, read field by field: no generated code, no verifier
// before it. Every look is checked where it is made.
//
// Idea: a table is a position; a field of it is looked up through its vtable. What lies outside of
// the bytes, or costs more than the budget, marks the buffer as damaged and reads as absent, so
// that callers need no check of their own until the end.
//
//   FlatBuffer buffer(bytes);
//   for (const FlatTable node : buffer.Root().Tables(1)) ids.push_back(node.Number<uint32_t>(2));
//   if (!buffer.damage().empty()) ...
//
// Invariant: no look reads outside of the bytes. Cost: each look is O(1), and all looks together
// are at most a constant times the number of bytes, as shared tables and vectors are paid for each
// time.
#ifndef PTEPROOF_RUNTIME_DELEGATES_FLAT_TABLE_H_
#define PTEPROOF_RUNTIME_DELEGATES_FLAT_TABLE_H_

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::delegates {

// The number at `at`, little-endian; the caller has checked that it lies inside.
template <class T>
[[nodiscard]] T NumberAt(Bytes bytes, uint64_t at) {
  using Raw = std::conditional_t<
      sizeof(T) == 1, uint8_t,
      std::conditional_t<sizeof(T) == 2, uint16_t,
                         std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
  Raw raw = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    const auto byte = static_cast<Raw>(bytes[static_cast<size_t>(at) + i]);
    raw = static_cast<Raw>(raw | static_cast<Raw>(byte << (8 * i)));
  }
  if constexpr (std::is_same_v<T, bool>) {
    return raw != 0;
  } else {
    return std::bit_cast<T>(raw);
  }
}

class FlatTable;

class FlatBuffer {
 public:
  explicit FlatBuffer(Bytes bytes)
      : bytes_(bytes), left_(64 + 2 * uint64_t{bytes.size()}), tables_(64 + bytes.size() / 8) {}

  // The table that the buffer begins with.
  [[nodiscard]] FlatTable Root();

  // The four letters behind the first offset; empty if there is no room for them.
  [[nodiscard]] std::string_view Identifier() const;

  // What is wrong with the buffer, and where, as far as it was looked at; empty: nothing.
  [[nodiscard]] const std::string& damage() const { return damage_; }

 private:
  friend class FlatTable;

  // Whether [at, at + count) lies inside and is paid for, with `more` on top.
  bool Take(uint64_t at, uint64_t count, std::string_view what, uint64_t more = 0);
  // Whether one more table is paid for.
  bool TakeTable(uint64_t at);
  void Damage(uint64_t at, std::string_view what);

  Bytes bytes_;
  uint64_t left_;    // looks and elements that are still paid for
  uint64_t tables_;  // tables that may still be looked at: each is at least eight bytes
  std::string damage_;
};

// A table of the buffer, or none: then all fields are absent. Fields are counted from 0 in the
// order of the schema, deprecated ones among them; a union takes two, its type first.
class FlatTable {
 public:
  FlatTable() = default;
  FlatTable(FlatBuffer* buffer, uint64_t at);

  [[nodiscard]] explicit operator bool() const { return buffer_ != nullptr; }

  // Whether the field is there.
  [[nodiscard]] bool Has(uint32_t field) const { return Find(field, 1).has_value(); }
  // Whether this field or a later one is there.
  [[nodiscard]] bool HasFrom(uint32_t field) const;

  // The bytes of a number, and of a list of such numbers; empty if the field is absent.
  [[nodiscard]] Bytes Raw(uint32_t field, uint64_t size) const;
  [[nodiscard]] Bytes RawList(uint32_t field, uint64_t size) const;

  // A number, or its default.
  template <class T>
  [[nodiscard]] T Number(uint32_t field, T missing = T{}) const {
    const auto at = Find(field, sizeof(T));
    return at ? NumberAt<T>(buffer_->bytes_, *at) : missing;
  }

  [[nodiscard]] FlatTable Table(uint32_t field) const;
  [[nodiscard]] std::string_view Text(uint32_t field) const;
  [[nodiscard]] std::vector<FlatTable> Tables(uint32_t field) const;
  [[nodiscard]] std::vector<std::string_view> Texts(uint32_t field) const;

  template <class T>
  [[nodiscard]] std::vector<T> Numbers(uint32_t field) const {
    const auto [at, count] = Elements(field, sizeof(T));
    std::vector<T> all;
    all.reserve(count);
    for (uint64_t i = 0; i < count; ++i) {
      all.push_back(NumberAt<T>(buffer_->bytes_, at + i * sizeof(T)));
    }
    return all;
  }

 private:
  struct Span {
    uint64_t at = 0;
    uint64_t count = 0;
  };

  // Where the field lies; nothing if it is absent or does not fit.
  [[nodiscard]] std::optional<uint64_t> Find(uint32_t field, uint64_t size) const;
  // Where the offset at `at` leads.
  [[nodiscard]] std::optional<uint64_t> Follow(uint64_t at) const;
  [[nodiscard]] Span Elements(uint32_t field, uint64_t size) const;
  [[nodiscard]] std::string_view TextAt(uint64_t at) const;

  FlatBuffer* buffer_ = nullptr;
  uint64_t at_ = 0;
  uint64_t vtable_ = 0;
  uint16_t vtable_size_ = 0;
};

}  // namespace pteproof::delegates

#endif  // PTEPROOF_RUNTIME_DELEGATES_FLAT_TABLE_H_
