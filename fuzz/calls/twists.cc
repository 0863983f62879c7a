#include "fuzz/calls/twists.h"

namespace pteproof::fuzz {

bool Twist(Draft& draft, Bytes record) {
  if (draft.steps.empty()) return false;
  Choices choices(record);
  // Memory is what most mistakes are about.
  constexpr size_t kFamilies = 8;
  constexpr size_t kRare = 224;
  const size_t choice = choices.Below(256);
  if (choice >= kRare) return choices.Of(RareTwists()).make(draft, choices);
  const size_t family = choice % kFamilies;
  const auto rows = family < 3   ? MemoryTwists()
                    : family < 4 ? FormTwists()
                    : family < 6 ? StepTwists()
                                 : NumberTwists();
  return choices.Of(rows).make(draft, choices);
}

}  // namespace pteproof::fuzz
