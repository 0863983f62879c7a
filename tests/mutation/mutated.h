// Which mutant of a source the process runs: scripts/mutation compiles all of them in, each beside
// the code as it is, and chooses one by the environment. Not a part of any build but its own.
#ifndef PTEPROOF_TESTS_MUTATION_MUTATED_H_
#define PTEPROOF_TESTS_MUTATION_MUTATED_H_

#include <array>
#include <cstddef>
#include <cstdlib>

namespace pteproof {
namespace mutation {

inline constexpr std::size_t kMost = 16384;

inline int FromEnvironment() {
  const char* const number = std::getenv("PTEPROOF_MUTANT");
  return number == nullptr ? -1 : std::atoi(number);
}

inline const int chosen = FromEnvironment();
inline const bool recording = std::getenv("PTEPROOF_MUTANTS_REACHED") != nullptr;
inline std::array<bool, kMost> reached = {};

}  // namespace mutation

// Whether to run mutant `number` instead of the code as it is.
inline bool Mutated(int number) {
  if (mutation::recording) [[unlikely]]
    mutation::reached[static_cast<std::size_t>(number)] = true;
  return number == mutation::chosen;
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_MUTATION_MUTATED_H_
