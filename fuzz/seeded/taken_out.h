// Which check of a source the process runs without: scripts/fuzz-seeded puts a question beside each
// of them, and chooses one by the environment, or two: one that stands behind another shows only
// where both are out. Not a part of any build but its own.
#ifndef PTEPROOF_FUZZ_SEEDED_TAKEN_OUT_H_
#define PTEPROOF_FUZZ_SEEDED_TAKEN_OUT_H_

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace pteproof {
namespace seeded {

inline constexpr std::size_t kMost = 16384;

// The numbers that the environment gives, "12" or "12,7".
inline std::array<int, 2> FromEnvironment() {
  std::array<int, 2> numbers = {-1, -1};
  const char* const given = std::getenv("PTEPROOF_TAKEN_OUT");
  if (given != nullptr) (void)std::sscanf(given, "%d,%d", &numbers[0], &numbers[1]);
  return numbers;
}

inline const std::array<int, 2> chosen = FromEnvironment();
inline const char* const refusing = std::getenv("PTEPROOF_REFUSING");
inline std::array<bool, kMost> noted = {};

// Writes the numbers of the checks that refuse something to a file, each once, a line each.
inline void Note(int number) {
  bool& known = noted[static_cast<std::size_t>(number)];
  if (known) return;
  known = true;
  std::FILE* const file = std::fopen(refusing, "a");
  if (file == nullptr) return;
  std::fprintf(file, "%d\n", number);
  std::fclose(file);
}

inline bool IsOut(int number) {
  if (refusing != nullptr) [[unlikely]]
    Note(number);
  return number == chosen[0] || number == chosen[1];
}

}  // namespace seeded

// Whether check `number` is out. Asked only where it would refuse.
constexpr bool TakenOut(int number) {
  return !std::is_constant_evaluated() && seeded::IsOut(number);
}

}  // namespace pteproof

#endif  // PTEPROOF_FUZZ_SEEDED_TAKEN_OUT_H_
