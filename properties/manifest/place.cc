#include "properties/manifest/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pteproof {

using Json = nlohmann::json;

void Place::Expected(std::string_view wanted) const {
  Error(fmt::format("is {}; expected {}", Found(*value), wanted));
}

std::optional<Place> Place::Member(std::string_view key) const {
  const auto it = value->find(std::string(key));
  if (it == value->end()) return std::nullopt;
  return Place{&*it, PointerTo(pointer, key), errors};
}

Place Place::Item(size_t index) const {
  return {&(*value)[index], PointerTo(pointer, std::to_string(index)), errors};
}

std::string Found(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return fmt::format("the string {}", Quoted(*value.get_ptr<const std::string*>()));
    default:
      return value.dump();  // null, true, false and numbers are short
  }
}

bool CheckObject(const Place& place, std::string_view what,
                 std::span<const std::string_view> known) {
  if (!place.value->is_object()) {
    place.Expected(fmt::format("{}: an object with keys among {}", what, Listed(known)));
    return false;
  }
  for (const auto& [key, unused] : place.value->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    place.errors->Add(PointerTo(place.pointer, key),
                      fmt::format("unknown key {}; {} has {}", Quoted(key), what, Listed(known)));
  }
  return true;
}

bool CheckPresent(const Place& object, std::string_view key, std::string_view why) {
  if (object.value->contains(std::string(key))) return true;
  object.errors->Add(PointerTo(object.pointer, key), fmt::format("missing; {}", why));
  return false;
}

std::optional<bool> ReadBool(const Place& place) {
  if (place.value->is_boolean()) return *place.value->get_ptr<const bool*>();
  place.Expected("true or false");
  return std::nullopt;
}

std::optional<std::string> ReadName(const Place& place, std::string_view what) {
  const auto* text = place.value->get_ptr<const std::string*>();
  if (text == nullptr) {
    place.Expected(fmt::format("{}: a string", what));
    return std::nullopt;
  }
  if (text->empty()) {
    place.Error(fmt::format("is empty; {} has at least one character", what));
    return std::nullopt;
  }
  return *text;
}

std::optional<int64_t> ReadWhole(const Place& place, std::string_view what, int64_t most) {
  const auto* number = place.value->get_ptr<const uint64_t*>();
  if (number != nullptr && *number <= static_cast<uint64_t>(most)) {
    return static_cast<int64_t>(*number);
  }
  place.Expected(fmt::format("{}: a whole number from 0 to {}", what, most));
  return std::nullopt;
}

std::optional<int32_t> ReadWhole32(const Place& place, std::string_view what) {
  const auto number = ReadWhole(place, what, std::numeric_limits<int32_t>::max());
  if (!number) return std::nullopt;
  return static_cast<int32_t>(*number);
}

std::optional<size_t> ReadChoice(const Place& place, std::string_view what,
                                 std::span<const std::string_view> allowed) {
  const auto* text = place.value->get_ptr<const std::string*>();
  if (text != nullptr) {
    const auto it = std::find(allowed.begin(), allowed.end(), *text);
    if (it != allowed.end()) return static_cast<size_t>(it - allowed.begin());
  }
  place.Error(fmt::format("is {}; {} is one of {}", Found(*place.value), what, Listed(allowed)));
  return std::nullopt;
}

std::optional<std::string> ReadSha256(const Place& place) {
  auto text = ReadName(place, "a SHA-256");
  if (!text) return std::nullopt;
  for (char& c : *text) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  const bool hex = std::all_of(text->begin(), text->end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  if (hex && text->size() == 64) return text;
  place.Error(fmt::format("is {}; a SHA-256 is 64 hexadecimal digits", Quoted(*text)));
  return std::nullopt;
}

}  // namespace pteproof
