// Puts something else in the place of one part of a case.
#ifndef PTEPROOF_PROPERTIES_EXPLAIN_VARY_H_
#define PTEPROOF_PROPERTIES_EXPLAIN_VARY_H_

#include <cstdint>
#include <random>

#include "properties/explain/parts.h"
#include "properties/generators/build_module.h"

namespace pteproof::explain {

enum class Change : uint8_t {
  kNone,      // nothing else fits there
  kContents,  // of a buffer or an input
  kNumbers,   // that a node is given
  kOperator,  // of a node; its numbers too, perhaps
};

// Replaces a node's operator by one of the same signature and its numbers by others, such that the
// Module is well-formed and no result's type changes; or contents by other contents of that type.
// Equal generators make equal changes. O(operators + nodes), some tries.
[[nodiscard]] Change Vary(generators::RandomCase& c, const Part& part, std::mt19937_64& random);

// Gives `to` this part of `from`, which is the same case but for parts that were varied.
void Transplant(const generators::RandomCase& from, const Part& part, generators::RandomCase& to);

}  // namespace pteproof::explain

#endif  // PTEPROOF_PROPERTIES_EXPLAIN_VARY_H_
