#include "cli/map/page_parts.h"

#include <cstddef>
#include <cstdint>

namespace pteproof {
namespace {

uint32_t Digit(char c) {
  return static_cast<uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

}  // namespace

std::string SourceHash(const PagePart& part) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  // Three hexadecimal digits are two of base 64.
  std::string text = "sha256-";
  for (size_t i = 0; i < part.sha256.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = i; k < i + 3; ++k) {
      bits = 16 * bits + (k < part.sha256.size() ? Digit(part.sha256[k]) : 0);
    }
    text += kAlphabet[bits >> 6U];
    text += kAlphabet[bits & 63U];
  }
  // 32 bytes are 43 digits of base 64, and one that fills up.
  text.back() = '=';
  return text;
}

}  // namespace pteproof
