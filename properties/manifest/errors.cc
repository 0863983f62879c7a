#include "properties/manifest/errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace pteproof {
namespace {

constexpr size_t kLongestQuote = 60;

// The longest prefix of at most `limit` bytes that does not end inside a UTF-8 sequence.
std::string_view Cut(std::string_view text, size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U) --limit;
  return text.substr(0, limit);
}

}  // namespace

void ManifestErrors::Add(std::string where, std::string what) {
  if (!full()) {
    kept.push_back({std::move(where), std::move(what)});
  } else {
    ++dropped;
  }
}

std::vector<ManifestError> ManifestErrors::Take() {
  if (dropped > 0) kept.push_back({"", fmt::format("{} more errors are not listed", dropped)});
  dropped = 0;
  return std::move(kept);
}

std::string PointerTo(std::string_view pointer, std::string_view key) {
  std::string out(pointer);
  out += '/';
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string PointerTo(std::string_view pointer, std::string_view list, size_t index) {
  return PointerTo(PointerTo(pointer, list), std::to_string(index));
}

std::string Quoted(std::string_view text) {
  const std::string_view cut = Cut(text, kLongestQuote);
  std::string out = fmt::format("\"{}\"", cut);
  if (cut.size() < text.size()) out += "...";
  return out;
}

std::string Listed(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace pteproof
