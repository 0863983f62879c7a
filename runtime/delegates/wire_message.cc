#include "runtime/delegates/wire_message.h"

#include "runtime/delegates/flat_table.h"

namespace pteproof::delegates {
namespace {

// Kinds of fields, in the last three bits of a field's tag.
constexpr uint64_t kWireNumber = 0;
constexpr uint64_t kWireEight = 1;
constexpr uint64_t kWireBytes = 2;
constexpr uint64_t kWireFour = 5;

}  // namespace

std::optional<WireField> WireMessage::Damaged() {
  damaged_ = true;
  return std::nullopt;
}

// Seven bits a byte, the lowest first; the last byte's highest bit is clear.
std::optional<uint64_t> WireMessage::NextNumber() {
  constexpr uint32_t kBits = 7;
  uint64_t number = 0;
  for (uint32_t shift = 0; shift < 64; shift += kBits) {
    if (rest_.empty()) return std::nullopt;
    const auto byte = static_cast<uint64_t>(rest_.front());
    rest_ = rest_.subspan(1);
    number |= (byte & 0x7F) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

std::optional<Bytes> WireMessage::Take(uint64_t count) {
  if (count > rest_.size()) return std::nullopt;
  const Bytes taken = rest_.first(count);
  rest_ = rest_.subspan(count);
  return taken;
}

std::optional<WireField> WireMessage::Next() {
  if (rest_.empty() || damaged_) return std::nullopt;
  const auto tag = NextNumber();
  if (!tag) return Damaged();
  WireField field{.number = *tag >> 3};
  const uint64_t kind = *tag & 7;
  if (kind == kWireNumber) {
    const auto value = NextNumber();
    if (!value) return Damaged();
    field.value = *value;
    return field;
  }
  const bool fixed = kind == kWireFour || kind == kWireEight;
  if (!fixed && kind != kWireBytes) return Damaged();
  const auto size = fixed ? std::optional<uint64_t>(kind == kWireFour ? 4 : 8) : NextNumber();
  const auto bytes = size ? Take(*size) : std::nullopt;
  if (!bytes) return Damaged();
  if (kind == kWireFour) field.value = NumberAt<uint32_t>(*bytes, 0);
  if (kind == kWireEight) field.value = NumberAt<uint64_t>(*bytes, 0);
  if (!fixed) field.bytes = *bytes;
  return field;
}

std::string_view TextOf(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes BytesIn(Bytes message, uint64_t number) {
  Bytes found;
  WireMessage fields(message);
  while (const auto field = fields.Next()) {
    if (field->number == number) found = field->bytes;
  }
  return found;
}

std::string_view TextIn(Bytes message, uint64_t number) {
  return TextOf(BytesIn(message, number));
}

void AppendNumbers(const WireField& field, std::vector<uint64_t>& out) {
  if (field.bytes.empty()) return out.push_back(field.value);
  WireMessage numbers(field.bytes);
  while (const auto number = numbers.NextNumber()) out.push_back(*number);
}

}  // namespace pteproof::delegates
