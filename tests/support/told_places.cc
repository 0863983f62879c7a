#include "tests/support/told_places.h"

#include <fmt/format.h>

#include <cctype>

namespace pteproof {
namespace {

struct Row {
  std::string_view mistake;
  std::string_view method;
  int32_t instruction = -1;
  uint32_t bank = 0;
  uint64_t lo = 0;
  uint64_t hi = 0;
};

// Read off the explanations by hand. The instruction is the one that does the damage, not the
// reader.
constexpr Row kRows[] = {
    {"cond-map", "forward", 8, 1, 0, 16},
    {"cond-nested", "forward", 8, 1, 0, 32},
    {"cond-nested", "forward", 11, 1, 0, 32},
    {"cond-nested", "forward", 15, 1, 0, 32},
    {"cond-scan", "forward", 11, 1, 0, 16},
    // The bytes of the result that is lost; of them the first eight are overwritten.
    {"cond-siblings-guarded", "forward", 12, 1, 0, 8},
    {"cond-siblings-guarded", "forward", 17, 1, 0, 8},
    {"cond-siblings", "forward", 7, 1, 0, 32},
    {"cond-siblings", "forward", 10, 1, 0, 32},
    {"cond-state", "step", 11, 1, 0, 32},
    {"cond-state", "step", 14, 1, 0, 32},
    {"delay-line", "step", -1, 1, 128, 160},
    {"delay-line", "step", -1, 1, 96, 128},
    {"in-place-flip", "forward", 1, 1, 32, 64},
    {"in-place-on-constant", "forward", 1},
    {"in-place-on-input", "forward", 1, 1, 64, 96},
    {"in-place-output-annotated", "forward", 1, 1, 0, 32},
    {"in-place-reread", "forward", 1, 1, 0, 32},
    {"in-place-result-freed-state", "write", 3, 1, 0, 32},
    {"in-place-result-freed", "forward", 3, 1, 0, 32},
    {"in-place-self", "forward", 1, 1, 0, 32},
    {"in-place-state-annotated", "step", 1, 1, 32, 64},
    {"in-place-then-store", "step", 2, 1, 64, 96},
    {"in-place-two-users", "forward", 1, 1, 32, 64},
    {"in-place-two-users", "forward", 2, 1, 32, 64},
    {"in-place-view-annotated", "forward", 1, 1, 32, 64},
    {"in-place-view", "forward", 2, 1, 64, 96},
    {"initial-wrong-table", "step", -1, 1, 160, 192},  // 's'; the data are those of 't'
    {"late-load", "read", -1, 2, 0, 32},
    {"lineage-wrong-root", "step", -1, 2, 32, 64},
    // Of its two stores to the argument the second is the argument's own.
    {"name-clash-both", "step", 3, 2, 0, 32},
    {"name-clash-crossed", "push", 3, 2, 0, 32},
    {"name-clash-crossed", "push", 4},  // "the same for 'v'"
    {"name-clash-set", "set_state", 1, 2, 0, 32},
    {"name-clash-total", "forward", 2, 1, 96, 128},
    {"no-upper-bound", "forward", -1, 1, 128, 192},
    {"old-input-returned", "step", 2, 1, 64, 96},
    {"old-value-returned", "step", 0, 1, 32, 64},
    {"pass-missing", "get"},
    {"pass-part", "up", -1, 2, 0, 16},
    {"pass-per-method", "up", -1, 2, 0, 32},
    {"pass-per-method", "up", -1, 2, 32, 48},
    {"phantom-cache", "forward", -1, 1, 32, 256},
    {"phantom-shared", "clear", -1, 1, 32, 256},
    {"phantom-shared", "write", -1, 1, 32, 256},
    {"pool-three", "mix", -1, 3, 0, 32},
    {"private-state", "other", 0, 1, 96, 128},
    {"private-state", "other", 3, 1, 96, 128},
    {"private-two", "two", 2, 1, 96, 128},
    {"private-two", "one", 2, 1, 96, 128},
    {"reader-constant", "get"},
    {"reader-delegated", "get"},
    {"reader-first", "read", -1, 2, 0, 32},
    {"reader-folded", "get"},
    {"shared-run-private", "get", -1, 2, 0, 32},
    {"sizes-disagree", "wide", -1, 2, 0, 64},
    {"stale-pass", "get", -1, 2, 0, 1024},
    {"stale-pass", "put", -1, 2, 0, 1024},
    {"store-dropped-view", "step", -1, 1, 96, 128},
    {"store-dropped", "keep", -1, 2, 32, 64},
    {"suite-order", "forward"},
    {"swap", "flip", -1, 2, 32, 64},
    {"view-then-store-chain", "push", 3, 1, 192, 224},
    {"view-then-store-chain", "push", 4, 1, 160, 192},
    {"view-then-store", "step", 1, 2, 0, 32},
};

bool IsWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Whether the text has these words, not as a part of longer ones.
bool HasWords(std::string_view text, std::string_view words) {
  for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) {
    const size_t end = at + words.size();
    const bool begins = at == 0 || !IsWordPart(text[at - 1]);
    const bool ends = end == text.size() || !IsWordPart(text[end]) || !IsWordPart(words.back());
    if (begins && ends) return true;
  }
  return false;
}

std::string RangeText(const ByteRange& bytes) {
  return fmt::format("[{},{})", bytes.lo, bytes.hi);
}

}  // namespace

std::vector<ToldPlace> PlacesOf(std::string_view mistake) {
  std::vector<ToldPlace> places;
  for (const Row& row : kRows) {
    if (row.mistake != mistake) continue;
    ToldPlace place = {row.method, row.instruction, row.bank, std::nullopt};
    if (row.bank != 0) place.bytes = ByteRange{row.lo, row.hi};
    places.push_back(place);
  }
  return places;
}

std::vector<std::string_view> PartsOf(std::string_view explanation) {
  constexpr std::string_view kBetween = " | ";
  std::vector<std::string_view> parts;
  for (size_t at = explanation.find(kBetween); at != explanation.npos;
       at = explanation.find(kBetween)) {
    parts.push_back(explanation.substr(0, at));
    explanation.remove_prefix(at + kBetween.size());
  }
  parts.push_back(explanation);
  return parts;
}

bool Tells(std::string_view part, const ToldPlace& place) {
  return HasWords(part, place.method) &&
         (place.instruction < 0 ||
          HasWords(part, fmt::format("instruction {}", place.instruction))) &&
         (place.bank == 0 || HasWords(part, fmt::format("bank {}", place.bank))) &&
         (!place.bytes.has_value() || part.find(RangeText(*place.bytes)) != part.npos);
}

bool IsAt(const Finding& finding, const ToldPlace& place) {
  return finding.method == place.method &&
         (place.instruction < 0 || finding.instruction == place.instruction) &&
         (place.bank == 0 || finding.bank == place.bank) &&
         (!place.bytes.has_value() || finding.bytes == place.bytes);
}

std::string TextOf(const ToldPlace& place) {
  std::string text(place.method);
  if (place.instruction >= 0) text += fmt::format("#{}", place.instruction);
  if (place.bank != 0) text += fmt::format(" bank {}", place.bank);
  if (place.bytes.has_value()) text += ' ' + RangeText(*place.bytes);
  return text;
}

}  // namespace pteproof
