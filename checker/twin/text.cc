// JSON is read with a stack of open lists and objects, so no input is too deep for the process.
#include "checker/twin/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace pteproof_twin {
namespace {

__extension__ using Wide = unsigned __int128;

// ---- SHA-256 (FIPS 180-4) ----

// The largest x with x to the power of 2 or 3 at most `limit`.
uint64_t Root(Wide limit, int power) {
  uint64_t low = 0;
  uint64_t high = uint64_t{1} << 36U;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    const Wide square = Wide{middle} * middle;
    (power == 2 ? square : square * middle) <= limit ? low = middle : high = middle;
  }
  return low;
}

struct ShaNumbers {
  std::array<uint32_t, 64> steps;
  std::array<uint32_t, 8> start;
};

// The first 32 bits behind the point of the primes' cube roots and square roots.
ShaNumbers MakeShaNumbers() {
  ShaNumbers made = {};
  uint64_t prime = 2;
  for (size_t k = 0; k < made.steps.size(); ++prime) {
    bool is_prime = true;
    for (uint64_t d = 2; d * d <= prime; ++d) is_prime = is_prime && prime % d != 0;
    if (!is_prime) continue;
    made.steps[k] = static_cast<uint32_t>(Root(Wide{prime} << 96U, 3));
    if (k < made.start.size()) made.start[k] = static_cast<uint32_t>(Root(Wide{prime} << 64U, 2));
    ++k;
  }
  return made;
}

void AddBlock(const ShaNumbers& numbers, std::array<uint32_t, 8>& hash, const uint8_t* block) {
  std::array<uint32_t, 64> w = {};
  for (size_t t = 0; t < 64; ++t) {
    if (t < 16) {
      for (size_t k = 0; k < 4; ++k) w[t] = w[t] << 8U | block[4 * t + k];
      continue;
    }
    const uint32_t a = w[t - 15];
    const uint32_t b = w[t - 2];
    w[t] = w[t - 16] + w[t - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
  }
  std::array<uint32_t, 8> h = hash;
  for (size_t t = 0; t < 64; ++t) {
    const uint32_t one = h[7] + (std::rotr(h[4], 6) ^ std::rotr(h[4], 11) ^ std::rotr(h[4], 25)) +
                         ((h[4] & h[5]) ^ (~h[4] & h[6])) + numbers.steps[t] + w[t];
    const uint32_t two = (std::rotr(h[0], 2) ^ std::rotr(h[0], 13) ^ std::rotr(h[0], 22)) +
                         ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
    h = {one + two, h[0], h[1], h[2], h[3] + one, h[4], h[5], h[6]};
  }
  for (size_t k = 0; k < 8; ++k) hash[k] += h[k];
}

// ---- UTF-8 ----

struct Rune {
  size_t length = 0;  // of the character, or of its longest correct beginning, at least 1
  bool correct = false;
};

Rune RuneAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(at);
  if (first < 0x80) return {1, true};
  if (first < 0xC2 || first > 0xF4) return {1, false};
  const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (size_t k = 1; k < length; ++k) {
    if (at + k == text.size() || byte(at + k) < low || byte(at + k) > high) return {k, false};
    low = 0x80;
    high = 0xBF;
  }
  return {length, true};
}

bool IsUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Rune rune = RuneAt(text, at);
    if (!rune.correct) return false;
    at += rune.length;
  }
  return true;
}

void AppendRune(std::string& text, uint32_t code) {
  const auto tail = [&](unsigned shift) {
    text += static_cast<char>(0x80U | (code >> shift & 0x3FU));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | code >> 6U);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0U | code >> 12U);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0U | code >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

// ---- JSON ----

class JsonReader {
 public:
  JsonReader(std::string_view text, JsonTree& tree) : text_(text), tree_(tree) {}

  bool Read() {
    while (true) {
      if (!Value()) return false;
      while (true) {  // behind a value
        Skip();
        if (open_.empty()) return at_ == text_.size();
        const bool object = tree_.nodes[open_.back()].kind == JsonKind::kObject;
        if (Take(',')) {
          if (object && !Key()) return false;
          break;
        }
        if (!Take(object ? '}' : ']')) return false;
        Close();
      }
    }
  }

