// Refuted obligations of one cause, told once: what one method does to the buffers of another is
// one obligation for each buffer and write.
#ifndef PTEPROOF_CLI_RENDER_PROOF_CAUSES_H_
#define PTEPROOF_CLI_RENDER_PROOF_CAUSES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/proofs/prove.h"

namespace pteproof {

struct ProofCause {
  std::vector<size_t> obligations;  // of one cause: indices, ascending; at least one
  size_t worst = 0;                 // of these, the one with the most common bytes
  int64_t worst_bytes = 0;
};

// `told`: the obligations to tell, ascending. Each is in one cause; the causes are in the order of
// their first ones.
[[nodiscard]] std::vector<ProofCause> CausesOf(const proofs::Proof& proof,
                                               const std::vector<size_t>& told);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_PROOF_CAUSES_H_
