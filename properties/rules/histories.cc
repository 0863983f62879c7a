// Idea: a loss between methods is a history: a call that writes, and a later one that reads, with
// no call between them that stores all of the buffer anew. At the start of a history all methods
// are in their first states: their initial values are there, and what one load puts over another's
// bytes is lost already. Unless all methods are loaded first, a method may be loaded by its first
// call instead.
//
//   write over the state:  .. writer .. reader
//   load over the state:   start .. reader,  or  .. first call of the loaded .. reader
//
// Invariant: only losses are left out that no history of the protocol shows.
#include "properties/rules/histories.h"

#include <algorithm>
#include <vector>

#include "properties/vocabulary.h"

namespace pteproof::checks {
namespace {

CallStep FirstCallOf(int32_t method) {
  return {method, {method}};
}

// A call that reads, after the method was loaded: at the start, or by its first call.
bool HasReadAfterLoad(const ProgramFacts& facts, int32_t loaded, const CallStep& read) {
  return facts.calls.Has({read}) ||
         (!facts.AllFirst() && facts.calls.Has({FirstCallOf(loaded), read}));
}

}  // namespace

bool StoreReaches(const ProgramFacts& facts, const StateKey& key, const StateInstance& writer,
                  const StateInstance& reader) {
  if (facts.calls.IsAny()) return true;
  return facts.calls.Has({{writer.method}, {reader.method, RenewersOf(key, reader.place)}});
}

bool LoadReaches(const ProgramFacts& facts, const StateKey& key, const StateInstance& loaded,
                 const StateInstance& reader) {
  if (facts.calls.IsAny()) return true;
  return HasReadAfterLoad(facts, loaded.method, {reader.method, RenewersOf(key, reader.place)});
}

bool CanClobber(const ProgramFacts& facts, const StateKey& key, const StateInstance& state,
                const ForeignWrite& write) {
  if (facts.calls.IsAny()) return true;
  const bool apart = facts.SharingOf(key) == Sharing::kApart;
  return std::ranges::any_of(key.instances, [&](const StateInstance& reader) {
    const bool loses = reader.reads && reader.method != write.method &&
                       reader.place.Meets(write.place) && (!apart || reader.method == state.method);
    if (!loses) return false;
    const CallStep read = {reader.method,
                           apart ? std::vector<int32_t>() : RenewersOf(key, reader.place)};
    if (write.load) return HasReadAfterLoad(facts, write.method, read);
    return facts.calls.Has({{write.method}, read});
  });
}

bool CanUndo(const ProgramFacts& facts, const StateKey& key, const StateInstance& writer,
             const StateInstance& late) {
  if (facts.calls.IsAny()) return true;
  const CallStep store = {writer.method, {late.method}};
  if (late.reads) return facts.calls.Has({store, {late.method}});
  return std::ranges::any_of(key.instances, [&](const StateInstance& reader) {
    return reader.reads && reader.place.Meets(late.place) &&
           facts.calls.Has({store, {late.method}, {reader.method, RenewersOf(key, reader.place)}});
  });
}

bool CanMixLoads(const ProgramFacts& facts, const StateKey& key, const StateInstance& one,
                 const StateInstance& other) {
  if (facts.calls.IsAny()) return true;
  const auto mixes = [&](const StateInstance& first, const StateInstance& second) {
    return std::ranges::any_of(key.instances, [&](const StateInstance& reader) {
      if (!reader.reads || !reader.place.Meets(second.place)) return false;
      const CallStep read = {reader.method, RenewersOf(key, reader.place)};
      if (facts.calls.Has({read})) return true;
      if (facts.AllFirst() || reader.method == second.method) return false;
      return facts.calls.Has({{first.method, {second.method}}, FirstCallOf(second.method), read});
    });
  };
  return mixes(one, other) || mixes(other, one);
}

}  // namespace pteproof::checks
