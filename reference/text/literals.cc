#include "reference/text/literals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace pteproof::text {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr int kMostDigits = 17;  // enough for every double

std::string WithDot(std::string text) {
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

std::string Bits(const TensorValue& t, int64_t i) {
  const auto bytes = ElementBytes(t, i);
  std::string text = "0x";
  for (size_t b = bytes.size(); b-- > 0;) {
    const auto byte = static_cast<unsigned>(bytes[b]);
    text += {kHexDigits[byte >> 4U], kHexDigits[byte & 15U]};
  }
  return text;
}

// Whether a real of that value is read back as element i.
bool Holds(const TensorValue& t, int64_t i, double value) {
  TensorValue element = Zeros(t.dtype, {1});
  return StoreReal(element, value) && std::ranges::equal(element.bytes, ElementBytes(t, i));
}

// The shortest number that is read back as element i, or its bits.
std::string FloatText(const TensorValue& t, int64_t i) {
  double value = RealAt(t, i);
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();  // without a payload
  if (!std::isfinite(value)) return Holds(t, i, value) ? RealText(value) : Bits(t, i);
  std::array<char, 32> text{};
  for (int digits = 1; digits <= kMostDigits; ++digits) {
    const auto end =
        std::to_chars(text.begin(), text.end(), value, std::chars_format::general, digits);
    const std::string_view candidate(text.data(), end.ptr);
    const bool negative = candidate.starts_with('-');
    const auto read = RealOf(candidate.substr(negative ? 1 : 0));
    // With an exponent only if that is shorter: 10.0, not 1e+01.
    if (read && Holds(t, i, negative ? -*read : *read)) return RealText(negative ? -*read : *read);
  }
  return Bits(t, i);
}

std::string IntegerText(const TensorValue& t, int64_t i) {
  const int64_t value = IntAt(t, i);
  return t.dtype == ScalarType::kUInt64 ? std::to_string(static_cast<uint64_t>(value))
                                        : std::to_string(value);
}

std::optional<unsigned> HexDigit(char c) {
  if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  const size_t at = kHexDigits.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(at);
}

// What follows a backslash: consumes it. Nothing: unknown.
std::optional<char> Escaped(std::string_view& rest) {
  const char c = rest.front();
  rest.remove_prefix(1);
  if (c == 'n') return '\n';
  if (c == 't') return '\t';
  if (c == '"' || c == '\\') return c;
  if (c != 'x' || rest.size() < 2) return std::nullopt;
  const auto high = HexDigit(rest[0]);
  const auto low = HexDigit(rest[1]);
  if (!high || !low) return std::nullopt;
  rest.remove_prefix(2);
  return static_cast<char>(*high * 16U + *low);
}

}  // namespace

std::string RealText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.begin(), text.end(), value);
  return WithDot(std::string(text.data(), end.ptr));
}

std::optional<double> RealOf(std::string_view digits) {
  double value = 0;
  const auto read = std::from_chars(digits.begin(), digits.end(), value);
  if (read.ec != std::errc() || read.ptr != digits.end()) return std::nullopt;
  return value;
}

std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (byte < 0x20 || byte > 0x7e) {
      quoted += {'\\', 'x', kHexDigits[byte >> 4U], kHexDigits[byte & 15U]};
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::optional<std::string> UnquotedText(std::string_view literal) {
  std::string_view rest = literal.substr(1, literal.size() - 2);
  std::string text;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '\\') {
      text += c;
      continue;
    }
    const auto escaped = rest.empty() ? std::nullopt : Escaped(rest);
    if (!escaped) return std::nullopt;
    text += *escaped;
  }
  return text;
}

std::string ElementText(const TensorValue& t, int64_t i) {
  if (IsFloat(t.dtype)) return FloatText(t, i);
  if (IsInteger(t.dtype)) return IntegerText(t, i);
  if (t.dtype != ScalarType::kBool) return Bits(t, i);
  const auto byte = static_cast<unsigned>(ElementBytes(t, i)[0]);
  if (byte > 1) return Bits(t, i);
  return byte == 1 ? "true" : "false";
}

bool StoreReal(TensorValue& element, double value) {
  SetReal(element, 0, value);
  return std::isfinite(value) == std::isfinite(RealAt(element, 0));
}

bool StoreInteger(TensorValue& element, bool negative, uint64_t magnitude) {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (element.dtype == ScalarType::kUInt64) {
    SetInt(element, 0, static_cast<int64_t>(magnitude));
    return !negative || magnitude == 0;
  }
  if (magnitude > kMost + (negative ? 1U : 0U)) return false;
  const auto value = static_cast<int64_t>(negative ? 0U - magnitude : magnitude);
  SetInt(element, 0, value);
  return IntAt(element, 0) == value;
}

bool StoreBits(TensorValue& element, std::string_view hex) {
  hex.remove_prefix(2);
  const auto bytes = ElementBytes(element, 0);
  if (hex.empty() || hex.size() > 2 * bytes.size()) return false;
  std::ranges::fill(bytes, std::byte{0});
  for (size_t d = 0; d < hex.size(); ++d) {
    const auto digit = HexDigit(hex[hex.size() - 1 - d]);
    if (!digit) return false;
    bytes[d / 2] |= static_cast<std::byte>(*digit << (d % 2 == 0 ? 0U : 4U));
  }
  return true;
}

}  // namespace pteproof::text
