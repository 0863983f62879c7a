#include "fuzz/fields/tree.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "fuzz/mutate/wire/number.h"
#include "program_generated.h"
#include "runtime/file_kind.h"
#include "runtime/scalar_width.h"

namespace pteproof::fuzz::fields {
namespace {

using flatbuffers::ElementaryType;
using flatbuffers::TypeTable;
using wire::ReadNumber;

constexpr uint64_t kHeaderAt = 8;  // behind the root's offset and the identifier
constexpr uint64_t kMagic = 0x30306865;
constexpr uint64_t kShortHeader = 24;

bool IsSigned(ElementaryType type) {
  return type == flatbuffers::ET_CHAR || type == flatbuffers::ET_SHORT ||
         type == flatbuffers::ET_INT || type == flatbuffers::ET_LONG;
}

const TypeTable* TypeOfField(const TypeTable& type, const flatbuffers::TypeCode& code) {
  return code.sequence_ref < 0 ? nullptr : type.type_refs[code.sequence_ref]();
}

class Unpacker {
 public:
  explicit Unpacker(Bytes file) : file_(file), left_(16 * file.size() + 4096) {}

  std::optional<std::vector<Table>> From(const TypeTable& root) {
    TableAt(ReadNumber(file_, 0, 4), root, {});
    if (left_ == 0) return std::nullopt;
    return std::move(tables_);
  }

 private:
  // The number of the table. The verifier has been there: all offsets hold.
  int32_t TableAt(uint64_t at, const TypeTable& type, const Origin& origin) {
    const auto [known, is_new] =
        seen_.try_emplace({at, &type}, static_cast<int32_t>(tables_.size()));
    if (!is_new) return known->second;
    const int32_t number = known->second;
    tables_.push_back(EmptyTable(type));
    tables_.back().origin = origin;
    Take(type.num_elems);
    const auto back = static_cast<int32_t>(ReadNumber(file_, at, 4));
    const uint64_t vtable = at - static_cast<uint64_t>(int64_t{back});
    const uint64_t length = ReadNumber(file_, vtable, 2);
    for (size_t f = 0; f < type.num_elems && 4 + 2 * f + 2 <= length; ++f) {
      const uint64_t slot = ReadNumber(file_, vtable + 4 + 2 * f, 2);
      if (slot > 0 && left_ > 0) FieldAt(at + slot, number, f);
    }
    return number;
  }

  void FieldAt(uint64_t at, int32_t table, size_t f) {
    const TypeTable& type = *tables_[static_cast<size_t>(table)].type;
    const Declared declared = DeclaredAs(type, f);
    Field field;
    if (declared.shape == Shape::kNumber || declared.shape == Shape::kTag) {
      field.number = ReadNumber(file_, at, declared.width);
      tables_[static_cast<size_t>(table)].fields[f] = field;
      return;
    }
    const uint64_t to = at + ReadNumber(file_, at, 4);
    const Origin origin{table, static_cast<int32_t>(f), -1};
    field.present = true;
    if (declared.shape == Shape::kTable) {
      const TypeTable* child = ChildOf(table, f, declared);
      field.present = child != nullptr;
      if (child != nullptr) field.tables.push_back(TableAt(to, *child, origin));
    } else {
      VectorAt(to, declared, origin, field);
    }
    tables_[static_cast<size_t>(table)].fields[f] = std::move(field);
  }

  void VectorAt(uint64_t at, const Declared& declared, Origin origin, Field& field) {
    const uint64_t count = ReadNumber(file_, at, 4);
    if (!Take(count)) return;
    for (uint64_t i = 0; i < count && left_ > 0; ++i) {
      const uint64_t item = at + 4 + declared.width * i;
      const uint64_t number = ReadNumber(file_, item, declared.width);
      if (declared.shape != Shape::kTables) {
        field.numbers.push_back(number);
        continue;
      }
      origin.item = static_cast<int32_t>(i);
      field.tables.push_back(TableAt(item + number, *declared.type, origin));
    }
  }

  // A union's table by the tag in front of it, which is there already.
  const TypeTable* ChildOf(int32_t table, size_t f, const Declared& declared) {
    if (declared.type->st != flatbuffers::ST_UNION) return declared.type;
    const uint64_t tag = tables_[static_cast<size_t>(table)].fields[f - 1].number;
    return HeldBy(*declared.type, tag);
  }

  bool Take(uint64_t count) {
    left_ -= std::min(left_, count);
    return left_ > 0;
  }

