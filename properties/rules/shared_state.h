// Do the methods agree on the state they share? Layout, splits, clobbers across methods, double
// initialisation: everything that depends on the loader's policy.
#ifndef PTEPROOF_PROPERTIES_RULES_SHARED_STATE_H_
#define PTEPROOF_PROPERTIES_RULES_SHARED_STATE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/check.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// The manifest's word on a buffer that several methods have: one for all, or one for each.
enum class Sharing : uint8_t { kUnknown, kOne, kApart };

// Everything that the rules over methods look at.
struct ProgramFacts {
  const Program& program;
  std::span<const MethodMeaning> methods;
  const StateTable& states;
  const CallOrder& calls;
  const CheckOptions& options;

  [[nodiscard]] const Method& MethodAt(int32_t m) const {
    return program.methods[static_cast<size_t>(m)];
  }
  // Whether all methods are loaded before the first call.
  [[nodiscard]] bool AllFirst() const {
    return options.all_first || options.use == Use::kConcurrent ||
           (options.manifest != nullptr && options.manifest->all_first.value_or(false));
  }
  // Whether the method is ever loaded.
  [[nodiscard]] bool IsLoaded(int32_t m) const { return AllFirst() || calls.IsCalled(m); }
  // The manifest's entry for a buffer, or null.
  [[nodiscard]] const ManifestBuffer* Stated(std::string_view name) const;
  // Without a name: the word on all buffers that the key may be.
  [[nodiscard]] Sharing SharingOf(const StateKey& key) const;
};

// shared-layout and state-split: one key in two places, or in banks that the policy keeps private.
[[nodiscard]] std::vector<Finding> CheckStateLayout(const ProgramFacts& facts);

// state-clobbered and output-invalidated: a shared bank's state, or an output, under another
// method's writes.
[[nodiscard]] std::vector<Finding> CheckForeignWrites(const ProgramFacts& facts);

// initialised-twice: a method that is loaded late copies the initial value over a value that
// another method stored.
[[nodiscard]] std::vector<Finding> CheckInitialisedTwice(const ProgramFacts& facts);

// state-clobbered: a method's own load puts one buffer's initial value over another buffer.
[[nodiscard]] std::vector<Finding> CheckOwnLoads(const ProgramFacts& facts);

// initialised-twice: methods that share a buffer load it with different bytes.
[[nodiscard]] std::vector<Finding> CheckUnlikeInitials(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_SHARED_STATE_H_
