// The reads, writes and names of each instruction of a method: from the operator table, or from the
// standing assumptions for unknown operators. Derived for the proofs alone: no other checker shares
// it.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_LISTING_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_LISTING_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "properties/proofs/facts/moment.h"
#include "properties/readings.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"
#include "reference/op_schema.h"

namespace pteproof::proofs {

struct ReadEvent {
  int32_t instruction = 0;
  int32_t value = 0;
  bool elementwise = false;  // element i only to write element i of the result
};

struct WriteEvent {
  int32_t instruction = 0;
  int32_t value = 0;
  Access access = Access::kWrite;  // kWrite, kUpdate (then it is read too) or kFill
  bool result = true;              // of an operator that returns a new value; false: a store

  // All of it is new.
  [[nodiscard]] bool replaces() const { return access == Access::kWrite; }
};

// From then on `to` names the content of `from`.
struct Take {
  Moment at;
  int32_t to = 0;
  std::vector<int32_t> from;  // more than one: the parts of a concatenation
  bool handle = false;        // `to` lies where its source lies, whatever its own placement says
};

// A question of the file's that concerns a value, where the value is a buffer, or always.
struct OpenQuestion {
  Doubt doubt;
  int32_t buffer = -1;  // -1: whatever the value is
};

// Events in the order of the listing; tensors only.
struct Listing {
  std::vector<ReadEvent> reads;
  std::vector<WriteEvent> writes;
  std::vector<Take> takes;
  std::vector<int32_t> elsewhere;   // results that the kernel leaves to their place: it is wrong
  std::vector<int32_t> varying;     // likewise, and the sizes vary: the place tells nothing
  std::vector<int32_t> left_alone;  // results that the kernel does not write: they hold anything
  std::vector<bool> number_set;     // per value: an instruction replaces this number
  bool moves_list = false;          // of tensors: which ones a list holds then is not followed
  std::vector<OpenQuestion> open;   // what it took one way and may be meant the other
  bool has_unknown_operator = false;
  bool has_guessed_delegate = false;

  // Whether numbers have a say in what some call reads and writes.
  [[nodiscard]] bool LeavesOpen() const { return has_unknown_operator || has_guessed_delegate; }

  [[nodiscard]] std::span<const ReadEvent> ReadsAt(int32_t i) const { return At(reads, i); }
  [[nodiscard]] std::span<const WriteEvent> WritesAt(int32_t i) const { return At(writes, i); }

 private:
  template <class Event>
  static std::span<const Event> At(const std::vector<Event>& events, int32_t i) {
    return std::ranges::equal_range(events, i, {}, &Event::instruction);
  }
};

// O(arguments log arguments). `stated`, which may be null, tells how many arguments each delegate
// call writes; `other`, which questions are answered the other way; `by_number`, whether the
// values' numbers say when they were made.
[[nodiscard]] Listing ListingOf(const Method& method, const ManifestMethod* stated,
                                const Reading& other = {}, bool by_number = true);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_LISTING_H_
