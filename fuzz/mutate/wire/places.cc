#include "fuzz/mutate/wire/places.h"

#include <algorithm>

#include "bundled_program_generated.h"
#include "flat_tensor_early_generated.h"
#include "flat_tensor_generated.h"
#include "fuzz/mutate/wire/number.h"
#include "program_generated.h"
#include "runtime/file_kind.h"
#include "runtime/scalar_width.h"

namespace pteproof::fuzz::wire {
namespace {

using flatbuffers::ElementaryType;
using flatbuffers::TypeCode;
using flatbuffers::TypeTable;

constexpr uint64_t kHeaderStart = 8;
constexpr uint64_t kHeaderWords = 16;  // behind the magic and the header's length

class Finder {
 public:
  explicit Finder(Bytes file) : file_(file), tables_left_(file.size() / 8), seen_(file.size()) {}

  // Whether the root table has a field of that number.
  [[nodiscard]] bool RootHas(uint64_t field) const {
    const uint64_t root = ReadNumber(file_, 0, 4);
    if (!Holds(root, 4)) return false;
    const auto back = static_cast<int32_t>(ReadNumber(file_, root, 4));
    const uint64_t vtable = root - static_cast<uint64_t>(int64_t{back});
    const uint64_t slot = 4 + 2 * field;
    if (!Holds(vtable, slot + 2) || ReadNumber(file_, vtable, 2) < slot + 2) return false;
    return ReadNumber(file_, vtable + slot, 2) > 0;
  }

  std::vector<Place> From(const TypeTable& root) {
    Header();
    if (Add({.at = 0, .width = 4, .kind = PlaceKind::kOffset, .target = &root})) {
      Table(ReadNumber(file_, 0, 4), root);
    }
    return std::move(places_);
  }

 private:
  // False: it does not lie in the file.
  bool Add(const Place& place) {
    const uint64_t size = file_.size();
    if (place.at > size || place.count > (size - place.at) / place.width) return false;
    if (place.count > 0) places_.push_back(place);
    return true;
  }

  void Header() {
    Add({.at = 4, .width = 4, .kind = PlaceKind::kHeader});
    if (file_.size() < kHeaderStart + 40) return;
    const auto magic = ReadNumber(file_, kHeaderStart, 4);
    constexpr uint64_t kOfProgram = 0x30306865;  // "eh00"
    constexpr uint64_t kOfData = 0x31304846;     // "FH01"
    if (magic != kOfProgram && magic != kOfData) return;
    Add({.at = kHeaderStart, .count = 2, .width = 4, .kind = PlaceKind::kHeader});
    for (uint64_t word = 0; word < 4; ++word) {
      Add({.at = kHeaderWords + 8 * word, .width = 8, .kind = PlaceKind::kHeader});
    }
  }

  void Table(uint64_t at, const TypeTable& type) {
    if (tables_left_ == 0 || !Holds(at, 4) || seen_[at]) return;
    seen_[at] = true;
    --tables_left_;
    const auto back = static_cast<int32_t>(ReadNumber(file_, at, 4));
    const uint64_t vtable = at - static_cast<uint64_t>(int64_t{back});
    if (!Holds(vtable, 4)) return;
    Add({.at = at, .width = 4, .kind = PlaceKind::kBack});
    const uint64_t length = ReadNumber(file_, vtable, 2);
    const uint64_t slots = std::min<uint64_t>(type.num_elems, length < 4 ? 0 : (length - 4) / 2);
    if (!Add({.at = vtable + 4, .count = slots, .width = 2, .kind = PlaceKind::kSlot})) return;
    uint64_t tag = 0;
    for (uint64_t i = 0; i < slots; ++i) {
      const uint64_t offset = ReadNumber(file_, vtable + 4 + 2 * i, 2);
      const TypeCode& code = type.type_codes[i];
      if (offset > 0 && Holds(at + offset, 1)) Field(at + offset, type, code, tag);
      const bool is_tag = code.base_type == flatbuffers::ET_UTYPE && offset > 0;
      tag = is_tag && Holds(at + offset, 1) ? ReadNumber(file_, at + offset, 1) : 0;
    }
  }

