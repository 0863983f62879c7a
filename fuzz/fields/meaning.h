// What a field is, beyond its type: an index of a value, a place, a size. The numbers that are
// worth a try depend on it.
#ifndef PTEPROOF_FUZZ_FIELDS_MEANING_H_
#define PTEPROOF_FUZZ_FIELDS_MEANING_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/fields/tree.h"

namespace pteproof::fuzz::fields {

enum class Meaning : uint8_t {
  kPlain,
  kValue,      // an index of the method's values
  kOperator,   // of its operators
  kDelegate,   // of its delegates
  kTarget,     // of the chain's instructions
  kBank,       // a memory id
  kOffset,     // in a bank
  kSize,       // of a dimension
  kDimension,  // an index of one
  kStored,     // an index of constants, of initial values, of segments or of blobs
  kName,       // a text that is the same elsewhere
};

[[nodiscard]] Meaning MeaningOf(const flatbuffers::TypeTable& type, size_t field);

// Numbers that a tree gives for such fields, from the method of a table. Made once per tree.
class Surroundings {
 public:
  explicit Surroundings(const Tree& tree);

  // Other numbers for a field, or for an item of it, of that meaning; not sorted, with repetitions.
  [[nodiscard]] std::vector<uint64_t> NumbersFor(int32_t table, Meaning meaning,
                                                 uint64_t now) const;
  // Tables of that type, the first and the last of the tree.
  [[nodiscard]] std::vector<int32_t> ExamplesOf(const flatbuffers::TypeTable& type) const {
    const auto found = examples_.find(&type);
    return found == examples_.end() ? std::vector<int32_t>() : found->second;
  }
  // Other texts that fields of that name have in the tree, a few.
  [[nodiscard]] std::vector<std::vector<uint64_t>> NamesLike(std::string_view field) const;

 private:
  struct OfMethod {
    std::vector<uint64_t> values;  // one of each kind, or all of a few
    uint64_t operators = 0;
    uint64_t delegates = 0;
    std::vector<uint64_t> banks;    // their sizes
    std::vector<uint64_t> offsets;  // of values
  };
  struct Texts {
    std::string_view field;
    std::vector<std::vector<uint64_t>> texts;
  };

  void GoThroughTexts();
  [[nodiscard]] OfMethod Look(int32_t method) const;
  [[nodiscard]] std::vector<uint64_t> ValuesOf(const Table& method) const;
  [[nodiscard]] std::vector<uint64_t> OffsetsNear(const OfMethod& method, uint64_t now) const;
  // The next table of that type on the way to the root, or -1.
  [[nodiscard]] int32_t Around(int32_t table, const flatbuffers::TypeTable& type) const;

  const Tree& tree_;
  std::vector<std::pair<int32_t, OfMethod>> methods_;
  std::vector<Texts> texts_;
  std::map<const flatbuffers::TypeTable*, std::vector<int32_t>> examples_;
  uint64_t stored_ = 0;  // the most that any index of stored data may be
};

}  // namespace pteproof::fuzz::fields

#endif  // PTEPROOF_FUZZ_FIELDS_MEANING_H_
