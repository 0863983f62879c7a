// Idea: hash-consing. Whatever is looked up is hashed, and compared in full with the few entries of
// that hash. The hash of a constant reads a sample of its bytes only; bytes that are equal so far
// are compared in the mapped files.
//
// Invariant: no two entries are equal, so that numbers stand for contents.
//
// Cost: O(words) a term, O(runs) a content; of a constant one pass over its bytes if an equal one
// at another place is there already, a sample if none is, and O(log places) at a place seen before.
#include "properties/compare/terms/term_table.h"

#include <algorithm>
#include <cstring>

namespace pteproof::compare {
namespace {

constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;

uint64_t Stir(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * kMultiplier;
  return hash ^ (hash >> 29);
}

uint64_t HashOfRuns(std::span<const Run> runs) {
  uint64_t hash = runs.size();
  for (const Run& run : runs) {
    hash = Stir(hash, run.term);
    hash = Stir(hash, run.first);
    hash = Stir(hash, static_cast<uint64_t>(run.stride));
    hash = Stir(hash, run.size);
    hash = Stir(hash, run.count);
  }
  return hash;
}

// Words at equal distances: enough to tell most tensors apart.
uint64_t HashOfSample(Bytes bytes) {
  constexpr size_t kSamples = 256;
  uint64_t hash = bytes.size();
  const size_t step = std::max<size_t>(bytes.size() / kSamples, sizeof(uint64_t));
  for (size_t at = 0; at < bytes.size(); at += step) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof(word), bytes.size() - at));
    hash = Stir(hash, word);
  }
  return hash;
}

bool AllZero(Bytes bytes) {
  if (bytes.empty() || bytes[0] != std::byte{0}) return bytes.empty();
  return std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

bool AreEqual(Bytes a, Bytes b) {
  if (a.size() != b.size()) return false;
  return a.data() == b.data() || std::memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

TermTable::TermTable() {
  terms_.push_back({TermKind::kZero, 0, 0});
  static_cast<void>(Intern({}));
}

TermId TermTable::Make(TermKind kind, std::span<const uint64_t> words) {
  uint64_t hash = static_cast<uint64_t>(kind);
  for (const uint64_t word : words) hash = Stir(hash, word);
  const auto [begin, end] = term_index_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Term term = At(it->second);
    if (term.kind == kind && std::ranges::equal(term.words, words)) return it->second;
  }
  const auto id = static_cast<TermId>(terms_.size());
  terms_.push_back({kind, static_cast<uint32_t>(words.size()), words_.size()});
  words_.insert(words_.end(), words.begin(), words.end());
  term_index_.emplace(hash, id);
  return id;
}

Term TermTable::At(TermId id) const {
  const Entry& entry = terms_[id];
  return {entry.kind, std::span(words_).subspan(entry.first, entry.count)};
}

TextId TermTable::TextOf(std::string_view text) {
  const auto found = text_index_.find(text);
  if (found != text_index_.end()) return found->second;
  const auto id = static_cast<TextId>(texts_.size());
  text_index_.emplace(texts_.emplace_back(text), id);
  return id;
}

TermId TermTable::Constant(Bytes bytes) {
  const auto [place, fresh] = constant_places_.try_emplace({bytes.data(), bytes.size()}, kZeroTerm);
  if (fresh) place->second = FindConstant(bytes);
  return place->second;
}

TermId TermTable::FindConstant(Bytes bytes) {
  if (AllZero(bytes)) return kZeroTerm;
  const uint64_t hash = HashOfSample(bytes);
  const auto [begin, end] = constant_index_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (AreEqual(constants_[it->second], bytes)) {
      const uint64_t number = it->second;
      return Make(TermKind::kConstant, {&number, 1});
    }
  }
  const uint64_t number = constants_.size();
  constants_.push_back(bytes);
  constant_index_.emplace(hash, static_cast<uint32_t>(number));
  return Make(TermKind::kConstant, {&number, 1});
}

TermId TermTable::OwnConstant(std::vector<std::byte> bytes) {
  const size_t before = constants_.size();
  own_.push_back(std::move(bytes));
  const TermId id = FindConstant(own_.back());
  if (constants_.size() == before) own_.pop_back();
  return id;
}

ContentId TermTable::Intern(std::vector<Run> runs) {
  const uint64_t hash = HashOfRuns(runs);
  const auto [begin, end] = content_index_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (std::ranges::equal(contents_[it->second].runs(), runs)) return it->second;
  }
  const auto id = static_cast<ContentId>(contents_.size());
  contents_.emplace_back(std::move(runs));
  content_index_.emplace(hash, id);
  return id;
}

ContentId TermTable::Whole(TermId term, uint64_t nbytes) {
  ContentBuilder builder;
  builder.Add(term, 0, nbytes);
  return Intern(builder.Take());
}

ContentId TermTable::Part(ContentId id, uint64_t first, uint64_t count) {
  if (first == 0 && count == contents_[id].bytes()) return id;
  ContentBuilder builder;
  contents_[id].Read(first, count, builder);
  return Intern(builder.Take());
}

bool TermTable::BytesOf(ContentId id, std::vector<std::byte>& bytes) const {
  bytes.clear();
  for (const Run& run : contents_[id].runs()) {
    if (run.term == kZeroTerm) {
      bytes.resize(bytes.size() + run.bytes());
      continue;
    }
    const Term term = At(run.term);
    if (term.kind != TermKind::kConstant) return false;
    const Bytes constant = ConstantAt(term.words[0]);
    for (uint64_t k = 0; k < run.count; ++k) {
      const Bytes piece =
          constant.subspan(run.first + static_cast<uint64_t>(run.stride) * k, run.size);
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
  }
  return true;
}

}  // namespace pteproof::compare
