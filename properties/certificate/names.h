// What a certificate says of one method: births of names, the roles of delegate calls, and what
// holds at the targets of jumps back.
#ifndef PTEPROOF_PROPERTIES_CERTIFICATE_NAMES_H_
#define PTEPROOF_PROPERTIES_CERTIFICATE_NAMES_H_

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "meaning/program_meaning.h"
#include "properties/certificate/buffers.h"

namespace pteproof::certificate {

// Signatures by the operator's name, which grow with each method.
using Operators = std::map<std::string, std::string>;

[[nodiscard]] nlohmann::ordered_json MethodPart(const meaning::ProgramMeaning& meant, size_t method,
                                                const Buffers& buffers, Operators& operators);

}  // namespace pteproof::certificate

#endif  // PTEPROOF_PROPERTIES_CERTIFICATE_NAMES_H_
