// The checks that can be taken out of the reader, by name. Only for builds whose reader is compiled
// with PTEPROOF_SEEDED.
#ifndef PTEPROOF_FUZZ_SEEDED_BUGS_H_
#define PTEPROOF_FUZZ_SEEDED_BUGS_H_

#include <span>
#include <string_view>

#include "runtime/reader/seeded.h"

namespace pteproof::fuzz {

struct BugRow {
  reader::Bug bug = reader::Bug::kNone;
  std::string_view name;
  std::string_view unchecked;  // what the reader then takes as it is
};

// Each bug once, in the order of the enumeration.
[[nodiscard]] std::span<const BugRow> AllBugs();

// kNone: there is none of that name.
[[nodiscard]] reader::Bug BugNamed(std::string_view name);

// From now on, in place of the one before; kNone: the reader is sound.
void SeedBug(reader::Bug bug);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_SEEDED_BUGS_H_
