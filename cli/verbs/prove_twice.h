// A program proved twice, with a manifest that nobody vouches for and without it: the worse reading
// decides, as in cli/load/trust.h.
#ifndef PTEPROOF_CLI_VERBS_PROVE_TWICE_H_
#define PTEPROOF_CLI_VERBS_PROVE_TWICE_H_

#include <optional>

#include "cli/render/proof_report.h"
#include "pteproof/finding.h"

namespace pteproof {

// Makes `report`, proved as if its manifest were trusted, the report of both readings. `alone` is
// the proof of the file alone, nothing if the manifest says nothing that a proof reads; `asked` the
// loader that the command asks for. Of `alone` those obligations stay that are not proved and that
// the reading with the manifest does not leave unproved too.
void Distrust(std::optional<proofs::Proof> alone, std::optional<Policy> asked, ProofReport& report);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_PROVE_TWICE_H_
