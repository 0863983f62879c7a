#include "properties/manifest/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pteproof {
namespace {

using Json = nlohmann::json;

// "line L column C" of the byte at `offset`.
std::string LineAndColumn(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
  return fmt::format("line {} column {}", lines + 1, before.size() - line_start + 1);
}

constexpr size_t kLongestReason = 200;

// The parser's message after its own prefix and position, cut, in printable ASCII.
std::string PlainReason(std::string_view message) {
  constexpr std::string_view kStart = "syntax error while parsing ";
  const size_t at = message.find(kStart);
  message = at == std::string_view::npos ? message : message.substr(at + kStart.size());
  std::string out(message.substr(0, kLongestReason));
  std::replace_if(out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

// Builds the tree from the parser's events. Member names are those that nlohmann-json's SAX
// interface asks for; each returns whether to go on.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const JsonSubject& subject, ManifestErrors& errors)
      : text_(text), subject_(subject), errors_(errors) {}

  bool null() { return Place(nullptr); }
  bool boolean(bool value) { return Place(value); }
  bool number_integer(int64_t value) { return Place(value); }
  bool number_unsigned(uint64_t value) { return Place(value); }
  bool number_float(double value, const std::string& /*text*/) { return Place(value); }
  bool string(std::string& value) { return Place(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) { return false; }
  bool start_object(size_t /*size*/) { return Open(Json::object()); }
  bool end_object() { return Close(); }
  bool start_array(size_t /*size*/) { return Open(Json::array()); }
  bool end_array() { return Close(); }

  bool key(std::string& name) {
    Level& top = open_.back();
    if (name.size() > kLongestJsonKey) {
      top.key = Quoted(name);
      errors_.Add(Pointer(), fmt::format("a key of {} bytes; a key has at most {}", name.size(),
                                         kLongestJsonKey));
      return false;
    }
    top.repeated = top.tree.contains(name);
    top.key = std::move(name);
    if (top.repeated) {
      errors_.Add(Pointer(), "this key occurs twice in one object; keep one of them");
    }
    return !errors_.full();
  }

  bool parse_error(size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) {
    const size_t offset = position > 0 ? position - 1 : 0;  // the position counts bytes read
    errors_.Add(LineAndColumn(text_, offset),
                fmt::format("this is not JSON: in the {}", PlainReason(error.what())));
    return false;
  }

  [[nodiscard]] Json TakeRoot() { return std::move(root_); }

 private:
  struct Level {
    Json tree;              // an object or an array, not yet in its parent
    std::string key;        // of the member being read, in an object
    bool repeated = false;  // that key came before; the later value is dropped
  };

  bool Open(Json container) {
    if (open_.size() >= kDeepestJson) {
      errors_.Add(Pointer(), fmt::format("nested deeper than {} levels; {} needs {}", kDeepestJson,
                                         subject_.name, subject_.levels));
      return false;
    }
    open_.push_back({std::move(container), "", false});
    return true;
  }

  bool Close() {
    Json done = std::move(open_.back().tree);
    open_.pop_back();
    return Place(std::move(done));
  }

  bool Place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Level& top = open_.back();
    if (top.tree.is_array()) {
      top.tree.push_back(std::move(value));
    } else if (!top.repeated) {
      top.tree[top.key] = std::move(value);
    }
    return true;
  }

  [[nodiscard]] std::string Pointer() const {
    std::string out;
    for (const Level& level : open_) {
      out = PointerTo(out, level.tree.is_array() ? std::to_string(level.tree.size()) : level.key);
    }
    return out;
  }

  std::string_view text_;
  const JsonSubject& subject_;
  ManifestErrors& errors_;
  std::vector<Level> open_;
  Json root_;
};

}  // namespace

nlohmann::json ParseJsonText(std::string_view text, ManifestErrors& errors,
                             const JsonSubject& subject) {
  if (text.size() > kMostJsonBytes) {
    errors.Add(
        "", fmt::format("{} bytes; {} has at most {}", text.size(), subject.name, kMostJsonBytes));
    return {};
  }
  // nlohmann-json takes a zero byte for the end and would ignore what follows it.
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
    errors.Add(LineAndColumn(text, zero), "this is not JSON: a zero byte");
    return {};
  }
  TreeBuilder builder(text, subject, errors);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.TakeRoot();
}

}  // namespace pteproof
