#include "properties/rules/program_rules.h"

#include <algorithm>
#include <iterator>

#include "base/without.h"
#include "properties/rules/concurrent_access.h"
#include "properties/rules/delegate_calls.h"
#include "properties/rules/kept_buffers.h"
#include "properties/rules/manifest_rules.h"
#include "properties/rules/method_rules.h"
#include "properties/rules/numbered_buffers.h"
#include "properties/rules/one_tensor.h"
#include "properties/rules/refused_calls.h"
#include "properties/rules/rigid_arguments.h"
#include "properties/rules/trained_parameters.h"
#include "properties/rules/write_back.h"

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
  append(CheckConcurrentAccess(facts));
  append(CheckOwnLoads(facts));
  append(CheckInitialisedTwice(facts));
  append(CheckUnlikeInitials(facts));
  append(CheckWriteBack(facts));
  append(CheckTrainedParameters(facts));
  if (facts.options.manifest != nullptr) append(CheckManifest(facts));
  NameOneTensor(facts, all);
  return all;
}

std::vector<Finding> CheckRules(const ProgramFacts& facts) {
  std::vector<Finding> all;
  const auto append = [&](std::vector<Finding> some) {
    std::ranges::move(some, std::back_inserter(all));
  };
  JudgedBlobs judged;
  for (size_t m = 0; m < facts.methods.size(); ++m) {
    if (!facts.IsLoaded(static_cast<int32_t>(m))) continue;
    append(CheckMethod(facts.methods[m], facts.states, m));
    append(CheckDelegateCalls(facts.methods[m], judged));
    append(CheckRigidArguments(facts.methods[m]));
    append(CheckRefusedCalls(facts.program, facts.methods[m].flow()));
  }
  append(CheckKeptBuffers(facts));
  append(CheckProgram(facts));
  std::erase_if(all, [](const Finding& f) { return Without(kRule, f.rule); });
  return all;
}

}  // namespace pteproof::checks
