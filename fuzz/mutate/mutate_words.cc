#include "fuzz/mutate/mutate_words.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace pteproof::fuzz {
namespace {

using Parts = std::vector<std::string_view>;

bool IsOfWord(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || c == '_' || c == '.';
}

bool IsBlank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// With their ends, so that put together they are the text.
Parts LinesIn(std::string_view text) {
  Parts lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Where the word or sign at `at` ends. An operator's name is one word, with its namespace.
size_t EndOfWord(std::string_view text, size_t at) {
  if (!IsOfWord(text[at])) return at + 1;
  size_t end = at;
  while (end < text.size() && IsOfWord(text[end])) {
    ++end;
    if (text.substr(end, 2) == "::") end += 2;
  }
  return end;
}

// Words, and each sign for itself; what is between them is left out.
Parts WordsIn(std::string_view text) {
  Parts words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = EndOfWord(text, at);
    if (!IsBlank(text[at])) words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string Joined(const Parts& parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

std::string ChangeLines(std::string_view text, Random& random) {
  Parts lines = LinesIn(text);
  if (lines.empty()) return {};
  const size_t at = random.Below(lines.size());
  const size_t other = random.Below(lines.size());
  switch (random.Below(3)) {
    case 0:
      lines.erase(lines.begin() + static_cast<ptrdiff_t>(at));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<ptrdiff_t>(other), std::string_view(lines[at]));
      break;
    default:
      std::swap(lines[at], lines[other]);
  }
  return Joined(lines);
}

std::string ChangeWord(std::string_view text, const Words& vocabulary, Random& random) {
  const Parts words = WordsIn(text);
  if (words.empty()) return std::string(random.Of(vocabulary));
  const std::string_view word = random.Of(words);
  const std::string_view other = random.OneIn(3) ? random.Of(vocabulary) : random.Of(words);
  const auto at = static_cast<size_t>(word.data() - text.data());
  std::string changed(text);
  switch (random.Below(6)) {
    case 0:
      return changed.erase(at, word.size());
    case 1:
      return changed.insert(at, std::string(other) + " ");
    default:
      return changed.replace(at, word.size(), other);
  }
}

std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Buffer AsBuffer(std::string_view text, size_t max_size) {
  const Bytes bytes = std::as_bytes(std::span(text.substr(0, std::min(text.size(), max_size))));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Buffer MutateWords(Bytes text, const Words& words, Random& random, size_t max_size) {
  std::string changed(AsText(text));
  const size_t count = random.OneIn(4) ? 2 + random.Below(3) : 1;
  for (size_t c = 0; c < count; ++c) {
    changed = random.OneIn(3) ? ChangeLines(changed, random) : ChangeWord(changed, words, random);
  }
  return AsBuffer(changed, max_size);
}

Buffer CrossLines(Bytes a, Bytes b, Random& random, size_t max_size) {
  Parts lines = LinesIn(AsText(a));
  const Parts others = LinesIn(AsText(b));
  lines.resize(random.Below(lines.size() + 1));
  const auto from = others.begin() + static_cast<ptrdiff_t>(random.Below(others.size() + 1));
  lines.insert(lines.end(), from, others.end());
  return AsBuffer(Joined(lines), max_size);
}

}  // namespace pteproof::fuzz
