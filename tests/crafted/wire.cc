#include "tests/crafted/wire.h"

#include <algorithm>
#include <bit>
#include <set>

namespace pteproof::crafted {
namespace {

using Kind = Object::Kind;

size_t AlignUp(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

void PatchBits(std::string& bytes, size_t at, uint64_t bits, size_t width) {
  for (size_t i = 0; i < width; ++i) bytes.at(at + i) = static_cast<char>((bits >> (8 * i)) & 0xFF);
}

std::vector<Ref> Children(const Object& object) {
  std::vector<Ref> children = object.references;
  for (const auto& [number, field] : object.fields) children.push_back(field.target);
  std::erase(children, nullptr);
  return children;
}

// Postorder; its reverse has every parent before its children.
void Visit(const Ref& object, std::set<const Object*>& seen, std::vector<Ref>& order) {
  if (!seen.insert(object.get()).second) return;
  std::vector<Ref> children = Children(*object);
  std::reverse(children.begin(), children.end());
  for (const Ref& child : children) Visit(child, seen, order);
  order.push_back(object);
}

size_t FieldWidth(const Field& field) {
  return field.width == 0 ? 4 : field.width;
}

// Offsets of a table's fields from its start, widest first behind the 4-byte vtable offset.
std::map<uint16_t, size_t> FieldOffsets(const Object& table) {
  std::map<uint16_t, size_t> offsets;
  size_t at = 4;
  for (const size_t width : {8U, 4U, 2U, 1U}) {
    for (const auto& [number, field] : table.fields) {
      if (FieldWidth(field) != width) continue;
      offsets[number] = at;
      at += width;
    }
  }
  return offsets;
}

size_t TableSize(const Object& table) {
  size_t size = 4;
  for (const auto& [number, field] : table.fields) size += FieldWidth(field);
  return size;
}

size_t VtableSize(const Object& table) {
  return table.fields.empty() ? 4 : 4 + 2 * (size_t{table.fields.rbegin()->first} + 1);
}

// Gives `object` its place at or after `cursor`; returns the first byte behind it.
size_t Place(const Object& object, size_t cursor, Wire& wire) {
  size_t at = 0;
  size_t size = 4;
  switch (object.kind) {
    case Kind::kTable:
      at = AlignUp(AlignUp(cursor, 2) + VtableSize(object) + 4, 8) - 4;
      size = TableSize(object);
      break;
    case Kind::kScalars:
      at = AlignUp(cursor + 4, std::max<size_t>(object.alignment, object.width)) - 4;
      size += object.scalars.size() * object.width;
      break;
    case Kind::kReferences:
      at = AlignUp(cursor, 4);
      size += object.references.size() * 4;
      break;
    case Kind::kText:
      at = AlignUp(cursor, 4);
      size += object.text.size() + 1;
      break;
  }
  wire.places[&object] = at;
  return at + size;
}

void WriteReference(Wire& wire, size_t at, const Ref& target) {
  const size_t distance = target == nullptr ? 0 : wire.places.at(target.get()) - at;
  PatchBits(wire.bytes, at, distance, 4);
}

void WriteTable(const Object& table, size_t at, Wire& wire) {
  const size_t vtable_size = VtableSize(table);
  const size_t vtable = at - vtable_size;
  PatchBits(wire.bytes, at, vtable_size, 4);
  PatchBits(wire.bytes, vtable, vtable_size, 2);
  PatchBits(wire.bytes, vtable + 2, TableSize(table), 2);
  for (const auto& [number, offset] : FieldOffsets(table)) {
    PatchBits(wire.bytes, vtable + 4 + 2 * size_t{number}, offset, 2);
    const Field& field = table.fields.at(number);
    if (field.width == 0) {
      WriteReference(wire, at + offset, field.target);
    } else {
      PatchBits(wire.bytes, at + offset, field.bits, field.width);
    }
  }
}

void Write(const Object& object, Wire& wire) {
  const size_t at = wire.places.at(&object);
  if (object.kind == Kind::kTable) return WriteTable(object, at, wire);
  const size_t count = object.scalars.size() + object.references.size() + object.text.size();
  PatchBits(wire.bytes, at, object.forged_length.value_or(static_cast<uint32_t>(count)), 4);
  for (size_t i = 0; i < object.scalars.size(); ++i) {
    PatchBits(wire.bytes, at + 4 + i * object.width, object.scalars[i], object.width);
  }
  for (size_t i = 0; i < object.references.size(); ++i) {
    WriteReference(wire, at + 4 + i * 4, object.references[i]);
  }
  wire.bytes.replace(at + 4, object.text.size(), object.text);
}

template <class T>
Ref Scalars(const std::vector<T>& items) {
  auto object = std::make_shared<Object>();
  object->kind = Kind::kScalars;
  object->width = sizeof(T);
  for (const T item : items) object->scalars.push_back(static_cast<uint64_t>(item));
  return object;
}

}  // namespace

Object& Object::Set(uint16_t field, Ref target) {
  if (target == nullptr) {
    fields.erase(field);
  } else {
    fields[field] = {0, 0, std::move(target)};
  }
  return *this;
}

Object& Object::SetScalar(uint16_t field, uint8_t width_, uint64_t bits) {
  fields[field] = {width_, bits, nullptr};
  return *this;
}

Ref Table() {
  return std::make_shared<Object>();
}

Ref Text(std::string_view text) {
  auto object = std::make_shared<Object>();
  object->kind = Kind::kText;
  object->text = text;
  return object;
}

Ref References(std::vector<Ref> items) {
  auto object = std::make_shared<Object>();
  object->kind = Kind::kReferences;
  object->references = std::move(items);
  return object;
}

Ref Ints(const std::vector<int32_t>& items) {
  return Scalars(items);
}
Ref Longs(const std::vector<int64_t>& items) {
  return Scalars(items);
}
Ref ULongs(const std::vector<uint64_t>& items) {
  return Scalars(items);
}

Ref Doubles(const std::vector<double>& items) {
  std::vector<uint64_t> bits;
  for (const double item : items) bits.push_back(std::bit_cast<uint64_t>(item));
  return Scalars(bits);
}

Ref Bytes8(std::string_view bytes, uint32_t alignment) {
  Ref object = Scalars(std::vector<uint8_t>(bytes.begin(), bytes.end()));
  object->alignment = alignment;
  return object;
}

Wire Serialize(const Ref& root, std::string_view identifier, size_t gap) {
  std::set<const Object*> seen;
  std::vector<Ref> order;
  Visit(root, seen, order);
  std::reverse(order.begin(), order.end());

  Wire wire;
  size_t cursor = 8 + gap;
  for (const Ref& object : order) cursor = Place(*object, cursor, wire);
  wire.bytes.assign(AlignUp(cursor, 8), '\0');
  wire.bytes.replace(4, identifier.size(), identifier);
  Patch32(wire.bytes, 0, static_cast<uint32_t>(wire.places.at(root.get())));
  for (const Ref& object : order) Write(*object, wire);
  return wire;
}

void Patch32(std::string& bytes, size_t at, uint32_t value) {
  PatchBits(bytes, at, value, 4);
}
void Patch64(std::string& bytes, size_t at, uint64_t value) {
  PatchBits(bytes, at, value, 8);
}

}  // namespace pteproof::crafted
