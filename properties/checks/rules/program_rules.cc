#include "properties/checks/rules/program_rules.h"

#include <algorithm>
#include <iterator>

#include "properties/checks/rules/manifest_rules.h"
#include "properties/checks/rules/numbered_buffers.h"
#include "properties/checks/rules/one_tensor.h"
#include "properties/checks/rules/trained_parameters.h"
#include "properties/checks/rules/write_back.h"

namespace pteproof::checks {

std::vector<Finding> CheckProgram(const ProgramFacts& facts) {
  // One method that keeps nothing has nobody to agree with.
  const bool alone = facts.methods.size() < 2 && facts.states.keys.empty();
  if (alone && facts.options.manifest == nullptr) return {};
  std::vector<Finding> all;
  const auto append = [&](std::vector<Finding> some) {
    std::ranges::move(some, std::back_inserter(all));
  };
  append(CheckStateLayout(facts));
  append(CheckNumbers(facts));
  append(CheckForeignWrites(facts));
  append(CheckOwnLoads(facts));
  append(CheckInitialisedTwice(facts));
  append(CheckUnlikeInitials(facts));
  append(CheckWriteBack(facts));
  append(CheckTrainedParameters(facts));
  if (facts.options.manifest != nullptr) append(CheckManifest(facts));
  NameOneTensor(facts, all);
  return all;
}

}  // namespace pteproof::checks