  Bytes file_;
  uint64_t left_;
  std::map<std::pair<uint64_t, const TypeTable*>, int32_t> seen_;
  std::vector<Table> tables_;
};

class Packer {
 public:
  explicit Packer(const Tree& tree) : tree_(tree), at_(tree.tables.size()) {}

  Buffer Made() {
    const auto root = Add(0);
    builder_.Finish(flatbuffers::Offset<void>(root), schema::ProgramIdentifier());
    const auto bytes = std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize()));
    return {bytes.begin(), bytes.end()};
  }

 private:
  using Offset = flatbuffers::uoffset_t;

  Offset Add(int32_t number) {
    Offset& at = at_[static_cast<size_t>(number)];
    if (at == 0) at = AddNew(tree_.tables[static_cast<size_t>(number)]);
    return at;
  }

  Offset AddNew(const Table& table) {
    std::vector<Offset> held(table.fields.size());
    for (size_t f = 0; f < held.size(); ++f) {
      if (table.fields[f].present) held[f] = AddHeld(table.fields[f], DeclaredAs(*table.type, f));
    }
    const Offset start = builder_.StartTable();
    for (size_t f = 0; f < held.size(); ++f) {
      const Declared declared = DeclaredAs(*table.type, f);
      const auto slot = flatbuffers::FieldIndexToOffset(static_cast<flatbuffers::voffset_t>(f));
      if (declared.shape == Shape::kNumber || declared.shape == Shape::kTag) {
        AddNumber(slot, declared.width, table.fields[f].number);
      } else if (table.fields[f].present) {
        builder_.AddOffset(slot, flatbuffers::Offset<void>(held[f]));
      }
    }
    return builder_.EndTable(start);
  }

  void AddNumber(flatbuffers::voffset_t slot, uint8_t width, uint64_t number) {
    if (width == 1) builder_.AddElement(slot, static_cast<uint8_t>(number), uint8_t{0});
    if (width == 2) builder_.AddElement(slot, static_cast<uint16_t>(number), uint16_t{0});
    if (width == 4) builder_.AddElement(slot, static_cast<uint32_t>(number), uint32_t{0});
    if (width == 8) builder_.AddElement(slot, number, uint64_t{0});
  }

  Offset AddHeld(const Field& field, const Declared& declared) {
    switch (declared.shape) {
      case Shape::kTable:
        return Add(field.tables.front());
      case Shape::kTables:
        return AddTables(field);
      case Shape::kText: {
        const std::string text(field.numbers.begin(), field.numbers.end());
        return builder_.CreateString(text).o;
      }
      default:
        break;
    }
    if (declared.width == 1) return AddNumbers<uint8_t>(field, declared.name == "bytes");
    if (declared.width == 2) return AddNumbers<uint16_t>(field, false);
    if (declared.width == 4) return AddNumbers<uint32_t>(field, false);
    return AddNumbers<uint64_t>(field, false);
  }

  Offset AddTables(const Field& field) {
    std::vector<flatbuffers::Offset<void>> offsets;
    for (const int32_t table : field.tables) offsets.emplace_back(Add(table));
    return builder_.CreateVector(offsets).o;
  }

  // The schema asks for aligned bytes of constants and blobs.
  template <class Number>
  Offset AddNumbers(const Field& field, bool aligned) {
    constexpr size_t kAlignment = 16;
    std::vector<Number> numbers;
    for (const uint64_t number : field.numbers) numbers.push_back(static_cast<Number>(number));
    if (aligned) builder_.ForceVectorAlignment(numbers.size(), sizeof(Number), kAlignment);
    return builder_.CreateVector(numbers).o;
  }

  const Tree& tree_;
  std::vector<Offset> at_;  // per table; 0: it has not been added
  flatbuffers::FlatBufferBuilder builder_;
};

bool IsSound(Bytes file) {
  constexpr flatbuffers::uoffset_t kMaxDepth = 64;
  constexpr flatbuffers::uoffset_t kMaxTables = 1'000'000;
  if (Sniff(file) != FileKind::kProgram) return false;
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(file.data()), file.size(),
                                 kMaxDepth, kMaxTables);
  return schema::VerifyProgramBuffer(verifier);
}

