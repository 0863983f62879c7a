// How deep and how long the parts of a Module may be. They keep the text form's recursion and
// memory bounded, and a Module that keeps them has a text.
#ifndef PTEPROOF_REFERENCE_GRAPH_LIMITS_H_
#define PTEPROOF_REFERENCE_GRAPH_LIMITS_H_

#include <cstddef>

namespace pteproof::graph {

inline constexpr int kDeepestRegion = 32;          // regions inside a method's body
inline constexpr int kDeepestList = 8;             // lists inside lists of operands
inline constexpr int kDeepestSize = 16;            // min(..), floordiv(..) inside each other
inline constexpr int kMostDims = 64;               // of one method
inline constexpr int kLongestSize = 256;           // names and numbers of one size, multiplied out
inline constexpr size_t kLongestText = 1U << 30U;  // bytes; lines and columns fit an int

}  // namespace pteproof::graph

#endif  // PTEPROOF_REFERENCE_GRAPH_LIMITS_H_
