// Where each recorded mistake shows, as its explanation tells it: the explanations are sentences,
// this is what a report is held against. Knows nothing of how reports are made.
#ifndef PTEPROOF_TESTS_SUPPORT_TOLD_PLACES_H_
#define PTEPROOF_TESTS_SUPPORT_TOLD_PLACES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/finding.h"

namespace pteproof {

struct ToldPlace {
  std::string_view method;
  int32_t instruction = -1;        // that does the damage; -1: the explanation names none
  uint32_t bank = 0;               // 0: the explanation names none
  std::optional<ByteRange> bytes;  // of that bank
};

// Every place that the explanation of a mistake names. Empty for a mistake that is not known.
[[nodiscard]] std::vector<ToldPlace> PlacesOf(std::string_view mistake);

// The parts of an explanation, one a loss.
[[nodiscard]] std::vector<std::string_view> PartsOf(std::string_view explanation);

// Whether that part has the place's method, instruction, bank and bytes in it.
[[nodiscard]] bool Tells(std::string_view part, const ToldPlace& place);

// Whether a finding stands there. What the place leaves out is not compared; what it has, the
// finding must have.
[[nodiscard]] bool IsAt(const Finding& finding, const ToldPlace& place);

// "push#3 bank 2 [0,32)".
[[nodiscard]] std::string TextOf(const ToldPlace& place);

}  // namespace pteproof

#endif  // PTEPROOF_TESTS_SUPPORT_TOLD_PLACES_H_
