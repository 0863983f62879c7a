#include "tests/cli/map/well_formed.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <vector>

namespace pteproof {
namespace {

constexpr std::array<std::string_view, 5> kEntities = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == ':' || c == '_';
}

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  std::string Run() {
    if (const std::string problem = BytesProblem(); !problem.empty()) return problem;
    if (text_.starts_with("<?xml ")) Skip(text_.find("?>") + 2);
    SkipSpace();
    if (Rest().starts_with("<!DOCTYPE html>")) Skip(15);
    SkipSpace();
    do {
      if (!(Rest().starts_with("<") ? Tag() : Content())) return Problem();
    } while (!open_.empty() && at_ < text_.size());
    if (!open_.empty()) return "'" + open_.back() + "' is not closed";
    SkipSpace();
    return at_ == text_.size() ? "" : "something follows the root: " + Here();
  }

 private:
  [[nodiscard]] std::string_view Rest() const { return text_.substr(at_); }
  [[nodiscard]] std::string Here() const { return std::string(Rest().substr(0, 60)); }
  [[nodiscard]] std::string Problem() const { return "wrong at: " + Here(); }
  void Skip(size_t count) { at_ += count; }
  void SkipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  // Characters that XML does not have, and bytes that are no UTF-8.
  [[nodiscard]] std::string BytesProblem() const {
    for (size_t i = 0; i < text_.size();) {
      const auto c = static_cast<unsigned char>(text_[i]);
      const size_t length = c < 0x80 ? 1 : c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
      if (c < 0x20 && c != '\n' && c != '\t') return "a control character";
      if (length == 0 || i + length > text_.size() || c > 0xF4) return "no UTF-8";
      for (size_t k = 1; k < length; ++k) {
        if ((static_cast<unsigned char>(text_[i + k]) & 0xC0) != 0x80) return "no UTF-8";
      }
      const std::string_view character = text_.substr(i, length);
      if (character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF") return "no character";
      i += length;
    }
    return "";
  }

  std::string Name() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsNameCharacter(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool Entity() {
    const auto* const entity =
        std::ranges::find_if(kEntities, [&](std::string_view e) { return Rest().starts_with(e); });
    if (entity == kEntities.end()) return false;
    Skip(entity->size());
    return true;
  }

  bool Content() {
    if (open_.empty()) return false;
    while (at_ < text_.size() && text_[at_] != '<') {
      if (text_[at_] != '&') {
        Skip(1);
      } else if (!Entity()) {
        return false;
      }
    }
    return true;
  }

  bool Attribute(std::set<std::string>& known) {
    const std::string name = Name();
    if (name.empty() || !known.insert(name).second || !Rest().starts_with("=\"")) return false;
    Skip(2);
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '<') return false;
      if (text_[at_] != '&') {
        Skip(1);
      } else if (!Entity()) {
        return false;
      }
    }
    if (at_ == text_.size()) return false;
    Skip(1);
    return true;
  }

  bool Tag() {
    Skip(1);
    if (Rest().starts_with("/")) {
      Skip(1);
      const std::string name = Name();
      if (open_.empty() || open_.back() != name || !Rest().starts_with(">")) return false;
      open_.pop_back();
      Skip(1);
      return true;
    }
    const std::string name = Name();
    std::set<std::string> attributes;
    SkipSpace();
    while (at_ < text_.size() && text_[at_] != '>' && text_[at_] != '/') {
      if (!Attribute(attributes)) return false;
      SkipSpace();
    }
    const bool is_empty = Rest().starts_with("/");
    Skip(is_empty ? 1 : 0);
    if (name.empty() || !Rest().starts_with(">")) return false;
    Skip(1);
    if (!is_empty) open_.push_back(name);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::string> open_;
};

}  // namespace

std::string XmlProblem(std::string_view text) {
  return XmlReader(text).Run();
}

std::string PageProblem(std::string_view page) {
  std::string text(page);
  for (const std::string name : {"script", "style"}) {
    for (size_t at = text.find("<" + name); at != std::string::npos;
         at = text.find("<" + name, at + 1)) {
      const size_t begin = text.find('>', at) + 1;
      const size_t end = text.find("</" + name, begin);
      if (end == std::string::npos) return "'" + name + "' is not closed";
      text.erase(begin, end - begin);
    }
  }
  return XmlProblem(text);
}

}  // namespace pteproof
