// Idea. FlatBuffers' verifier says only that a buffer is wrong. After it has refused one, this walk
// visits the same tables in the same order, guided by the reflection of the schema, and stops at
// the first fault with the path of the field:
//
//   root --methods[0]--> table --chains[0]--> table --instructions[0]--> ... .args: the length ...
//
// Invariant: every number is read only after Within has shown that its bytes lie inside the buffer.
// The count of tables that may still be visited bounds time and depth of the recursion, as tables
// can be shared. Cost: O(max_tables + size).
#include "runtime/reader/structure.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "runtime/scalar_width.h"

namespace pteproof::reader {
namespace {

using flatbuffers::ElementaryType;
using flatbuffers::TypeCode;
using flatbuffers::TypeTable;

struct Walk {
  const uint8_t* data;
  uint64_t size;
  uint64_t tables_left;
  StructureFault fault;
  std::string path;  // of the faulty field, innermost name last
};

bool WalkTable(Walk& walk, uint64_t at, const TypeTable& type);

template <class T>
T Read(const Walk& walk, uint64_t at) {
  T number;
  std::memcpy(&number, walk.data + at, sizeof number);
  return flatbuffers::EndianScalar(number);
}

bool Fail(Walk& walk, uint64_t at, std::string explanation) {
  walk.fault.at = at;
  walk.fault.explanation = std::move(explanation);
  return false;
}

bool Within(Walk& walk, uint64_t at, uint64_t length, uint64_t alignment) {
  if (at % alignment != 0)
    return Fail(walk, at, fmt::format("the offset is not a multiple of {}", alignment));
  if (at <= walk.size && length <= walk.size - at) return true;
  return Fail(walk, at,
              fmt::format("bytes {} to {} reach past the end at {}", at, at + length, walk.size));
}

// Follows the offset at `at`; on success `at` is where it leads.
bool Follow(Walk& walk, uint64_t& at) {
  if (!Within(walk, at, 4, 4)) return false;
  const auto offset = Read<uint32_t>(walk, at);
  if (offset == 0 || offset >= FLATBUFFERS_MAX_BUFFER_SIZE || at + offset >= walk.size) {
    return Fail(walk, at, fmt::format("the offset {} points outside the flatbuffer", offset));
  }
  at += offset;
  return true;
}

// The elements of the vector at `at`; a string is a vector of bytes with a zero after them.
bool WalkElements(Walk& walk, uint64_t at, uint64_t width) {
  if (!Within(walk, at, 4, 4)) return false;
  const uint64_t count = Read<uint32_t>(walk, at);
  if (count * width <= walk.size - at - 4) return true;
  return Fail(walk, at, fmt::format("the length of {} elements reaches past the end", count));
}

bool WalkString(Walk& walk, uint64_t at) {
  if (!WalkElements(walk, at, 1)) return false;
  const uint64_t end = at + 4 + Read<uint32_t>(walk, at);
  if (end < walk.size && walk.data[end] == 0) return true;
  return Fail(walk, at, "the text has no zero byte at its end");
}

bool WalkVector(Walk& walk, uint64_t at, const TypeCode& code, const TypeTable* child) {
  const auto type = static_cast<ElementaryType>(code.base_type);
  if (!WalkElements(walk, at, WidthOf(type))) return false;
  if (type != flatbuffers::ET_SEQUENCE || child == nullptr) return true;
  const uint32_t count = Read<uint32_t>(walk, at);
  for (uint32_t i = 0; i < count; ++i) {
    // As the verifier does, without a check of where the offset leads: the table's own start has
    // one.
    const uint64_t slot = at + 4 + uint64_t{4} * i;
    if (WalkTable(walk, slot + Read<uint32_t>(walk, slot), *child)) continue;
    walk.path = fmt::format("[{}]{}", i, walk.path);
    return false;
  }
  return true;
}

bool WalkField(Walk& walk, uint64_t at, const TypeCode& code, const TypeTable* child,
               uint32_t tag) {
  const auto type = static_cast<ElementaryType>(code.base_type);
  const bool is_offset =
      code.is_repeating || type == flatbuffers::ET_STRING || type == flatbuffers::ET_SEQUENCE;
  if (!is_offset) return Within(walk, at, WidthOf(type), WidthOf(type));
  if (!Follow(walk, at)) return false;
  if (code.is_repeating) return WalkVector(walk, at, code, child);
  if (type == flatbuffers::ET_STRING) return WalkString(walk, at);
  if (child == nullptr) return true;
  if (child->st != flatbuffers::ST_UNION) return WalkTable(walk, at, *child);
  if (tag == 0 || tag >= child->num_elems) return true;  // as the verifier: not its business
  return WalkTable(walk, at, *child->type_refs[child->type_codes[tag].sequence_ref]());
}

// Where the fields of the table at `at` are: its vtable's place, and the vtable's length.
bool WalkVTable(Walk& walk, uint64_t at, uint64_t& vtable, uint64_t& length) {
  if (!Within(walk, at, 4, 4)) return false;
  vtable = at - static_cast<uint64_t>(int64_t{Read<int32_t>(walk, at)});
  if (!Within(walk, vtable, 2, 2)) return false;
  length = Read<uint16_t>(walk, vtable);
  if (length % 2 != 0) return Fail(walk, vtable, "the field table has an odd length");
  return Within(walk, vtable, length, 2);
}

bool WalkTable(Walk& walk, uint64_t at, const TypeTable& type) {
  if (walk.tables_left == 0) {
    walk.fault.too_many_tables = true;
    return Fail(walk, at, "too many tables");
  }
  --walk.tables_left;
  uint64_t vtable = 0;
  uint64_t length = 0;
  if (!WalkVTable(walk, at, vtable, length)) return false;
  uint32_t tag = 0;
  for (size_t i = 0; i < type.num_elems; ++i) {
    const uint64_t slot = 4 + 2 * i;
    if (slot + 2 > length) break;
    const uint16_t offset = Read<uint16_t>(walk, vtable + slot);
    if (offset == 0) continue;
    const TypeCode& code = type.type_codes[i];
    const TypeTable* child = code.sequence_ref < 0 ? nullptr : type.type_refs[code.sequence_ref]();
    if (!WalkField(walk, at + offset, code, child, tag)) {
      walk.path = fmt::format(".{}{}", type.names[i], walk.path);
      return false;
    }
    tag = code.base_type == flatbuffers::ET_UTYPE ? Read<uint8_t>(walk, at + offset) : 0;
  }
  return true;
}

}  // namespace

StructureFault ExplainStructure(const uint8_t* data, size_t size, const TypeTable* root,
                                uint32_t max_tables) {
  Walk walk{.data = data, .size = size, .tables_left = max_tables, .fault = {}, .path = {}};
  uint64_t at = 0;
  if (Follow(walk, at) && WalkTable(walk, at, *root)) {
    walk.fault.explanation = "the verifier of FlatBuffers refuses it";
  }
  const std::string where = walk.path.empty() ? "the root table" : walk.path.substr(1);
  walk.fault.explanation = fmt::format("{}: {}.", where, walk.fault.explanation);
  return std::move(walk.fault);
}

}  // namespace pteproof::reader
