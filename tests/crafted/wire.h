// Writes flatbuffers from a tree of plain objects, wrong ones too: absent fields, odd tags, forged
// lengths, shared parts. Needs no schema and no FlatBuffers library, so that the files made with it
// are the same everywhere. Not for sound files in production.
#ifndef PTEPROOF_TESTS_CRAFTED_WIRE_H_
#define PTEPROOF_TESTS_CRAFTED_WIRE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof::crafted {

struct Object;
using Ref = std::shared_ptr<Object>;

// A table's field: a scalar of `width` bytes, or (width 0) a reference.
struct Field {
  uint8_t width = 0;
  uint64_t bits = 0;
  Ref target;
};

struct Object {
  enum class Kind : uint8_t { kTable, kScalars, kReferences, kText };
  Kind kind = Kind::kTable;
  std::map<uint16_t, Field> fields;       // kTable, by field number
  uint8_t width = 0;                      // kScalars: bytes of an element
  std::vector<uint64_t> scalars;          // kScalars
  std::vector<Ref> references;            // kReferences; null: an offset of 0
  std::string text;                       // kText
  uint32_t alignment = 4;                 // vectors: of the first element
  std::optional<uint32_t> forged_length;  // instead of the number of elements

  // Table fields. A reference to nothing removes the field.
  Object& Set(uint16_t field, Ref target);
  Object& SetScalar(uint16_t field, uint8_t width, uint64_t bits);
  void Remove(uint16_t field) { fields.erase(field); }
  [[nodiscard]] Ref Get(uint16_t field) const { return fields.at(field).target; }
};

[[nodiscard]] Ref Table();
[[nodiscard]] Ref Text(std::string_view text);
[[nodiscard]] Ref References(std::vector<Ref> items);
// Vectors of scalars, by element type of the schema.
[[nodiscard]] Ref Ints(const std::vector<int32_t>& items);
[[nodiscard]] Ref Longs(const std::vector<int64_t>& items);
[[nodiscard]] Ref ULongs(const std::vector<uint64_t>& items);
[[nodiscard]] Ref Doubles(const std::vector<double>& items);
[[nodiscard]] Ref Bytes8(std::string_view bytes, uint32_t alignment = 4);

// The flatbuffer, and where in it each object stands (tables: their first byte; vectors: their
// length).
struct Wire {
  std::string bytes;
  std::map<const Object*, size_t> places;
};

// Root offset, identifier, `gap` zero bytes (a multiple of 16), then the objects, parents before
// children.
[[nodiscard]] Wire Serialize(const Ref& root, std::string_view identifier, size_t gap);

// Little-endian patches.
void Patch32(std::string& bytes, size_t at, uint32_t value);
void Patch64(std::string& bytes, size_t at, uint64_t value);

}  // namespace pteproof::crafted

#endif  // PTEPROOF_TESTS_CRAFTED_WIRE_H_
