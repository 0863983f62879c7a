// A generated Module as it is kept in a corpus: the bytes that drove the generator, and the Module
// that came of them, so that an entry stays what it is when the generator changes.
#ifndef PTEPROOF_FUZZ_ENVELOPE_H_
#define PTEPROOF_FUZZ_ENVELOPE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::fuzz {

// On disk: a line "pteproof-envelope N", N bytes of choices, and the Module's text.
struct Envelope {
  Bytes choices;            // in the input
  std::string_view module;  // in the input
};

// Nothing: the input is no envelope.
[[nodiscard]] std::optional<Envelope> OpenEnvelope(Bytes input);

[[nodiscard]] std::vector<std::byte> SealEnvelope(const Envelope& envelope);

}  // namespace pteproof::fuzz

#endif  // PTEPROOF_FUZZ_ENVELOPE_H_
