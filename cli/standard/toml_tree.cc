#include "cli/standard/toml_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "cli/io/quote.h"
#include "properties/manifest/json_text.h"

namespace pteproof {
namespace {

using Json = nlohmann::json;

class Converter {
 public:
  Converter(TomlTree& to, ManifestErrors& errors) : to_(to), errors_(errors) {}

  Json Convert(const toml::node& node, const std::string& pointer, size_t depth) {
    to_.lines[pointer] = node.source().begin.line;
    if (depth > kDeepestJson) {
      errors_.Add(pointer, fmt::format("is nested deeper than {} levels", kDeepestJson));
      return nullptr;
    }
    if (const toml::table* table = node.as_table()) return OfTable(*table, pointer, depth);
    if (const toml::array* array = node.as_array()) return OfArray(*array, pointer, depth);
    return OfValue(node);
  }

 private:
  Json OfTable(const toml::table& table, const std::string& pointer, size_t depth) {
    Json object = Json::object();
    for (const auto& [key, value] : table) {
      const std::string at = PointerTo(pointer, key.str());
      object[std::string(key.str())] = Convert(value, at, depth + 1);
      to_.lines[at] = key.source().begin.line;
    }
    return object;
  }

  Json OfArray(const toml::array& array, const std::string& pointer, size_t depth) {
    Json list = Json::array();
    for (const toml::node& item : array) {
      list.push_back(Convert(item, PointerTo(pointer, std::to_string(list.size())), depth + 1));
    }
    return list;
  }

  static Json OfValue(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* truth = node.as_boolean()) return truth->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* whole = node.as_integer()) {
      const int64_t number = whole->get();
      return number < 0 ? Json(number) : Json(static_cast<uint64_t>(number));
    }
    std::ostringstream text;  // dates and times are no values of a config: their text is wrong then
    if (const auto* date = node.as_date()) text << date->get();
    if (const auto* time = node.as_time()) text << time->get();
    if (const auto* both = node.as_date_time()) text << both->get();
    return text.str();
  }

  TomlTree& to_;
  ManifestErrors& errors_;
};

}  // namespace

size_t TomlTree::LineOf(std::string_view pointer) const {
  while (true) {
    const auto found = lines.find(std::string(pointer));
    if (found != lines.end()) return found->second;
    const size_t last = pointer.rfind('/');
    if (last == std::string_view::npos) return 0;
    pointer = pointer.substr(0, last);
  }
}

TomlTree ParseToml(std::string_view text, ManifestErrors& errors) {
  TomlTree result;
  if (text.size() > kMostTomlBytes) {
    errors.Add("", fmt::format("has {} bytes, at most {}", text.size(), kMostTomlBytes));
    return result;
  }
  if (std::ranges::count(text, '.') > static_cast<ptrdiff_t>(kMostTomlDots)) {
    errors.Add("", fmt::format("has more than {} dots", kMostTomlDots));
    return result;
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    errors.Add(fmt::format("line {} column {}", at.line, at.column),
               "is not TOML: " + Quote(parsed.error().description(), kLongestLine));
    return result;
  }
  result.tree = Converter(result, errors).Convert(parsed.table(), "", 0);
  return result;
}

}  // namespace pteproof
