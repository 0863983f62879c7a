// Terms and contents by number: equal numbers are equal terms, and the other way round. Entries are
// compared in full, constants byte by byte, so that no digest decides. One table serves both sides
// of a comparison.
#ifndef PTEPROOF_PROPERTIES_COMPARE_TERMS_TERM_TABLE_H_
#define PTEPROOF_PROPERTIES_COMPARE_TERMS_TERM_TABLE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "properties/compare/terms/content.h"
#include "pteproof/program.h"

namespace pteproof::compare {

using ContentId = uint32_t;  // of a content in the table
using TextId = uint32_t;

inline constexpr ContentId kNoBytes = 0;  // the content without bytes

enum class TermKind : uint8_t {
  kZero,      // zero bytes
  kConstant,  // bytes of a file: the number of the constant
  kExternal,  // bytes that the file names only: its name
  kInput,     // an input of the call: its position
  kState,     // a buffer at entry: its key
  kStale,     // a bank at entry: what nothing here has written
  kCall,      // what an operator or a delegate computes from its operands
  kResult,    // one of several results of a call
  kEffect,    // what a call leaves behind that is no value: all such calls before it
  kTorn,      // a result that was written over an operand of its own instruction
  kHead,      // a value at the head of a loop
  kInside,    // what a delegate computes, and parts of it (blob_words.h)
};

struct Term {
  TermKind kind = TermKind::kZero;
  std::span<const uint64_t> words;  // what it is made of, by kind
};

class TermTable {
 public:
  TermTable();
  TermTable(const TermTable&) = delete;
  TermTable& operator=(const TermTable&) = delete;

  // Whether calls of which all operands are constants are constants, too (apply.cc).
  void SetFolding(bool folds) { folds_ = folds; }
  [[nodiscard]] bool folds() const { return folds_; }

  [[nodiscard]] TermId Make(TermKind kind, std::span<const uint64_t> words);
  [[nodiscard]] Term At(TermId id) const;
  [[nodiscard]] size_t size() const { return terms_.size(); }

  [[nodiscard]] TextId TextOf(std::string_view text);
  [[nodiscard]] std::string_view Text(TextId id) const { return texts_[id]; }

  // The bytes must outlive the table; they are not copied. All zeros is kZeroTerm.
  [[nodiscard]] TermId Constant(Bytes bytes);
  // The same for bytes that the table keeps.
  [[nodiscard]] TermId OwnConstant(std::vector<std::byte> bytes);
  [[nodiscard]] Bytes ConstantAt(uint64_t number) const { return constants_[number]; }

  [[nodiscard]] ContentId Intern(std::vector<Run> runs);
  [[nodiscard]] const Content& operator[](ContentId id) const { return contents_[id]; }
  // The first bytes of a term.
  [[nodiscard]] ContentId Whole(TermId term, uint64_t nbytes);
  // Bytes [first, first + count) of a content.
  [[nodiscard]] ContentId Part(ContentId id, uint64_t first, uint64_t count);

  // Terms of things outside, by their places; nothing: a thing has none. It must outlive the table.
  [[nodiscard]] std::map<const void*, std::optional<TermId>>& outside() { return outside_; }

  // The number that the bytes of a constant content are; null: some byte is no constant's.
  [[nodiscard]] bool BytesOf(ContentId id, std::vector<std::byte>& bytes) const;

 private:
  struct Entry {
    TermKind kind = TermKind::kZero;
    uint32_t count = 0;
    size_t first = 0;  // in words_
  };
  using Index = std::unordered_multimap<uint64_t, uint32_t>;  // hash to number

  [[nodiscard]] TermId FindConstant(Bytes bytes);

  bool folds_ = false;
  std::vector<Entry> terms_;
  std::vector<uint64_t> words_;
  Index term_index_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, TextId> text_index_;
  std::vector<Bytes> constants_;
  Index constant_index_;
  std::map<std::pair<const std::byte*, size_t>, TermId> constant_places_;
  std::deque<std::vector<std::byte>> own_;
  std::map<const void*, std::optional<TermId>> outside_;
  std::deque<Content> contents_;
  Index content_index_;
};

}  // namespace pteproof::compare

#endif  // PTEPROOF_PROPERTIES_COMPARE_TERMS_TERM_TABLE_H_
