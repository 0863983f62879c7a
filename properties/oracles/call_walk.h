// A walk through the histories that a manifest's protocol admits, call by call, for runs that draw
// their calls. Derived for runs alone: no other checker shares it.
#ifndef PTEPROOF_PROPERTIES_ORACLES_CALL_WALK_H_
#define PTEPROOF_PROPERTIES_ORACLES_CALL_WALK_H_

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "pteproof/manifest.h"
#include "pteproof/program.h"

namespace pteproof {

class CallWalk {
 public:
  // At the start of a history. Without a protocol every method may come next. `manifest` may be
  // null; both must outlive it.
  CallWalk(const Program& program, const Manifest* manifest);

  // The methods that may be called next, by index, ascending; none: each word is at its end.
  [[nodiscard]] std::vector<int32_t> Next() const;
  // Goes on by a call of one of them.
  void Call(int32_t method);

 private:
  // A part of a word that is still to come; of a repetition, whether it has begun.
  using ToCome = std::pair<const CallPattern*, bool>;
  using Rest = std::vector<ToCome>;  // the next part last

  template <class Use>
  void Expand(const Use& use) const;

  const Program& program_;
  const Manifest* manifest_;
  std::set<Rest> rests_;  // of all words that begin with the calls so far
};

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_CALL_WALK_H_
