// Whether the calls can come in an order that shows a loss between methods. Without a protocol they
// can.
#ifndef PTEPROOF_PROPERTIES_RULES_HISTORIES_H_
#define PTEPROOF_PROPERTIES_RULES_HISTORIES_H_

#include "properties/rules/foreign_writes.h"
#include "properties/rules/shared_state.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

// A call of the writer, and later one that reads its value.
[[nodiscard]] bool StoreReaches(const ProgramFacts& facts, const StateKey& key,
                                const StateInstance& writer, const StateInstance& reader);

// The load of one method, and later a call of another that reads the bytes that were loaded.
[[nodiscard]] bool LoadReaches(const ProgramFacts& facts, const StateKey& key,
                               const StateInstance& loaded, const StateInstance& reader);

// A foreign write over the state, and later a call that reads it.
[[nodiscard]] bool CanClobber(const ProgramFacts& facts, const StateKey& key,
                              const StateInstance& state, const ForeignWrite& write);

// A call of the writer, then the first one of a method whose load undoes the store, and a call that
// reads the buffer.
[[nodiscard]] bool CanUndo(const ProgramFacts& facts, const StateKey& key,
                           const StateInstance& writer, const StateInstance& late);

// Two loads of one buffer, and a call that finds the bytes of the other one's.
[[nodiscard]] bool CanMixLoads(const ProgramFacts& facts, const StateKey& key,
                               const StateInstance& one, const StateInstance& other);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_HISTORIES_H_
