#include "reference/text/names.h"

#include <algorithm>

namespace pteproof::text {

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsNameInside(char c) {
  return IsNameStart(c) || (c >= '0' && c <= '9') || c == '.';
}

bool IsIdentifier(std::string_view text) {
  return !text.empty() && IsNameStart(text.front()) && std::ranges::all_of(text, IsNameInside);
}

bool IsBufferName(std::string_view text) {
  return !text.empty() && text.front() != '.' && std::ranges::all_of(text, IsNameInside);
}

bool IsOperatorName(std::string_view text) {
  size_t colons = text.find("::");
  if (colons == std::string_view::npos) return false;
  while (colons != std::string_view::npos) {
    if (!IsIdentifier(text.substr(0, colons))) return false;
    text = text.substr(colons + 2);
    colons = text.find("::");
  }
  return IsIdentifier(text);
}

}  // namespace pteproof::text
