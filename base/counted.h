// A number with its noun.
#ifndef PTEPROOF_BASE_COUNTED_H_
#define PTEPROOF_BASE_COUNTED_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace pteproof {

// "1 input", "3 inputs".
[[nodiscard]] inline std::string Counted(uint64_t count, std::string_view noun) {
  std::string words = std::to_string(count) + " ";
  words += noun;
  if (count != 1) words += 's';
  return words;
}

}  // namespace pteproof

#endif  // PTEPROOF_BASE_COUNTED_H_
