// Blobs that are written field by field: a table of somebody else's schema, as a list of fields.
#ifndef PTEPROOF_TESTS_PROPERTIES_COMPARE_DRAWN_TABLES_H_
#define PTEPROOF_TESTS_PROPERTIES_COMPARE_DRAWN_TABLES_H_

#include <flatbuffers/flatbuffers.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace pteproof::compare {

struct Drawn;
using DrawnList = std::vector<Drawn>;
struct DrawnTable {
  DrawnList one;
};
using DrawnTexts = std::vector<std::string>;
using DrawnField = std::variant<std::monostate, bool, uint8_t, uint32_t, uint64_t, std::string,
                                DrawnTexts, DrawnTable, DrawnList>;

struct Drawn {
  std::vector<DrawnField> fields;  // nothing: absent
};

using DrawnOffset = flatbuffers::Offset<flatbuffers::Table>;

// What lies elsewhere is written first.
inline DrawnOffset WriteDrawn(flatbuffers::FlatBufferBuilder& builder, const Drawn& drawn) {
  std::vector<flatbuffers::uoffset_t> places;
  for (const DrawnField& field : drawn.fields) {
    flatbuffers::uoffset_t place = 0;
    if (const auto* text = std::get_if<std::string>(&field)) {
      place = builder.CreateString(*text).o;
    } else if (const auto* texts = std::get_if<DrawnTexts>(&field)) {
      place = builder.CreateVectorOfStrings(*texts).o;
    } else if (const auto* table = std::get_if<DrawnTable>(&field)) {
      place = WriteDrawn(builder, table->one.front()).o;
    } else if (const auto* list = std::get_if<DrawnList>(&field)) {
      std::vector<DrawnOffset> all;
      for (const Drawn& each : *list) all.push_back(WriteDrawn(builder, each));
      place = builder.CreateVector(all).o;
    }
    places.push_back(place);
  }
  const auto start = builder.StartTable();
  for (size_t f = 0; f < drawn.fields.size(); ++f) {
    const auto at = static_cast<flatbuffers::voffset_t>(4 + 2 * f);
    std::visit(
        [&](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, bool>) {
            builder.AddElement<uint8_t>(at, value ? 1 : 0);
          } else if constexpr (std::is_arithmetic_v<Value>) {
            builder.AddElement<Value>(at, value);
          } else if constexpr (!std::is_same_v<Value, std::monostate>) {
            builder.AddOffset(at, flatbuffers::Offset<void>(places[f]));
          }
        },
        drawn.fields[f]);
  }
  return DrawnOffset(builder.EndTable(start));
}

inline std::string WrittenDrawn(const Drawn& root, const char* letters) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(WriteDrawn(builder, root), letters);
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

}  // namespace pteproof::compare

#endif  // PTEPROOF_TESTS_PROPERTIES_COMPARE_DRAWN_TABLES_H_
