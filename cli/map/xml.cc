#include "cli/map/xml.h"

#include <cstdint>

namespace pteproof {
namespace {

// Characters that no XML document may hold, in UTF-8, as Quote lets them through.
constexpr std::string_view kNoCharacterE = "\xEF\xBF\xBE";
constexpr std::string_view kNoCharacterF = "\xEF\xBF\xBF";

std::string Entities(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with(kNoCharacterE) || rest.starts_with(kNoCharacterF)) {
      escaped += rest.starts_with(kNoCharacterE) ? "\\ufffe" : "\\uffff";
      i += 2;
      continue;
    }
    switch (text[i]) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += text[i];
    }
  }
  return escaped;
}

// The character that starts at text[i], whose UTF-8 is right; moves i behind it.
uint32_t NextCharacter(std::string_view text, size_t& i) {
  const auto first = static_cast<unsigned char>(text[i]);
  const size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  uint32_t code = length == 1 ? first : first & (0x7FU >> length);
  for (size_t k = 1; k < length && i + k < text.size(); ++k) {
    code = (code << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
  }
  i += length;
  return code;
}

// Generous: what may be wide counts as wide.
size_t CharacterColumns(uint32_t code) {
  if (code >= 0x300 && code < 0x370) return 0;
  const bool is_wide = (code >= 0x1100 && code < 0x1160) || code >= 0x2E80;
  return is_wide ? 2 : 1;
}

}  // namespace

std::string Xml(std::string_view text, size_t longest) {
  return Entities(Quote(text, longest));
}

std::string XmlLines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string lines = QuoteLines(text, "");
  while (lines.ends_with('\n')) lines.pop_back();
  return Entities(lines);
}

size_t TextColumns(std::string_view text) {
  size_t columns = 0;
  for (size_t i = 0; i < text.size();) columns += CharacterColumns(NextCharacter(text, i));
  return columns;
}

std::string Fitted(std::string_view text, size_t columns) {
  if (TextColumns(text) <= columns) return std::string(text);
  if (columns < 3) return "";
  size_t end = 0;
  size_t used = 1;  // the ellipsis
  for (size_t i = 0; i < text.size();) {
    used += CharacterColumns(NextCharacter(text, i));
    if (used > columns) break;
    end = i;
  }
  return std::string(text.substr(0, end)) + "\u2026";
}

}  // namespace pteproof
