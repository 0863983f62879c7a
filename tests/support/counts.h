// How many random cases a test tries: few in the quick suite, which must end in minutes, and many
// in the campaigns of `scripts/test --full`, which run the tests again whose files include this
// (tests/CMakeLists.txt). PTEPROOF_RANDOM_CASES chooses: "many", or a number.
#ifndef PTEPROOF_TESTS_SUPPORT_COUNTS_H_
#define PTEPROOF_TESTS_SUPPORT_COUNTS_H_

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace pteproof {

[[nodiscard]] inline std::string_view AskedCases() {
  const char* const asked = std::getenv("PTEPROOF_RANDOM_CASES");
  return asked == nullptr ? std::string_view() : std::string_view(asked);
}

// Whether to do what takes long: more of the same kind, larger, or in all folders.
[[nodiscard]] inline bool IsCampaign() {
  return !AskedCases().empty();
}

// The number, unless another one is asked for.
[[nodiscard]] inline uint64_t Cases(uint64_t few, uint64_t many) {
  if (!IsCampaign()) return few;
  const uint64_t asked = std::strtoull(AskedCases().data(), nullptr, 10);
  return asked == 0 ? many : asked;
}

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_COUNTS_H_
