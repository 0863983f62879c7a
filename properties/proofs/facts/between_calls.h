// Whether a loss between two methods can come about in a history of calls that the manifest's
// protocol admits. Without one it can.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_BETWEEN_CALLS_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_BETWEEN_CALLS_H_

#include <cstdint>

#include "properties/proofs/facts/program_facts.h"

namespace pteproof::proofs {

// What is written over a buffer: by a call of the method, or by its load.
struct Overwriting {
  int32_t method = 0;
  Extent place;
  bool load = false;
};

// A method reads the value that a call of `method` left in the buffer.
[[nodiscard]] bool FindsStored(const ProgramFacts& facts, const SharedBuffer& buffer,
                               int32_t method, const BufferUse& reader);

// A method reads the bytes that the load of another one put there.
[[nodiscard]] bool FindsLoaded(const ProgramFacts& facts, const SharedBuffer& buffer,
                               const BufferUse& loaded, const BufferUse& reader);

// A method reads the buffer after it was overwritten. `one`: false if each method has its own.
[[nodiscard]] bool FindsOverwritten(const ProgramFacts& facts, const SharedBuffer& buffer,
                                    const BufferUse& use, const Overwriting& by, bool one);

// A method reads the buffer after a first call of `late` has loaded it over what `writer` stored.
[[nodiscard]] bool FindsReloaded(const ProgramFacts& facts, const SharedBuffer& buffer,
                                 const BufferUse& writer, const BufferUse& late);

// A method reads the one's initial value after the other's was loaded over it, or the reverse.
[[nodiscard]] bool FindsOthersLoad(const ProgramFacts& facts, const SharedBuffer& buffer,
                                   const BufferUse& a, const BufferUse& b);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_BETWEEN_CALLS_H_
