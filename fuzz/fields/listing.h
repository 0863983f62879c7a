// All mutants of one program, by number: each change of each field of each table in turn. Behind
// them come pairs, two fields of one call changed at once, drawn from a fixed seed.
#ifndef PTEPROOF_FUZZ_FIELDS_LISTING_H_
#define PTEPROOF_FUZZ_FIELDS_LISTING_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/fields/changes.h"
#include "fuzz/fields/meaning.h"
#include "fuzz/fields/tree.h"
#include "fuzz/mutate/random.h"

namespace pteproof::fuzz::fields {

// One field of one table, and how many changes it has.
struct Place {
  int32_t table = 0;
  int32_t field = 0;
  uint64_t changes = 0;
};

struct Mutant {
  Buffer file;
  std::string text;
};

// Which mutants.
struct Range {
  uint64_t first = 0;
  uint64_t pairs = 0;
  uint64_t stride = 1;  // only numbers that it divides
};

class Listing {
 public:
  // Nothing: see Unpack.
  [[nodiscard]] static std::unique_ptr<Listing> Of(Bytes file);

  [[nodiscard]] const Tree& tree() const { return tree_; }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] uint64_t singles() const { return singles_; }

  // From number `range.first` on, in order; ends where `each` says false. Numbers from singles() on
  // are pairs; of a pair that cannot be made the file is empty.
  void ForEach(const Range& range, const std::function<bool(uint64_t number, Bytes file)>& each);
  [[nodiscard]] Mutant At(uint64_t number);

 private:
  explicit Listing(Tree tree);

  // The places of a call: its own, and those of its operands' and results' values.
  void FindCalls();
  [[nodiscard]] std::vector<size_t> PlacesOf(int32_t call) const;
  // Nothing: the draw has no two places with changes.
  [[nodiscard]] std::optional<Mutant> Pair(uint64_t draw);

  Tree tree_;
  Surroundings around_;
  std::vector<Place> places_;
  std::vector<size_t> first_place_;  // per table
  std::vector<int32_t> calls_;       // tables
  uint64_t singles_ = 0;
};

}  // namespace pteproof::fuzz::fields

#endif  // PTEPROOF_FUZZ_FIELDS_LISTING_H_
