// Idea: two terms are gone down together, from an output to the first operands that differ, as long
// as the nodes are alike. Each step is one node nearer to the arguments, so that no term is seen
// twice.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "properties/compare/terms/blob_terms.h"
#include "properties/compare/terms/blob_words.h"
#include "runtime/finding_list.h"

namespace pteproof::compare {
namespace {

using BlobWords = std::span<const uint64_t>;

// The lists of a kWhole, each of items of one width.
struct WholeLists {
  BlobWords inputs, outputs, loose, states;
};
constexpr size_t kSlotWords = 3;
constexpr size_t kStateWords = 2;

WholeLists ListsOf(BlobWords words) {
  size_t at = 3;
  const auto next = [&](size_t width) {
    const size_t count = width * words[at];
    const BlobWords list = words.subspan(at + 1, count);
    at += 1 + count;
    return list;
  };
  WholeLists lists;
  lists.inputs = next(kSlotWords);
  lists.outputs = next(kSlotWords);
  lists.loose = next(1);
  lists.states = next(kStateWords);
  return lists;
}

class BlobWalk {
 public:
  explicit BlobWalk(const TermTable& table) : table_(table) {}

  // Of two terms that differ.
  std::string Describe(const std::string& what, uint64_t a, uint64_t b) const {
    std::string place = what;
    for (;;) {
      const BlobWords x = NodeWords(a);
      const BlobWords y = NodeWords(b);
      const bool alike = x[0] == kNode && y[0] == kNode && x[2] == y[2] && Number(a) == Number(b);
      const size_t r = alike ? FirstOther(x, y) : 0;
      if (!alike || r == x[kOperandCount]) break;
      a = x[kOperandCount + 1 + r];
      b = y[kOperandCount + 1 + r];
      const std::string_view op = table_.Text(static_cast<TextId>(x[1]));
      place = fmt::format("operand {} of {}, which {} needs,", r, op, what);
    }
    const std::string old_phrase = Phrase(a);
    const std::string new_phrase = Phrase(b);
    if (old_phrase == new_phrase) return fmt::format("{} is {}", place, Detail(a, b));
    if (IsFirst(a) && IsFirst(b)) {
      return fmt::format("{} is made by {} instead of {}", place, OpOf(b), OpOf(a));
    }
    return fmt::format("{} is {} instead of {}", place, new_phrase, old_phrase);
  }

 private:
  BlobWords WordsOf(uint64_t term) const { return table_.At(static_cast<TermId>(term)).words; }

  // Of the node whose result it is.
  BlobWords NodeWords(uint64_t term) const {
    const BlobWords words = WordsOf(term);
    return words[0] == kResult ? WordsOf(words[1]) : words;
  }

  // Which of the node's results it is.
  uint64_t Number(uint64_t term) const {
    const BlobWords words = WordsOf(term);
    return words[0] == kResult ? words[2] : 0;
  }

  static size_t FirstOther(BlobWords x, BlobWords y) {
    size_t r = 0;
    while (r < x[kOperandCount] && x[kOperandCount + 1 + r] == y[kOperandCount + 1 + r]) ++r;
    return r;
  }

  // The first result of a node.
  bool IsFirst(uint64_t term) const { return NodeWords(term)[0] == kNode && Number(term) == 0; }
  std::string_view OpOf(uint64_t term) const {
    return table_.Text(static_cast<TextId>(NodeWords(term)[1]));
  }

  std::string Phrase(uint64_t term) const {
    const BlobWords words = NodeWords(term);
    const uint64_t number = Number(term);
    if (words[0] == kArgument) return fmt::format("argument {}", words[1]);
    if (words[0] == kStored && words.size() > 3 && words[3] == kNotThere) {
      return fmt::format("constant '{}'", Shown(table_.Text(static_cast<TextId>(words[2]))));
    }
    if (words[0] == kStored) return "a constant";
    if (words[0] == kKept) return "a buffer";
    if (number == 0) return fmt::format("the result of {}", OpOf(term));
    return fmt::format("result {} of {}", number, OpOf(term));
  }

  // Of two terms with one phrase.
  std::string Detail(uint64_t a, uint64_t b) const {
    const BlobWords x = NodeWords(a);
    const BlobWords y = NodeWords(b);
    if (x[0] == kArgument) return fmt::format("{} with another type or size", Phrase(b));
    if (x[0] == kStored && x[1] == y[1]) return "a constant with other contents";
    if (x[0] == kStored) return "another constant";
    if (x[0] == kKept) return "another buffer";
    const bool in_order = x[2] != y[2] || x[kEffectWord] == y[kEffectWord];
    if (!in_order) return fmt::format("{} after other nodes that may be random", Phrase(b));
    return fmt::format("{} with other {}", Phrase(b),
                       x[2] == y[2] ? "types or sizes" : "attributes");
  }

  const TermTable& table_;
};

// The first slot that differs.
std::string SlotDifference(const BlobWalk& walk, std::string_view what, BlobWords olds,
                           BlobWords news) {
  if (olds.size() != news.size()) {
    return fmt::format("it has {} {}s instead of {}", news.size() / kSlotWords, what,
                       olds.size() / kSlotWords);
  }
  for (size_t at = 0; at < olds.size(); at += kSlotWords) {
    const std::string name = fmt::format("{} {}", what, at / kSlotWords);
    if (olds[at] != news[at]) {
      return fmt::format("{} is argument {} instead of {}", name, news[at], olds[at]);
    }
    if (olds[at + 1] != news[at + 1]) return walk.Describe(name, olds[at + 1], news[at + 1]);
    if (olds[at + 2] != news[at + 2]) return fmt::format("{} is written by one of them only", name);
  }
  return {};
}

// The first nodes without results that the other blob does not have.
std::string LooseDifference(const BlobWalk& walk, BlobWords olds, BlobWords news) {
  std::vector<uint64_t> gone;
  std::vector<uint64_t> added;
  std::ranges::set_difference(olds, news, std::back_inserter(gone));
  std::ranges::set_difference(news, olds, std::back_inserter(added));
  if (gone.empty() && added.empty()) return {};
  if (gone.size() != added.size()) return "it has another number of nodes without results";
  return walk.Describe("a node without results", gone.front(), added.front());
}

std::string StateDifference(const BlobWalk& walk, BlobWords olds, BlobWords news) {
  if (std::ranges::equal(olds, news)) return {};
  if (olds.size() != news.size()) return "it changes another number of buffers";
  size_t at = 0;
  while (olds[at] == news[at] && olds[at + 1] == news[at + 1]) at += kStateWords;
  if (olds[at] != news[at]) return "it changes other buffers";
  return walk.Describe("a buffer at the end", olds[at + 1], news[at + 1]);
}

}  // namespace

std::string BlobDifference(const TermTable& table, TermId olds, TermId news) {
  const BlobWords x = table.At(olds).words;
  const BlobWords y = table.At(news).words;
  const WholeLists a = ListsOf(x);
  const WholeLists b = ListsOf(y);
  const BlobWalk walk(table);
  for (const std::string& text :
       {SlotDifference(walk, "input", a.inputs, b.inputs),
        SlotDifference(walk, "output", a.outputs, b.outputs),
        LooseDifference(walk, a.loose, b.loose), StateDifference(walk, a.states, b.states)}) {
    if (!text.empty()) return text;
  }
  if (x[2] != y[2]) return "nodes that may be random differ in number, order or operands";
  return "it is of another version of its format";
}

}  // namespace pteproof::compare
