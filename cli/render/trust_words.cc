#include "cli/render/trust_words.h"

#include <fmt/format.h>

#include "cli/io/quote.h"
#include "cli/load/trust.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

std::string NameOfManifest(const std::string& path) {
  return Quote(FileNameIn(path), kLongestLine);
}

// ", which settles a, b and c".
std::string Settled(const std::vector<std::string>& names) {
  std::string text = names.empty() ? "" : ", which settles ";
  for (size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  return text;
}

std::string Before(std::string_view verdict, size_t accepted,
                   std::optional<std::string_view> by_word) {
  std::string words = accepted > 0 ? fmt::format(", {} accepted", accepted) : "";
  if (by_word) words += *by_word == verdict ? " " : fmt::format("; {} ", *by_word);
  return words;
}

}  // namespace

std::string ByTheWordOf(const std::string& manifest) {
  return fmt::format("according to {}: name it with --manifest", NameOfManifest(manifest));
}

std::string TrustWords(std::string_view verdict, size_t accepted,
                       std::optional<std::string_view> by_word, const std::string& manifest) {
  return Before(verdict, accepted, by_word) + (by_word ? ByTheWordOf(manifest) : "");
}

std::string TrustWords(const FileReport& report) {
  if (report.outcome != Outcome::kJudged) return "";
  std::optional<std::string_view> by_word;
  if (report.by_word) by_word = Name(*report.by_word);
  const std::string before = Before(VerdictWord(report), AcceptedOf(report), by_word);
  if (!by_word) return before;
  if (!report.in_standard) return before + ByTheWordOf(report.manifest);
  return fmt::format("{}according to {}{}: {}", before, NameOfManifest(report.manifest),
                     Settled(report.settled), TrustCommand(report.file));
}

}  // namespace pteproof
