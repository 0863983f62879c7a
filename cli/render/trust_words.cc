#include "cli/render/trust_words.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/io/quote.h"
#include "properties/verdict.h"

namespace pteproof {

std::string ByTheWordOf(const std::string& manifest) {
  return fmt::format("by the word of {}: name it with --manifest",
                     Quote(std::filesystem::path(manifest).filename().string(), kLongestLine));
}

std::string TrustWords(std::string_view verdict, size_t accepted,
                       std::optional<std::string_view> by_word, const std::string& manifest) {
  std::string words = accepted > 0 ? fmt::format(", {} accepted", accepted) : "";
  if (!by_word) return words;
  words += *by_word == verdict ? " " : fmt::format("; {} ", *by_word);
  return words + ByTheWordOf(manifest);
}

std::string TrustWords(const FileReport& report) {
  if (report.outcome != Outcome::kJudged) return "";
  std::optional<std::string_view> by_word;
  if (report.by_word) by_word = Name(*report.by_word);
  return TrustWords(VerdictWord(report), AcceptedOf(report), by_word, report.manifest);
}

}  // namespace pteproof
