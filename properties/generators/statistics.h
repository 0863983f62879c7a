// The contents of a run of random cases: the share of cases with each feature, and sizes. A
// campaign that no longer draws a feature finds nothing there, and nothing else shows that.
#ifndef PTEPROOF_PROPERTIES_GENERATORS_STATISTICS_H_
#define PTEPROOF_PROPERTIES_GENERATORS_STATISTICS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "properties/generators/build_module.h"

namespace pteproof::generators {

// Traits of a case; names in statistics.cc.
enum class Trait : uint8_t {
  kSharedBuffer,
  kReaderOnly,  // a method that uses a shared buffer and stores to none
  kRegion,
  kNestedRegion,
  kSiblingRegions,
  kInPlaceViewOrMove,  // a mutating node, a view, a region's value that is moved out
  kViewOfState,
  kPermutedStore,  // a store of another buffer's entry value
  kSelfUpdate,     // a store of something made of the buffer's own entry value
  kAliasedOutput,  // an output that is an input or a buffer's entry value, or comes twice
  kManyReaders,    // one value with three readers or more
  kSameOperandTwice,
  kNoElements,
  kOneElement,
  kEqualInitials,  // two buffers with equal initial bytes
  kNameClash,
  kRangedDim,
  kDelegate,
  kUnknownOperator,
  kMixedTypes,
  kInPlaceNode,     // a functional operator in place of an operand
  kAfterEdge,       // a node after others whose results it does not use
  kPool,            // a wish for a bank
  kDelegateBuffer,  // a delegate that has a buffer
  kStoreOnly,       // a method that stores to a buffer that it does not read
  kInputStore,      // a store to an input
  kIndexPut,
  kPartUpdate,      // an update of a row, of elements that a mask names, of a cache
  kDeviceDelegate,  // a delegate on a device
};
inline constexpr int kTraitCount = 29;

struct Statistics {
  uint64_t cases = 0;
  uint64_t invalid = 0;             // cases that are not well-formed Modules
  uint64_t with[kTraitCount] = {};  // by Trait
  std::vector<uint64_t> nodes;      // histogram: cases by number of nodes, regions included
  std::vector<uint64_t> methods;    // histogram
  std::vector<uint64_t> calls;      // histogram

  void Add(const RandomCase& c, bool valid);
  // Middle value of a histogram.
  [[nodiscard]] static uint64_t Median(const std::vector<uint64_t>& histogram);
};

// One line per trait and size.
[[nodiscard]] std::string TableOf(const Statistics& statistics);
// {"trait":"region","share":0.28} per line, then the medians.
[[nodiscard]] std::string JsonLinesOf(const Statistics& statistics);

// Why the run's distribution is not the default one; empty: it is. Needs 1,000 cases to speak.
[[nodiscard]] std::vector<std::string> HealthProblems(const Statistics& statistics);

}  // namespace pteproof::generators

#endif  // PTEPROOF_PROPERTIES_GENERATORS_STATISTICS_H_
