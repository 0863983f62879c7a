// The tables of a `.pte` as a tree that can be changed at one place and written again. It is made
// by the schema's own description of them, so that a field which is added to the schema is in it.
// Fields that a file leaves out are in it too, with the value that a reader takes for them.
#ifndef PTEPROOF_FUZZ_FIELDS_TREE_H_
#define PTEPROOF_FUZZ_FIELDS_TREE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutate/mutator.h"
#include "pteproof/program.h"

namespace flatbuffers {
struct TypeTable;
}  // namespace flatbuffers

namespace pteproof::fuzz::fields {

enum class Shape : uint8_t {
  kNumber,   // a scalar
  kTag,      // which of its tables a union holds
  kText,     // a string
  kNumbers,  // a vector of scalars
  kTable,    // a table, or a union
  kTables,   // a vector of tables
};

// How a field is declared.
struct Declared {
  std::string_view name;
  Shape shape = Shape::kNumber;
  uint8_t width = 1;  // of the scalar, or of each in a vector
  bool is_signed = false;
  bool is_real = false;
  // Of an enum, a union or a table; null: none of them.
  const flatbuffers::TypeTable* type = nullptr;
};

// What a field holds. By its shape only one of the members means something.
struct Field {
  bool present = false;           // text, vectors and tables; numbers are always there
  uint64_t number = 0;            // as on the wire, without the bits that the width does not have
  std::vector<uint64_t> numbers;  // of a vector, or the characters of a text
  std::vector<int32_t> tables;    // of a vector, or the one table
  bool operator==(const Field&) const = default;
};

// Where a table was found first.
struct Origin {
  int32_t table = -1;  // -1: the root
  int32_t field = 0;
  int32_t item = -1;  // of a vector
};

struct Table {
  const flatbuffers::TypeTable* type = nullptr;
  std::vector<Field> fields;
  Origin origin;
};

// The root is the first table. A table that is shared in the file is here once.
struct Tree {
  std::vector<Table> tables;
  Buffer header;                // the extended header, empty where there is none
  uint64_t old_base = 0;        // of the segments, as the header says; 0: none
  std::vector<std::byte> rest;  // from that base on
};

[[nodiscard]] size_t FieldCount(const flatbuffers::TypeTable& type);
[[nodiscard]] Declared DeclaredAs(const flatbuffers::TypeTable& type, size_t field);
// Of a union: the table that it holds by a tag. Null: none.
[[nodiscard]] const flatbuffers::TypeTable* HeldBy(const flatbuffers::TypeTable& type,
                                                   uint64_t tag);

// With all fields as if the file left them out.
[[nodiscard]] Table EmptyTable(const flatbuffers::TypeTable& type);

// Nothing: not a `.pte`, no sound flatbuffer, or one whose vectors are shared so often that the
// tree would be much larger than the file.
[[nodiscard]] std::optional<Tree> Unpack(Bytes file);

// A whole file: tables, header, and the segments as they were.
[[nodiscard]] Buffer Pack(const Tree& tree);

// "methods[0].chains[0].instructions[3].held".
[[nodiscard]] std::string PathOf(const Tree& tree, int32_t table);

}  // namespace pteproof::fuzz::fields

#endif  // PTEPROOF_FUZZ_FIELDS_TREE_H_
