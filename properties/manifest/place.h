// A place in a JSON tree that knows its pointer and the list for its errors, and readers for plain
// values. Independent of the meaning of a manifest.
#ifndef PTEPROOF_PROPERTIES_MANIFEST_PLACE_H_
#define PTEPROOF_PROPERTIES_MANIFEST_PLACE_H_

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/manifest/errors.h"

namespace pteproof {

struct Place {
  const nlohmann::json* value;
  std::string pointer;
  ManifestErrors* errors;

  // Adds an error at this place.
  void Error(std::string what) const { errors->Add(pointer, std::move(what)); }
  // Adds the error that this place holds something else than `wanted` ("a list of names").
  void Expected(std::string_view wanted) const;
  // The member of an object, if it is there.
  [[nodiscard]] std::optional<Place> Member(std::string_view key) const;
  [[nodiscard]] Place Item(size_t index) const;
};

// The value in a few words: "the string \"x\"", "a list", "-1", "null".
[[nodiscard]] std::string Found(const nlohmann::json& value);

// Whether this is an object; each key that is not among `known` is an error that lists them.
[[nodiscard]] bool CheckObject(const Place& place, std::string_view what,
                               std::span<const std::string_view> known);

// Adds an error unless the object has that key.
bool CheckPresent(const Place& object, std::string_view key, std::string_view why);

// Each reader returns nothing after an error. `what` names the thing in the message.
[[nodiscard]] std::optional<bool> ReadBool(const Place& place);
[[nodiscard]] std::optional<std::string> ReadName(const Place& place, std::string_view what);
[[nodiscard]] std::optional<int64_t> ReadWhole(const Place& place, std::string_view what,
                                               int64_t most = std::numeric_limits<int64_t>::max());
[[nodiscard]] std::optional<int32_t> ReadWhole32(const Place& place, std::string_view what);
// 64 hexadecimal digits, in lower case.
[[nodiscard]] std::optional<std::string> ReadSha256(const Place& place);
// The index of the string among `allowed`.
[[nodiscard]] std::optional<size_t> ReadChoice(const Place& place, std::string_view what,
                                               std::span<const std::string_view> allowed);

// Reads each item of a list with `read_item`, which takes a Place and returns an optional. Items
// with errors are left out; nothing is returned if this is not a list.
template <class ReadItem>
[[nodiscard]] auto ReadList(const Place& place, std::string_view what, const ReadItem& read_item)
    -> std::optional<std::vector<typename decltype(read_item(place))::value_type>> {
  if (!place.value->is_array()) {
    place.Expected(what);
    return std::nullopt;
  }
  std::vector<typename decltype(read_item(place))::value_type> out;
  for (size_t i = 0; i < place.value->size(); ++i) {
    auto item = read_item(place.Item(i));
    if (item) out.push_back(std::move(*item));
  }
  return out;
}

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_MANIFEST_PLACE_H_