  void Field(uint64_t at, const TypeTable& table, const TypeCode& code, uint64_t tag) {
    const auto type = static_cast<ElementaryType>(code.base_type);
    const uint8_t width = WidthOf(type);
    const bool scalar =
        !code.is_repeating && type != flatbuffers::ET_STRING && type != flatbuffers::ET_SEQUENCE;
    if (scalar) {
      const bool is_tag = type == flatbuffers::ET_UTYPE;
      Add({.at = at, .width = width, .kind = is_tag ? PlaceKind::kTag : PlaceKind::kNumber});
      return;
    }
    const TypeTable* child = ChildOf(table, code, tag);
    // Vectors of one kind of number stand for each other wherever they are, as do strings.
    const void* target = child != nullptr && !code.is_repeating ? static_cast<const void*>(child)
                                                                : &kTargets[code.base_type];
    if (code.is_repeating && child != nullptr) target = child->type_codes;
    const Place offset = {.at = at, .width = 4, .kind = PlaceKind::kOffset, .target = target};
    if (!Add(offset)) return;
    const uint64_t to = at + ReadNumber(file_, at, 4);
    if (code.is_repeating || type == flatbuffers::ET_STRING) {
      Vector(to, type == flatbuffers::ET_STRING ? 1 : width, child);
    } else if (child != nullptr) {
      Table(to, *child);
    }
  }

  void Vector(uint64_t at, uint8_t width, const TypeTable* child) {
    if (!Add({.at = at, .width = 4, .kind = PlaceKind::kLength})) return;
    const uint64_t count = ReadNumber(file_, at, 4);
    const bool tables = child != nullptr && child->st == flatbuffers::ST_TABLE;
    if (!Add({.at = at + 4,
              .count = count,
              .width = width,
              .kind = tables ? PlaceKind::kOffset : PlaceKind::kNumber,
              .target = child})) {
      return;
    }
    for (uint64_t i = 0; tables && i < count && tables_left_ > 0; ++i) {
      const uint64_t slot = at + 4 + 4 * i;
      Table(slot + ReadNumber(file_, slot, 4), *child);
    }
  }

  [[nodiscard]] bool Holds(uint64_t at, uint64_t bytes) const {
    return at <= file_.size() && bytes <= file_.size() - at;
  }

  // The table that a field holds: by its tag where it is a union. Null: none, or an enum.
  static const TypeTable* ChildOf(const TypeTable& table, const TypeCode& code, uint64_t tag) {
    if (code.base_type != flatbuffers::ET_SEQUENCE || code.sequence_ref < 0) return nullptr;
    const TypeTable* child = table.type_refs[code.sequence_ref]();
    if (child->st != flatbuffers::ST_UNION) return child;
    if (tag == 0 || tag >= child->num_elems) return nullptr;
    return child->type_refs[child->type_codes[tag].sequence_ref]();
  }

  static constexpr char kTargets[16] = {};  // one address per elementary type

  Bytes file_;
  uint64_t tables_left_;    // more cannot lie in the file but one over the other
  std::vector<bool> seen_;  // where a table began
  std::vector<Place> places_;
};

}  // namespace

std::vector<Place> PlacesIn(Bytes file) {
  switch (Sniff(file)) {
    case FileKind::kProgram:
      return Finder(file).From(*schema::ProgramTypeTable());
    case FileKind::kData:
      // Only the early format has a fourth field in its root table.
      return Finder(file).RootHas(3)
                 ? Finder(file).From(*schema::flat_tensor_early::FlatTensorTypeTable())
                 : Finder(file).From(*schema::flat_tensor::FlatTensorTypeTable());
    case FileKind::kBundle:
      return Finder(file).From(*schema::bundled_program::BundledProgramTypeTable());
    case FileKind::kUnknown:
      break;
  }
  return {};
}

}  // namespace pteproof::fuzz::wire
