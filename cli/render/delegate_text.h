// The inside of delegates, as far as their blobs are readable, for `inspect`.
#ifndef PTEPROOF_CLI_RENDER_DELEGATE_TEXT_H_
#define PTEPROOF_CLI_RENDER_DELEGATE_TEXT_H_

#include <string>

#include "pteproof/program.h"

namespace pteproof {

// A few lines for each delegate whose blob is of a known format: backend, inputs, outputs, nodes,
// memory of its own, and what of it is not checked. Empty if there is none.
[[nodiscard]] std::string DelegatesText(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_RENDER_DELEGATE_TEXT_H_
