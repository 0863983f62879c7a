#include "meaning/program_meaning.h"

#include <set>
#include <utility>

#include "meaning/exporter_order.h"
#include "meaning/state_matching.h"

namespace pteproof::meaning {

ProgramMeaning MeaningOf(const Program& program, const Manifest* manifest, const Reading& reading) {
  ProgramMeaning meaning;
  meaning.calls = CallOrderOf(program, manifest);
  meaning.methods.reserve(program.methods.size());
  const double numberings = NumberingsOf(program);
  for (const Method& method : program.methods) {
    meaning.methods.push_back(MeaningOf(method, manifest, &reading, numberings));
  }
  if (manifest != nullptr) MatchStates(meaning.methods);
  meaning.states = StateTableOf(meaning.methods, meaning.calls);
  return meaning;
}

std::vector<Doubt> DoubtsOf(const ProgramMeaning& meaning) {
  std::set<Doubt> doubts;
  for (const MethodMeaning& method : meaning.methods) {
    for (Doubt& doubt : DoubtsOf(method)) doubts.insert(std::move(doubt));
  }
  return {doubts.begin(), doubts.end()};
}

}  // namespace pteproof::meaning
