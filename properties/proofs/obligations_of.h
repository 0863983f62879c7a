// All obligations of a program, from the instructions and placements of its file and from a
// manifest.
#ifndef PTEPROOF_PROPERTIES_PROOFS_OBLIGATIONS_OF_H_
#define PTEPROOF_PROPERTIES_PROOFS_OBLIGATIONS_OF_H_

#include "properties/proofs/sizes/value_sizes.h"
#include "properties/proofs/terms/obligation.h"
#include "properties/readings.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

enum class Order : uint8_t {
  kFile,    // instructions run in the order of the listing
  kAny,     // within a run, in any order that respects the flow of data
  kStrict,  // likewise, and nothing is computed in the bytes of an operand with another reader
};

struct ObligeOptions {
  const Manifest* manifest = nullptr;  // null: none
  bool all_first = false;              // all methods are loaded before the first call
  Order order = Order::kFile;
  // Planners may pack values tighter than their elements are aligned: one that starts where another
  // ends is let pass.
  bool packed = true;
  Reading other = {};                 // what the file leaves open and is answered the other way
  const ValueSizes* sizes = nullptr;  // of the Module that the program was planned from; null: none
  // Pairs that numbers alone show to lie apart are counted (Obligations::held) and not listed. A
  // program has as many as writes times live names.
  bool counts_held = false;
};

// O(n log n + pairs of a write and a name that is wanted then) for straight-line code; with
// `counts_held` in memory that grows with the program, and not with the pairs.
[[nodiscard]] Obligations ObligationsOf(const Program& program, const ObligeOptions& options);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_OBLIGATIONS_OF_H_
