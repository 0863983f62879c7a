// The first case in which a planted defect is seen, made small.
#ifndef PTEPROOF_TESTS_PLANTED_HUNT_H_
#define PTEPROOF_TESTS_PLANTED_HUNT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/planted/judge.h"

namespace pteproof {

struct Find {
  uint64_t cases = 0;       // up to the one in which it was seen, it included
  Checkers checkers = {};   // that saw it there, of kQuickCheckers
  size_t nodes = 0;         // of the shrunk Module: all methods, regions included
  size_t calls = 0;         // of the shrunk case
  std::string explanation;  // the shrunk case, for people
  // The small case, and how it was planned and called.
  generators::RandomCase small = {};
  uint64_t seed = 0;
  uint64_t draw = 0;  // of the damage in the small case
};

// Cases from a seed on, by the quick checkers. Nothing: none of `most` shows it.
[[nodiscard]] std::optional<Find> Hunt(const DefectRow& defect, uint64_t seed, uint64_t most);

// What matters in a find, and the Module with comments: a failure stays where the same checkers see
// it.
[[nodiscard]] std::string ExplainedText(const DefectRow& defect, const Find& find);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_PLANTED_HUNT_H_
