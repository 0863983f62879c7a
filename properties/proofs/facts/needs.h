// The spans in which names are wanted: from each use upwards, over all paths, to the making of the
// name, and from there on to the names that it was taken from. A write over a wanted name destroys
// it.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_NEEDS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_NEEDS_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "properties/proofs/facts/listing.h"
#include "properties/proofs/facts/paths.h"

namespace pteproof::proofs {

// A name: a value index, or the value count plus a buffer's index: the buffer's value at the
// method's end, which the next call wants.
using Name = int32_t;

// The moment at which a name gets its content.
struct Making {
  Moment at;
  int32_t take = -1;  // index in Names::takes; -1: an instruction writes it

  auto operator<=>(const Making&) const = default;
};
using Makings = std::vector<std::vector<Making>>;  // per name, as they happen

// A name is wanted within one run from its making, or the run's begin, up to its last use there.
struct Need {
  Name name = 0;
  int32_t run = 0;
  Moment from;
  Moment until;
  bool made_here = false;    // `from` is its making
  bool made_before = false;  // on some path to the run's begin, something wrote or took it
  int32_t reader = 0;        // who wants it last: an instruction; the count: an output; one more:
                             // the next call

  // Whether bytes that are written at a moment may be those of the name.
  [[nodiscard]] bool Holds(Moment at) const { return from <= at && at < until; }
};

struct Use {
  Name name = 0;
  Moment at;
  int32_t reader = 0;
};

struct Needs {
  std::vector<Need> spans;                         // by run, then `from`
  std::vector<std::pair<Name, int32_t>> at_entry;  // names wanted there, with who wants them first
  bool complete = true;                            // false: more spans than kMostSpans
};

inline constexpr size_t kMostSpans = 4'000'000;

// `uses`: reads of instructions; `ends`: names that are wanted wherever the method ends; `touches`:
// per name the instructions that write or take it, in whole or in part. O(spans log spans).
[[nodiscard]] Needs NeedsOf(const Paths& paths, std::span<const Take> takes, const Makings& makings,
                            std::span<const Use> uses, std::span<const Use> ends,
                            const std::vector<std::vector<int32_t>>& touches);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_NEEDS_H_
