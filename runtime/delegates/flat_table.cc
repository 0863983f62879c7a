#include "runtime/delegates/flat_table.h"

#include <fmt/format.h>

namespace pteproof::delegates {
namespace {

constexpr uint64_t kOffset = 4;     // bytes of an offset, and of a length
constexpr uint64_t kSlot = 2;       // bytes of an entry of a vtable
constexpr uint64_t kTextPrice = 5;  // on top: callers keep what they get

}  // namespace

FlatTable FlatBuffer::Root() {
  if (!Take(0, kOffset, "the offset of the first table")) return {};
  return FlatTable(this, NumberAt<uint32_t>(bytes_, 0));
}

std::string_view FlatBuffer::Identifier() const {
  constexpr size_t kLetters = 4;
  if (bytes_.size() < kOffset + kLetters) return {};
  return {reinterpret_cast<const char*>(bytes_.data()) + kOffset, kLetters};
}

void FlatBuffer::Damage(uint64_t at, std::string_view what) {
  if (damage_.empty()) damage_ = fmt::format("{} at byte {}", what, at);
}

bool FlatBuffer::Take(uint64_t at, uint64_t count, std::string_view what, uint64_t more) {
  if (at > bytes_.size() || count > bytes_.size() - at) {
    Damage(at, fmt::format("{} reaches past the end", what));
    return false;
  }
  const uint64_t price = count / 4 + 1 + more;
  if (price > left_) {
    Damage(at, fmt::format("{} is one of too many references to the same bytes", what));
    return false;
  }
  left_ -= price;
  return true;
}

bool FlatBuffer::TakeTable(uint64_t at) {
  if (tables_ == 0) {
    Damage(at, "a table is one of too many references to the same bytes");
    return false;
  }
  --tables_;
  return true;
}

FlatTable::FlatTable(FlatBuffer* buffer, uint64_t at) {
  if (!buffer->Take(at, kOffset, "a table") || !buffer->TakeTable(at)) return;
  const auto back = NumberAt<int32_t>(buffer->bytes_, at);
  const int64_t vtable = static_cast<int64_t>(at) - back;
  if (vtable < 0) {
    buffer->Damage(at, "a table lists its fields before the start,");
    return;
  }
  const auto start = static_cast<uint64_t>(vtable);
  if (!buffer->Take(start, 2 * kSlot, "the list of a table's fields")) return;
  const auto size = NumberAt<uint16_t>(buffer->bytes_, start);
  if (size < 2 * kSlot || size % kSlot != 0 || size > buffer->bytes_.size() - start) {
    buffer->Damage(start, "the list of a table's fields has an impossible length");
    return;
  }
  buffer_ = buffer;
  at_ = at;
  vtable_ = start;
  vtable_size_ = size;
}

std::optional<uint64_t> FlatTable::Find(uint32_t field, uint64_t size) const {
  const uint64_t slot = kSlot * (2 + uint64_t{field});
  if (buffer_ == nullptr || slot + kSlot > vtable_size_) return std::nullopt;
  const auto offset = NumberAt<uint16_t>(buffer_->bytes_, vtable_ + slot);
  if (offset == 0 || !buffer_->Take(at_ + offset, size, "a field")) return std::nullopt;
  return at_ + offset;
}

bool FlatTable::HasFrom(uint32_t field) const {
  if (buffer_ == nullptr || !buffer_->Take(vtable_, vtable_size_, "the list of a table's fields")) {
    return false;
  }
  for (uint64_t slot = kSlot * (2 + uint64_t{field}); slot < vtable_size_; slot += kSlot) {
    if (NumberAt<uint16_t>(buffer_->bytes_, vtable_ + slot) != 0) return true;
  }
  return false;
}

Bytes FlatTable::Raw(uint32_t field, uint64_t size) const {
  const auto at = Find(field, size);
  return at ? buffer_->bytes_.subspan(*at, size) : Bytes{};
}

Bytes FlatTable::RawList(uint32_t field, uint64_t size) const {
  const auto [at, count] = Elements(field, size);
  return count == 0 ? Bytes{} : buffer_->bytes_.subspan(at, count * size);
}

std::optional<uint64_t> FlatTable::Follow(uint64_t at) const {
  const uint64_t to = at + NumberAt<uint32_t>(buffer_->bytes_, at);
  if (!buffer_->Take(to, kOffset, "a reference")) return std::nullopt;
  return to;
}

FlatTable FlatTable::Table(uint32_t field) const {
  const auto at = Find(field, kOffset);
  const auto to = at ? Follow(*at) : std::nullopt;
  return to ? FlatTable(buffer_, *to) : FlatTable();
}

FlatTable::Span FlatTable::Elements(uint32_t field, uint64_t size) const {
  const auto at = Find(field, kOffset);
  const auto to = at ? Follow(*at) : std::nullopt;
  if (!to) return {};
  const auto count = NumberAt<uint32_t>(buffer_->bytes_, *to);
  if (!buffer_->Take(*to + kOffset, count * size, "a list")) return {};
  return {*to + kOffset, count};
}

std::vector<FlatTable> FlatTable::Tables(uint32_t field) const {
  const auto [at, count] = Elements(field, kOffset);
  std::vector<FlatTable> all;
  for (uint64_t i = 0; i < count; ++i) {
    const auto to = Follow(at + i * kOffset);
    if (!to) return all;
    all.emplace_back(buffer_, *to);
    if (!all.back()) return all;
  }
  return all;
}

std::string_view FlatTable::TextAt(uint64_t at) const {
  const auto count = NumberAt<uint32_t>(buffer_->bytes_, at);
  if (!buffer_->Take(at + kOffset, count, "a text", kTextPrice)) return {};
  return {reinterpret_cast<const char*>(buffer_->bytes_.data()) + at + kOffset, count};
}

std::string_view FlatTable::Text(uint32_t field) const {
  const auto at = Find(field, kOffset);
  const auto to = at ? Follow(*at) : std::nullopt;
  return to ? TextAt(*to) : std::string_view{};
}

std::vector<std::string_view> FlatTable::Texts(uint32_t field) const {
  const auto [at, count] = Elements(field, kOffset);
  std::vector<std::string_view> all;
  for (uint64_t i = 0; i < count; ++i) {
    const auto to = Follow(at + i * kOffset);
    if (!to) return all;
    all.push_back(TextAt(*to));
  }
  return all;
}

}  // namespace pteproof::delegates
