// The spans in which names are wanted: from each use upwards, over all paths, to the making of the
// name, and from there on to the names that it was taken from. A write over a wanted name destroys
// it.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_NEEDS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_NEEDS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "properties/proofs/facts/vocabulary.h"

namespace pteproof::proofs {

// A name (meaning/method_flow.h) is wanted within one block from its making, or the block's begin,
// up to its last use there.
struct Need {
  int32_t name = 0;
  int32_t block = 0;
  Point from;
  Point until;
  bool made_here = false;    // `from` is its making
  bool made_before = false;  // on some path to the block's begin, something wrote or took it
  int32_t reader = 0;        // who wants it last (as in LiveName)

  // Whether bytes that are written at a point may be those of the name.
  [[nodiscard]] bool Holds(Point at) const { return from <= at && at < until; }
};

struct Needs {
  std::vector<Need> spans;  // by block, then `from`
  bool complete = true;     // false: more spans than kMostSpans
};

inline constexpr size_t kMostSpans = 4'000'000;

// Of the uses by instructions that `counts` is true of, and of what is wanted at the end. O(spans
// log spans).
[[nodiscard]] Needs NeedsOf(const MethodFlow& flow, const std::function<bool(int32_t)>& counts);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_NEEDS_H_
