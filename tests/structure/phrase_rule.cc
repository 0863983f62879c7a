// Idea: a phrase is often broken over lines, in a comment or between two string literals. The text
// is first flattened to one line of lower-case words, in which phrases are plain substrings.
//
//     // Whoever trusts      ─┐
//     // it dies.             ├─▶  " whoever trusts it dies. "no number of 64 bits" "
//     "no number "            │
//     "of 64 bits"           ─┘
//
// Invariant: `line_of[i]` is the line from which character i of the flat text comes.
#include "tests/structure/phrase_rule.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <sstream>

namespace pteproof {
namespace {

struct FlatText {
  std::string text;
  std::vector<size_t> line_of;  // by character of `text`
};

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string_view WithoutCommentMark(std::string_view line) {
  for (const std::string_view mark : {"///<", "///", "//", "#", ">"}) {
    if (line.starts_with(mark)) return Trimmed(line.substr(mark.size()));
  }
  return line;
}

void Append(FlatText& flat, char c, size_t line) {
  const auto byte = static_cast<unsigned char>(c);
  const bool blank = std::isspace(byte) != 0;
  if (blank && !flat.text.empty() && flat.text.back() == ' ') return;
  flat.text += blank ? ' ' : static_cast<char>(std::tolower(byte));
  flat.line_of.push_back(line);
}

// Undoes the break between a literal that ends the text and one that begins the line.
std::string_view JoinedLiteral(FlatText& flat, std::string_view line) {
  if (!line.starts_with('"') || !flat.text.ends_with("\" ")) return line;
  flat.text.resize(flat.text.size() - 2);
  flat.line_of.resize(flat.text.size());
  return line.substr(1);
}

FlatText Flattened(const std::string& text) {
  FlatText flat;
  std::istringstream lines(text);
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    const std::string_view words = JoinedLiteral(flat, WithoutCommentMark(Trimmed(line)));
    for (const char c : words) Append(flat, c, number);
    Append(flat, ' ', number);
  }
  return flat;
}

}  // namespace

std::vector<UnwantedPhrase> ReadPhrases(std::string_view text) {
  constexpr std::string_view kArrow = "=>";
  std::vector<UnwantedPhrase> phrases;
  std::istringstream lines{std::string(text)};
  std::string line;
  while (std::getline(lines, line)) {
    const std::string_view row = Trimmed(line);
    if (row.empty() || row.starts_with('#')) continue;
    const size_t arrow = row.find(kArrow);
    UnwantedPhrase phrase;
    std::string_view words = Trimmed(row.substr(0, arrow));
    if (words.size() > 2 && words.front() == '"') words = words.substr(1, words.size() - 2);
    for (const char c : words) {
      phrase.words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (arrow != std::string_view::npos) phrase.instead = Trimmed(row.substr(arrow + 2));
    phrases.push_back(std::move(phrase));
  }
  return phrases;
}

std::vector<std::string> PhraseViolations(const SourceFile& file,
                                          const std::vector<UnwantedPhrase>& phrases) {
  std::vector<std::string> violations;
  const FlatText flat = Flattened(file.text);
  for (const UnwantedPhrase& phrase : phrases) {
    for (size_t at = flat.text.find(phrase.words); at != std::string::npos;
         at = flat.text.find(phrase.words, at + 1)) {
      const std::string advice =
          phrase.instead.empty() ? "" : fmt::format(", write '{}'", phrase.instead);
      violations.push_back(
          fmt::format("{}:{}: '{}'{}", file.path, flat.line_of[at], phrase.words, advice));
    }
  }
  return violations;
}

}  // namespace pteproof