 private:
  void Skip() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string::npos)
      ++at_;
  }

  bool Take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool TakeWord(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void Add(JsonKind kind, int64_t number = 0) {
    tree_.nodes.push_back({kind, number, static_cast<uint32_t>(tree_.nodes.size() + 1)});
  }

  void Close() {
    tree_.nodes[open_.back()].end = static_cast<uint32_t>(tree_.nodes.size());
    open_.pop_back();
  }

  // One value, or the beginning of a list or object up to its first value.
  bool Value() {
    while (true) {
      Skip();
      const bool object = Take('{');
      if (!object && !Take('[')) return Scalar();
      if (open_.size() == kDeepest) return false;
      open_.push_back(static_cast<uint32_t>(tree_.nodes.size()));
      Add(object ? JsonKind::kObject : JsonKind::kList);
      Skip();
      if (Take(object ? '}' : ']')) {
        Close();
        return true;
      }
      if (object && !Key()) return false;
    }
  }

  bool Key() {
    Skip();
    if (!Take('"') || !Text()) return false;
    Skip();
    return Take(':');
  }

  bool Scalar() {
    if (Take('"')) return Text();
    if (TakeWord("null")) return Add(JsonKind::kNull), true;
    if (TakeWord("true")) return Add(JsonKind::kBool, 1), true;
    if (TakeWord("false")) return Add(JsonKind::kBool, 0), true;
    return Number();
  }

  size_t Digits() {
    const size_t first = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ - first;
  }

  bool Number() {
    const bool negative = Take('-');
    const size_t first = at_;
    const size_t digits = Digits();
    if (digits == 0 || (digits > 1 && text_[first] == '0')) return false;
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    int64_t number = 0;
    for (const char c : text_.substr(first, digits)) {
      const int64_t digit = c - '0';
      number = number > (kMost - digit) / 10 ? kMost : number * 10 + digit;
    }
    bool whole = true;
    if (Take('.')) {
      whole = false;
      if (Digits() == 0) return false;
    }
    if (Take('e') || Take('E')) {
      whole = false;
      if (!Take('+')) Take('-');
      if (Digits() == 0) return false;
    }
    Add(whole ? JsonKind::kWhole : JsonKind::kReal, negative ? -number : number);
    return true;
  }

  std::optional<uint32_t> FourHex() {
    if (text_.size() - at_ < 4) return std::nullopt;
    uint32_t code = 0;
    for (size_t k = 0; k < 4; ++k) {
      const char c = text_[at_++];
      const bool digit = c >= '0' && c <= '9';
      const char lower = static_cast<char>(c | 0x20);
      if (!digit && (lower < 'a' || lower > 'f')) return std::nullopt;
      code = code * 16 + static_cast<uint32_t>(digit ? c - '0' : lower - 'a' + 10);
    }
    return code;
  }

  bool Escape(std::string& out) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (Take('u')) {
      auto code = FourHex();
      if (!code || (*code >= 0xDC00 && *code < 0xE000)) return false;
      if (*code >= 0xD800 && *code < 0xDC00) {  // the first half of a character
        const auto low = TakeWord("\\u") ? FourHex() : std::nullopt;
        if (!low || *low < 0xDC00 || *low >= 0xE000) return false;
        code = 0x10000 + ((*code - 0xD800) << 10U) + (*low - 0xDC00);
      }
      AppendRune(out, *code);
      return true;
    }
    const size_t letter = at_ < text_.size() ? kLetters.find(text_[at_]) : std::string::npos;
    if (letter == std::string::npos) return false;
    ++at_;
    out += kMeant[letter];
    return true;
  }

  bool Text() {
    std::string out;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') {
        Add(JsonKind::kText, static_cast<int64_t>(tree_.texts.size()));
        tree_.texts.push_back(std::move(out));
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        out += c;
      } else if (!Escape(out)) {
        return false;
      }
    }
    return false;
  }

  std::string_view text_;
  JsonTree& tree_;
  size_t at_ = 0;
  std::vector<uint32_t> open_;
};

}  // namespace

std::string Sha256(std::string_view bytes) {
  static const ShaNumbers numbers = MakeShaNumbers();
  std::array<uint32_t, 8> hash = numbers.start;
  std::array<uint8_t, 128> last = {};
  const size_t whole = bytes.size() / 64 * 64;
  std::array<uint8_t, 64> block = {};
  for (size_t at = 0; at < whole; at += 64) {
    std::ranges::copy(bytes.substr(at, 64), block.begin());
    AddBlock(numbers, hash, block.data());
  }
  const size_t rest = bytes.size() - whole;
  std::ranges::copy(bytes.substr(whole), last.begin());
  last[rest] = 0x80;
  const size_t end = rest < 56 ? 64 : 128;
  for (size_t k = 0; k < 8; ++k)
    last[end - 1 - k] = static_cast<uint8_t>(uint64_t{bytes.size()} * 8 >> (8 * k));
  for (size_t at = 0; at < end; at += 64) AddBlock(numbers, hash, last.data() + at);
  std::string text;
  for (const uint32_t word : hash) {
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15U];
  }
  return text;
}

std::string Printed(std::string_view line) {
  std::string printed;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      printed += c;
    } else {
      printed += {'\\', 'x', "0123456789abcdef"[byte >> 4U], "0123456789abcdef"[byte & 15U]};
    }
  }
  return printed;
}

std::vector<Json> Json::Parts() const {
  std::vector<Json> parts;
  if (!Is(JsonKind::kList) && !Is(JsonKind::kObject)) return parts;
  for (uint32_t at = at_ + 1; at < Node().end; at = tree_->nodes[at].end)
    parts.emplace_back(*tree_, at);
  return parts;
}

std::optional<Json> Json::Find(std::string_view key) const {
  std::optional<Json> found;
  if (!Is(JsonKind::kObject)) return found;
  const std::vector<Json> parts = Parts();
  for (size_t k = 0; k + 1 < parts.size(); k += 2) {
    if (parts[k].Text() == key) found = parts[k + 1];
  }
  return found;
}

bool ReadJson(std::string_view text, JsonTree& tree) {
  if (text.size() > std::numeric_limits<int32_t>::max() || !IsUtf8(text)) return false;
  return JsonReader(text, tree).Read();
}

}  // namespace pteproof_twin
