// Idea: the tree of the text says which entry is the manifest's, and on which lines its values
// stand. These are replaced in the text, and the new text is read again: its tree must be the old
// one with the new entry, and nothing else. So no form of TOML has to be known here.
#include "cli/standard/trust_entry.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file_name.h"
#include "base/finding_names.h"
#include "cli/standard/toml_tree.h"

namespace pteproof {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// As a basic string of TOML, whose escapes are those of JSON.
std::string TomlString(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The entry of the manifest among those of the tree; nothing: there is none.
std::optional<size_t> IndexOf(const Json& tree, const std::string& manifest) {
  const auto list = tree.find("trust");
  if (list == tree.end() || !list->is_array()) return std::nullopt;
  for (size_t i = 0; i < list->size(); ++i) {
    const Json& entry = (*list)[i];
    if (!entry.is_object() || !entry.contains("manifest") || !entry["manifest"].is_string()) {
      continue;
    }
    const fs::path named = FilePath(entry["manifest"].get<std::string>());
    if (named.lexically_normal() == FilePath(manifest).lexically_normal()) return i;
  }
  return std::nullopt;
}

size_t StartOfLine(std::string_view text, size_t line) {
  size_t at = 0;
  for (size_t i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  return at;
}

// Replaces a key's value, which is a string; where its old text ends then. npos: it was not found.
size_t ReplaceValue(std::string& text, size_t line, const Json& old_value,
                    const std::string& value) {
  if (!old_value.is_string()) return std::string::npos;
  const auto old_text = old_value.get<std::string>();
  const size_t at = text.find(old_text, StartOfLine(text, line));
  if (at == std::string::npos) return at;
  text.replace(at, old_text.size(), value);
  return at + value.size();
}

std::string_view LineEndOf(std::string_view text) {
  return text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
}

std::string Replaced(std::string text, const TomlTree& tree, size_t index,
                     const TrustEntry& entry) {
  const std::string pointer = fmt::format("/trust/{}", index);
  const Json& old_entry = tree.tree["trust"][index];
  const size_t line = tree.LineOf(pointer + "/sha256");
  if (entry.policy && old_entry.contains("policy")) {
    (void)ReplaceValue(text, tree.LineOf(pointer + "/policy"), old_entry["policy"],
                       std::string(Name(*entry.policy)));
  }
  const size_t end = ReplaceValue(text, line, old_entry.value("sha256", Json()), entry.sha256);
  if (!entry.policy || old_entry.contains("policy") || end == std::string::npos) return text;
  const size_t start = text.find_first_not_of(" \t", StartOfLine(text, line));
  const bool own_line = text.compare(start, 6, "sha256") == 0;
  const std::string key = fmt::format("policy = \"{}\"", Name(*entry.policy));
  if (own_line) {
    const size_t next = text.find('\n', end);
    const std::string added = fmt::format("{}{}", key, LineEndOf(text));
    if (next == std::string::npos) return text + "\n" + key + "\n";
    return text.insert(next + 1, added);
  }
  return text.insert(end + 1, ", " + key);  // behind the quotation mark
}

std::string Added(std::string text, const TrustEntry& entry) {
  const std::string_view end = LineEndOf(text);
  if (!text.empty() && !text.ends_with('\n')) text += end;
  if (!text.empty()) text += end;
  for (const char c : TextOf(entry)) text += c == '\n' ? std::string(end) : std::string(1, c);
  return text;
}

Json WithEntry(Json tree, std::optional<size_t> index, const TrustEntry& entry) {
  if (!index) {
    tree["trust"].push_back({{"manifest", entry.manifest}});
    index = tree["trust"].size() - 1;
  }
  Json& at = tree["trust"][*index];
  at["sha256"] = entry.sha256;
  if (entry.policy) at["policy"] = Name(*entry.policy);
  return tree;
}

}  // namespace

std::string TextOf(const TrustEntry& entry) {
  std::string text = fmt::format("[[trust]]\nmanifest = {}\nsha256 = \"{}\"\n",
                                 TomlString(entry.manifest), entry.sha256);
  if (entry.policy) text += fmt::format("policy = \"{}\"\n", Name(*entry.policy));
  return text;
}

Result<ConfigWithTrust, std::string> WithTrustEntry(std::string_view text,
                                                    const TrustEntry& entry) {
  ManifestErrors errors;
  const TomlTree tree = ParseToml(text, errors);
  if (!errors.empty()) return errors.Take().front().what;
  if (tree.tree.contains("trust") && !tree.tree["trust"].is_array()) {
    return std::string("trust is not a list of entries: [[trust]]");
  }
  const std::optional<size_t> index = IndexOf(tree.tree, entry.manifest);
  const Json expected = WithEntry(tree.tree, index, entry);
  if (expected == tree.tree) return ConfigWithTrust{std::string(text), EntryChange::kKept};
  ConfigWithTrust made;
  made.change = index ? EntryChange::kReplaced : EntryChange::kAdded;
  made.text =
      index ? Replaced(std::string(text), tree, *index, entry) : Added(std::string(text), entry);
  if (ParseToml(made.text, errors).tree == expected && errors.empty()) return made;
  return fmt::format(
      "its entries of trust cannot be changed by a program without a change of others; write this "
      "one by hand:\n{}",
      TextOf(entry));
}

}  // namespace pteproof
