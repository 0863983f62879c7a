// Which generated change of a source the process runs: each stands beside the code as it is, and
// the environment chooses one, or two: a check that stands behind another shows only where both are
// out. scripts/mutation and scripts/fuzz-seeded generate them. Not a part of any build but theirs.
#ifndef PTEPROOF_TESTS_MUTATION_MUTATED_H_
#define PTEPROOF_TESTS_MUTATION_MUTATED_H_

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace pteproof {
namespace mutation {

inline constexpr std::size_t kMost = 16384;

// The numbers that the environment gives, "12" or "12,7".
inline std::array<int, 2> FromEnvironment() {
  std::array<int, 2> numbers = {-1, -1};
  const char* const given = std::getenv("PTEPROOF_MUTANT");
  if (given != nullptr) (void)std::sscanf(given, "%d,%d", &numbers[0], &numbers[1]);
  return numbers;
}

inline const std::array<int, 2> chosen = FromEnvironment();
inline const char* const noting = std::getenv("PTEPROOF_MUTANTS_NOTED");
inline const bool recording =
    noting != nullptr || std::getenv("PTEPROOF_MUTANTS_REACHED") != nullptr;
inline std::array<bool, kMost> reached = {};

// To the file of those that are noted, each once, a line each: the process may end at any moment.
inline void Reach(int number) {
  bool& known = reached[static_cast<std::size_t>(number)];
  if (known) return;
  known = true;
  std::FILE* const file = noting == nullptr ? nullptr : std::fopen(noting, "a");
  if (file == nullptr) return;
  std::fprintf(file, "%d\n", number);
  std::fclose(file);
}

inline bool IsChosen(int number) {
  if (recording) [[unlikely]]
    Reach(number);
  return number == chosen[0] || number == chosen[1];
}

}  // namespace mutation

// Whether to run mutant `number` instead of the code as it is.
constexpr bool Mutated(int number) {
  return !std::is_constant_evaluated() && mutation::IsChosen(number);
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_MUTATION_MUTATED_H_