void ReadHeader(Bytes file, Tree& tree) {
  if (file.size() < kHeaderAt + kShortHeader || ReadNumber(file, kHeaderAt, 4) != kMagic) return;
  const uint64_t length = ReadNumber(file, kHeaderAt + 4, 4);
  if (length < kShortHeader || length > file.size() - kHeaderAt) return;
  const Bytes header = file.subspan(kHeaderAt, length);
  tree.header.assign(header.begin(), header.end());
  tree.old_base = ReadNumber(header, 16, 8);
  if (tree.old_base == 0 || tree.old_base > file.size()) return;
  const Bytes rest = file.subspan(tree.old_base);
  tree.rest.assign(rest.begin(), rest.end());
}

uint64_t RoundedUp(uint64_t number, uint64_t step) {
  return (number + step - 1) / step * step;
}

}  // namespace

size_t FieldCount(const TypeTable& type) {
  return type.num_elems;
}

Declared DeclaredAs(const TypeTable& type, size_t field) {
  const flatbuffers::TypeCode& code = type.type_codes[field];
  const auto element = static_cast<ElementaryType>(code.base_type);
  Declared declared;
  declared.name = type.names[field];
  declared.width = WidthOf(element);
  declared.is_signed = IsSigned(element);
  declared.is_real = element == flatbuffers::ET_DOUBLE || element == flatbuffers::ET_FLOAT;
  declared.type = TypeOfField(type, code);
  const bool repeats = code.is_repeating != 0;
  if (element == flatbuffers::ET_STRING) {
    declared.shape = Shape::kText;
    declared.width = 1;
  } else if (element == flatbuffers::ET_SEQUENCE) {
    declared.shape = repeats ? Shape::kTables : Shape::kTable;
  } else if (element == flatbuffers::ET_UTYPE) {
    declared.shape = Shape::kTag;
  } else {
    declared.shape = repeats ? Shape::kNumbers : Shape::kNumber;
  }
  return declared;
}

const TypeTable* HeldBy(const TypeTable& type, uint64_t tag) {
  if (tag == 0 || tag >= type.num_elems) return nullptr;
  return TypeOfField(type, type.type_codes[tag]);
}

Table EmptyTable(const TypeTable& type) {
  return {&type, std::vector<Field>(type.num_elems), {}};
}

std::optional<Tree> Unpack(Bytes file) {
  if (!IsSound(file)) return std::nullopt;
  auto tables = Unpacker(file).From(*schema::ProgramTypeTable());
  if (!tables) return std::nullopt;
  Tree tree;
  tree.tables = std::move(*tables);
  ReadHeader(file, tree);
  return tree;
}

// As WriteProgram does it: the header is inserted behind the identifier, and the segments follow
// where the old base's alignment, but for large ones, is kept.
Buffer Pack(const Tree& tree) {
  constexpr uint64_t kStep = 16;  // of the tables' own alignment
  constexpr uint64_t kMostAlignment = 4096;
  Buffer file = Packer(tree).Made();
  if (tree.header.empty()) return file;
  const uint64_t inserted = RoundedUp(tree.header.size(), kStep);
  Buffer header = tree.header;
  header.resize(inserted);
  const uint64_t tables_size = file.size() + inserted;
  wire::WriteNumber(file, 0, 4, ReadNumber(file, 0, 4) + inserted);
  uint64_t base = tree.old_base;
  if (!tree.rest.empty()) {
    const uint64_t lowest_bit = tree.old_base & (~tree.old_base + 1);
    base = RoundedUp(tables_size, std::min(lowest_bit, kMostAlignment));
  }
  wire::WriteNumber(header, 8, 8, tables_size);
  wire::WriteNumber(header, 16, 8, base);
  file.insert(file.begin() + kHeaderAt, header.begin(), header.end());
  if (!tree.rest.empty()) {
    file.resize(base);
    file.insert(file.end(), tree.rest.begin(), tree.rest.end());
  }
  return file;
}

std::string PathOf(const Tree& tree, int32_t table) {
  const Origin& origin = tree.tables[static_cast<size_t>(table)].origin;
  if (origin.table < 0) return "";
  const std::string before = PathOf(tree, origin.table);
  const TypeTable& type = *tree.tables[static_cast<size_t>(origin.table)].type;
  const auto name = DeclaredAs(type, static_cast<size_t>(origin.field)).name;
  std::string path = before.empty() ? std::string(name) : fmt::format("{}.{}", before, name);
  if (origin.item >= 0) path += fmt::format("[{}]", origin.item);
  return path;
}

}  // namespace pteproof::fuzz::fields
