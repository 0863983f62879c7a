// What is proved of: a program with its meaning, and when the names of its methods are wanted.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_PROGRAM_FACTS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_PROGRAM_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/proofs/facts/needs.h"
#include "properties/proofs/facts/vocabulary.h"
#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof::proofs {

struct ProgramFacts {
  const Program* program = nullptr;
  meaning::ProgramMeaning meant;
  bool all_first = false;       // all methods are loaded before the first call
  std::vector<Needs> needs;     // per method
  std::vector<Needs> observed;  // per method: only uses of which something can be seen

  [[nodiscard]] const Method& MethodAt(int32_t m) const {
    return program->methods[static_cast<size_t>(m)];
  }
  [[nodiscard]] const MethodMeaning& MeaningAt(int32_t m) const {
    return meant.methods[static_cast<size_t>(m)];
  }
  // Whether the results of an instruction can be observed. A store to a buffer that no method
  // reads, this one included, is never observed.
  [[nodiscard]] bool IsObserved(int32_t method, int32_t instruction) const {
    return meaning::IsObserved(MeaningAt(method), meant.states, static_cast<size_t>(method),
                               instruction);
  }
  // The loaders under which a later call reads the value that a method leaves in a state.
  [[nodiscard]] PolicySet PoliciesWanting(int32_t method, int32_t state) const {
    return meaning::PoliciesWanting(MeaningAt(method), meant.states, static_cast<size_t>(method),
                                    state);
  }
  // Whether the method is ever loaded.
  [[nodiscard]] bool IsLoaded(int32_t m) const { return all_first || meant.calls.IsCalled(m); }
};

// `manifest` may be null; `other`: the questions that the file leaves open and that are answered
// the other way.
[[nodiscard]] ProgramFacts FactsOf(const Program& program, const Manifest* manifest, bool all_first,
                                   const Reading& other = {});

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_PROGRAM_FACTS_H_
