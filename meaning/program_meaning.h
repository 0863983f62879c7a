// What a program means: its methods, the calls that may come after each other, and the buffers that
// are one in several methods.
#ifndef PTEPROOF_MEANING_PROGRAM_MEANING_H_
#define PTEPROOF_MEANING_PROGRAM_MEANING_H_

#include <vector>

#include "meaning/call_order.h"
#include "meaning/method_meaning.h"
#include "meaning/state_table.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

struct ProgramMeaning {
  CallOrder calls;
  std::vector<MethodMeaning> methods;
  StateTable states;
};

// Both, and the reading's doubts, must outlive it. `manifest` may be null.
[[nodiscard]] ProgramMeaning MeaningOf(const Program& program, const Manifest* manifest,
                                       const Reading& reading = {});

// What the file leaves open, each question once.
[[nodiscard]] std::vector<Doubt> DoubtsOf(const ProgramMeaning& meaning);

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_PROGRAM_MEANING_H_
