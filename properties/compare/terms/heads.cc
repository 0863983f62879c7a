#include "properties/compare/terms/heads.h"

namespace pteproof::compare {
namespace {

enum HeadMark : uint64_t { kBytesHead, kNumberHead, kEffectHead };

}  // namespace

TermId HeadOfBytes(TermTable& table, std::span<const ContentId> history) {
  std::vector<uint64_t> words = {kBytesHead};
  words.insert(words.end(), history.begin(), history.end());
  return table.Make(TermKind::kHead, words);
}

TermId HeadOfNumber(TermTable& table, std::span<const SymbolicNumber> history) {
  std::vector<uint64_t> words = {kNumberHead};
  for (const SymbolicNumber& number : history) {
    words.insert(words.end(), {static_cast<uint64_t>(number.kind), number.bits});
  }
  return table.Make(TermKind::kHead, words);
}

TermId HeadOfEffect(TermTable& table, std::span<const TermId> history) {
  std::vector<uint64_t> words = {kEffectHead};
  words.insert(words.end(), history.begin(), history.end());
  return table.Make(TermKind::kHead, words);
}

std::vector<ContentId> ContentsOfHead(const TermTable& table, TermId head) {
  const auto words = table.At(head).words;
  std::vector<ContentId> contents;
  if (words[0] != kBytesHead) return contents;
  for (const uint64_t word : words.subspan(1)) contents.push_back(static_cast<ContentId>(word));
  return contents;
}

std::vector<TermId> TermsOfHead(const TermTable& table, TermId head) {
  const auto words = table.At(head).words;
  std::vector<TermId> terms;
  for (size_t w = 1; words[0] == kEffectHead && w < words.size(); ++w) {
    terms.push_back(static_cast<TermId>(words[w]));
  }
  for (size_t w = 1; words[0] == kNumberHead && w + 1 < words.size(); w += 2) {
    const bool is_term = words[w] == static_cast<uint64_t>(SymbolicNumber::Kind::kTerm);
    if (is_term) terms.push_back(static_cast<TermId>(words[w + 1]));
  }
  return terms;
}

}  // namespace pteproof::compare
