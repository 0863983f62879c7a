// A message in protobuf's wire format of somebody else's schema, read field by field: no generated
// code. Messages inside are fields of bytes, which the caller reads as messages of their own.
//
//   WireMessage message(bytes);
//   while (const auto field = message.Next()) {
//     if (field->number == 1) name = TextOf(field->bytes);
//   }
//   if (message.damaged()) ...
//
// Invariant: no look reads outside of the bytes. Cost: O(fields); bytes of a field are not looked
// at.
#ifndef PTEPROOF_RUNTIME_DELEGATES_WIRE_MESSAGE_H_
#define PTEPROOF_RUNTIME_DELEGATES_WIRE_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::delegates {

struct WireField {
  uint64_t number = 0;
  uint64_t value = 0;  // of a number; the bits of one of fixed size
  Bytes bytes = {};    // of a text, a message, or numbers side by side
};

class WireMessage {
 public:
  explicit WireMessage(Bytes bytes) : rest_(bytes) {}

  // Nothing at the end, and where the bytes are no message.
  [[nodiscard]] std::optional<WireField> Next();

  // Of bytes that are numbers side by side.
  [[nodiscard]] std::optional<uint64_t> NextNumber();

  [[nodiscard]] bool damaged() const { return damaged_; }

 private:
  [[nodiscard]] std::optional<WireField> Damaged();
  [[nodiscard]] std::optional<Bytes> Take(uint64_t count);

  Bytes rest_;
  bool damaged_ = false;
};

[[nodiscard]] std::string_view TextOf(Bytes bytes);

// The last field of that number in a message; empty if there is none. O(fields).
[[nodiscard]] Bytes BytesIn(Bytes message, uint64_t number);
[[nodiscard]] std::string_view TextIn(Bytes message, uint64_t number);

// Appends what the field of a repeated number says: one, or several side by side.
void AppendNumbers(const WireField& field, std::vector<uint64_t>& out);

}  // namespace pteproof::delegates

#endif  // PTEPROOF_RUNTIME_DELEGATES_WIRE_MESSAGE_H_
