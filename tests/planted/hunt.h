// What it takes to find a planted defect: the random campaign, until a case fails.
#ifndef PTEPROOF_TESTS_PLANTED_HUNT_H_
#define PTEPROOF_TESTS_PLANTED_HUNT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/planted/defects.h"

namespace pteproof {

struct Find {
  uint64_t cases = 0;  // up to the one that failed, it included
  std::string way;     // what saw it there
  size_t nodes = 0;    // of the shrunk Module: all methods, regions included
  size_t calls = 0;    // of the shrunk case
  std::string story;   // all of it, for people
};

// What a fault's text says of who saw it: "check plan-overlap", "manifest write-back-missing",
// "planned run", "storage per value", "file", "refusal".
[[nodiscard]] std::string WayOf(std::string_view fault);

// Plants the defect, and takes it out again. Nothing: no case of `most` failed, from seed 0 on.
[[nodiscard]] std::optional<Find> Hunt(planner::Defect defect, uint64_t most);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_HUNT_H_
