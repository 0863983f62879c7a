#include "capi/options.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pteproof::capi {
namespace {

using nlohmann::json;

bool IsFlagName(std::string_view name) {
  constexpr auto kMay = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return name.size() > 1 && name.front() >= 'a' && name.front() <= 'z' &&
         std::ranges::all_of(name, kMay);
}

bool IsPlain(const json& value) {
  return value.is_string() || value.is_number() || value.is_boolean() || value.is_null();
}

// A flag once with one value.
bool AddFlag(const std::string& flag, const json& value, std::vector<std::string>& words) {
  if (!IsPlain(value)) return false;
  if (value.is_null() || value == false) return true;
  if (value == true) {
    words.push_back(flag);
  } else {
    words.push_back(flag + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return true;
}

bool AddFlags(const std::string& name, const json& value, std::vector<std::string>& words) {
  if (!IsFlagName(name)) return false;
  std::string flag = "--" + name;
  std::ranges::replace(flag, '_', '-');
  if (!value.is_array()) return AddFlag(flag, value, words);
  return std::ranges::all_of(value, [&](const json& item) { return AddFlag(flag, item, words); });
}

bool AddFiles(const json& files, std::vector<std::string>& words) {
  if (files.is_string()) {
    words.push_back(files.get<std::string>());
    return true;
  }
  if (!files.is_array()) return false;
  for (const json& file : files) {
    if (!file.is_string()) return false;
    words.push_back(file.get<std::string>());
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::string>> WordsOf(std::string_view options) {
  const json object = json::parse(options, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  const auto verb = object.find("verb");
  if (verb == object.end() || !verb->is_string()) return std::nullopt;
  std::vector<std::string> words = {verb->get<std::string>()};
  if (words.front().empty() || words.front().front() == '-') return std::nullopt;
  for (const auto& [name, value] : object.items()) {
    if (name == "verb" || name == "files") continue;
    if (!AddFlags(name, value, words)) return std::nullopt;
  }
  if (const auto files = object.find("files"); files != object.end()) {
    words.emplace_back("--");
    if (!AddFiles(*files, words)) return std::nullopt;
  }
  return words;
}

}  // namespace pteproof::capi
